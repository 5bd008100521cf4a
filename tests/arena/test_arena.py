"""The arena: Elo and SPRT by figures known from elsewhere, openings, real programs as players, logs that go on."""

from __future__ import annotations

import json
import math
import shlex
import sys
from functools import cache
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from korgool.app.cli import main
from korgool.clusters import pool
from korgool.engine import TimeLeft, UgiEngine
from korgool.engine.arena import (
    Control,
    LevelOpponent,
    MatchScore,
    OpponentError,
    Series,
    Sprt,
    UgiOpponent,
    arena_game,
    check_engine,
    compliance,
    elo_of,
    fraction_of,
    level_openings,
    play_game,
    read_openings,
    run_series,
)
from korgool.engine.arena.compliance import Finding
from korgool.engine.arena.openings import OpeningError
from korgool.engine.arena.series import LogError, read_tally
from korgool.engine.limits import Limits
from korgool.engine.tables import build
from korgool.rules import BESTEMSHE, MANGALA, TOGUZ_KORGOOL, Game, Side, Termination
from tests.patience import best_of

OURS = f"{shlex.quote(sys.executable)} -m korgool engine"


def program(body: str) -> str:
    """The command of a small UGI program that answers `go` as the body says; `moves` holds the moves played."""
    lines = [
        "import sys, time", "moves = []", "def say(text): print(text, flush=True)", "for line in sys.stdin:",
        "    words = line.split()", "    if words[:1] == ['ugi']: say('id name Small'); say('ugiok')",
        "    elif words[:1] == ['isready']: say('readyok')",
        "    elif words[:1] == ['position']: moves = words[3:]",
        "    elif words[:1] == ['quit']: break",
        f"    elif words[:1] == ['go']: {body}",
    ]  # fmt: skip
    return f"{shlex.quote(sys.executable)} -c {shlex.quote(chr(10).join(lines))}"


@pytest.mark.parametrize(("fraction", "elo"), [(0.5, 0), (0.75, 190.8), (0.64, 100), (0.909091, 400)])
def test_elo_is_the_logistic_scale(fraction: float, elo: float) -> None:
    assert elo_of(fraction) == pytest.approx(elo, abs=0.2)
    assert fraction_of(elo) == pytest.approx(fraction, abs=0.001)


@given(st.floats(0.01, 0.99))
def test_elo_and_fraction_undo_each_other(fraction: float) -> None:
    assert fraction_of(elo_of(fraction)) == pytest.approx(fraction)
    assert elo_of(1 - fraction) == pytest.approx(-elo_of(fraction))


def simulated(elo: float, pairs: int, seed: int, draws: float = 0.1) -> MatchScore:
    random, tally = Random(seed), MatchScore()
    win = fraction_of(elo)
    for _ in range(pairs):
        halves = [1 if random.random() < draws else 2 * (random.random() < win) for _ in range(2)]
        for one in halves:
            tally = tally.with_game(one)
        tally = tally.with_pair(sum(halves))
    return tally


def test_the_interval_holds_the_truth_nineteen_times_in_twenty() -> None:
    """Simulated matches of a known difference: draws pull the expected fraction, which is taken into account."""
    truth = elo_of(0.1 * 0.5 + 0.9 * fraction_of(60))
    held = 0
    for seed in range(400):
        low, high = simulated(60, 100, seed).interval
        held += low <= truth <= high
    assert 0.92 <= held / 400 <= 0.98


@pytest.mark.parametrize(("elo", "expected"), [(0, "elo0"), (30, "elo1")])
def test_the_sequential_test_errs_rarely(elo: float, expected: str) -> None:
    test, right, decided = Sprt(0, 30), 0, 0
    for seed in range(60):
        random, tally = Random(seed), MatchScore()
        win = fraction_of(elo)
        for _ in range(4000):
            halves = [2 * (random.random() < win) for _ in range(2)]
            for one in halves:
                tally = tally.with_game(one)
            tally = tally.with_pair(sum(halves))
            if verdict := test.verdict(tally):
                decided += 1
                right += verdict == expected
                break
    assert decided == 60
    assert right >= 54


def test_a_test_needs_two_hypotheses_in_order() -> None:
    with pytest.raises(ValueError, match="above the first"):
        Sprt(10, 10)


