"""Whole names taken apart: numbers before them, family names of several words, and what stays doubtful."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"\s*(?:№\s*)?\d{1,4}(?:\s*[.)\]:]\s*|\s+[-–—]\s+|\s+)(?=[^\W\d_])")
_BEFORE = frozenset(re.split(" ", "van von vom zu zur de del della dela di da dos bin ibn abu ван фон де ибн"))
"""Words that begin a family name: van Gogh."""
_BEFORE_SMALL = _BEFORE | frozenset(
    re.split(" ", "der den ten ter la le du do al el af дер ден дю ла ле аль эль бен бин")
)
"""The same where they are written small; with a capital letter they are names too."""
_BEHIND = frozenset(re.split(
    " ", "уулу улуу уулы ұлы улы оглы оглу оғлы огли кызы қызы кизи гызы кыз uulu ulu uly ogly oglu oğlu ogli o'g'li "
    "oʻgʻli kyzy kizi kızı qizi qızı gyzy gizi"
))  # fmt: skip
"""Words that belong to the name before them: Асан уулу."""


def without_number(text: str) -> str:
    """A name without the number of a line before it: `12. Асанов`, `12) Асанов`, `12 Асанов`."""
    return _NUMBER.sub("", text, count=1) if _NUMBER.match(text) else text


def split_name(text: str, *, given_is_first: bool = False) -> dict[str, str]:
    """The parts of `Family, Given Patronymic` as members of an entry.

    Without a comma the family name is the first word, or the last where the given name comes first, with the particles
    that belong to it.
    """
    if "," in text:
        family, _, rest = (part.strip() for part in text.partition(","))
        return {"family": family, **_rest(rest.split())}
    words = text.split()
    if given_is_first:
        begin = _family_from(words)
        return {"family": " ".join(words[begin:]), "given": " ".join(words[:begin]), "patronymic": ""}
    end = _family_to(words)
    return {"family": " ".join(words[:end]), **_rest(words[end:])}


def doubtful_particle(text: str) -> str:
    """The particle of a name that may belong to another part of it than `split_name` takes; empty without doubt."""
    words = text.split()
    comma = next((at for at, word in enumerate(words) if word.endswith(",")), -1)
    bare = [word.strip(",") for word in words]
    if comma >= 0:
        rest = bare[comma + 1 :]
        if rest and (_begins(rest[-1]) or (len(rest) == 2 and _ends(rest[1]))):
            return rest[-1]
        return ""
    begin = _family_to(bare)
    if begin == 1 and _begins(words[0]):
        return words[0]
    for at, word in enumerate(bare[begin:], begin):
        if _begins(word) or (_ends(word) and at == begin + 1):
            return word
    return ""


def _rest(words: list[str]) -> dict[str, str]:
    """Given name and patronymic; one word with a particle behind it stays together."""
    end = 2 if len(words) == 2 and _ends(words[1]) else 1
    return {"given": " ".join(words[:end]), "patronymic": " ".join(words[end:])}


def _family_to(words: list[str]) -> int:
    """Number of words at the beginning that are the family name."""
    end = 0
    while end < len(words) - 1 and _begins(words[end]):
        end += 1
    if end + 1 == len(words) and not words[0].islower():
        end = 0  # Ван Хао: nobody is without a given name
    end += 1
    while end < len(words) and _ends(words[end]):
        end += 1
    return end


def _family_from(words: list[str]) -> int:
    """Index of the first word of a family name that stands at the end."""
    begin = len(words) - 1
    while begin > 1 and _ends(words[begin]):
        begin -= 1
    while begin > 1 and _begins(words[begin - 1]):
        begin -= 1
    return max(begin, 0)


def _begins(word: str) -> bool:
    known = word.casefold()
    return known in _BEFORE or (known in _BEFORE_SMALL and word.islower())


def _ends(word: str) -> bool:
    return word.casefold().replace("’", "'") in _BEHIND
