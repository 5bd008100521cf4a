"""`korgool play` at a terminal: the unfinished game is kept, in five languages, on 40 columns."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import select
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from korgool.app.cli.language import terminal_language
from korgool.app.cli.output import ask
from korgool.app.cli.saved_game import SavedGame, SaveFile
from korgool.engine.levels import ratings_of
from korgool.languages import LANGUAGES
from korgool.notation import parse_records
from korgool.rules import TOGUZ_KORGOOL, Game, Side
from tests.cli.conftest import Invoke
from tests.cli.terminal import terminal

START = ("play", "--level", "1", "--seed", "1")


def kept(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "korgool" / "play.json").read_text())
    return found


def test_nothing_is_read_before_something_was_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Ctrl-C while Python is on its way into a read does not end it, so no read begins that has to wait."""
    controller, device = pty.openpty()
    with os.fdopen(device, encoding="utf-8") as stdin, closing(os.fdopen(controller, "wb", 0)) as keyboard:

        def read() -> str:
            assert select.select([stdin], [], [], 0)[0], "there is nothing to read yet"
            return stdin.readline()

        monkeypatch.setattr(sys, "stdin", stdin)
        monkeypatch.setattr("builtins.input", read)
        typing = threading.Timer(0.5, keyboard.write, (b"7\n",))
        typing.start()
        assert ask(Console(file=io.StringIO()), "Your move: ") == "7\n"
        typing.join()


def test_a_killed_game_goes_on(tmp_path: Path) -> None:
    """Whatever was shown is on disk: the program is killed right after its answer appears."""
    with terminal(*START, folder=tmp_path) as screen:
        screen.wait_for("Your move")
        screen.type("7\n")
        place = screen.wait_for("Engine: ")
        screen.wait_for("Your move", place)
        screen.process.send_signal(signal.SIGKILL)
        screen.finish()
        answered = re.search(r"Engine: (\d)", screen.text)
        assert answered is not None
    assert kept(tmp_path)["moves"] == [7, int(answered[1])]
    with terminal("play", folder=tmp_path) as screen:
        screen.wait_for("You left a game unfinished: Toguz korgool, level 1")
        screen.wait_for("> ")
        screen.type("\n")
        place = screen.wait_for("Your move")
        screen.type("moves\n")
        screen.wait_for(f"1. 76(10) {answered[1]}", place)
        screen.type("resign\n")
        screen.wait_for("The engine wins")
        assert screen.finish() == 0
    assert not (tmp_path / "korgool" / "play.json").exists(), "a game that is over is kept no more"


def test_an_own_move_is_kept_while_the_engine_thinks(tmp_path: Path) -> None:
    """Killed between the own move and the answer, the next call lets the engine answer."""
    with terminal("play", "--level", "8", "--seconds", "300", folder=tmp_path) as screen:
        screen.wait_for("Your move")
        screen.type("7\n")
        screen.wait_for("thinking")
        screen.process.send_signal(signal.SIGKILL)
        screen.finish()
    assert kept(tmp_path)["moves"] == [7]
    path = tmp_path / "korgool" / "play.json"
    path.write_text(json.dumps(kept(tmp_path) | {"level": 1, "seconds": None}))
    with terminal("play", "--resume", folder=tmp_path) as screen:
        screen.wait_for("Engine: ")


def test_a_kept_game_may_have_a_rating_that_is_no_more(tmp_path: Path) -> None:
    save_file = SaveFile(tmp_path / "play.json")
    save_file.save(SavedGame.of(Game(TOGUZ_KORGOOL, (7, 5)), Side.WHITE, 9_999, None, book=False))
    found = save_file.load()
    assert found is not None
    assert (found.level, found.moves) == (ratings_of(TOGUZ_KORGOOL)[-1], (7, 5))
    save_file.save(SavedGame.of(Game(TOGUZ_KORGOOL), Side.WHITE, 9, None, book=False))
    with pytest.raises(ValueError, match="there is no strength 9; levels are"):
        save_file.load()


