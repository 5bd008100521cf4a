"""A player is forgotten: no byte of them is left, and every answer about the event stays."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from korgool.competition import CompetitionError, Entry, EventFile, Personal, Settings, commands
from korgool.competition import actions as do
from korgool.competition.audit import check, lost_details
from korgool.competition.log.replay import replay
from korgool.competition.model import Consent, Team
from korgool.competition.pairing.engine_file import engine_file
from korgool.competition.standings import standings
from korgool.competition.storage.line import Line, broken_links
from korgool.competition.storage.removal import stripped
from korgool.competition.storage.sealing import seal
from tests.competition.conftest import a_result, play_event

PLAYERS = 24
WHO = 7


def unique(at: int) -> tuple[str, ...]:
    """Texts that stand in the file for one player only."""
    return f"Ысымова{at:03}", f"Given{at:03}x", f"Patron{at:03}x", str(1900 + at), f"X{at:03}77", f"Guard{at:03}x"


@pytest.fixture
def cup(tmp_path: Path) -> EventFile:
    """An event with players whose every text is their own, played for three rounds."""
    chance = random.Random(3)
    file = EventFile.create(tmp_path / "cup.korgool", Settings(name="Cup", rounds=5), by="Chief")
    for at in range(1, PLAYERS + 1):
        family, given, patronymic, born, external, guardian = unique(at)
        consent = Consent(guardian=guardian, how="form")
        entry = Entry(
            family=family, given=given, patronymic=patronymic, born=int(born), external=external, consent=consent,
            rating=2400 - at, sex="f", short=f"{given} Y.", federation="KGZ",
        )  # fmt: skip
        commands.enter(file, entry, Personal(passport_number=f"P{at:03}x"), by="Secretary")
    commands.amend(file, WHO, Entry(family=f"{unique(WHO)[0]}-Жаңы", rating=2390), by="Secretary", reason="wed")
    for number in range(1, 4):
        commands.pair(file, by="Chief", lot="1")
        for game in file.state.rounds[-1].games:
            result = a_result(chance, file.state.event, forfeits=0, draws=0.2)
            commands.record(file, number, game.board, result, by="Secretary")
        commands.publish(file, by="Chief")
    board = next(game.board for game in file.state.rounds[0].games if WHO in (game.white, game.black))
    family = unique(WHO)[0]
    file.do(do.Attach(1, board, (f'[White "{family}"]\n\n1. 7 {{{family}}} *',)), by="Secretary")
    file.do(do.Lend(1, board % 12 + 1, f"{family} A."), by="Secretary")
    file.do(do.SetTeam(Team(0, 0, "Team", captain=f"the mother of {family[:-1]}ой")), by="Secretary")
    file.do(do.GiveWarning(WHO), by="Chief", reason="talk")
    file.do(do.GiveWarning(WHO + 1), by="Chief", reason=f"talk to {family.upper()}")
    file.do(do.GiveWarning(WHO + 1), by="Chief", reason="late")
    return file


def found_in(path: Path, texts: tuple[str, ...]) -> list[str]:
    """Those of the texts that stand anywhere in the bytes of the file or beside it."""
    data = b"".join(one.read_bytes() for one in path.parent.iterdir())
    wanted = {text: f'"born":{text}' if text.isdecimal() else text for text in texts}  # digests have any four digits
    return [text for text, one in wanted.items() if one.encode() in data or one.upper().encode() in data]


def test_no_byte_of_a_forgotten_player_is_left(cup: EventFile) -> None:
    heads = [cup.head(at) for at in range(1, cup.state.actions + 1)]
    tables = standings(cup.state), [cup.state.published[number] for number in (1, 2, 3)]
    assert found_in(cup.path, (*unique(WHO), f"P{WHO:03}x")) != []
    watching = EventFile.open(cup.path)
    assert cup.forget(WHO, by="Chief", reason=f"{unique(WHO)[0]} asked for it") == 1
    assert found_in(cup.path, (*unique(WHO), f"P{WHO:03}x")) == []
    for other in set(range(1, PLAYERS + 1)) - {WHO}:
        assert len(found_in(cup.path, unique(other)[:1])) == 1
    assert [cup.head(at) for at in range(1, cup.state.actions)] == heads
    with EventFile.open(cup.path) as again:
        for one in (cup, watching, again):
            assert one.refresh() == again.state
            assert not any("Ысымова007" in repr(done) for done in one.state.done), "also not in memory"
            player = one.state.players[WHO]
            assert (player.name, player.entry.removed, player.entry.rating) == (f"№ {player.number}", True, 2390)
            assert (standings(one.state), [one.state.published[number] for number in (1, 2, 3)]) == tables
        assert check(again) == ()
        assert [one.reason for one in again.state.players[WHO + 1].warnings] == ["—", "late"]
        line = again.log()[-1]
        assert (line.by, line.action) == ("Chief", do.Forget((WHO,), names=True))
        assert again.forget(WHO, by="Chief") == 0, "nothing is left, and nothing logged"
        assert again.state.actions == len(heads) + 1
        with pytest.raises(CompetitionError, match="what it removed is gone for good"):
            commands.undo(again, line.at, by="Chief", reason="sorry")
        commands.enter(again, Entry(family=unique(WHO)[0], rating=100), by="Secretary")
    watching.close()


def test_all_are_forgotten_and_the_event_goes_on(cup: EventFile) -> None:
    table = standings(cup.state)
    assert cup.forget(by="Chief", reason="the event is over") == PLAYERS
    texts = [text for at in range(1, PLAYERS + 1) for text in (*unique(at), f"P{at:03}x")]
    assert found_in(cup.path, tuple(texts)) == []
    assert cup.log()[-1].reason == "the event is over"
    assert standings(cup.state) == table
    assert check(cup) == ()
    commands.pair(cup, by="Chief")
    assert len(cup.state.rounds) == 4
    with pytest.raises(CompetitionError, match="no player with the id 99"):
        cup.forget(99, by="Chief")


def test_what_is_taken_away_without_a_word_is_told(cup: EventFile) -> None:
    cup.forget(3, by="Chief")
    with sqlite3.connect(cup.path) as raw:
        raw.execute("DELETE FROM details WHERE at IN (10, 11)")
        raw.execute("UPDATE details SET data = replace(data, 'Given004x', 'Other') WHERE at = 5")
    raw.close()
    with EventFile.open(cup.path) as file:
        assert (file.broken_links(), file.lost_details()) == ((5,), (10, 11))
        assert check(file) == ("line 5 of the log was changed after it was written",)
        (remark,) = lost_details(file)
        assert remark == "details of 2 lines of the log are not there, and no official removed them: 10, 11"


PLAYED = play_event(9, 4, 3, penalties=2, withdrawals=1, late=1)


@settings(deadline=None, max_examples=30)
@given(st.sets(st.integers(1, max(PLAYED.players)), min_size=1), st.booleans())
def test_whoever_is_removed_answers_stay(players: set[int], everybody: bool) -> None:
    chosen = set(PLAYED.players) if everybody else players
    lines: list[Line] = []
    for action, reason in PLAYED.done:
        chain = lines[-1].chain if lines else ""
        lines.append(Line.after(len(lines), chain, "2026-09-14T10:05:00Z", "Chief", *seal(action, reason)))
    left = stripped(lines, PLAYED.done, chosen)
    lines = [line._replace(details=left.get(line.at, line.details)) for line in lines]
    assert broken_links(lines) == ()
    state = replay([line.done() for line in lines])
    assert {one.id for one in state.players.values() if one.entry.removed} == chosen
    assert standings(state) == standings(PLAYED)
    assert (state.rounds, state.published) == (PLAYED.rounds, PLAYED.published)
    assert engine_file(state, 4) == engine_file(PLAYED, 4)


def test_one_player_is_removed_or_all(tmp_path: Path) -> None:
    with EventFile.create(tmp_path / "all.korgool", Settings(name="Cup", rounds=3), by="Ann") as file:
        for family in ("A", "B", "C"):
            commands.enter(file, Entry(family=family), by="Ann")
        assert commands.forget(file, 2, by="Ann") == 1
        assert [one.entry.removed for one in file.state.players.values()] == [False, True, False]
        assert commands.forget(file, by="Ann") == 3
        assert all(one.entry.removed for one in file.state.players.values())
