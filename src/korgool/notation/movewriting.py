"""The moves of a game as running text: in field notation with all that stands beside them, in pairs, in coordinates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from korgool.notation.coordinates import format_coordinates
from korgool.notation.moves import format_move
from korgool.notation.variation import Variation
from korgool.rules import Game, Position, Side, Sowing


def format_movetext(
    game: Game | tuple[Position, Sequence[int]],
    *,
    numbered: bool = True,
    comments: Iterable[tuple[int, str]] = (),
    glyphs: Iterable[tuple[int, int]] = (),
    offers: Iterable[int] = (),
    variations: Iterable[Variation] = (),
) -> str:
    """The moves of a game in field notation, such as `1. 76(10) 55(10) 2. 33 77X`, without its result.

    Args:
        game: the game, or its start and hole numbers.
        numbered: whether move numbers are written; a variation always begins with one.
        comments: (ply, text), ply 0 before the first move.
        glyphs: (ply, n) for `$n`.
        offers: plies, from 1, with a draw offer.
        variations: the lines beside the game, written after the plies that they replace, each with the comments after
            it.

    Raises:
        ValueError: a comment holds a closing brace, or moves do not fit the start.
    """
    start, moves = _parts(game)
    return " ".join(_words(start, 1, moves, comments, glyphs, offers, variations, numbered))


def _words(
    start: Position,
    first: int,
    moves: Sequence[int],
    comments: Iterable[tuple[int, str]],
    glyphs: Iterable[tuple[int, int]],
    offers: Iterable[int],
    variations: Iterable[Variation],
    numbered: bool,
) -> list[str]:
    beside: dict[int, list[str]] = {}
    for ply, glyph in glyphs:
        beside.setdefault(ply, []).append(f"${glyph}")
    for ply, text in comments:
        beside.setdefault(ply, []).append(_comment(text, ply))
    lines: dict[int, list[Variation]] = {}
    for one in variations:
        lines.setdefault(one.ply, []).append(one)
    asked = set(offers)
    words = beside.get(first - 1, [])
    last = first + len(moves) - 1
    position, joins = start, False
    due = numbered or first > 1  # a number before the next ply
    for ply, sowing in enumerate(_sowings(start, moves), first):
        text = format_move(sowing, offer=ply in asked)
        if joins and words[-1].endswith(","):
            words[-1] += text
        else:
            if due and not joins:
                words.append(f"{position.fullmove}{'.' if sowing.mover is Side.WHITE else '...'}")
            words.append(text)
        joins = sowing.extra_turn
        if joins and ply < last:
            words[-1] += ","
        words += beside.get(ply, ())
        for one in lines.get(ply, ()):
            inner = _words(
                position, ply, one.moves, one.comments, one.glyphs, one.offers, one.variations, numbered=numbered
            )
            words.append(f"({' '.join(inner)})")
            words += (_comment(text, ply) for text in one.after)
        # After a comment or a variation Black's ply carries its number again.
        due = numbered and (sowing.after.to_move is Side.WHITE or ply in beside or ply in lines)
        position = sowing.after
    return words


def _comment(text: str, ply: int) -> str:
    if "}" in text:
        raise ValueError(f"the comment at ply {ply} holds a closing brace, which would end it")
    return f"{{{text}}}"


def format_pairs(game: Game | tuple[Position, Sequence[int]]) -> list[str]:
    """The moves as lines of one numbered pair each, without stores, a tuz marked `x`: the body of the TGK dialect."""
    start, moves = _parts(game)
    lines: list[str] = []
    joins, fullmove = False, start.fullmove
    for sowing in _sowings(start, moves):
        text = format_move(sowing, store=False, tuz="x")
        if joins:
            lines[-1] += "," + text
        elif sowing.mover is Side.WHITE or not lines:
            lines.append(f"{fullmove}. {text}")
        else:
            lines[-1] += " " + text
        joins, fullmove = sowing.extra_turn, sowing.after.fullmove
    return lines


def format_coordinate_line(game: Game | tuple[Position, Sequence[int]]) -> str:
    """The moves in coordinates, the plies of a turn joined by a comma."""
    text = joint = ""
    for sowing in _sowings(*_parts(game)):
        text += joint + format_coordinates(sowing)
        joint = "," if sowing.extra_turn else " "
    return text


def _parts(game: Game | tuple[Position, Sequence[int]]) -> tuple[Position, Sequence[int]]:
    return (game.start, game.moves) if isinstance(game, Game) else game


def _sowings(position: Position, moves: Iterable[int]) -> Iterator[Sowing]:
    for number in moves:
        sowing = position.sow(number)
        yield sowing
        position = sowing.after
