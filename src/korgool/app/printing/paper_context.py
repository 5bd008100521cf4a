"""The context in which a paper of an event is made: its options, labels, and values as texts that are safe to print."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from korgool.app.printing.qr import qr_svg, round_address
from korgool.app.printing.typesetting import printable
from korgool.app.words.event_texts import collation, day_text, result_text
from korgool.app.words.event_words import event_words
from korgool.competition.emblem import SIDE
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.model import ByeKind, PairedGame, Personal, Player
from korgool.competition.privacy import shown_name
from korgool.competition.round_history import Meeting, history, team_history

Block: TypeAlias = dict[str, Any]
"""A part of a paper for the template `event.typ`, of the kind in `kind`."""

WHITE, BLACK = "○", "●"
"""The colours in narrow columns."""
THIN = "\u2009"
"""The space between a number and a disc, which would otherwise look like another digit."""
_WORD = 16
"""The number of letters of a word that stay together in a table."""


@dataclass(frozen=True)
class PaperContext:
    """Event, language and options of a paper, with the texts that follow from them.

    Attributes:
        state: the event.
        language: tag of the language.
        paper: `a4` or `a5`.
        round: the requested round, or None.
        group: the group whose standings are requested, or None for all.
        personal: personal data by player, for the application only.
        base_url: the address that QR codes lead to, or None.
        date: the date to print on record forms.
        boards: the first and the last board of slips and record forms, or None for all.
        head: the head of the log, empty if it is not printed.
        template: the text of diplomas and certificates (`diploma_template`), or None for the usual one.
        seats: the codes of White and Black by board of the last round, for table cards, or None.
        seats_url: the address that `/CODE` follows.
    """

    state: EventState
    language: str
    paper: str
    round: int | None = None
    group: str | None = None
    personal: Mapping[int, Personal] | None = None
    base_url: str | None = None
    date: str = ""
    boards: tuple[int, int] | None = None
    head: str = ""
    template: str | None = None
    seats: Mapping[int, tuple[str, str]] | None = None
    seats_url: str = ""
    _texts: dict[str, str] = field(default_factory=dict, compare=False, repr=False)
    _rounds: dict[int, dict[int, Meeting]] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def words(self) -> Mapping[str, str]:
        """The labels in the language; raises ValueError if there is no such language."""
        return event_words(self.language)

    @property
    def emblem(self) -> str:
        """The emblem of the organiser as SVG, empty for none."""
        if not self.state.emblem:
            return ""
        picture = f'<image width="{SIDE}" height="{SIDE}" href="data:image/jpeg;base64,{self.state.emblem}"/>'
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE} {SIDE}">{picture}</svg>'

    @property
    def teams(self) -> bool:
        """True if teams are paired."""
        return self.state.event.system.of_teams

    @property
    def number(self) -> int:
        """The requested round, or else the last one; raises CompetitionError if it is not paired."""
        return self.state.round(self.round if self.round is not None else max(1, len(self.state.rounds))).number

    @property
    def played(self) -> int:
        """Number of rounds that a table counts: up to the requested round, or else all whose results are known."""
        if self.round is not None:
            return self.number
        return len(self.state.rounds) - (not self.state.complete)

    def has_left(self, player: Player) -> bool:
        """True if a player takes no part in any round that is not paired yet."""
        rounds = len(self.state.rounds)
        return player.until is not None and rounds > 0 and player.until <= rounds

    def chosen(self, games: Sequence[PairedGame]) -> list[PairedGame]:
        """The games of the requested boards; raises CompetitionError if there are none."""
        first, last = self.boards or (1, len(games))
        chosen = [game for game in games if first <= game.board <= last]
        if not chosen:
            wanted = f"no boards {first} to {last}" if self.boards else "no games"
            raise CompetitionError(f"round {self.number} has {wanted}")
        return chosen

    def cell(self, text: str) -> str:
        """A text for a narrow column: safe to print, with long words divisible."""
        if text not in self._texts:
            self._texts[text] = divisible(printable(text).replace("\u200b", ""))
        return self._texts[text]

    def player(self, id_: int) -> str:
        """Shown name of a player, or a note that the team's board is empty."""
        return self.cell(shown_name(self.state.players[id_])) if id_ else self.words["no_player"]

    def competitor(self, id_: int) -> str:
        """The name of a team in a team event, otherwise of a player."""
        return self.cell(self.state.teams[id_].name) if self.teams else self.player(id_)

    def team_meetings(self, number: int) -> Mapping[int, Meeting]:
        """The result of a round for every team."""
        if number not in self._rounds:
            meetings_by_team = team_history(self.state, rounds=number)
            self._rounds[number] = {id_: meetings[number - 1] for id_, meetings in meetings_by_team.items()}
        return self._rounds[number]

    def qr(self, number: int, board: int | None = None) -> str | None:
        """The QR code with the address of a round or a board, as SVG; None without an address."""
        if self.base_url is None:
            return None
        return qr_svg(round_address(self.base_url, number, board))

    def day(self, text: str) -> str:
        """`2026-09-08` in the language; a date of another form unchanged."""
        day = day_text(text, self.language)
        return self.cell(text) if day is None else day

    @property
    def dates(self) -> str:
        """The dates of the event."""
        begins, ends = self.day(self.state.event.begins), self.day(self.state.event.ends)
        if begins and ends and begins != ends:
            return self.words["from_to"] % {"begins": begins, "ends": ends}
        return begins or ends

    def bye(self, kind: ByeKind) -> str:
        """The name of a bye."""
        names = {ByeKind.ALLOCATED: "bye", ByeKind.FULL: "full_bye", ByeKind.HALF: "half_bye", ByeKind.ZERO: "absent"}
        return self.words[names[kind]]

    def result(self, game: PairedGame) -> str:
        """A result with its stores, and the cause if the stores do not show it; empty while there is none."""
        if game.result is None:
            return ""
        cause = self.words.get(f"cause {game.result.cause}", "")
        text = result_text(game.result)
        return f"{text} {cause}" if cause and game.result.played else text


def divisible(text: str) -> str:
    """Insert soft hyphens into words wider than a column; words that contain a hyphen are divisible already."""
    parts = re.split(r"(?<=[\s/-])", text)
    return "".join(
        "\u00ad".join(part[place : place + 8] for place in range(0, len(part), 8)) if len(part) > _WORD else part
        for part in parts
    )


def by_name(players: Iterable[Player], language: str) -> list[Player]:
    """Players sorted by name."""
    return sorted(players, key=lambda player: (collation(shown_name(player), language), player.number))


def by_number(state: EventState) -> list[Player]:
    """Players in the order of their pairing numbers."""
    return sorted(state.players.values(), key=lambda player: (player.number, player.id))


def points_before(state: EventState, number: int) -> dict[int, int]:
    """Half points of every player before a round, less penalties."""
    return {
        id_: sum(meeting.points for meeting in meetings)
        - sum(penalty.half_points for penalty in state.players[id_].penalties if penalty.round < number)
        for id_, meetings in history(state, rounds=number - 1).items()
    }


def running(meetings: Iterable[Meeting]) -> list[int]:
    """Half points after each round, without penalties."""
    total, found = 0, []
    for meeting in meetings:
        total += meeting.points
        found.append(total)
    return found


def only_teams(context: PaperContext, what: str) -> None:
    """Raise CompetitionError if the event has no team matches."""
    if not context.teams:
        raise CompetitionError(f"{what} belong to team events, {context.state.event.name} is played by single players")
