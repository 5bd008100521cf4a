"""Tie-breaks against others: FIDE's published exercise, and gacrux on events played by chance."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from korgool.competition import actions as do
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.model import Absence, Bye, ByeKind, Entry, PairedGame, Settings, System
from korgool.competition.result import Result
from korgool.competition.round_history import RoundKind, competitors
from korgool.competition.standings import standings, table
from korgool.competition.standings.personal_meetings import direct_encounter
from korgool.competition.trf import write_trf
from korgool.competition.trf_columns import abnormal_record
from tests.slices import drawn

POINTS = {"1": (2, 0), "0": (0, 2), "=": (1, 1), "+": (2, 0), "-": (0, 2)}
SWISS = [
    "PS", "PS-C1", "PS-C2", "BH", "BH-C1", "BH-C2", "BH-M1", "BH-M2", "AOB", "SB", "SB-C1", "SB-C2",
    "WIN", "WON", "BPG", "BWG", "REP", "ARO", "ARO-C1", "ARO-M1", "TPR", "PTP", "APRO", "APPO", "RTNG", "TPN",
    "FB", "FB-C1", "FB-M1",
]  # fmt: skip
"""Fore Buchholz last: in gacrux 1.11 it changes what is computed after it."""


def read_lines(text: str, **settings: Any) -> EventState:
    """The event of the 001 lines of a TRF file; the numbers are the ids."""
    rows = [line for line in text.splitlines() if line.startswith("001")]
    cells = [[line[at : at + 10] for at in range(91, len(line), 10)] for line in rows]
    state = apply(EventState(), do.Open(Settings(name="Exercise", rounds=len(cells[0]), **settings)))
    for line in rows:
        state = apply(state, do.Enter(Entry(family=line[14:47].strip(), rating=int(line[48:52]))))
    state = apply(state, do.Seed(tuple(state.players), True))
    for number in range(1, len(cells[0]) + 1):
        games: list[PairedGame] = []
        results: list[Result] = []
        byes: list[Bye] = []
        for player, row in enumerate(cells, 1):
            opponent, colour, mark = row[number - 1].split()
            if opponent == "0000":
                byes.append(Bye(player, ByeKind(mark)))
                if mark != "U":
                    state = apply(state, do.Miss(player, Absence(number, ByeKind(mark))))
            elif colour == "w":
                games.append(PairedGame(len(games) + 1, player, int(opponent)))
                other = cells[int(opponent) - 1][number - 1].split()[2]
                points = (0, 0) if (mark, other) == ("-", "-") else POINTS[mark]
                results.append(Result(*points, cause="forfeit" if mark in "+-" else "unknown"))
        state = apply(state, do.Pair(number, tuple(games), tuple(byes), engine="file"))
        for game, result in zip(games, results, strict=True):
            state = apply(state, do.EnterResult(number, game.board, result))
    return state


@pytest.mark.parametrize(("edition", "file"), [("2023", "tec_swiss_2024.trf"), ("2026", "tec_swiss_2026.trf")])
def test_progress_and_buchholz_of_fides_exercise(shared: Path, edition: str, file: str) -> None:
    answers = json.loads((shared / "data" / "tiebreak_exercise.json").read_text("utf-8"))
    state = read_lines((shared / "data" / file).read_text("utf-8"), edition=edition)
    rows = {state.players[row.competitor].number: row for row in standings(state, tiebreaks=("PS", "BH"))}
    assert len(rows) == 16
    assert {str(number): row.values[0] for number, row in rows.items()} == answers["progress"]
    assert {str(number): row.values[1] for number, row in rows.items()} == answers[f"buchholz_{edition}"]


def trf_of(state: EventState) -> str:
    """The event as a TRF file that gacrux reads, penalties in record 299."""
    kinds = {System.SWISS: "Individual: Swiss-System", System.ROUND_ROBIN: "Individual: Round-Robin"}
    date = "2024/06/01" if state.event.edition == "2023" else "2026/06/01"
    lines = ["012 Cup", f"042 {date}", f"052 {date}", f"062 {len(state.players)}", f"092 {kinds[state.event.system]}"]
    lines.append(f"142 {state.event.rounds}")
    numbers = {id_: player.number for id_, player in state.players.items()}
    for id_, meetings in sorted(competitors(state).items(), key=lambda one: numbers[one[0]]):
        cells = []
        for one in meetings:
            if one.opponent is None:
                cells.append(f"  0000 - {one.bye.value if one.bye else ''}")
            else:
                marks = "-+" if one.kind is RoundKind.FORFEIT else "01"
                mark = "=" if one.points == 1 else marks[one.points // 2]
                cells.append(f"  {numbers[one.opponent]:4d} {'w' if one.white else 'b'} {mark}")
        player = state.players[id_]
        total = sum(one.points for one in meetings) / 2
        rating = f"{player.entry.rating:4d}" if player.entry.rating else "    "
        lines.append(
            f"001 {player.number:4d} {'m':1}{'':3} {player.entry.name:33} {rating} {'KGZ':3} {'':11} {'':10} "
            f"{total:4.1f} {player.number:4d}{''.join(cells)}"
        )
    return "\n".join([*lines, ""])


def gacrux_values(
    text: str, codes: list[str], rounds: int, *, swiss: bool
) -> tuple[dict[int, list[Any]], dict[int, int]]:
    """What gacrux has for each code by pairing number, and the places."""
    trf2json = pytest.importorskip("gacrux.trf2json").trf2json
    tiebreak = pytest.importorskip("gacrux.tiebreak").tiebreak
    file = trf2json()
    file.parse_file(text, 0)
    tournament = file.get_tournament(1)
    params = {
        "tiebreak": [code.replace("-", "/") for code in codes], "check": False, "unrated": None,
        "pre_determined": not swiss, "swiss": swiss,
    }  # fmt: skip
    found = tiebreak(tournament, rounds, params).compute_tiebreaks(tournament, params)
    values = {one["cid"]: one["tiebreakScore"] for one in found["competitors"]}
    return values, {one["cid"]: one["rank"] for one in found["competitors"]}


Factory = Callable[..., EventState]


@pytest.fixture(params=drawn("events for gacrux", range(2)))
def half(request: pytest.FixtureRequest) -> int:
    """Events of even or of odd numbers."""
    found: int = request.param
    return found


def generated(event: Factory, half: int, count: int, **settings: Any) -> Iterator[EventState]:
    for number in range(half, count, 2):
        yield event(
            8 + number % 17, 3 + number % 7, number, absences=0.08, forfeits=0.08, late=number % 3,
            withdrawals=number % 4, **settings,
        )  # fmt: skip


@pytest.mark.parametrize("edition", ["2023", "2026"])
def test_swiss_tiebreaks_are_those_of_gacrux(event: Factory, half: int, edition: str) -> None:
    for number, state in enumerate(generated(event, half, 40, edition=edition)):
        theirs, _ = gacrux_values(trf_of(state), SWISS, len(state.rounds), swiss=True)
        for row in standings(state, tiebreaks=SWISS):
            place = state.players[row.competitor].number
            for code, own, other in zip(SWISS, row.values, theirs[place], strict=True):
                assert own == float(other or 0), (number, place, code)


def test_swiss_order_by_personal_meetings_is_that_of_gacrux(event: Factory, half: int) -> None:
    parted = 0
    for state in generated(event, half, 60, draws=0.5):
        _, places = gacrux_values(trf_of(state), ["PTS", "DE"], len(state.rounds), swiss=True)
        own = {state.players[row.competitor].number: row.rank for row in standings(state, tiebreaks=("DE",))}
        assert own == places
        parted += len(set(own.values())) - len({row.points for row in standings(state)})
    assert parted > 6, "personal meetings hardly parted anybody, the test shows nothing"


def test_standard_points_are_those_of_gacrux(event: Factory, half: int) -> None:
    """Without games that both lost: the clause gives ½ for as many points as the opponent has, gacrux nothing."""
    compared = 0
    for state in generated(event, half, 30, edition="2026"):
        if any(game.result and game.result.cause == "time" for one in state.rounds for game in one.games):
            continue
        theirs, _ = gacrux_values(trf_of(state), ["STD"], len(state.rounds), swiss=True)
        for row in standings(state, tiebreaks=("STD",)):
            assert row.values[0] == float(theirs[state.players[row.competitor].number][0])
        compared += 1
    assert compared > 1


@pytest.mark.parametrize("edition", ["2023", "2026"])
def test_points_and_tiebreaks_with_penalties_are_those_of_gacrux(event: Factory, half: int, edition: str) -> None:
    """Half points taken go to gacrux in record 299; totals may be negative."""
    codes, taken = ["PS", "BH", "BH-C1", "SB"], 0
    for number, state in enumerate(generated(event, half, 30, edition=edition, penalties=4)):
        records = [
            abnormal_record(-one.half_points, one.round, (player.number,))
            for player in state.players.values()
            for one in player.penalties
        ]
        taken += len(records)
        text = trf_of(state) + "".join(f"{line}\n" for line in records)
        theirs, _ = gacrux_values(text, ["PTS", *codes], len(state.rounds), swiss=True)
        for row in standings(state, tiebreaks=codes):
            own = [row.points / 2, *row.values]
            assert own == [float(one) for one in theirs[state.players[row.competitor].number]], number
    assert taken > 15


def test_round_robin_tiebreaks_are_those_of_gacrux(event: Factory, half: int) -> None:
    codes = ["PS", "SB", "KS", "SB-C1"]
    for number in range(half, 20, 2):
        players = 5 + number % 8
        rounds = players - 1 + players % 2
        state = event(
            players, rounds, number, engine=True, system=System.ROUND_ROBIN, absences=0, forfeits=0.1, draws=0.4
        )
        theirs, _ = gacrux_values(trf_of(state), codes, rounds, swiss=False)
        _, places = gacrux_values(trf_of(state), ["PTS", "DE"], rounds, swiss=False)
        for row in standings(state, tiebreaks=codes):
            place = state.players[row.competitor].number
            assert list(row.values) == [float(one) for one in theirs[place]], (number, place)
        own = {state.players[row.competitor].number: row.rank for row in standings(state, tiebreaks=("DE",))}
        assert own == places


def test_personal_meetings_of_three_who_have_not_all_met(event: Factory) -> None:
    """C.07 6.3: who is first whatever the missing game had given goes first; the others stay equal."""
    state = apply(EventState(), do.Open(Settings(name="Cup", rounds=3)))
    for number in range(1, 5):
        state = apply(state, do.Enter(Entry(family=f"P{number}")))
    state = apply(state, do.Seed((1, 2, 3, 4), True))
    for round_, (pairs, results) in enumerate(
        [
            ((PairedGame(1, 1, 2), PairedGame(2, 3, 4)), ((2, 0), (0, 2))),
            ((PairedGame(1, 3, 1), PairedGame(2, 4, 2)), ((0, 2), (2, 0))),
        ],
        1,
    ):
        state = apply(state, do.Pair(round_, pairs, engine="test"))
        for game, points in zip(pairs, results, strict=True):
            state = apply(state, do.EnterResult(round_, game.board, Result(*points, cause="unknown")))
    order = direct_encounter(table(state), (1, 2, 3))
    assert order.groups == ((1,), (2, 3))
    assert order.values == {1: 2.0, 2: 0.0, 3: 0.0}


TEAM_CODES = {
    "MPVGP": 1, "BH": 2, "BH-C1": 2, "SB": 4, "EMMSB": 4, "EMGSB": 2, "EGMSB": 2, "EGGSB": 1, "EMMSB-C1": 4,
    "EMGSB-C1": 2, "EGGSB-C1": 1, "BC": 1, "SSSC": 1, "PS": 2, "WIN": 1,
}  # fmt: skip
"""Codes for teams, and how much greater they are where a match is worth 2 points and not 1."""


@pytest.mark.parametrize("teams", [8, 9])
def test_tiebreaks_of_teams_are_those_of_gacrux(event: Factory, teams: int) -> None:
    codes = list(TEAM_CODES)
    for number in range(3):
        state = event(
            teams * 3, 3, number, engine=True, teams=teams, system=System.TEAM_SWISS, boards=3, absences=0,
            forfeits=0.03 * number, bye_points=1,
        )  # fmt: skip
        text = write_trf(state)
        theirs, _ = gacrux_values(text, ["PTS", *codes], 3, swiss=True)
        for row in standings(state, tiebreaks=codes):
            own = [row.points, *(value * scale for value, scale in zip(row.values, TEAM_CODES.values(), strict=True))]
            place = state.teams[row.competitor].number
            assert own == [float(one) for one in theirs[place]], (number, place)
        for code in ("TBR", "BBE", "EDE"):
            _, places = gacrux_values(text, ["PTS", code], 3, swiss=True)
            rows = standings(state, tiebreaks=(code,))
            assert {state.teams[row.competitor].number: row.rank for row in rows} == places, code
