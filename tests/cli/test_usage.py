"""What all commands share: help, exit statuses, and that no mistake of the user ends in a traceback."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool.app.cli import main
from tests.package import environment
from tests.patience import PATIENCE, eventually

COMMANDS = ["serve", "play", "analyse", "replay", "convert", "diagram", "engine", "perft", "bench"]


def test_the_commands_are_those_of_the_interface() -> None:
    assert set(COMMANDS) <= set(main.summaries)


@pytest.mark.parametrize("name", main.summaries)
def test_every_command_explains_itself_with_an_example(name: str, invoke: Callable[..., Any]) -> None:
    done = invoke(name, "--help")
    assert done.exit_code == 0
    assert f"korgool {name}" in done.stdout.split("Example", 1)[1]


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "serve"])
def test_every_command_takes_game_and_rule(name: str, invoke: Callable[..., Any]) -> None:
    text = invoke(name, "--help").stdout
    assert "toguz|mangala|castle|bestemshe" in text
    assert "--rule NAME=VALUE" in text


@pytest.mark.parametrize("name", ["perft", "replay", "analyse", "bench"])
def test_commands_that_print_data_have_json(name: str, invoke: Callable[..., Any]) -> None:
    assert "--json" in invoke(name, "--help").stdout


def test_the_short_help_loads_no_command() -> None:
    code = """if True:
        import sys
        from korgool.app.cli import main

        main(["--help"], standalone_mode=False)
        rooms = ("korgool.app.cli.", "korgool.engine", "korgool.notation.", "rich", "msgspec", "litestar")
        print([name for name in sys.modules if name.startswith(rooms)])
    """
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=environment(),
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "['korgool.app.cli.group']"


def test_version(invoke: Callable[..., Any]) -> None:
    from korgool import __version__

    assert invoke("--version").stdout == f"korgool {__version__}\n"


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["dance"], "No such command 'dance'.\n"),
        (["analyze"], "Did you mean 'analyse'?"),
        (["Replya"], "Did you mean 'replay' or 'play'?"),
        (["event", "stnadings"], "Did you mean 'standings'?"),
        (["replay", "--jsno"], "--json"),
        (["perft"], "Missing argument"),
        (["perft", "x"], "not a valid integer"),
        (["perft", "-1"], ""),
        (["perft", "3", "--game", "chess"], "toguz"),
        (["perft", "3", "--rule", "sweep"], "NAME=VALUE"),
        (["perft", "3", "--rule", "sweep=all"], "owner, emptied, nobody"),
        (["perft", "3", "--rule", "luck=yes"], "no rule is called"),
        (["perft", "3", "--rule", "goal=-3"], "whole number"),
        (["play", "--level", "9"], "'8', 'perfect'"),
        (["play", "--level", "0"], "'8', 'perfect'"),
        (["analyse"], "--position, --record or --serve"),
        (["analyse", "--position", "x", "--record", "y"], "one of them"),
        (["analyse", "--position", "x", "--threads", "0"], "1<=x"),
        (["analyse", "--position", "x", "--lines", "0"], "1<=x"),
        (["analyse", "--position", "x", "--depth", "-2"], "1<="),
        (["analyse", "--position", "x", "--seconds", "0"], "0<x"),
        (["analyse", "--position", "x", "--seconds", "nan"], "nan is not a number"),
        (["analyse", "--position", "x", "--nodes", "0"], "1<=x"),
        (["diagram"], "-o"),
        (["diagram", "-o", "board.gif"], ".svg or .png"),
        (["convert", "x.pgn"], "--to"),
        (["convert", "x.pgn", "--to", "chess"], "pgn"),
        (["replay"], "FILE"),
        (["bench", "--depth", "0"], "1<=x"),
        (["serve", "--port", "70000"], "65535"),
        (["engine", "extra"], "unexpected extra argument"),
    ],
)
def test_wrong_usage_is_status_2(words: list[str], part: str, invoke: Callable[..., Any]) -> None:
    done = invoke(*words)
    assert done.exit_code == 2
    assert part in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("command", [["replay"], ["convert", "--to", "pgn"], ["analyse", "--record"]])
def test_files_that_cannot_be_read(command: list[str], tmp_path: Path, invoke: Callable[..., Any]) -> None:
    missing = tmp_path / "missing.pgn"
    secret = tmp_path / "secret.pgn"
    secret.write_text("796")
    secret.chmod(0)
    for path in (missing, tmp_path, *([] if os.access(secret, os.R_OK) else [secret])):
        done = invoke(*command, str(path))
        assert done.exit_code == 1
        assert str(path) in done.stderr
        assert done.stdout == ""


POSITIONS = [
    "",
    "x",
    "9S/9S 0 0 S 1",
    "9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,8S 0 0 S 1",
    "t,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 9 S 1",
    "9S,t,t,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 18 0 S 1",
    "\u0669S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 S 1",
    "9S," * 50,
    "a" * 100_000,
]


@pytest.mark.parametrize("text", POSITIONS)
@pytest.mark.parametrize("command", [["perft", "1"], ["analyse"], ["diagram", "-o", "-"], ["play"]])
def test_positions_that_cannot_be(command: list[str], text: str, invoke: Callable[..., Any]) -> None:
    done = invoke(*command, "--position", text)
    assert done.exit_code == 1
    assert done.stderr.startswith("korgool: --position: ")
    assert done.stdout == ""


def test_a_position_tells_its_game_unless_that_is_given(invoke: Callable[..., Any]) -> None:
    small = "4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S 1"
    assert json.loads(invoke("perft", "3", "--position", small, "--json").stdout)["count"] == 213
    castle = json.loads(invoke("perft", "3", "--position", small, "--game", "castle", "--json").stdout)
    assert (castle["count"], castle["game"]) == (210, "castle")
    assert invoke("perft", "3", "--position", small, "--game", "toguz").exit_code == 1
    bestemshe = "5S,5S,5S,5S,5S/5S,5S,5S,5S,5S 0 0 S 1"
    assert invoke("perft", "4", "--position", bestemshe).stdout == "407\n"


def test_lenient_accepts_stones_that_do_not_add_up(invoke: Callable[..., Any]) -> None:
    text = "3S,8/2S,8 0 0 S 1"
    assert invoke("perft", "1", "--position", text).exit_code == 1
    assert invoke("perft", "1", "--position", text, "--lenient").stdout == "1\n"


@given(st.text(max_size=200))
def test_any_position_text_is_answered(text: str) -> None:
    from click.testing import CliRunner

    done = CliRunner().invoke(main, ["perft", "0", f"--position={text}"])
    assert done.exit_code in (0, 1)
    assert "fault of the program" not in done.stderr


def test_a_reader_that_goes_away_is_no_fault(tmp_path: Path) -> None:
    games = tmp_path / "games.txt"
    games.write_text("796817\n" * 20_000)
    program = [sys.executable, "-m", "korgool", "replay", str(games), "--json"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b"{")
        process.stdout.close()
        assert process.stderr.read() == b""


def at_work(process: int) -> bool:
    """Whether a program has loaded the kernel, which it does when it has read its arguments."""
    maps = Path(f"/proc/{process}/maps")
    if not maps.exists():
        time.sleep(2)  # not on Linux
        return True
    return "_korgool_kernel" in maps.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "words",
    [
        ["perft", "13"],
        ["analyse", "--position", "9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 S 1", "--seconds", "60"],
    ],
)
def test_ctrl_c_ends_with_130(words: list[str]) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "korgool", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        # Who was started in the background would not hear it; no other thread of ours holds a lock here.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    ) as process:
        eventually(lambda: at_work(process.pid), "the program begins to work")
        process.send_signal(signal.SIGINT)
        try:
            _, stderr = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    assert process.returncode == 130
    assert b"Traceback" not in stderr


INTERRUPTED_STRING = """
import os, signal, sys

