"""What goes wrong at an event: bad results, bad files, a full disk, two officials at once, an engine that fails.

Each ends in one clear message and exit status 1, and the event is as it was before.
"""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from korgool.competition import EventFile
from korgool.competition.pairing import gacrux_process
from tests.competition.program import begin, call, korgool, lines, play_round, refused
from tests.package import environment
from tests.patience import PATIENCE

ENVIRONMENT = environment()
PROGRAM = [sys.executable, "-m", "korgool", "event"]


@pytest.fixture
def cup(tmp_path: Path) -> Iterator[Path]:
    """An event whose first round is paired; whatever the test does, it opens and checks in the end."""
    path = tmp_path / "cup.korgool"
    begin(path, 8, 3)
    korgool("pair", path, "--lot", "1")
    yield path
    assert lines("check", path)[0]["ok"]


def actions(path: Path) -> int:
    with EventFile.open(path) as file:
        return file.state.actions


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["1", "9", "1-0"], "round 1 has no board 9, it has boards 1 to 4"),
        (["2", "1", "1-0"], "round 2 is not paired, rounds 1 to 1 are"),
        (["1", "1", "1 (90) - 0 (80)"], "the kazans hold 170 stones together, the game has 162"),
        (["1", "1", "1 (70) - 0 (60)"], "a winner has at least 82 stones, not 70"),
        (["1", "1", "1 (60) - 0 (82)"], "the loser has 82 stones of 162, which wins"),
        (["1", "1", "0.5 (82) - 0.5 (80)"], "who has 82 stones of 162 has won, it is no draw"),
        (["1", "1", "0.5 (80) - 0.5 (80)"], "a draw on the board is 81 each"),
        (["1", "1", "1 (90) - 1 (60)"], "a game gives 1 - 0"),
        (["1", "1", "0 (30) - 0 (40)"], "both players lose only by a forfeit or by time"),
        (["1", "1", "1 (90) - 0 (60)", "--cause", "agreement"], "agreement is a draw, it has no winner"),
        (["1", "1", "0.5 (81) - 0.5 (81)", "--cause", "resignation"], "who resigns has lost, it is no draw"),
        (["1", "1", "1 (90) - 0"], "gives the stones of one player only"),
        (["1", "1", "+ - +"], "both players cannot win"),
        (["1", "1", "1 (30) - 0 (18); 0 (20) - 1 (28)"], "2 sets are given, a match of this event has 1"),
        (["1", "1", "won"], "'won' is no result; write it as"),
        (["1", "1", ""], "'' is no result"),
        (["1", "1", "1 (99999999) - 0 (1)"], "too many stones"),
        (["1", "1", "٣-0"], "is no result"),
        (["1", "1", "*", "--correct", "--reason", "x"], "has no result to correct"),
    ],
)
def test_results_that_cannot_be(words: list[str], message: str, started: Path) -> None:
    before = actions(started)
    assert message in refused("result", started, *words)
    assert actions(started) == before


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("event") / "cup.korgool"
    begin(path, 8, 3)
    korgool("pair", path, "--lot", "1")
    return path


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["enter", "--name", "player 3"], "is entered already, with number 3"),
        (["withdraw", "Nobody"], "there is no player 'Nobody'"),
        (["withdraw", "Player"], "'Player' may be any of 1 Player 1, 2 Player 2"),
        (["withdraw", "99"], "there is no player '99'"),
        (["miss", "1", "9"], "there is no round 9"),
        (["miss", "1", "1"], "round 1 is paired already"),
        (["pair"], "round 1 lacks the results of boards 1, 2, 3, 4"),
        (["unpair", "2", "--reason", "x"], "only the last round can be taken back, that is 1"),
        (["change", "--system", "knockout"], "system cannot change once a round is paired"),
        (["standings", "--group", "none"], "nobody belongs to the group"),
        (["standings", "--why", "1", "1"], "is not compared with itself"),
        (["explain", "2"], "round 2 is not paired"),
        (["official", "X", "--dismiss", "--reason", "x"], "there is no official 'X'"),
        (["export", "--csv", "-"], "go into a folder"),
    ],
)
def test_what_an_event_does_not_allow(words: list[str], message: str, started: Path) -> None:
    before = actions(started)
    assert message in refused(words[0], started, *words[1:])
    assert actions(started) == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["enter", "--name", "  "], "it is empty"),
        (["enter", "--name", "A\x1b[2J"], "holds a control character"),
        (["enter", "--name", "A", "--club", "B\x1b[2J"], "--club: 'B�[2J' holds a control character"),
        (["enter", "--name", "?м?рбеков"], "--accept-lost-letters takes it as it is"),
        (["enter", "--name", "A", "--born", "31.13.2001"], "there is no day"),
        (["change", "--control", "soon"], "a time control is minutes+seconds"),
        (["change", "--rounds", "3", "--tiebreaks", "PS,PS"], "PS is named twice"),
    ],
)
def test_what_no_event_could_take_is_wrong_usage(words: list[str], message: str, started: Path) -> None:
    before = actions(started)
    done = call(words[0], started, *words[1:])
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr
    assert actions(started) == before


