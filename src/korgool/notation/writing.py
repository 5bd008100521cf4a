"""Writing game records, and the registry of their dialects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from korgool.notation.movewriting import format_coordinate_line, format_movetext, format_pairs
from korgool.notation.record import Record
from korgool.notation.tags import SEVEN_TAGS, format_tag
from korgool.notation.terminations import format_options
from korgool.rules import Termination

TAG_ORDER = (*SEVEN_TAGS, "Time", "TimeControl", "WhiteElo", "BlackElo", "Variant", "Rules", "FEN", "Termination")
"""The order of the tags in PGN style; others follow."""
_TGK_ORDER = ("White", "Black", "Result", "Date", "Event", "Round", "Site")


def write_record(record: Record, dialect: str = "pgn") -> str:
    """One game as text, with its line ends; texts of several games may be written one after the other.

    PGN style carries all that a record holds. TGK carries its seven tags, Count and Comment, and drops other tags,
    comments, marks, variations, offers and stores. Coordinates and bare carry the moves of the game alone. Only PGN
    style names the game: a reader of the others must be told it, unless it is toguz korgool.

    Args:
        record: the game.
        dialect: one of `DIALECTS`.

    Raises:
        ValueError: there is no such dialect, or it cannot carry this game, or the record has an error.
    """
    if record.error is not None:
        raise ValueError(f"a record with an error cannot be written ({record.error})")
    form = DIALECTS_BY_NAME.get(dialect)
    if form is None:
        raise ValueError(f"there is no dialect {dialect!r}; there are {', '.join(DIALECTS)}")
    if not form.set_up and record.start != record.start.rules.start():
        raise ValueError(f"the {dialect} dialect cannot carry a set-up start; write the game in PGN style")
    if not (form.tags or record.moves):
        raise ValueError(f"the {dialect} dialect cannot carry a game without moves; write it in PGN style")
    return form.write(record)


def write_records(records: Iterable[Record], dialect: str = "pgn") -> Iterator[str]:
    """The texts of many games, lazily; see `write_record`."""
    return (write_record(record, dialect) for record in records)


def _pgn(record: Record) -> str:
    start = record.start
    tags = {**dict.fromkeys(SEVEN_TAGS, "?"), "Date": "????.??.??", **record.tags, "Result": record.result}
    tags["Variant"] = start.rules.title
    options = format_options(start.rules)
    if options:
        tags["Rules"] = options
    usual = start.rules.start()
    if start != usual or start.fullmove != usual.fullmove:
        tags["FEN"] = str(start)
    names = [name for name in TAG_ORDER if name in tags] + [name for name in tags if name not in TAG_ORDER]
    text = format_movetext(
        (start, record.moves),
        comments=record.comments,
        glyphs=record.glyphs,
        offers=record.offers,
        variations=record.variations,
    )
    words = [text, record.result]
    outcome = record.position.outcome()
    if outcome is not None and outcome.termination == Termination.NO_MOVE:
        words.append("{zero}")
    return "\n".join(format_tag(name, tags[name]) for name in names) + "\n\n" + " ".join(filter(None, words)) + "\n\n"


def _tgk(record: Record) -> str:
    tags = {**dict.fromkeys(_TGK_ORDER, "?"), **record.tags, "Result": record.result}
    # The dialect knows a year or a whole date.
    date = [part for part in tags["Date"].split(".") if "?" not in part]
    tags["Date"] = ".".join(date if len(date) == 3 else date[:1]) or "?"
    names = [name for name in ("Count", "Comment") if name in tags] + list(_TGK_ORDER)
    return "\n".join(
        [
            *(format_tag(name, tags[name]) for name in names),
            "",
            *format_pairs((record.start, record.moves)),
            record.result,
            "",
            "",
        ]
    )


def _coordinates(record: Record) -> str:
    return format_coordinate_line((record.start, record.moves)) + "\n"


def _bare(record: Record) -> str:
    return "".join(map(str, record.moves)) + "\n"


@dataclass(frozen=True, slots=True)
class Dialect:
    """A form of game records.

    Attributes:
        write: one game as text; what the fields below exclude does not reach it.
        suffix: how the name of a file with such records ends.
        tags: whether it carries tags, and so also a game without moves.
        set_up: whether it carries a start that is not the usual one.
    """

    write: Callable[[Record], str]
    suffix: str
    tags: bool = False
    set_up: bool = False


DIALECTS_BY_NAME: dict[str, Dialect] = {
    "pgn": Dialect(_pgn, ".pgn", tags=True, set_up=True),
    "tgk": Dialect(_tgk, ".tgk", tags=True),
    "coordinates": Dialect(_coordinates, "-coordinates.txt"),
    "bare": Dialect(_bare, "-bare.txt"),
}
"""The dialects. `korgool convert --to`, the downloads of the pages, tests and benchmarks take theirs from here."""
DIALECTS = tuple(DIALECTS_BY_NAME)
"""Their names, as `korgool convert --to` takes them."""
