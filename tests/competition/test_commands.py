"""What the commands of an arbiter give back: the player, official, form, board, round or table that they changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from korgool.competition import CompetitionError, EventFile, commands
from korgool.competition.model import Bye, ByeKind, Entry, Personal, Role, Row, Settings, System, Team
from korgool.competition.pairing import PairingEngine
from korgool.competition.pairing.engine import EngineError, Pairs, read_answer
from korgool.competition.pairing.swiss import pair_swiss, verify_swiss
from korgool.competition.result import Result
from tests.competition.test_explanations import a_round
from tests.competition.test_standings import small

BY = "Judge"


def opened(path: Path, count: int = 4, **settings: object) -> EventFile:
    file = EventFile.create(path / "cup.korgool", Settings(name="Cup", **{"rounds": 3, **settings}), by=BY)  # type: ignore[arg-type]
    for at in range(count):
        commands.enter(file, Entry(family="ABCDEF"[at], rating=2000 - at), by=BY)
    return file


def test_people_come_back_as_they_are_now(tmp_path: Path) -> None:
    with opened(tmp_path, 2) as file:
        third = commands.enter(file, Entry(family="C"), Personal(doctor="Dr"), by=BY)
        assert (third.id, file.personal(3), file.personal(1)) == (3, Personal(doctor="Dr"), None)
        more = commands.enter_all(
            file, [(Entry(family="D"), Personal(born="2001-05-31")), (Entry(family="E"), None)], by=BY
        )
        assert [(one.id, one.entry.family) for one in more] == [(4, "D"), (5, "E")]
        assert (file.personal(4), file.personal(5)) == (Personal(born="2001-05-31"), None)
        assert commands.amend(file, 2, Entry(family="B", rating=7), by=BY).entry.rating == 7
        assert commands.withdraw(file, "A", by=BY).until == 0
        assert commands.readmit(file, "a", by=BY).until is None
        assert commands.miss(file, 1, 2, by=BY).absences[0].kind is ByeKind.HALF
        assert commands.attend(file, 1, 2, by=BY).absences == ()
        assert commands.warn(file, 1, by=BY, reason="talk").warnings[0].reason == "talk"
        assert commands.penalise(file, 1, 3, by=BY, reason="late").penalty == 3
        assert commands.exclude(file, 5, by=BY, reason="cheating").excluded
        assert commands.change(file, Settings(name="New", rounds=2), by=BY).event.name == "New"
        assert commands.set_team(file, Team(0, 0, "West", players=(1,)), by=BY).id == 1
        assert commands.set_team(file, Team(0, 0, "East"), by=BY).id == 2
        assert commands.set_team(file, Team(1, 0, "North"), by=BY).name == "North"
        first = commands.appoint(file, "Chief", Role.CHIEF_REFEREE, by=BY, category="IA", federation="KGZ")
        assert (first.id, first.category, first.federation) == (1, "IA", "KGZ")
        assert commands.appoint(file, "Other", Role.REFEREE, by=BY).id == 2
        gone = commands.dismiss(file, " other ", by=BY, reason="late")
        assert (gone.id, gone.excluded) == (2, "late")
        with pytest.raises(CompetitionError, match="there is no official 'Other'"):
            commands.dismiss(file, "Other", by=BY, reason="late")
        assert commands.undo(file, file.state.actions, by=BY, reason="slip").officials[2].excluded == ""


def test_rounds_and_boards_come_back_as_they_are_now(tmp_path: Path) -> None:
    with opened(tmp_path, system=System.ROUND_ROBIN) as file:
        one = commands.pair(file, by=BY, lot="lot")
        assert (one.number, len(one.games)) == (1, 2)
        assert file.state.lot == "lot"
        with pytest.raises(CompetitionError, match="round 1 lacks the results of boards 1, 2"):
            commands.pair(file, by=BY)
        assert commands.lend(file, 1, 1, "Coach", by=BY).id == 1
        assert commands.lend(file, 1, 2, "Other", by=BY).id == 2
        assert commands.take_back(file, 2, by=BY, lost=True).state == "lost"
        assert commands.take_back(file, 1, by=BY, spoiled=True).state == "spoiled"
        assert commands.take_back(file, 1, by=BY).state == "returned"
        assert commands.choose(file, 1, 2, by=BY).special
        assert not commands.choose(file, 1, 2, by=BY, special=False).special
        assert commands.publish(file, by=BY)[0].points == 0
        assert list(file.state.published) == [0]
        assert commands.record(file, 1, 1, "82-60", by=BY).result == Result(2, 0, (82, 60))
        assert commands.record(file, 1, 2, Result(0, 2), by=BY).result == Result(0, 2)
        with pytest.raises(CompetitionError, match="round 1, board 2 has the result"):
            commands.record(file, 1, 2, "1-0", by=BY)
        corrected = commands.correct(file, 1, 2, "0 (60) - 1 (82)", by=BY, reason="typo")
        assert corrected.result == Result(0, 2, (60, 82))
        assert commands.correct(file, 1, 2, None, by=BY, reason="playing").result is None
        found = commands.record_list(file, 1, "2 60-82\n1 82-60\n", by=BY)
        assert (found.entered, found.same) == ((2,), (1,))
        rows = commands.publish(file, by=BY)
        assert [type(row) for row in rows] == [Row] * 4
        assert file.state.published[1] == (file.state.event.tiebreaks, rows)
        assert commands.pair(file, by=BY).number == 2
        assert len(commands.unpair(file, 2, by=BY, reason="mistake").rounds) == 1
        held = file.state.rounds[0].games[0]
        white, black = (file.state.players[id_].entry.family for id_ in (held.white, held.black))
        with pytest.raises(CompetitionError, match="two different players"):
            commands.swap(file, white, white, by=BY, reason="sat so")
        assert not file.state.rounds[-1].manual
        swapped, notes = commands.swap(file, white, black, by=BY, reason="sat so")
        assert (swapped.games[0].white, swapped.games[0].result) == (held.black, Result(0, 2, (60, 82)))
        assert (swapped.manual, notes) == (True, ())
        for number in (2, 3):
            commands.pair(file, by=BY)
            commands.record_list(file, number, "1 82-60\n2 82-60\n", by=BY)
        with pytest.raises(CompetitionError, match="the event has 3 rounds, all are paired"):
            commands.pair(file, by=BY)


def test_rounds_by_hand_come_back_with_their_doubts(tmp_path: Path) -> None:
    with opened(tmp_path, 6, rounds=3) as file:
        with pytest.raises(CompetitionError, match="no round is paired"):
            commands.swap(file, 1, 2, by=BY, reason="x")
        commands.pair(file, by=BY, lot="lot")
        one, _ = commands.repair(
            file, [(1, 2), (3, 4)], by=BY, reason="sat so", byes=[(5, ByeKind.ALLOCATED), (6, ByeKind.FULL)]
        )
        assert [(game.board, game.white, game.black) for game in one.games] == [(1, 1, 2), (2, 3, 4)]
        assert set(one.byes) == {Bye(5, ByeKind.ALLOCATED), Bye(6, ByeKind.FULL)}
        seated, notes = commands.seat(file, 5, 6, by=BY, reason="both came")
        assert [(game.board, game.white, game.black) for game in seated.games] == [(1, 1, 2), (2, 3, 4), (3, 5, 6)]
        assert (seated.byes, notes) == ((), ())
        commands.record_list(file, 1, "1 82-60\n2 82-60\n3 82-60\n", by=BY)
        hand, doubts = commands.pair_by_hand(file, [(1, 2), (3, 5), (4, 6)], by=BY, reason="stuck")
        assert (hand.number, hand.manual, doubts) == (2, True, ("round 2, board 1: A and B met in round 1",))
        before, _ = commands.swap(file, 3, 4, by=BY, reason="x", number=2)
        assert [(game.white, game.black) for game in before.games] == [(1, 2), (4, 5), (3, 6)]


class Fixed:
    """A pairing engine that always answers the same: held here is what the room makes of an answer."""

    name = "fixed 1"

    def __init__(self, *pairs: tuple[int, int]) -> None:
        self.pairs: Pairs = pairs

    def pair(self, trf: str, number: int, competitors: int) -> Pairs:
        return self.pairs


@pytest.mark.parametrize("pairs", [((1, 2),), ((1, 2), (3, 3)), ((1, 2), (3, 4), (1, 0)), ((1, 2), (3, 0), (4, 0))])
def test_an_answer_that_does_not_pair_everybody_once_is_refused(pairs: Pairs) -> None:
    engine: PairingEngine = Fixed(*pairs)
    with pytest.raises(EngineError, match="did not pair everybody once"):
        pair_swiss(small(), 1, engine=engine)


def test_the_engine_of_a_round_is_named_with_the_version_of_its_file() -> None:
    state = small()
    paired = pair_swiss(state, 1, engine=Fixed((1, 4), (2, 3)))
    assert (paired.engine, [(one.board, one.white, one.black) for one in paired.games]) == (
        "fixed 1, file 3", [(1, 1, 4), (2, 2, 3)],
    )  # fmt: skip
    assert pair_swiss(state, 1, engine=Fixed((1, 4), (2, 3)), version=1).engine == "fixed 1"


def test_how_a_published_round_differs() -> None:
    state = a_round(small(), (1, 2, "1-0"), (3, 4, "1-0"))
    assert verify_swiss(state, 1, engine=Fixed((1, 2), (3, 4))) == ()
    assert verify_swiss(state, 1, engine=Fixed((3, 4), (1, 2))) == (
        "round 1: the boards stand in another order than points and numbers give",
    )
    assert verify_swiss(state, 1, engine=Fixed((1, 2), (4, 3))) == (
        "round 1: 3 C - 4 D is not what the engine pairs", "round 1: the engine pairs 4 D - 3 C",
    )  # fmt: skip


def test_answers_of_the_engine() -> None:
    assert read_answer('{"status": {"code": 0, "error": []}, "pairingResult": {"pairs": [[1, 2], [3, 0]]}}') == (
        (1, 2),
        (3, 0),
    )
    for text, words in (
        ("no", "gave no pairing but 'no'"),
        ('{"status": {"code": 0}}', "failed with status 0: no reason given"),
        ('{"status": {"code": 7, "error": ["a", "b"]}}', "failed with status 7: a; b"),
        ('{"status": {"code": 7}, "pairingResult": {"pairs": []}}', "failed with status 7"),
        ('{"status": {"code": 2}}', "no legal pairing exists"),
        ('{"status": {"code": 505, "error": ["none"]}}', "none"),
    ):
        with pytest.raises(CompetitionError, match=words):
            read_answer(text)
