"""`korgool event print`: every paper comes out of every kind of event, and says what it must."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from korgool.app.printing import EVENT_PAPERS
from tests.competition.program import begin, korgool, lines, play_round, refused
from tests.printing.reading import pages

OF_TEAMS = {"team-sheets", "match-protocols", "team-standings"}


def text_of(path: Path) -> str:
    return " ".join(pages(path.read_bytes()))


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An event of nine players in three teams, two rounds played."""
    path = tmp_path_factory.mktemp("papers") / "cup.korgool"
    begin(path, 8, 3, "--personal", "born,passport,coaches,doctor", "--team-best", "2", "--prize", "1-9=cup")
    korgool("enter", path, "--name", "Асанова, Айгүл", "--sex", "f", "--born", "2001-05-31", "--passport", "AN 123456",
            "--coach", "Исаев Темир", "--doctor", "Дарыгер Ким", "--title", "MS", "--rating", 1000)  # fmt: skip
    for number in range(1, 10):
        korgool("amend", path, number, "--team", f"Team {number % 3}")
    for _ in range(2):
        play_round(path, random.Random(9))
    return path


@pytest.mark.parametrize("what", sorted(set(EVENT_PAPERS) - {"match-protocols", "special-games", "bracket"}))
def test_every_paper_is_made(what: str, cup: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.pdf"
    korgool("print", cup, what, "-o", out, "--language", "en")
    assert out.read_bytes().startswith(b"%PDF")
    if what not in OF_TEAMS | {"application", "table-cards"}:
        assert "Player 1" in text_of(out)


def test_the_application_asks_for_what_the_rules_name(cup: Path, tmp_path: Path) -> None:
    """Personal data is on it when it is asked for, and on nothing else."""
    blank, filled, other = (tmp_path / name for name in ("blank.pdf", "filled.pdf", "list.pdf"))
    korgool("print", cup, "application", "-o", blank)
    korgool("print", cup, "application", "-o", filled, "--personal")
    korgool("print", cup, "start-list", "-o", other)
    assert "personal data is" in refused("print", cup, "start-list", "-o", tmp_path / "none.pdf", "--personal")
    held = text_of(filled)
    for part in ("Асанова", "MS", "123456", "Исаев Темир", "Дарыгер Ким"):
        assert part in held
    for label in ("Passport", "Coach", "octor"):
        assert label in held
    for path in (blank, other):
        assert "123456" not in text_of(path)
        assert "Исаев" not in text_of(path)


def test_games_of_the_special_board_are_printed(cup: Path, tmp_path: Path) -> None:
    record, out = tmp_path / "game.txt", tmp_path / "special.pdf"
    record.write_text("796817")
    refused("print", cup, "special-games", "-o", out)
    assert not out.exists()
    board = lines("round", cup, 1)[2]
    korgool("attach", cup, 1, 3, record)
    korgool("special", cup, 1, 3)
    korgool("print", cup, "special-games", "-o", out)
    held = text_of(out)
    assert board["white_name"] in held
    assert board["black_name"] in held


def test_teams_have_their_protocols(tmp_path: Path) -> None:
    path, out = tmp_path / "teams.korgool", tmp_path / "out.pdf"
    korgool("new", path, "--name", "Teams", "--rounds", 1, "--system", "team-round-robin", "--boards", 2)
    for team in "AB":
        for board in (1, 2):
            korgool("enter", path, "--name", f"{team}{board}", "--team", f"Team {team}", "--board", board)
    korgool("pair", path)
    for what in sorted(OF_TEAMS):
        korgool("print", path, what, "-o", out)
        assert "Team A" in text_of(out), what