def test_a_new_game_replaces_the_kept_one_when_it_is_wanted(tmp_path: Path) -> None:
    SaveFile(tmp_path / "korgool" / "play.json")
    with terminal(*START, folder=tmp_path) as screen:
        screen.wait_for("Your move")
        screen.type("7\nquit\n")
        screen.wait_for("korgool play goes on with it")
        assert screen.finish() == 0
    with terminal("play", "--game", "mangala", "--level", "1", folder=tmp_path) as screen:
        screen.wait_for("> ")
        screen.type("new\n")
        screen.wait_for("Mangala. You play White")
        screen.wait_for("Your move")
        assert kept(tmp_path)["game"] == "toguz", "the old one is kept until something is played"
        screen.type("1\n")
        place = screen.wait_for("Engine: ")
        screen.wait_for("Your move", place)
        screen.type("\x03")
        screen.wait_for("korgool play goes on with it")
        assert screen.finish() == 130
    assert kept(tmp_path)["game"] == "mangala"


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_speaks_the_language_of_the_terminal_on_forty_columns(language: str, tmp_path: Path) -> None:
    shortly = ("--seconds", "0.1")  # a hint takes a second otherwise
    with terminal(*START, *shortly, folder=tmp_path, columns=40, LC_ALL=f"{language}_XX.UTF-8") as screen:
        screen.wait_for("help): ")
        for line in ("help", "99", "8x", "wxyz", "hint", "7", "moves", "undo", "undo", "claim", "save", "7"):
            place = len(screen.text)
            screen.type(f"{line}\n")
            screen.wait_for("help): ", place)
        screen.type("quit\n")
        assert screen.finish() == 0
        first = screen.text
    with terminal("play", folder=tmp_path, columns=40, LC_ALL="C", LANGUAGE=f"xx:{language}") as screen:
        screen.wait_for("> ")
        screen.type("\n")
        screen.wait_for("help): ")
        screen.type("resign\n")
        assert screen.finish() == 0
        second = screen.text
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", first + second)
    lines = [part for line in plain.split("\n") for part in line.split("\r")]
    assert max(map(len, lines)) <= 40, [line for line in lines if len(line) > 40]
    assert "Traceback" not in plain
    texts = [line for line in lines if line.strip()]
    after = [two for one, two in pairwise(texts) if re.match(r"  \d\d\S* +\D*[+-]\d+\.\d", one)]
    assert after, "no hint was seen"
    assert all(line.startswith("  ") for line in after), after
    english = ["Your move", "goes on with", "stays unfinished", "captures", "Engine", "There is no", "does not fit",
               "neither a hole", "take back", "wins", "in the end", "thinking", "White", "level"]  # fmt: skip
    found = [words for words in english if words in plain]
    assert found == ([] if language != "en" else [words for words in english if words in found])
    assert language != "en" or len(found) > 10


def test_the_option_chooses_the_language(invoke: Invoke) -> None:
    assert "Ваш ряд — нижний" in invoke("play", "--language", "ru", text="quit\n").stdout
    assert invoke("play", "--language", "de", text="quit\n").exit_code == 2


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "ru_RU.UTF-8"}, "ru"),
        ({"LANG": "ru_RU.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "C.UTF-8", "LC_MESSAGES": "tr_TR"}, "tr"),
        ({"LANG": "de_DE", "LANGUAGE": "de:kk:ru"}, "kk"),
        ({"LANG": "kyx_XX"}, "en"),
        ({"LANG": "ky"}, "ky"),
    ],
)
def test_the_language_of_an_environment(environment: dict[str, str], language: str) -> None:
    assert terminal_language(environment) == language


def test_a_pipe_does_not_replace_the_kept_game(invoke: Invoke) -> None:
    assert "goes on with it" in invoke(*START, text="7\nquit\n").stdout
    before = SaveFile.usual().load()
    done = invoke(*START, text="8\nquit\n")
    assert done.stdout.endswith("The game stays unfinished.\n")
    assert "--resume goes on with it" in done.stderr
    assert SaveFile.usual().load() == before
    assert "1. 76(10)" in invoke("play", "--resume", text="moves\n").stdout
    assert "1. 87" in invoke(*START, "--new", text="8\nmoves\nquit\n").stdout
    assert SaveFile.usual().load() != before
    assert invoke("play", "--new", "--resume").exit_code == 2


def test_undoing_everything_keeps_nothing(invoke: Invoke) -> None:
    invoke(*START, text="7\nundo\nquit\n")
    assert SaveFile.usual().load() is None
    done = invoke("play", "--resume", text="")
    assert (done.exit_code, "there is no unfinished game" in done.stderr) == (1, True)


def test_options_of_a_game_are_kept(invoke: Invoke, tmp_path: Path) -> None:
    words = ("--game", "bestemshe", "--rule", "goal=20", "--side", "black", "--level", "2")
    invoke("play", "--seed", "1", *words, text="1\n2\n3\n4\n5\nquit\n")
    before = SaveFile.usual().load()
    assert before is not None
    path = tmp_path / "game.pgn"
    invoke("play", "--resume", "-o", str(path), text="resign\n")
    (record,) = parse_records(path.read_text())
    assert record.start.rules.goal == 20
    assert record.moves[: len(before.moves)] == before.moves
    assert record.result == "1-0"


@pytest.mark.parametrize("content", ["", "{", "{}", '{"game": "chess"}', "\x00", "[" * 5000])
def test_a_damaged_file_is_told_and_left_alone(content: str, invoke: Invoke) -> None:
    path = SaveFile.usual().path
    path.parent.mkdir(parents=True)
    path.write_text(content)
    done = invoke(*START, text="7\nquit\n")
    assert done.exit_code == 0
    assert f"the unfinished game cannot be read, {path}" in done.stderr
    assert path.read_text() == content
    assert invoke("play", "--resume", text="").exit_code == 1
    invoke(*START, "--new", text="7\nquit\n")
    assert SaveFile.usual().load() is not None


def test_without_a_folder_it_is_played_all_the_same(tmp_path: Path, invoke: Callable[..., Any]) -> None:
    (tmp_path / "data-home").write_text("no folder")
    done = invoke(*START, text="7\nquit\n")
    assert (done.exit_code, "the unfinished game cannot be read" in done.stderr) == (0, True)
    done = invoke(*START, "--new", text="7\nquit\n")
    assert done.exit_code == 0
    assert done.stdout.count("This game cannot be saved") == 1
    assert "Engine: " in done.stdout
