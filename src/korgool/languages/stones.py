"""Names of the stones: those of toguz korgool and bestemshe have one of their own in three languages.

Messages that serve every game speak of коргоол and құмалақ; of mangala they are said with the word for a stone.
"""

from __future__ import annotations

import re

STONES: dict[str, dict[str, str]] = {
    "ky": {
        "коргоол": "таш",
        "коргоолго": "ташка",
        "коргоолдон": "таштан",
        "коргоолдор": "таштар",
        "коргоолдордон": "таштардан",
        "коргоолдорду": "таштарды",
        "коргоолдордун": "таштардын",
        "коргоолдору": "таштары",
        "коргоолдорун": "таштарын",
        "коргоолдорсуз": "ташсыз",
        "коргоолду": "ташты",
        "коргоолдун": "таштын",
        "коргоолу": "ташы",
        "коргоолун": "ташын",
        "коргоолуңуз": "ташыңыз",
    },
    "kk": {
        "құмалағы": "тасы",
        "құмалағын": "тасын",
        "құмалағыңыз": "тасыңыз",
        "құмалақ": "тас",
        "құмалаққа": "тасқа",
        "құмалақпен": "таспен",
        "құмалақсыз": "тассыз",
        "құмалақтан": "тастан",
        "құмалақтар": "тастар",
        "құмалақтардан": "тастардан",
        "құмалақтарды": "тастарды",
        "құмалақтардың": "тастардың",
        "құмалақтары": "тастары",
        "құмалақтарын": "тастарын",
        "құмалақты": "тасты",
        "құмалақтың": "тастың",
    },
    "ru": {
        "коргоол": "камень",
        "коргоола": "камня",
        "коргоолам": "камням",
        "коргоолами": "камнями",
        "коргоолах": "камнях",
        "коргооле": "камне",
        "коргоолов": "камней",
        "коргоолом": "камнем",
        "коргоолу": "камню",
        "коргоолы": "камни",
    },
}
"""For each language, each form of the stones' own name with the same form of the word for a stone."""

_WORD = re.compile(r"(?:тогуз )?[^\W\d_]+", re.IGNORECASE)
"""A word; the name of toguz korgool is one."""


def in_stones(language: str, text: str) -> str:
    """A text of the catalogues as it is said of mangala."""
    forms = STONES.get(language)
    return _WORD.sub(lambda found: _said(forms, found[0]), text) if forms else text


def _said(forms: dict[str, str], word: str) -> str:
    stone = forms.get(word.lower())
    if stone is None:
        return word
    return stone.capitalize() if word[0].isupper() else stone
