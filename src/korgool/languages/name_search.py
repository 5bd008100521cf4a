"""Search for names, on any keyboard: the one place that says which letters are the same.

Most phones have a Russian or an English keyboard. So ө is found by о, ı and İ by i, ё by е and every letter with a mark
by the one without; hyphens, apostrophes and the order of the names do not matter; and a name in Cyrillic letters is
found by what people write for it in Latin ones, and the other way round. That is for searching only: whether two names
are the same is decided elsewhere, letter by letter.

The scripts of the pages search by the same tables: `kernel/generate.py` writes them into
`static/js/site/search_letters.js`, and `static/js/site/name_search.js` does with them what is done here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias, TypeVar

LETTERS = {
    # Kyrgyz, Kazakh and their neighbours by the letters of a Russian keyboard
    "ө": "о", "ү": "у", "ұ": "у", "ң": "н", "қ": "к", "ғ": "г", "ә": "а", "і": "и", "һ": "х",
    "ҥ": "н", "ӊ": "н", "ӈ": "н", "ҡ": "к", "ҝ": "к", "ӄ": "к", "ҕ": "г", "ґ": "г", "ӕ": "а", "э": "е", "ҳ": "х",
    "җ": "ж", "ҙ": "з", "ҫ": "с", "ҷ": "ч", "ҹ": "ч", "є": "е", "ј": "и", "љ": "л", "њ": "н", "ћ": "ч", "ђ": "дж",
    "џ": "дж", "ъ": "", "ь": "", "ӏ": "",
    # Latin letters by those of an English keyboard
    "ı": "i", "ə": "a", "æ": "ae", "œ": "oe", "ø": "o", "ɵ": "o", "ð": "d", "đ": "d", "ł": "l", "ħ": "h", "ŧ": "t",
    "þ": "th", "ß": "ss", "ŋ": "n", "ĸ": "k", "ς": "σ",
    # Inside a word: hyphens and apostrophes
    **dict.fromkeys("-‐‑‒–—―−﹘﹣－·'’‘‛ʼʻʾʿ`´ʹ′＇", "-"),
}  # fmt: skip
"""Letter by which a small letter without marks is searched."""
LOOKALIKES = dict(zip("aceopxyikhmt", "асеорхуикхмт", strict=True))
"""Latin letters that stand for Cyrillic ones inside a word of Cyrillic letters, as in Бiржан."""
ROMAN = dict(zip("абвгдежзийклмнопрстуфхы", "abvgdejziiklmnoprstufhi", strict=True)) | {
    "ц": "ts", "ч": "ch", "ш": "sh", "щ": "sh", "ю": "yu", "я": "ya",
}  # fmt: skip
"""Latin spellings of Cyrillic letters."""
MARKED = {"ş": "sh", "š": "sh", "ç": "ch", "č": "ch", "ž": "zh"}
MARKED |= {letter.upper(): sound for letter, sound in MARKED.items()}
"""Sounds of Latin letters that have lost their mark among `LETTERS`."""
SPELLINGS = (
    ("dzh|dj|zh", "j"), ("shch|sch|sh", "S"), ("ch", "C"), ("ts|tz", "c"), ("kh", "h"), ("gh", "g"), ("ph", "f"),
    ("ng", "n"), ("x", "ks"), ("q", "k"), ("w", "v"), ("y", "i"), ("i+o", "e"),
    ("^i+(?=[au])", "Y"), ("ai+(?=[au])", "aY"), ("ei+(?=[au])", "eY"), ("oi+(?=[au])", "oY"), ("ui+(?=[au])", "uY"),
    ("i+(?=[aeu])", ""), ("Y", "i"), ("ae", "a"), ("oe", "o"), ("ue", "u"),
)  # fmt: skip
"""Expressions for ways to write a sound in Latin letters, each with what it is searched by, in their order: Semyonov
and Semenov, Zhumabek and Jumabek, Aliyev and Aliev, Mueller and Müller are written for the same name."""
BARE = {"S": "s", "C": "c"}
"""Sounds of names for which the letter alone is typed, as it is for ş and ç: sarip for Шарип."""

_JOINT = "-"
_KEPT = 8192
"""Texts, mostly names, that are not taken apart once more for the next search."""
_CYRILLIC = re.compile("[\u0400-\u052f]")
_LATIN = re.compile("[a-z]")
_TWICE = re.compile(r"(.)\1")
_SPELLINGS = [(re.compile(pattern), text) for pattern, text in SPELLINGS]
_LOOKALIKES, _ROMAN, _MARKED, _BARE = map(str.maketrans, (LOOKALIKES, ROMAN, MARKED, BARE))
_SHORT, _LONG = 3, 6
"""Letters from which a word is also found inside of others, and across a blank: Asanuulu for Асан уулу."""
_Item = TypeVar("_Item")
Sought: TypeAlias = "tuple[SoughtWord, ...]"


class _Letters(dict[int, str]):
    """The table of `str.translate`, filled as letters are met."""

    def __missing__(self, code: int) -> str:
        self[code] = found = "".join(map(_plain, unicodedata.normalize("NFKD", _joint(chr(code))).lower()))
        return found


def _joint(letter: str) -> str:
    """The letter, a hyphen for one that has a decomposition with a blank, such as ´."""
    return LETTERS[letter] if LETTERS.get(letter) == _JOINT else letter


def _plain(letter: str) -> str:
    known, kind = LETTERS.get(letter), unicodedata.category(letter)
    if known is not None or kind in ("Mn", "Cf"):
        return known or ""
    return letter if kind[0] in "LN" else " "


_TABLE = _Letters()


@dataclass(frozen=True, slots=True)
class SoughtWord:
    """A word of what is searched for.

    Attributes:
        joined: as it is written, without hyphens and apostrophes.
        parts: what stands between these.
    """

    joined: str
    parts: tuple[str, ...]


def sought(text: str) -> Sought:
    """Words of a search as it was typed."""
    parts = [tuple(_native(part) for part in word.split(_JOINT) if part) for word in text.translate(_TABLE).split()]
    return tuple(SoughtWord("".join(some), some) for some in parts if some)


def finds(words: Sought, text: str) -> bool:
    """Return whether all words stand in a text, in any order; no words stand in every text.

    Numbers stand there whole, and words of one or two letters at the beginning of others: `ли` does not find Алиев.
    """
    return all(_within(word.joined, text) or all(_within(part, text) for part in word.parts) for word in words)


def matches(typed: str, named: Iterable[tuple[_Item, str]]) -> list[_Item]:
    """Items whose name matches what was typed into a command.

    The first of these that fits anything: the whole name as it is typed, in any case; its beginning; all its words, in
    any order and as one searches them; the beginnings of some of its words.
    """
    key, words = _literal(typed), sought(typed)
    given = [(item, name, _literal(name)) for item, name in named]
    if found := [item for item, _, name in given if name == key]:
        return found
    if not words:
        return []
    if found := [item for item, _, name in given if name.startswith(key)]:
        return found
    whole = sorted(word.joined for word in words)
    if found := [item for item, name, _ in given if sorted(word.joined for word in sought(name)) == whole]:
        return found
    return [item for item, name, _ in given if _begins(words, name)]


def _begins(words: Sought, name: str) -> bool:
    return all(_begin(word.joined, name) or all(_begin(part, name) for part in word.parts) for word in words)


def _begin(word: str, name: str) -> bool:
    pairs = _pairs(name) if len(word) >= _LONG else ()
    if any(one.startswith(word) for one in (*_forms(name), *pairs)):
        return True
    script = _script(word)
    sounds = (*_sounds(name, script), *(sound for pair in pairs for sound in _sounds(pair, script)))
    return bool(script) and any(one.startswith(_spelt(word)) for one in sounds)


def _within(word: str, text: str) -> bool:
    if word.isdecimal():
        return word in _forms(text)
    if _begin(word, text):
        return True
    once = _TWICE.sub(r"\1", word)
    if len(word) >= _SHORT and word in _joined(text):
        return True
    if len(once) > _SHORT and once in _TWICE.sub(r"\1", _joined(text)):
        return True
    spelt = _spelt(word)
    return len(spelt) >= _SHORT and any(spelt in one for one in _sounds(text, _script(word)))


def _script(word: str) -> str:
    return "cyrillic" if _CYRILLIC.search(word) else "latin" if _LATIN.search(word) else ""


@lru_cache(maxsize=_KEPT)
def _joined(text: str) -> str:
    """The words of a text without hyphens and apostrophes."""
    return " ".join(word.joined for word in sought(text))


@lru_cache(maxsize=_KEPT)
def _forms(text: str) -> tuple[str, ...]:
    """The words of a text, and the parts of those with hyphens."""
    return tuple(dict.fromkeys(form for word in sought(text) for form in (word.joined, *word.parts)))


@lru_cache(maxsize=_KEPT)
def _pairs(text: str) -> tuple[str, ...]:
    """Every two words that follow each other, as one."""
    words = [word.joined for word in sought(text)]
    return tuple(map("".join, pairwise(words)))


@lru_cache(maxsize=_KEPT)
def _sounds(text: str, script: str) -> tuple[str, ...]:
    """The words of a text by their sounds, for a word that is typed in this script.

    Cyrillic letters are not spelt in several ways, so they are compared with Latin ones only.
    """
    if not script:
        return ()
    forms = _forms(text)
    latin = [form for form in forms if not _CYRILLIC.search(form)]
    latin += _forms(unicodedata.normalize("NFC", text).translate(_MARKED)) if latin else ()
    found = [_spelt(form) for form in latin if not _CYRILLIC.search(form)]
    if script == "latin":
        for sound in (_spelt(form) for form in forms if _CYRILLIC.search(form)):
            found += (sound, sound.translate(_BARE))
    return tuple(dict.fromkeys(found))


def _native(word: str) -> str:
    return word.translate(_LOOKALIKES) if _CYRILLIC.search(word) else word


@lru_cache(maxsize=_KEPT)
def _spelt(word: str) -> str:
    """A word by its sounds in Latin letters, however it is written."""
    text = word.translate(_ROMAN)
    for pattern, instead in _SPELLINGS:
        text = pattern.sub(instead, text)
    return _TWICE.sub(r"\1", text)


def _literal(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())
