"""Names as they stand, and what people type on a phone to find them: every field and command that searches is tried
with all of them."""

from __future__ import annotations

STRANGER = "Жээнбеков, Нурлан"
"""Somebody whom none of them finds."""
PAIRS = (
    ("İlker, Deniz", "ilker"),
    ("Işık, Sarp", "isik"),
    ("Işık, Sarp", "ışık"),
    ("Yıldız, İpek", "YILDIZ"),
    ("Öztürk, Çağrı", "ozturk cagri"),
    ("Kuböoğlu, Şeyma", "kubo"),
    ("Kuböoğlu, Şeyma", "seyma kuboo"),
    ("Âdil, Rûhî", "adil ruhi"),
    ("Өмүрбеков, Бакыт", "омурбеков"),
    ("Өмүрбеков, Бакыт", "Бакыт Омурбеков"),
    ("Төлөгөнова, Чыңара", "чынара"),
    ("Қожахметұлы, Ғани", "кожахметулы гани"),
    ("Әбдіхалық, Һәкім", "абдихалык хаким"),
    ("Семёнов, Пётр", "семенов"),
    ("Семёнов, Пётр", "петр семенов"),
    ("Йылдырым, Сергей", "иылдырым сергеи"),
    ("Салиева-Мамбет, Айгуль", "мамбет айгул"),
    ("Салиева-Мамбет, Айгуль", "салиевамамбет"),
    ("Салиева-Мамбет, Айгуль", "салиева мамбет"),
    ("O’Brien, D'Arcy", "obrien darcy"),
    ("O’Brien, D'Arcy", "o'brien"),
    ("Абу Бакир, Тимур", "абу-бакир"),
    ("Бiржан, Сал", "биржан"),  # with the i of another keyboard
    ("Өмүрбеков, Бакыт", "omurbekov"),
    ("Чыңгызов, Жумабек", "chyngyzov zhumabek"),
    ("Чыңгызов, Жумабек", "Jumabek Chingizov"),
    ("Семёнов, Пётр", "semyonov"),
    ("Kuböoğlu, Şeyma", "кубоглу шейма"),
)
"""A name, and what finds it."""
NAMES = tuple(dict.fromkeys(name for name, _ in PAIRS))
SPELLED = (
    ("Мұхаметжанов, Һашим", "Mukhametzhanov"),
    ("Мұхаметжанов, Һашим", "Muhametjanov"),
    ("Jumabekov, Nurlan", "zhumabekov"),
    ("Semenov, Petr", "semyonov"),
    ("Müller, Jürgen", "Mueller"),
    ("Şahin, Oğuzhan", "Shahin"),
    ("Çağlayan, Işıl", "chaglayan"),
    ("Şahin, Oğuzhan", "Шахин"),
    ("Жээнбекова, Айжаркын", "жеенбекова"),
    ("Сейітқали, Ұлпан", "сейткали"),
    ("Шарип, Асан", "sarip"),
    ("Асан уулу, Нурбек", "асануулу"),
    ("Асан уулу, Нурбек", "Asanuulu"),
    ("Мамеджанов, Али", "MAMEDZHANOV"),
    ("Ян, Ли", "ли ян"),
    ("Ян, Ли", "yan li"),
    ("Эсенгул, Аяна", "Ayana"),
)
"""The same for spellings of a name that its letters do not tell."""
