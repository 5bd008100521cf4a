"""The traditional names of the holes, in the languages that have them.

Players of toguz korgool name the holes of a row after a horse, from the tail to the mouth. Where people have several
names for one hole, this is the one that most of them know.
"""

from __future__ import annotations

HOLE_NAMES: dict[str, dict[str, tuple[str, ...]]] = {
    "ky": {
        "toguz": (
            "Куйрук",
            "Ат өтпөс",
            "Жаман үй",
            "Текилдек",
            "Бел",
            "Далы",
            "Эки тишти",
            "Көк моюн",
            "Ооз",
        ),
    },
    "kk": {
        "toguz": (
            "Арт",
            "Тектұрмас",
            "Ат өтпес",
            "Атсыратар",
            "Бел",
            "Белбасар",
            "Қандықақпан",
            "Көкмойын",
            "Маңдай",
        ),
    },
}
"""For each language and game, the names of holes 1 to n."""