class CtrlC:
    def find_spec(name, path, target=None):
        if name == "korgool.app.cli.perft":
            signal.signal(signal.SIGINT, signal.default_int_handler)
            exec("while True: os.kill(os.getpid(), signal.SIGINT)")

sys.meta_path.insert(0, CtrlC)
"""


def test_ctrl_c_in_a_string_that_a_loading_module_executes_ends_with_130(tmp_path: Path) -> None:
    """`dataclass` and `namedtuple` do so, and Python takes an interrupt there for unhandled even if it is handled."""
    (tmp_path / "sitecustomize.py").write_text(INTERRUPTED_STRING, encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), environment()["PYTHONPATH"]])
    program = [sys.executable, "-m", "korgool", "perft", "1"]
    done = subprocess.run(program, capture_output=True, check=False, env=environment(PYTHONPATH=path))
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"\n")


@pytest.mark.parametrize(
    ("words", "lines"),
    [(["perft", "8", "--game", "bestemshe"], 1), (["bench", "--depth", "5"], 4), (["replay", "-"], 2_000)],
)
def test_long_work_shows_a_bar_on_a_terminal_only(words: list[str], lines: int) -> None:
    typed = b"75\n" * 2_000
    program = [sys.executable, "-m", "korgool", *words]
    settings: dict[str, Any] = {"env": environment(TERM="xterm")}
    piped = subprocess.run(program, input=typed, capture_output=True, check=True, **settings)
    assert piped.stderr == b""
    assert piped.stdout.count(b"\n") == lines
    main_end, other_end = pty.openpty()
    with subprocess.Popen(
        program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=other_end, **settings
    ) as process:
        os.close(other_end)
        shown = bytearray()
        reader = threading.Thread(target=lambda: shown.extend(_all_of(main_end)))
        reader.start()
        stdout, _ = process.communicate(typed)
        reader.join()
    os.close(main_end)
    assert (process.returncode, stdout.count(b"\n")) == (0, lines)
    assert b"\x1b[" in shown


def _all_of(terminal: int) -> bytes:
    """What is shown on a terminal until its other end is closed."""
    shown = b""
    try:
        while chunk := os.read(terminal, 65536):
            shown += chunk
    except OSError:
        pass  # how a terminal says that nobody is there
    return shown


def test_without_the_kernel_records_are_still_read(monkeypatch: pytest.MonkeyPatch, invoke: Callable[..., Any]) -> None:
    from korgool.engine import kernel

    kernel.library.cache_clear()
    monkeypatch.setattr(kernel, "find_spec", lambda name: None)
    try:
        done = invoke("perft", "2")
        assert (done.exit_code, done.stdout) == (1, "")
        assert done.stderr.startswith("korgool: the native kernel is not built; to have the right one: ")
        assert json.loads(invoke("replay", "-", "--json", text="75\n").stdout)["plies"] == 2
    finally:
        kernel.library.cache_clear()


def test_an_unforeseen_fault_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    @click.command("perft")
    def broken() -> None:
        raise RuntimeError("it broke")

    monkeypatch.setattr(main, "get_command", lambda ctx, name: broken)
    monkeypatch.delenv("KORGOOL_DEBUG", raising=False)
    with pytest.raises(SystemExit) as end:
        main(["perft"])
    assert end.value.code == 1
    stderr = capsys.readouterr().err
    assert "please report it (RuntimeError: it broke)" in stderr
    assert "Traceback" not in stderr
    monkeypatch.setenv("KORGOOL_DEBUG", "1")
    with pytest.raises(RuntimeError, match="it broke"):
        main(["perft"])
