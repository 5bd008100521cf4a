"""Texts that people paste, for two readers: records in every form that both read, damaged ones, and what one reads.

Each is made from its seed alone, so a list is made anew by asking for it, and nothing is kept that could grow old.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

from korgool.notation import Record, Variation, format_movetext, write_record
from korgool.notation.moves import format_move
from korgool.rules import GAMES, Game, Position, Side, Termination

RESULTS = ("", " *", " 1-0", " 0-1", " 1/2-1/2", " ½-½", " 0,5-0,5", " 1–0", " 1 : 0")
_PIECES = [
    *"0123456789X=x(),.*-{}[]:;%$!?½х \n",
    "1-0",
    "(10)",
    "1.",
    "2...",
    "…",
    '[White "A"]',
    "1 (82) - 0 (60)",
    "{zero}",
    "\t",
]


def game(chance: Random, name: str) -> Game:
    """A game of up to some ninety plies, played at random or for captures, over or not."""
    going = Game(GAMES[name])
    greedy = chance.random() < 0.6
    for _ in range(chance.choice((1, 2, 5, 12, 30, 90, 300))):
        position = going.position
        legal = position.legal_moves()
        if not legal:
            break
        chance_of = chance.random
        going.play(max(legal, key=lambda hole: (position.sow(hole).taken if greedy else 0, chance_of())))
    return going


def digits(chance: Random, name: str) -> str:
    """The bare dialect, with a result or without."""
    return "".join(map(str, game(chance, name).moves)) + chance.choice(("", " *", " 1-0", " 0-1", "  1/2-1/2"))


def running(chance: Random, name: str) -> str:
    """Field notation without tags, numbered over one line or several, or on one line without numbers."""
    going = game(chance, name)
    plies = len(going.moves)
    asked = chance.sample(range(1, plies + 1), min(plies, chance.randrange(3)))
    notes = [
        (chance.randint(1, plies), chance.choice(("so", "a, b", "1-0?", "(10)"))) for _ in range(chance.randrange(3))
    ]
    outcome = going.position.outcome()
    result = chance.choice(RESULTS)
    if outcome is not None and chance.random() < 0.6:
        result = " " + outcome.result_text
    if plies == 1 or chance.random() < 0.5:
        text = format_movetext(going, offers=asked, comments=notes)
        return (re.sub(r" (?=[0-9]+\.)", lambda _: chance.choice(" \n"), text) if "{" not in text else text) + result
    if chance.random() < 0.4:
        words = [
            format_move(position.sow(hole), store=False, tuz=chance.choice("xXхХ"))
            for position, hole in zip(going.positions, going.moves, strict=False)
        ]
        return chance.choice((" ", "  ")).join(words) + result
    return format_movetext(going, numbered=False, offers=asked) + result


def tagged(chance: Random, name: str) -> str:
    """PGN style or TGK, as this program writes them."""
    going = game(chance, name)
    if going.outcome() is None and chance.random() < 0.5:
        going.conclude(chance.choice((None, *Side)), chance.choice((Termination.RESIGNATION, Termination.TIME)))
    names: dict[str, Any] = chance.choice(
        ({}, {"White": "Aida"}, {"White": 'Bek "the \\ fox"', "Black": "?", "Event": "Кубок"})
    )
    dialect = chance.choice(("pgn", "pgn", "tgk"))
    text = write_record(Record.of(going, **names), dialect)
    return (
        text
        if dialect == "pgn"
        else f'[Variant "{going.position.rules.title}"]\n{text}'
        if chance.random() < 0.2
        else text
    )


def position(chance: Random, name: str) -> str:
    """A position text, of this game or of another."""
    return f" {game(chance, chance.choice((name, *GAMES))).position} "


COMMON: tuple[Callable[[Random, str], str], ...] = (digits, running, tagged, position)
"""What both readers read."""


def beside(chance: Random, going: Game) -> list[Variation]:
    """A line beside a game, of one ply that might have been played."""
    ply = chance.randint(1, len(going.moves))
    return [Variation(ply, (chance.choice(going.positions[ply - 1].legal_moves()),))]


def foreign(chance: Random, name: str) -> str:
    """What only the server reads: coordinates, several games, set-up starts, other rules, marks and variations."""
    going = game(chance, name)
    pgn = write_record(Record.of(going))
    start = going.positions[chance.randrange(len(going.positions))]
    return chance.choice(
        (
            write_record(Record.of(going), "coordinates"),
            pgn + pgn,
            "7\n9\n",
            f"{format_movetext(going)}\n\n{format_movetext(going)}",
            f'[FEN "{start}"]\n\n*',
            pgn.replace("\n\n", '\n[Rules "threefold=0"]\n\n', 1),
            f"{{first}} {format_movetext(going)}",
            f"% a line\n{format_movetext(going)}",
            pgn.replace("\n\n", "\n\n; told\n", 1),
            format_movetext(going, glyphs=[(len(going.moves), chance.randrange(9))]),
            format_movetext(going, variations=beside(chance, going)),
        )
    )


def damaged(chance: Random, text: str) -> str:
    """The text with some letters put in, taken away or exchanged."""
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        place = chance.randrange(len(text) + 1)
        gone = chance.choice((0, 0, 1, 1, 2, 5))
        text = text[:place] + chance.choice(("", "", *_PIECES)) + text[place + gone :]
    return text


def readable(seed: object, count: int) -> list[tuple[str, str]]:
    """Games by name and texts that both readers accept."""
    chance = Random(f"readable {seed}")
    made = []
    for index in range(count):
        name = chance.choice(tuple(GAMES))
        made.append((name, COMMON[index % len(COMMON)](chance, name)))
    return made


def doubtful(seed: object, count: int) -> list[tuple[str, str]]:
    """Games by name and texts with faults, and those of another game or of dialects that one reader does not know."""
    chance = Random(f"doubtful {seed}")
    made = []
    for _ in range(count):
        name = chance.choice(tuple(GAMES))
        kind = chance.choice((*COMMON, foreign))
        text = kind(chance, name)
        if chance.random() < 0.85:
            text = damaged(chance, text)
        made.append((chance.choice((name, *GAMES)) if chance.random() < 0.1 else name, text))
    return made


_SAID = (
    "so",
    "жакшы жүрүш",
    "a, b",
    "1-0?",
    "(10)",
    "{ open",
    "ends, with a comma,",
    "White wins",
    "7-6 *",
    'a "b" \\c',
    "é·ı",
    "[%csl Ga1]",
    "[%cal Gb1e2,Ra2c1][%csl Ye1] the row, [%csl Bb2]",
    "[%csl Gi2] [%cal Gg1h2]",
    "[%cal Ga1a1] [%clk 0:10:00]",
    "",
)


def _said(chance: Random, most: int) -> list[str]:
    return [" ".join(chance.choice(_SAID).split()) for _ in range(chance.randrange(most + 1))]


def _beside(chance: Random, before: Position, ply: int, depth: int) -> Variation | None:
    """A random line in place of a ply, with all that a line may carry."""
    position, moves, positions = before, list[int](), [before]
    for _ in range(chance.choice((1, 1, 2, 4))):
        legal = position.legal_moves()
        if not legal:
            break
        moves.append(chance.choice(legal))
        position = position.play(moves[-1])
        positions.append(position)
    if not moves:
        return None
    plies = range(ply, ply + len(moves))
    comments = tuple((one, said) for one in (ply - 1, *plies) for said in _said(chance, 1))
    glyphs = tuple((one, chance.randrange(140)) for one in (ply - 1, *plies) if chance.random() < 0.15)
    offers = tuple(one for one in plies if chance.random() < 0.1)
    within = [
        _beside(chance, positions[one - ply], one, depth + 1) for one in plies if depth < 4 and chance.random() < 0.35
    ]
    inner = tuple(one for one in within if one is not None)
    return Variation(ply, tuple(moves), comments, glyphs, offers, inner, tuple(_said(chance, 1)))


def annotated(chance: Random, name: str) -> Record:
    """A record with tags, comments, marks, offers and nested variations, also from a set-up start."""
    going = game(chance, name)
    if chance.random() < 0.25:
        from_there = Game(going.positions[chance.randrange(len(going.positions))])
        while len(from_there.moves) < 9 and (legal := from_there.position.legal_moves()):
            from_there.play(chance.choice(legal))
        going = from_there
    if going.outcome() is None and chance.random() < 0.4:
        going.conclude(chance.choice((None, *Side)), chance.choice((Termination.RESIGNATION, Termination.TIME)))
    plies = len(going.moves)
    some = min(1.0, 12 / (plies + 1))
    comments = [(ply, said) for ply in range(plies + 1) if chance.random() < some for said in _said(chance, 2)]
    glyphs = [(ply, chance.randrange(140)) for ply in range(plies + 1) if chance.random() < some / 3]
    offers = [ply for ply in range(1, plies + 1) if chance.random() < some / 6]
    lines = [
        _beside(chance, going.positions[ply - 1], ply, 1)
        for ply in range(1, plies + 1)
        for _ in range(2)
        if chance.random() < some / 3
    ]
    tags: dict[str, Any] = {
        tag: chance.choice(("Aida", 'Bek "the \\ fox"', "Кубок, 1-тур", "2026.11.29", "5+3"))
        for tag in ("White", "Black", "Event", "Date", "TimeControl", "Annotator", "Opening_1")
        if chance.random() < 0.3
    }
    beside = [line for line in lines if line is not None]
    return Record.of(going, comments=comments, glyphs=glyphs, offers=offers, variations=beside, **tags)