def test_openings_are_level_and_the_same_for_the_same_seed() -> None:
    found = list(level_openings(TOGUZ_KORGOOL, 6, seed=5))
    assert found == list(level_openings(TOGUZ_KORGOOL, 6, seed=5))
    assert len(set(found)) == 6
    for opening in found:
        assert not any(Game(TOGUZ_KORGOOL, opening).position.tuz)
    assert found != list(level_openings(TOGUZ_KORGOOL, 6, seed=6))


def test_a_book_is_read_and_a_bad_line_named() -> None:
    assert read_openings(["# a book", "7 7 2 # remark", "", "33"], TOGUZ_KORGOOL) == [(7, 7, 2), (3, 3)]
    for lines, reason in ((["77", "70"], "line 2, ply 2"), (["x"], "line 1, ply 1"), (["#"], "no opening")):
        with pytest.raises(OpeningError, match=reason):
            read_openings(lines, TOGUZ_KORGOOL)


@given(st.lists(st.text(max_size=12), max_size=4))
def test_any_book_is_read_or_refused(lines: list[str]) -> None:
    try:
        found = read_openings(lines, BESTEMSHE)
    except OpeningError:
        return
    assert all(Game(BESTEMSHE, opening).outcome() is None for opening in found)


def test_a_real_program_plays_a_level_to_the_end() -> None:
    ours, level = UgiOpponent(OURS, MANGALA), LevelOpponent(MANGALA, 1, seed=1, table_mib=1)
    try:
        played = play_game(MANGALA, level, ours, opening=(4,), limits=Limits(nodes=3000))
    finally:
        ours.close()
    assert not played.fault
    assert played.outcome.winner is Side.BLACK
    assert played.game.moves[0] == 4
    assert ours.name.startswith("Korgool ")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("say('bestmove 9'); say('bestmove 9')", "not legal"),
        ("say('bestmove none')", "answers 'bestmove none'"),
        ("sys.exit(3)", "has ended, with code 3"),
    ],
)
def test_who_plays_wrongly_loses(body: str, reason: str) -> None:
    small, level = UgiOpponent(program(body), BESTEMSHE), LevelOpponent(BESTEMSHE, 1, seed=1, table_mib=1)
    try:
        played = play_game(BESTEMSHE, small, level, limits=Limits(seconds=0.05))
    finally:
        small.close()
    assert (played.outcome.winner, played.outcome.termination) == (Side.BLACK, Termination.FORFEIT)
    assert reason in played.fault


def test_who_thinks_too_long_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("korgool.engine.arena.opponents.LEAST", 0.5)
    monkeypatch.setattr("korgool.engine.arena.opponents.GRACE", 0.2)
    small = UgiOpponent(program("time.sleep(30)"), BESTEMSHE)
    played = play_game(BESTEMSHE, small, LevelOpponent(BESTEMSHE, 1, seed=1, table_mib=1), limits=Limits(seconds=0.05))
    small._engine._process.kill()
    small.close()
    assert "does not answer" in played.fault


def test_a_program_that_does_not_start_is_told() -> None:
    with pytest.raises(OpponentError, match="does not start"):
        UgiOpponent("/no/such/program", TOGUZ_KORGOOL)


@cache
def openings_of(count: int) -> list[tuple[int, ...]]:
    return list(level_openings(BESTEMSHE, count))


def small_series(log: Path | None, count: int = 4, **changes: object) -> Series:
    settings: dict[str, object] = {
        "rules": BESTEMSHE, "first": lambda: LevelOpponent(BESTEMSHE, 4, seed=1, table_mib=1),
        "second": lambda: LevelOpponent(BESTEMSHE, 1, seed=2, table_mib=1), "limits": Limits(nodes=1000), "log": log,
        "openings": openings_of(count),
    }  # fmt: skip
    return Series(**{**settings, **changes})  # type: ignore[arg-type]


