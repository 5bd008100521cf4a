"""`korgool play`: whole games through a pipe, and every word a player may type."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from korgool.app.words.games import STONE_GAMES
from korgool.notation import parse_records, text_board
from korgool.rules import GAMES, TOGUZ_KORGOOL, Game, Position, Side
from tests.package import environment
from tests.patience import PATIENCE

Invoke = Callable[..., Any]
LAST = "8,1S/8,1S 80 80 S 70"


def test_json_is_the_game_alone(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    """The conversation is on standard error, in the language of the environment; the object is the same in all."""
    import json

    told = []
    for language in ("en", "ru"):
        monkeypatch.setenv("LC_ALL", f"{language}_XX.UTF-8")
        done = invoke("play", "--json", "--level", "1", "--seed", "1", text="7\nresign\n")
        assert done.exit_code == 0
        told.append(json.loads(done.stdout))
        assert ("Toguz korgool" in done.stderr) is (language == "en")
    game, other = told
    assert game == other
    (record,) = parse_records(game["record"])
    assert record.error is None
    assert (game["result"], game["termination"], game["moves"]) == ("0-1", "resignation", [*record.moves])
    assert game["tags"]["White"] == record.tags["White"] == "You"


def play(invoke: Invoke, *typed: str, words: tuple[str, ...] = ()) -> str:
    done = invoke("play", "--level", "1", "--seed", "1", *words, text="\n".join(typed) + "\n")
    assert done.exit_code == 0
    text: str = done.stdout
    return text


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("side", ["white", "black"])
def test_a_whole_game_through_a_pipe(name: str, side: str, tmp_path: Path, invoke: Invoke) -> None:
    """Every hole is tried again and again: what is legal is played, what is not is refused and asked again."""
    random = Random(4)
    typed = [str(random.randint(1, GAMES[name].holes)) for _ in range(1500)]
    path = tmp_path / "game.pgn"
    text = play(invoke, *typed, words=("--game", name, "--side", side, "-o", str(path)))
    (record,) = parse_records(path.read_text())
    assert record.error is None
    assert record.start.rules == GAMES[name]
    assert record.tags["White" if side == "white" else "Black"] == "You"
    outcome = record.outcome()
    assert outcome is not None
    assert outcome.result_text in text.splitlines()[-2]
    assert text.count("\nYou: ") + text.count("\nEngine: ") == len(record.moves)
    assert text_board(record.position, below=Side[side.upper()]) in text


@pytest.mark.parametrize(("language", "name", "stone"), [("ky", "коргоол", "таш"), ("kk", "құмалақ", "тас")])
def test_stones_have_the_name_that_they_have_in_the_game(language: str, name: str, stone: str, invoke: Invoke) -> None:
    """As on the pages."""
    for game in GAMES:
        text = play(invoke, "hint", words=("--game", game, "--language", language)).lower()
        text = text.replace("тогуз коргоол", "").replace("тоғызқұмалақ", "")  # the game itself
        assert (stone in text, name in text) == (game in STONE_GAMES, game not in STONE_GAMES), text


def test_a_game_by_rating(tmp_path: Path, invoke: Invoke) -> None:
    path = tmp_path / "game.pgn"
    words = ("play", "--game", "bestemshe", "--seed", "1", "-o", str(path), "--rating")
    done = invoke(*words, "640", text="1\nresign\n")
    assert done.exit_code == 0, done.output
    assert "rating 640" in done.stdout
    assert "rating 640" in path.read_text()
    path.unlink()
    for wrong in ("0", "199", "9999", "-5"):
        refused = invoke(*words, wrong, text="1\nquit\n")
        assert refused.exit_code == 2
        assert f"--rating {wrong}: ratings in bestemshe are 200 to 1" in refused.stderr
    assert invoke(*words, "strong").exit_code == 2
    assert "give one of them" in invoke(*words, "640", "--level", "3").stderr
    assert not path.exists()


def test_help_names_every_word(invoke: Invoke) -> None:
    text = play(invoke, "help")
    for word in ("undo", "hint", "board", "moves", "position", "claim", "resign", "save", "quit"):
        assert f"\n  {word}" in text
    assert text.splitlines()[-1] == "The game stays unfinished."  # nothing has been played


def test_moves_with_checksums(invoke: Invoke) -> None:
    assert "You: 76(10)  captures 10" in play(invoke, "76(10)")
    assert "You: 76(10)" in play(invoke, "76")
    text = play(invoke, "76(11)", "75", "77X", "0", "12345", "-1", "seven", "\u0667", "")
    assert "You:" not in text
    assert "“76(11)” does not fit; the move is 76(10)." in text
    assert "“77X” does not fit; the move is 76(10)." in text
    assert "help lists the commands" in text
    assert "There is no hole 0" in text


def test_undo_takes_back_to_the_own_move(invoke: Invoke) -> None:
    text = play(invoke, "undo", "7", "9", "undo", "undo", "position", "moves", "undo", "quit")
    assert text.count("There is no move of yours to take back.") == 2
    assert f"\n{TOGUZ_KORGOOL.start()}\n" in text
    assert "\nNo move has been played.\n" in text


def test_undo_within_a_turn_of_mangala(invoke: Invoke) -> None:
    text = play(invoke, "4", "undo", "position", words=("--game", "mangala"))
    assert "You: 40  and moves again" in text
    assert f"\n{GAMES['mangala'].start()}\n" in text


def test_undo_of_black_keeps_the_engines_first_move(invoke: Invoke) -> None:
    text = play(invoke, "undo", "moves", "5", "undo", "moves", words=("--side", "black"))
    assert "There is no move of yours to take back." in text
    lists = [line for line in text.splitlines() if line.startswith("1. ")]
    assert len(lists) == 2
    assert lists[0] == lists[1]


def test_hint_shows_lines(invoke: Invoke) -> None:
    text = play(invoke, "hint", words=("--position", LAST))
    assert "91(82)" in text
    assert "100% to win" in text
    assert "\n           brings the kazan to 82 stones and wins; is the only move; captures 2 stones\n" in text
    turkish = play(invoke, "hint", words=("--position", LAST, "--language", "tr"))
    assert "hazinesini 82 taşa çıkarıp kazanır; tek olası hamle; 2 taş alır" in turkish


def test_resigning(tmp_path: Path, invoke: Invoke) -> None:
    path = tmp_path / "game.pgn"
    text = play(invoke, "7", "resign", words=("-o", str(path)))
    assert "The engine wins: 0 (10) - 1 (" in text
    (record,) = parse_records(path.read_text())
    assert (record.result, record.tags["Termination"]) == ("0-1", "resignation")


def test_saving(tmp_path: Path, invoke: Invoke) -> None:
    path = tmp_path / "game.pgn"
    text = play(invoke, "7", f"save {path}", "save", f"save {tmp_path}", "moves")
    assert f"The record is in {path}." in text
    assert "save needs the name of a file" in text
    assert f"{tmp_path}: it is a folder" in text
    assert parse_records(path.read_text())[0].moves[0] == 7
    done = invoke("play", "-o", str(tmp_path / "none" / "game.pgn"), text="quit\n")
    assert done.exit_code == 1
    assert "cannot be written" in done.stderr


def test_claims(invoke: Invoke) -> None:
    assert "there is no draw to claim" in play(invoke, "claim")


def test_the_third_occurrence_ends_the_game() -> None:
    from korgool.app.cli.terminal_game import TerminalGame

    cycle = [5, 1, 4, 2, 3, 3, 2, 5, 1, 4]
    start = Position.parse("2S,4/1,1S,2S,2S,2S 20 21 S 1")
    table = TerminalGame(Game(start), Side.WHITE, 1, None, Random(1), None, "en", None)
    for move in cycle:
        table._sow(move, engine=False)
    assert table.game.outcome() is None
    assert table.game.claims()[0].reason == "73"
    for move in cycle:
        table._sow(move, engine=False)
    outcome = table.game.outcome()
    assert outcome is not None
    assert (outcome.result_text, outcome.termination) == ("0.5 (20) - 0.5 (21)", "repetition")


def test_a_finished_position_is_told_at_once(invoke: Invoke) -> None:
    assert "Draw: 0.5 (81) - 0.5 (81) (both kazans hold half of the stones)" in play(
        invoke, words=("--position", "9/9 81 81 S 90")
    )


def test_random_sides_differ_by_seed(invoke: Invoke) -> None:
    sides = {
        invoke("play", "--side", "random", "--seed", str(seed), text="quit\n").stdout.split("play ")[1].split(",")[0]
        for seed in range(8)
    }
    assert sides == {"White", "Black"}


@pytest.mark.parametrize("typed", [b"\xff\xfe\n7\n", b"\0\n7\n", b"a" * 1_000_000 + b"\n7\n"])
def test_rubbish_that_is_typed(typed: bytes) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "korgool", "play", "--level", "1"],
        input=typed,
        capture_output=True,
        timeout=PATIENCE,
        env=environment(),
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"You: 76(10)" in done.stdout


def test_a_terminal_is_asked() -> None:
    """On a terminal there is a prompt, and Ctrl-D leaves."""
    main, other = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "korgool", "play", "--level", "1", "--seed", "1"],
        stdin=other,
        stdout=other,
        stderr=subprocess.PIPE,
        env=environment(TERM="xterm"),
    ) as process:
        os.close(other)
        os.write(main, b"7\n\x04")
        shown = b""
        try:
            while chunk := os.read(main, 65536):
                shown += chunk
        except OSError:
            pass  # the other end is closed
        assert process.stderr is not None
        assert process.stderr.read() == b""
    os.close(main)
    assert process.returncode == 0
    text = shown.decode()
    assert "Your move (1 2 3 4 5 6 7 8 9, or help): " in text
    assert "You: 76(10)" in text
    assert "The game stays unfinished; korgool play goes on with it." in text


def test_perfect_play_can_be_asked_for(invoke: Callable[..., Any]) -> None:
    words = ["--game", "mangala", "--level", "perfect", "--side", "black", "--seconds", "1"]
    done = invoke("play", *words, text="resign\n")
    assert done.exit_code == 0
    assert "against: perfect" in done.stdout
    assert "Engine: 5" in done.stdout, "the one first move that keeps the draw"
