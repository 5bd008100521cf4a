"""The practice event: numbered players, five rounds played by chance, the same for the same seed."""

from __future__ import annotations

from pathlib import Path

import pytest

from korgool.app.words.regulations import practice_words
from korgool.competition import CompetitionError, Entry, EventFile, EventState, Settings, apply
from korgool.competition import actions as do
from korgool.competition.pairing import GacruxHere, pair, seed
from korgool.competition.practice import is_practice, practice_entries, practice_results, practice_settings
from korgool.competition.standings import standings
from korgool.competition.standings.groups import group_names
from korgool.competition.standings.personal_teams import team_totals
from korgool.languages import LANGUAGES
from korgool.rules import GAMES
from tests.competition.program import call, korgool, lines, refused
from tests.competition.third_engine import assert_confirmed


def begun(**changes: object) -> EventState:
    """A practice event with its players."""
    words = practice_words("en")
    settings = practice_settings(words)
    state = apply(EventState(), do.Open(Settings(name=settings.name, rounds=settings.rounds, **changes)))  # type: ignore[arg-type]
    for entry in practice_entries(words):
        state = apply(state, do.Enter(entry))
    return apply(state, seed(state, "lot"))


def test_five_rounds_are_played_through_and_the_standings_are_complete() -> None:
    state = begun()
    for number in range(1, 6):
        state = apply(state, pair(state, number, engine=GacruxHere()).action(number))
        played = practice_results(state, number, "a")
        assert played == practice_results(state, number, "a")
        assert played != practice_results(state, number, "b")
        for board, result in played.items():
            state = apply(state, do.EnterResult(number, board, result))
        assert practice_results(state, number, "a") == {}
    assert state.over
    assert assert_confirmed(state) == 5
    table = standings(state)
    assert len(table) == 24
    assert sum(row.points for row in table) == 2 * 12 * 5
    assert len({(row.points, *row.values) for row in table}) > 20
    assert group_names(state) == ("50+", "U16", "women")
    assert len(team_totals(state)) == 3


def test_the_players_are_numbered_in_every_language() -> None:
    events = set()
    for language in LANGUAGES:
        words = practice_words(language)
        entries = practice_entries(words)
        events.add(practice_settings(words).name)
        assert len({entry.name for entry in entries}) == 24
        for number, entry in enumerate(entries, 1):
            assert str(number) in entry.family
            assert (entry.born, entry.given, entry.club) == (0, "", "")
        assert [len([one for one in entries if one.board == board]) for board in range(1, 5)] == [3] * 4
        assert sum(not entry.rating for entry in entries) == 3
        assert entries[0].team == entries[3].team == words.team % {"number": 1}
    assert len(events) == len(LANGUAGES)


@pytest.mark.parametrize("game", GAMES)
def test_results_by_chance_hold_under_the_rules_of_every_game(game: str) -> None:
    for sets in (1, 3):
        state = begun(game=game, sets=sets)
        state = apply(state, pair(state, 1, engine=GacruxHere()).action(1))
        for number in range(20):
            for result in practice_results(state, 1, str(number)).values():
                result.check(state.event.rules(), sets=sets)


def test_nothing_is_played_by_chance_in_a_real_event() -> None:
    state = apply(EventState(), do.Open(Settings(name="Cup")))
    state = apply(state, do.Enter(Entry(family="Player 1")))
    assert not is_practice(state)
    with pytest.raises(CompetitionError, match="for practice events only"):
        practice_results(state, 1)


def test_the_command_creates_and_plays_an_event(tmp_path: Path) -> None:
    path = tmp_path / "practice.korgool"
    assert "Катышуучулар: 24" in korgool("practice", path, "--language", "ky", "--by", "A")
    assert "is such a file already" in refused("practice", path)
    (told,) = lines("practice", path, "--play", 2)
    assert told == {"name": "Машыгуу мелдеши", "players": 24, "paired": 2, "over": False}
    with EventFile.open(path) as file:
        assert file.state.complete
    assert call("export", path, "--trf", tmp_path / "a.trf").exit_code == 0
    korgool("import", tmp_path / "back.korgool", tmp_path / "a.trf")
    real = tmp_path / "cup.korgool"
    korgool("new", real, "--name", "Cup")
    assert "no practice event" in refused("practice", real, "--play", 1)
