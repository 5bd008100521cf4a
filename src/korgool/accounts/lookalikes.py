"""Skeletons of names: names that a reader takes for each other have the same skeleton.

After the skeletons of Unicode Technical Standard 39, with a table of our own for the alphabets that names here may
have, and stricter where people are careless: letters that differ by a mark, a bar or a hook look alike, because a phone
without the letters of Kyrgyz or Turkish writes one for the other.
"""

from __future__ import annotations

import unicodedata

_LETTERS = {
    # Latin
    "æ": "ae", "œ": "oe", "ß": "ss", "ı": "i", "ð": "d", "đ": "d", "þ": "p", "ŋ": "n", "ĸ": "k", "ə": "e", "Ə": "e",
    # Digits, and capital I, which is taken for a small l before it is taken for a small i
    "0": "o", "1": "l", "I": "l",
    # Cyrillic, by the small letters; most capitals look like the Latin capitals of the same letters
    "а": "a", "в": "b", "ь": "b", "ъ": "b", "ҍ": "b", "с": "c", "ԁ": "d", "е": "e", "є": "e", "ә": "e", "ҽ": "e",
    "ԑ": "e", "ԍ": "g", "н": "h", "һ": "h", "ћ": "h", "ђ": "h", "і": "i", "ӏ": "l", "І": "l", "ј": "j", "к": "k",
    "м": "m", "о": "o", "ө": "o", "р": "p", "ԛ": "q", "г": "r", "ґ": "r", "ѕ": "s", "т": "t", "ԝ": "w", "х": "x",
    "у": "y", "ү": "y", "з": "3", "ӡ": "3", "б": "6", "ч": "4", "ӌ": "4", "ы": "bl", "ю": "lo", "ӕ": "ae",
    # Greek: a small letter often looks like another Latin letter than its capital
    "α": "a", "β": "b", "γ": "y", "δ": "d", "ε": "e", "ζ": "z", "η": "n", "Η": "h", "θ": "o", "ι": "i", "Ι": "l",
    "κ": "k", "λ": "л", "μ": "u", "Μ": "m", "ν": "v", "Ν": "n", "ο": "o", "π": "п", "ρ": "p", "σ": "o", "ς": "c",
    "Σ": "e", "τ": "t", "υ": "u", "Υ": "y", "φ": "ф", "χ": "x", "Γ": "r", "ω": "w",
    # Armenian and Georgian
    "ո": "n", "ռ": "n", "ս": "u", "օ": "o", "հ": "h", "ց": "g", "յ": "j", "զ": "q", "գ": "q", "ք": "f", "ա": "w",
    "տ": "s", "փ": "ф", "ծ": "d", "ყ": "y", "ჳ": "3",
    # Hebrew, and Arabic letters that differ in Persian, Uyghur or Kyrgyz spelling only
    "ס": "o", "ו": "l", "ן": "l", "ט": "v", "ا": "l", "ه": "o", "ة": "o", "ە": "o", "ھ": "o", "ہ": "o", "ۃ": "o",
    "ی": "ي", "ى": "ي", "ې": "ي", "ے": "ي", "ک": "ك", "ڪ": "ك", "ں": "ن",
    # Japanese
    "ヘ": "へ",
}  # fmt: skip
_SEQUENCES = (("rn", "m"), ("vv", "w"))


def look(name: str) -> str:
    """Skeleton of a name, in small letters and without the separators between its parts."""
    text = "".join(map(_letter, unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name))))
    for pair, letter in _SEQUENCES:
        text = text.replace(pair, letter)
    return text


def _letter(letter: str) -> str:
    if letter in "-_" or unicodedata.combining(letter):
        return ""
    letter = _LETTERS.get(letter) or _base(letter).casefold()
    return "".join(_LETTERS.get(one, one) for one in letter)


def _base(letter: str) -> str:
    """The letter without a bar, a tail or a hook, which its name in Unicode tells: `EN WITH DESCENDER`."""
    plain, found, _ = unicodedata.name(letter, "").partition(" WITH ")
    if not found:
        return letter
    try:
        return unicodedata.lookup(plain)
    except KeyError:
        return letter
