"""The contents of a record form: the head, the players, and the game if it has been played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from korgool.conduct.control import ControlKind
from korgool.conduct.state import GameState, settle
from korgool.notation.record import Record
from korgool.notation.tags import unknown_tag
from korgool.rules import VARIANTS, Rules, Side


@dataclass(frozen=True, slots=True)
class FormPlayer:
    """A player as named on the form; unknown fields stay empty.

    Attributes:
        name: family name and given name.
        title: sports title.
        rating: rating points.
        team: country, federation or team.
    """

    name: str = ""
    title: str = ""
    rating: str = ""
    team: str = ""


@dataclass(frozen=True, slots=True)
class RecordForm:
    """A record form (WNG-TK §II, §VIII), blank without a record. All texts may be empty.

    Attributes:
        rules: the game.
        white: the player of the white side, in the set that the form is for.
        black: the player of the black side.
        event: name of the event.
        site: where it is held.
        date: date of the game.
        round: number of the round.
        board: number of the board.
        set: number of the set in a match of sets; None if the game has no sets and the form no such field.
        control: the time control in words.
        clock: number of the clock on the table.
        started: when the game began.
        ended: when it ended.
        arbiter: name of the arbiter.
        time_used: time that White and Black have used.
        warnings: warnings given to White and to Black (WNG-TK §XIV).
        record: the game, or None for a blank form.
        both_lost: whether both players lost, which a record cannot express.
    """

    rules: Rules
    white: FormPlayer = field(default_factory=FormPlayer)
    black: FormPlayer = field(default_factory=FormPlayer)
    event: str = ""
    site: str = ""
    date: str = ""
    round: str = ""
    board: str = ""
    set: str | None = None
    control: str = ""
    clock: str = ""
    started: str = ""
    ended: str = ""
    arbiter: str = ""
    time_used: tuple[str, str] = ("", "")
    warnings: tuple[int, int] = (0, 0)
    record: Record | None = None
    both_lost: bool = False

    @classmethod
    def of_tags(cls, rules: Rules, tags: Mapping[str, str]) -> RecordForm:
        """A form whose head is filled from PGN tags; `TAGS` lists those with a place on it."""
        known = {name: "" if unknown_tag(text) else text.strip() for name, text in tags.items()}

        def tag(*names: str) -> str:
            return next((known[name] for name in names if known.get(name)), "")

        def player(side: str) -> FormPlayer:
            return FormPlayer(
                tag(side), tag(f"{side}Title"), tag(f"{side}Elo"), tag(f"{side}Team", f"{side}Federation")
            )

        return cls(
            rules,
            player("White"),
            player("Black"),
            event=tag("Event"),
            site=tag("Site"),
            date=_date(tag("Date")),
            round=tag("Round"),
            board=tag("Board"),
            # Mangala is played in sets (WNG-M §III.4), so its form always asks for the number.
            set=tag("Set") or ("" if VARIANTS[rules.name].in_sets else None),
            control=tag("TimeControl"),
            clock=tag("Clock"),
            started=tag("Time"),
            ended=tag("EndTime"),
            arbiter=tag("Arbiter"),
            time_used=(tag("WhiteTime"), tag("BlackTime")),
        )

    @classmethod
    def of_record(cls, record: Record, tags: Mapping[str, str] | None = None) -> RecordForm:
        """The form of a game: its head comes from the record's tags, and from `tags` if the record has none.

        Raises:
            ValueError: the record has an error.
        """
        if record.error is not None:
            raise ValueError(f"a record with an error has no form ({record.error})")
        known = {name: text for name, text in record.tags.items() if not unknown_tag(text)}
        blank = cls.of_tags(record.start.rules, {**(tags or {}), **known})
        return replace(blank, record=record)

    @classmethod
    def of_state(cls, state: GameState, tags: Mapping[str, str] | None = None) -> RecordForm:
        """The form of a game from the referee's log: draw offers, warnings, time used; the rest comes from `tags`.

        The time used is known for clocks with a main time and an increment; for other clocks the field stays empty. It
        includes time that the referee gave or took. `tags` name the players by their sides in the first set of a match;
        they change sides for every set.

        Raises:
            ValueError: the game has not begun.
        """
        if not state.positions:
            raise ValueError("the game of this log has not begun, there is nothing to print")
        if state.hand is not None and state.hand.outcome is not None:
            state, _ = settle(state, state.now)  # the game is over even without a last press (WNG-TK §V)
        number = None if state.match is None else len(state.match.outcomes) + 1
        if state.match is not None and number is not None and state.match.side_of(0, number) is Side.BLACK:
            tags = {_other_side(name): text for name, text in (tags or {}).items()}
        form = cls.of_record(Record.of(state.game(), offers=state.marks), tags)
        control = None if state.terms is None else state.terms.control
        return replace(
            form,
            set=str(number) if number else form.set,
            control=form.control or ("" if control is None else str(control)),
            time_used=_time_used(state) if form.time_used == ("", "") else form.time_used,
            warnings=(len(state.warnings[Side.WHITE]), len(state.warnings[Side.BLACK])),
            both_lost=state.ending is not None and state.ending.both_lost,
        )


_SIDED = ("", "Title", "Elo", "Team", "Federation", "Time")
TAGS = (
    *("Event", "Site", "Date", "Round", "Board", "Set", "TimeControl", "Clock", "Time", "EndTime", "Arbiter"),
    *(f"{side}{what}" for side in ("White", "Black") for what in _SIDED),
)
"""Tags that have a place on the form."""


def _date(text: str) -> str:
    """`2026.09.08` as 2026-09-08; a date of another form unchanged."""
    parts = text.split(".")
    whole = len(parts) == 3 and len(parts[0]) == 4 and all(part.isdigit() for part in parts)
    return "-".join(parts) if whole else text.replace(".??", "")


def _other_side(tag: str) -> str:
    for side, other in (("White", "Black"), ("Black", "White")):
        if tag.startswith(side):
            return other + tag.removeprefix(side)
    return tag


def _time_used(state: GameState) -> tuple[str, str]:
    """Time used by White and Black as `0:51:12`, empty if the clock does not show it."""
    clock = state.clock
    if clock is None or clock.control.moves or clock.control.kind not in (ControlKind.SUDDEN, ControlKind.FISCHER):
        return "", ""
    used = []
    for side in Side:
        allotted = clock.control.initial_ms + clock.control.increment_ms * clock.turns[side]
        seconds = max(0, allotted - clock.remaining(side, state.now)) // 1000
        used.append(f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}")
    return used[0], used[1]
