"""Presets: named regulations are valid, name their source, and begin an event."""

from __future__ import annotations

from pathlib import Path

import pytest

from korgool.competition import CompetitionError, EventFile
from korgool.competition.presets import PRESETS, find_preset
from korgool.competition.standings import check_tiebreaks
from tests.competition.program import call, korgool
from tests.docs.test_clauses import ROWS


def test_every_preset_is_valid_and_its_clauses_exist() -> None:
    clauses = {row.name for row in ROWS}
    for name, preset in PRESETS.items():
        settings = preset.settings("Cup", rounds=5)
        assert (settings.name, settings.rounds, preset.name) == ("Cup", 5, name)
        check_tiebreaks(settings)
        cited = preset.source.split(", ")
        assert all(one in clauses or one.startswith("FIDE C.02 13.16.") for one in cited), cited


def test_the_world_nomad_games_have_their_games_and_fields() -> None:
    named = {name: one for name, one in PRESETS.items() if name.startswith("wng-")}
    assert {(one.regulations.game, one.field) for one in named.values()} == {
        (game, field) for game in ("toguz", "mangala", "castle") for field in ("men", "women", "teams")
    }
    for one in named.values():
        assert (one.regulations.sex == "women") == (one.field == "women")
        assert one.regulations.tiebreaks == ("PS", "BH", "DE", "KL")
        minutes = one.regulations.time_control().initial_ms // 60_000
        assert minutes == (60 if one.regulations.game == "toguz" else 15)


def test_an_unknown_preset_is_refused() -> None:
    with pytest.raises(CompetitionError, match="no preset 'olympic'; there are wng-toguz-men"):
        find_preset("olympic")


def test_an_event_begins_with_a_preset_and_options_take_precedence(tmp_path: Path) -> None:
    path = tmp_path / "cup.korgool"
    korgool("new", path, "--name", "Cup", "--preset", "wng-mangala-women", "--rounds", 9, "--control", "10+5")
    with EventFile.open(path) as file:
        event = file.state.event
    assert (event.name, event.game, event.sex, event.rounds, event.control) == ("Cup", "mangala", "women", 9, "10+5")
    other = tmp_path / "castle.korgool"
    korgool("new", other, "--name", "Cup", "--preset", "wng-mangala-men", "--game", "castle", "--begins", "2025-01-01")
    with EventFile.open(other) as file:
        assert (file.state.event.game, file.state.event.edition) == ("castle", "2023")
    done = call("new", tmp_path / "none.korgool", "--name", "Cup", "--preset", "olympic")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "there is no preset 'olympic'" in done.stderr
    assert not (tmp_path / "none.korgool").exists()