def test_words_that_are_no_text(cup: Path) -> None:
    """What a terminal of another encoding sends."""
    before = actions(cup)
    done = subprocess.run(
        [*map(os.fsencode, [*PROGRAM, "withdraw", str(cup), "1", "--reason"]), b"\xe4\xff"],
        env=ENVIRONMENT, capture_output=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert b"it is no text in the encoding" in done.stderr
    assert actions(cup) == before


def test_files_that_are_no_event(tmp_path: Path) -> None:
    missing, text, other, empty = (tmp_path / name for name in ("missing", "text", "other", "empty"))
    text.write_text("an ordinary text, long enough to have a header of its own " * 5)
    empty.touch()
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE log (x)")
    connection.close()
    for path, message in (
        (missing, f"there is no event file {missing}"),
        (tmp_path, f"there is no event file {tmp_path}"),
        (text, f"{text} is not an event file"),
        (other, f"{other} is not an event file"),
        (empty, f"{empty} is not an event file"),
    ):
        for words in (["standings", path], ["pair", path], ["check", path], ["export", path, "--json"]):
            assert message in refused(*words)
    assert not missing.exists()
    assert "exists already" in refused("new", text, "--name", "X")
    assert "cannot be written" in refused("new", tmp_path / "none" / "x", "--name", "X")


def test_a_file_of_a_newer_version_is_refused(cup: Path, tmp_path: Path) -> None:
    newer = tmp_path / "newer.korgool"
    shutil.copy(cup, newer)
    with sqlite3.connect(newer) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    assert "was made by a newer version of korgool (99, this is 2)" in refused("standings", newer)


@pytest.mark.parametrize("keep", [100, 1000, 5000])
def test_a_file_that_was_cut_off_is_no_fault_of_the_program(keep: int, cup: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.korgool"
    cut.write_bytes(cup.read_bytes()[:keep])
    assert "damaged" in refused("standings", cut)


def test_a_damaged_page_is_said_or_does_no_harm(cup: Path, tmp_path: Path) -> None:
    whole, chance = cup.read_bytes(), random.Random(1)
    told = 0
    used = [at for at in range(100, len(whole) - 16) if 0 not in whole[at : at + 16]]
    for number in range(16):
        broken = bytearray(whole)
        at = chance.choice(used)
        broken[at : at + 16] = chance.randbytes(16)
        path = tmp_path / f"broken{number}"
        path.write_bytes(broken)
        done = call("check", path)
        told += done.exit_code == 1
        assert done.exit_code in (0, 1)
        assert bool(done.stderr) or done.exit_code == 0
    assert told > 12


TRF_LINE = "001    1 m    Asanov, Bek                       2100 KGZ             2001/00/00  1.0    1     2 w 1"


@pytest.mark.parametrize(
    "text",
    [
        "012 Cup\n" + TRF_LINE[:8] + " " + TRF_LINE[8:] + "\n",
        "012 Cup\n" + TRF_LINE.replace("2 w 1", "2 w1 ") + "\n",
        "012 Cup\n" + TRF_LINE.replace("2 w 1", "2 w 7") + "\n",
        "012 Cup\n" + TRF_LINE + "\n" + TRF_LINE + "\n",
        "012 Cup\n",
        "family,given\nAsanov,Bek\n",
        "",
    ],
)
def test_reports_with_shifted_columns_make_no_event(text: str, tmp_path: Path) -> None:
    report, event = tmp_path / "in.trf", tmp_path / "cup.korgool"
    report.write_text(text)
    message = refused("import", event, report)
    assert f"{report}: " in message
    assert "line" in message
    assert not event.exists()
    assert [path.name for path in tmp_path.iterdir()] == ["in.trf"]


def test_bad_lines_keep_everybody_out_unless_they_are_skipped(cup: Path, tmp_path: Path) -> None:
    table = tmp_path / "more.csv"
    table.write_text("family,rating,sex\nNew One,2000,m\nPlayer 3,2000,f\nBad,high,m\nOther,,z\n")
    before = actions(cup)
    done = call("import", cup, table)
    assert done.exit_code == 1
    assert f"{table}: line 3: Player 3 is entered twice: already in the event" in done.stderr
    assert f"{table}: line 4, column 'rating': 'high' is no rating" in done.stderr
    assert f"{table}: line 5, column 'sex': 'z' is no sex" in done.stderr
    assert "nobody was entered" in done.stderr
    assert actions(cup) == before
    (report,) = lines("import", cup, table, "--skip-bad")
    assert (report["entered"], report["bad"], report["encoding"]) == (1, 3, "utf-8")
    assert lines("players", cup)[-1]["since"] == 2
    assert "cannot be read" in refused("import", cup, tmp_path / "none.csv")
    assert "is not HEADING=MEANING" in call("import", cup, table, "--map", "x").stderr


def test_a_pairing_engine_that_hangs(cup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _finish(cup)
    before = actions(cup)
    with monkeypatch.context() as patched:
        patched.setattr(gacrux_process, "COMMAND", (sys.executable, "-c", "import time; time.sleep(600)"))
        began = time.monotonic()
        message = refused("pair", cup, "--timeout", "0.5")
        assert time.monotonic() - began < PATIENCE, "it would sleep for ten minutes"
        assert "the pairing engine was stopped after 0.5 seconds without an answer" in message
        faults = lines_of_failed_check(cup)
        assert "cannot be paired again" in faults
    assert actions(cup) == before
    assert lines("pair", cup)[0]["round"] == 2


def lines_of_failed_check(path: Path) -> str:
    done = call("check", path, "--timeout", "0.3")
    assert done.exit_code == 1
    return done.stderr


NONSENSE = '{"status": {"code": 0}, "pairingResult": {"pairs": [[1, 1]]}}'


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (("/no/such/program",), "the pairing engine cannot be started"),
        ((sys.executable, "-c", "import sys; print('no module', file=sys.stderr); sys.exit(97)"), "is not installed"),
        ((sys.executable, "-c", "import sys; sys.exit(98)"), "needs more than 2048 MiB of memory"),
        ((sys.executable, "-c", "raise RuntimeError('it broke')"), "the pairing engine failed: RuntimeError: it broke"),
        ((sys.executable, "-c", "print('1 2')"), "gave no pairing but"),
        (
            (sys.executable, "-c", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"),
            "the pairing engine failed",
        ),
        ((sys.executable, "-c", f"print({NONSENSE!r})"), "did not pair everybody once"),
    ],
)
def test_a_pairing_engine_that_is_missing_or_broken(
    command: tuple[str, ...], message: str, cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _finish(cup)
    before = actions(cup)
    with monkeypatch.context() as patched:
        patched.setattr(gacrux_process, "COMMAND", command)
        assert message in refused("pair", cup)
    assert actions(cup) == before


def _finish(path: Path) -> None:
    for line in lines("round", path):
        korgool("result", path, line["round"], line["board"], "1 (82) - 0 (60)")


def test_two_officials_at_once(cup: Path) -> None:
    """Each official enters players separately; nobody is lost, and nobody waits in vain."""
    script = (
        "import sys; from korgool.app.cli import main\n"
        "for n in range(12):\n"
        "    words = ['event', 'enter', sys.argv[1], '--name', f'{sys.argv[2]} {n}', '--by', sys.argv[2]]\n"
        "    main(words, standalone_mode=False)\n"
    )
    both = [
        subprocess.Popen([sys.executable, "-c", script, str(cup), who], env=ENVIRONMENT, stdout=subprocess.PIPE)
        for who in ("Anna", "Bolot")
    ]
    for one in both:
        one.communicate(timeout=PATIENCE)
    assert [one.returncode for one in both] == [0, 0]
    names = [line["name"] for line in lines("players", cup)]
    assert sorted(names[8:]) == sorted(f"{who}, {n}" for who in ("Anna", "Bolot") for n in range(12))


def test_two_officials_pair_the_same_round(cup: Path) -> None:
    _finish(cup)
    both = [
        subprocess.Popen(
            [*PROGRAM, "pair", str(cup)], env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    said = [one.communicate(timeout=PATIENCE)[1] for one in both]
    assert sorted(one.returncode for one in both) == [0, 1]
    (message,) = [text for text in said if text]
    assert "another official has changed the event meanwhile" in message or "lacks the results" in message
    assert len(lines("round", cup, 2)) == 4
    with EventFile.open(cup) as file:
        assert len(file.state.rounds) == 2


def test_somebody_else_who_does_not_let_go(cup: Path) -> None:
    before = actions(cup)
    holder = sqlite3.connect(cup, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    try:
        began = time.monotonic()
        assert "is being written by another official; try again" in refused("enter", cup, "--name", "Late, Comer")
        assert time.monotonic() - began < PATIENCE
        assert len(lines("round", cup)) == 4, "reading goes on meanwhile"
    finally:
        holder.execute("ROLLBACK")
        holder.close()
    assert actions(cup) == before


FULL = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)\n"


@pytest.mark.skipif(os.name == "nt", reason="limits of file sizes are a matter of POSIX")
def test_a_full_disk_loses_nothing(cup: Path) -> None:
    """A file that may not grow stands for the disk: every write beyond fails at some point or other."""
    _finish(cup)
    size, before = cup.stat().st_size, actions(cup)
    script = FULL + (
        "from korgool.app.cli import main\n"
        "for n in range(400):\n"
        "    main(['event', 'enter', sys.argv[2], '--name', f'Late {n}'], standalone_mode=False)\n"
        "    print('confirmed', flush=True)\n"
    )
    for room in (0, 2000, 4096, 9000, 30000):
        done = subprocess.run(
            [sys.executable, "-c", script, str(size + room), str(cup)],
            env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE, check=False,
        )  # fmt: skip
        assert done.returncode == 1
        confirmed = done.stdout.splitlines().count("confirmed")
        assert str(cup) in done.stderr
        held = actions(cup)
        assert held >= before + confirmed
        assert held <= before + confirmed + 1
        size, before = cup.stat().st_size, held
    out = cup.with_name("report.trf")
    limited = FULL + "from korgool.app.cli import main; main(sys.argv[2:])\n"
    words = ["event", "export", str(cup), "--trf", str(out)]
    done = subprocess.run(
        [sys.executable, "-c", limited, "200", *words], env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, out.exists()) == (1, False)
    assert "File too large" in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_a_read_only_event_is_read_and_not_written(cup: Path) -> None:
    before = actions(cup)
    powerless = []
    if os.getuid() == 0:  # permissions do not bind root, unless he gives his powers away
        if shutil.which("setpriv") is None:
            pytest.skip("as root this test needs setpriv")
        powerless = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]
    try:
        cup.chmod(0o444)
        cup.parent.chmod(0o555)
        read, written = (
            subprocess.run(
                [*powerless, *PROGRAM, *words],
                env=ENVIRONMENT,
                capture_output=True,
                text=True,
                timeout=PATIENCE,
                check=False,
            )
            for words in (["standings", str(cup)], ["enter", str(cup), "--name", "Late"])
        )
    finally:
        cup.parent.chmod(0o755)
        cup.chmod(0o644)
    assert (read.returncode, len(read.stdout.splitlines())) == (0, 10)  # headings, players, the head of the log
    assert (written.returncode, written.stdout) == (1, "")
    assert f"{cup} cannot be written: it is read-only" in written.stderr
    assert actions(cup) == before


def test_an_event_played_by_many_hands_is_whole(cup: Path) -> None:
    """After all the refusals an event still goes to its end."""
    _finish(cup)
    for number in (2, 3):
        refused("result", cup, number, 1, "1-0")
        play_round(cup, random.Random(number))
    assert "all are paired" in refused("pair", cup)