def test_a_series_that_was_cut_off_goes_on(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    tally = list(run_series(small_series(whole)))[-1][0]
    assert tally.games == 8
    assert sum(tally.pairs) == 4
    games = run_series(small_series(cut))
    for _ in range(3):
        next(games)
    games.close()
    kept = cut.read_text(encoding="utf-8")
    cut.write_text(kept[:-5], encoding="utf-8")  # the machine stopped in the middle of a line
    again = list(run_series(small_series(cut)))
    assert again[-1][0].games == 8
    assert len(again) < 8
    assert read_tally(cut).games == 8
    first = json.loads(whole.read_text(encoding="utf-8").splitlines()[1])
    assert set(first) >= {"opening", "first_white", "half_points", "moves", "result_text", "termination"}
    assert cut.read_bytes() == whole.read_bytes()  # time decides nothing in these games, so it does not stand there
    with pytest.raises(LogError, match="another series"):
        list(run_series(small_series(cut, 5)))
    cut.write_text(kept.replace('"opening"', "opening"), encoding="utf-8")
    with pytest.raises(LogError, match="line 2"):
        list(run_series(small_series(cut)))


def test_games_at_once_are_the_same_games(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    tally = list(run_series(small_series(one)))[-1][0]
    with pool(3) as place:
        assert list(run_series(small_series(two), place))[-1][0] == tally
    assert one.read_bytes() == two.read_bytes()
    assert tally.games == 8


def test_time_stands_in_the_log_where_it_decides(tmp_path: Path) -> None:
    list(run_series(small_series(tmp_path / "log", 1, limits=Limits(seconds=5))))
    lines = (tmp_path / "log").read_text(encoding="utf-8").splitlines()[1:]
    assert [len(json.loads(line)["seconds"]) for line in lines] == [2, 2]


def test_a_decided_test_ends_the_series() -> None:
    tally = list(run_series(small_series(None, 40, sprt=Sprt(0, 200))))[-1][0]
    assert tally.games < 80
    assert Sprt(0, 200).verdict(tally) == "elo1"


def on_time(findings: list[Finding]) -> bool:
    """Whether nothing has failed but perhaps what a machine that stands still for a moment cannot pass."""
    failed = {finding.what for finding in findings if not finding.passed}
    return not failed & {"keeps to the time of a move", "keeps to the clock of a game, with and without lag"}


def test_our_own_engine_is_compliant() -> None:
    findings = best_of(3, lambda: list(check_engine(OURS, TOGUZ_KORGOOL)), on_time)
    assert [finding.what for finding in findings if not finding.passed] == []
    assert len(findings) == 13


def test_a_careless_engine_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("korgool.engine.arena.compliance.PATIENCE", 1.0)
    bad = [finding.what for finding in check_engine(program("say('bestmove 1')"), TOGUZ_KORGOOL) if not finding.passed]
    assert "knows whose turn it is" in bad
    assert any("without an illegal move" in what for what in bad)


@pytest.mark.parametrize(("control", "lost"), [(Control(0.05), True), (Control(60, lag=0.2), False)])
def test_an_engine_that_loses_on_time_is_found_out(
    monkeypatch: pytest.MonkeyPatch, control: Control, lost: bool
) -> None:
    monkeypatch.setattr(compliance, "CONTROLS", (control,))
    play = "from korgool.rules import Game, MANGALA; at = Game(MANGALA, map(int, moves)).position"
    engine = UgiEngine(program(f"{play}; time.sleep(0.1); say(f'bestmove {{at.legal_moves()[0]}}')"), MANGALA)
    try:
        said = compliance._clocks(engine, MANGALA, 1)
    finally:
        engine.close()
    assert said == ("0.05 s with a lag of 0 ms a move are used up at ply 1" if lost else "")


@pytest.mark.parametrize(
    ("text", "control"),
    [("3", Control(3)), ("3+0", Control(3)), ("10+0.1", Control(10, 0.1)), (" 0.5+2 ", Control(0.5, 2))],
)
def test_clocks_are_read(text: str, control: Control) -> None:
    assert Control.parse(text) == control
    assert Control.parse(text, 0.02).lag == 0.02


@given(st.text(max_size=12) | st.from_regex(r"-?[0-9.]{1,9}(\+-?[0-9.e]{1,9})?", fullmatch=True))
def test_any_clock_is_read_or_refused(text: str) -> None:
    try:
        control = Control.parse(text)
    except ValueError as error:
        assert "clock" in str(error) or "increment" in str(error)
    else:
        assert control.stock > 0
        assert control.increment >= 0


def test_a_clock_gains_at_the_end_of_a_turn_and_lag_is_taken() -> None:
    clock = Control(10, 1, lag=0.5).start()
    assert clock.after(Side.WHITE, 2, turn_over=True).left == (8.5, 10)
    assert clock.after(Side.BLACK, 2, turn_over=False).left == (10, 7.5)
    fallen = clock.after(Side.WHITE, 9.5, turn_over=True)
    assert fallen.left == (0, 10)
    assert (fallen.of(Side.WHITE), fallen.of(Side.BLACK)) == (TimeLeft(0, 1), TimeLeft(10, 1))


def test_whose_flag_falls_loses() -> None:
    slow = UgiOpponent(program("time.sleep(0.3); say('bestmove 1')"), TOGUZ_KORGOOL)
    quick = LevelOpponent(TOGUZ_KORGOOL, 1, seed=1, table_mib=1)
    try:
        played = play_game(TOGUZ_KORGOOL, slow, quick, limits=Limits(), control=Control(0.2))
    finally:
        slow.close()
    assert played.outcome.termination is Termination.TIME
    assert played.outcome.winner is Side.BLACK
    assert played.left is not None
    assert played.left[0] <= 0 < played.left[1]
    assert not played.fault


def test_the_engine_keeps_its_flag_up_in_real_games() -> None:
    """Over a pipe, against a level in this process, with and without lag."""
    engine, level = UgiOpponent(OURS, BESTEMSHE), LevelOpponent(BESTEMSHE, 8)
    try:
        for control in (Control(2), Control(4, lag=0.03)):
            played = best_of(
                3,
                lambda: play_game(BESTEMSHE, engine, level, limits=Limits(), control=control),  # noqa: B023 - at once
                lambda played: played.outcome.termination is not Termination.TIME,
            )
            assert not played.fault
            assert played.outcome.termination is not Termination.TIME
            assert played.left is not None
            assert max(played.seconds) < control.stock
    finally:
        engine.close()


def test_the_command_plays_on_clocks(tmp_path: Path) -> None:
    log = tmp_path / "log"
    words = ["arena", "level:2", "level:1", "--game", "mangala", "--games", "2", "--clock", "60+0.5", "--log", str(log)]
    ran = CliRunner().invoke(main, [*words, "--lag", "30000", "--json"])
    assert ran.exit_code == 0, ran.output
    assert sum(json.loads(ran.stdout)["lost_on_time"]) == 2
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert lines[0]["clock"] == "60+0.5"
    assert all(line["termination"] == "time" and min(line["left"]) <= 0 for line in lines[1:])
    told = CliRunner().invoke(main, words[:-2])
    assert "lost on time: 0 by level:2, 0 by level:1" in told.stdout
    for bad, code in (
        (["--clock", "x"], 2),
        (["--clock", "0"], 2),
        (["--clock", "3-1"], 2),
        (["--clock", "3", "--seconds", "1"], 2),
        (["--lag", "3"], 2),
        (["--clock", "3", "--lag", "-3"], 2),
    ):
        assert CliRunner().invoke(main, ["arena", "level:2", "level:1", *bad]).exit_code == code


def test_the_command_plays_logs_and_tells(tmp_path: Path) -> None:
    arguments = ["arena", "rating:600", "level:1", "--game", "bestemshe", "--games", "6", "--json"]
    files = ["--log", str(tmp_path / "log"), "--records", str(tmp_path / "games.pgn")]
    ran = CliRunner().invoke(main, [*arguments, *files])
    assert ran.exit_code == 0, ran.output
    told = json.loads(ran.stdout)
    assert told["wins"] + told["draws"] + told["losses"] == told["games"] == 6
    assert (tmp_path / "games.pgn").read_text(encoding="utf-8").count("[White ") == 6
    again = CliRunner().invoke(main, [*arguments, *files[:2]])
    assert json.loads(again.stdout)["games"] == 6
    for bad, code in (
        (["level:9", "level:1", "--games", "2"], 2),
        (["rating:99999", "level:1", "--games", "2"], 2),
        (["rating:strong", "level:1", "--games", "2"], 2),
        (["level:1", "/no/such", "--games", "2"], 1),
        (["level:1", "level:2", "--games", "3"], 2),
    ):
        assert CliRunner().invoke(main, ["arena", "--game", "bestemshe", *bad]).exit_code == code


def test_records_that_cannot_be_written_are_refused_before_the_first_game(tmp_path: Path) -> None:
    log, records = tmp_path / "log", tmp_path / "no" / "games.pgn"
    words = ["arena", "level:1", "level:2", "--game", "bestemshe", "--games", "2", "--log", str(log)]
    ran = CliRunner().invoke(main, [*words, "--records", str(records)])
    assert ran.stderr == f"korgool: {records}: cannot be written, No such file or directory\n"
    assert not log.exists()
    records.parent.mkdir()
    refused = ["arena", "level:1", "level:9", "--game", "bestemshe", "--records", str(records)]
    assert CliRunner().invoke(main, refused).exit_code == 2
    assert not records.exists(), "no empty file of a match that never began"
    if Path("/dev/full").exists():
        ran = CliRunner().invoke(main, [*words, "--records", "/dev/full"])
        assert ran.exit_code == 1
        assert "level:1 against level:2: " in ran.stdout


def test_a_book_that_cannot_be_read_is_told_in_words(tmp_path: Path) -> None:
    book = tmp_path / "book"
    words = ["arena", "level:1", "level:2", "--games", "2", "--openings", str(book)]
    assert CliRunner().invoke(main, words).stderr == f"korgool: {book}: cannot be read, No such file or directory\n"
    book.write_bytes(b"77\xd8\xff")
    assert CliRunner().invoke(main, words).stderr == f"korgool: {book}: it is not UTF-8; save it as UTF-8\n"


def test_tables_end_a_game_as_perfect_play_would(tmp_path: Path) -> None:
    tables = build(MANGALA, 10, folder=tmp_path)
    ended = 0
    for seed, opening in enumerate(level_openings(MANGALA, 4, seed=3)):
        players = LevelOpponent(MANGALA, 2, seed=seed, table_mib=1), LevelOpponent(MANGALA, 1, seed=seed, table_mib=1)
        played = play_game(MANGALA, *players, opening=opening, limits=Limits(nodes=100), adjudicate=tables.result)
        last = played.game.position
        known = None if last.outcome() else tables.result(last)
        assert played.adjudicated == (known is not None)
        if known is None:
            assert last.outcome() == played.outcome
            continue
        ended += 1
        assert all(tables.result(before) is None for before in played.game.positions[:-1])
        assert played.outcome.termination is Termination.UNKNOWN
        assert played.outcome.stores == last.stores
        assert known == (0 if played.outcome.winner is None else 1 if played.outcome.winner is last.to_move else -1)
    assert ended


def test_the_command_adjudicates_by_the_tables_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    command = ["arena", "level:2", "level:1", "--game", "mangala", "--games", "6", "--adjudicate"]
    without = CliRunner().invoke(main, [*command, "--rule", "sweep=owner"])
    assert without.exit_code == 1
    assert "korgool tables build --game mangala" in without.stderr
    build(MANGALA, 10)
    log = tmp_path / "log"
    ran = CliRunner().invoke(main, [*command, "--log", str(log)])
    assert ran.exit_code == 0, ran.output
    games = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()][1:]
    assert any(game["adjudicated"] for game in games)
    for path in (tmp_path / "korgool" / "tables").rglob("10-0.table"):
        path.write_bytes(path.read_bytes()[:-1])
    damaged = CliRunner().invoke(main, command)
    assert damaged.exit_code == 1
    assert "10-0.table" in damaged.stderr


def test_the_check_of_the_command_line_fails_for_a_bad_program() -> None:
    assert CliRunner().invoke(main, ["engine", "--check", "/no/such/program"]).exit_code == 1


def test_infinite_elo_is_not_written_as_a_number() -> None:
    assert math.isinf(elo_of(1.0))
    assert "inf" in MatchScore().with_game(2).text()


def test_a_command_of_nothing_and_a_program_that_leaves_are_told() -> None:
    with pytest.raises(OpponentError, match="no command is given"):
        UgiOpponent(" ", TOGUZ_KORGOOL)
    with pytest.raises(OpponentError, match=r"has ended, with code 0|has left"):
        UgiOpponent(f"{shlex.quote(sys.executable)} -c pass", TOGUZ_KORGOOL)


def test_a_book_whose_line_ends_the_game_is_refused() -> None:
    random, game = Random(5), Game(TOGUZ_KORGOOL)
    while game.outcome() is None:
        game.play(random.choice(game.position.legal_moves()))
    line = "".join(map(str, game.moves))
    assert read_openings([line[:-1]], TOGUZ_KORGOOL) == [tuple(game.moves[:-1])]
    with pytest.raises(OpeningError, match="line 2: the game is over after it"):
        read_openings(["# a whole game", line], TOGUZ_KORGOOL)


def test_a_game_without_end_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena_game, "LONGEST", 6)
    player = LevelOpponent(TOGUZ_KORGOOL, 1)
    played = play_game(TOGUZ_KORGOOL, player, player, opening=(9, 9), limits=Limits(nodes=50))
    assert len(played.game.moves) == 6
    assert (played.outcome.winner, played.outcome.termination) == (None, Termination.REPETITION)
    assert played.half_points(Side.WHITE) == played.half_points(Side.BLACK) == 1
