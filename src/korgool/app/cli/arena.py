"""`korgool arena`: two engines against each other, over balanced openings."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from korgool.app.cli.group import InputError
from korgool.app.cli.language import spoken, tell
from korgool.app.cli.options import GameChoice, Seconds, game_options, json_option
from korgool.app.cli.output import emit, progress, unreadable, unwritable
from korgool.app.cli.vocabulary import PathName, Takes, option
from korgool.app.cli.work_places import cluster_option, work_place
from korgool.app.words.games import GAME_NAMES
from korgool.languages import N_

if TYPE_CHECKING:
    from korgool.engine.arena import Control, MatchScore, Opponent, Played
    from korgool.engine.arena.arena_game import Adjudicate
    from korgool.rules import Rules

EPILOG = """\b
Examples:
  korgool arena level:4 level:3 --games 40
  korgool arena "korgool engine" "python3 my_engine.py" --games 200 --seconds 0.1 --log games.jsonl
  korgool arena "korgool engine" "python3 my_engine.py" --games 200 --clock 10+0.1 --lag 50"""


@click.command("arena", epilog=EPILOG)
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@option("--games", type=click.IntRange(2, 1_000_000), default=100, show_default=True, help="Number of games, even.")
@option("--seconds", type=Seconds(), help="Time for each move.")
@option("--nodes", type=click.IntRange(1), help="Nodes for each move, instead of a time.")
@option("--clock", metavar="S[+S]", help="Instead: seconds for the game on each clock, and seconds added by each turn.")
@option("--lag", type=click.FloatRange(0, 100_000), help="With --clock: milliseconds deducted for each move.")
@option("--openings", type=PathName(as_path=True), help="A file of openings, one line of moves each.")
@option("--seed", type=int, default=1, show_default=True, help="Seed of the openings, if there is no book.")
@option("--sprt", type=(float, float), metavar="ELO0 ELO1", help="Stop when one of the two hypotheses is accepted.")
@option("--adjudicate", is_flag=True, help="End games as soon as the endgame tables know who wins.")
@option(
    "--threads",
    "concurrency",
    was=("--concurrency",),
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="Games at the same time.",
)
@cluster_option
@option(
    "--log",
    type=PathName(Takes.NEW_FILE, as_path=True),
    help="JSON lines of all games; an existing file is continued.",
)
@option("--records", type=PathName(Takes.NEW_FILE, as_path=True), help="Write the games as PGN here.")
@game_options
@json_option
def command(first: str, second: str, games: int, seconds: float | None, nodes: int | None, clock: str | None,
            lag: float | None, openings: Path | None, seed: int, sprt: tuple[float, float] | None, adjudicate: bool,
            concurrency: int, cluster: str | None, log: Path | None, records: Path | None, game: GameChoice,
            as_json: bool) -> None:  # fmt: skip
    """Let A and B play each other: UGI programs, level:1 to level:8, or ratings as rating:1200.

    With --clock, a player whose time runs out loses. The clock of the side to move runs from the question to the
    answer; --lag deducts the time that a network would take, without waiting for it.

    Every opening is played twice, with sides exchanged. Openings are balanced according to a search and contain no tuz.
    The result is an Elo difference with its 95 % interval, computed over pairs of games.
    """
    from korgool.engine import Limits
    from korgool.engine.arena import MatchScore, OpponentError, Series, Sprt, run_series
    from korgool.engine.arena.series import LogError
    from korgool.engine.surroundings import EngineSurroundings

    if sum(limit is not None for limit in (seconds, nodes, clock)) > 1:
        raise click.UsageError("--seconds, --nodes and --clock are different limits; give one")
    if lag is not None and clock is None:
        raise click.UsageError("--lag belongs to --clock")
    if games % 2:
        raise click.UsageError(f"--games {games}: every opening is played twice, so the number is even")
    if records is not None:
        _check_writable(records)
    try:
        test = Sprt(*sprt) if sprt else None
    except ValueError as error:
        raise click.UsageError(f"--sprt: {error}") from None
    try:
        control = None if clock is None else _control(clock, lag or 0)
        limits = Limits(nodes=nodes) if nodes else Limits(seconds=0.1 if seconds is None else seconds)
        if control or (seconds is None and all(_has_its_own_limit(text, game.rules) for text in (first, second))):
            limits = Limits(nodes=nodes)
        book = _book(game.rules, games // 2, openings, seed)
        series = Series(
            game.rules,
            functools.partial(_player, first, game.rules, 1),
            functools.partial(_player, second, game.rules, 2),
            book,
            limits,
            control=control,
            adjudicate=_judge(game.rules) if adjudicate else None,
            sprt=test,
            log=log,
            title={
                "first": first,
                "second": second,
                "game": game.rules.name,
                "options": list(game.options),
                "seconds": None if nodes or control else 0.1 if seconds is None else seconds,
                "nodes": nodes,
                **({"clock": clock, "lag": lag or 0} if control else {}),
                **({"adjudicate": True} if adjudicate else {}),
            },
        )
        tally, played = MatchScore(), []
        with (
            work_place(concurrency, cluster, EngineSurroundings((game.rules,))) as place,
            progress(tell(N_("playing")), 2 * len(book)) as done,
        ):
            for tally, one, first_white in run_series(series, place):
                done(tally.games)
                played.append((one, first_white))
                if one.fault:
                    click.echo(tell(N_("game {number}"), number=tally.games) + f": {one.fault}", err=True)
    except (OpponentError, LogError, ValueError) as error:
        raise InputError(str(error)) from None
    if log is not None and not played:
        tally = _logged(log)
    faults, late = sum(bool(one.fault) for one, _ in played), _late(played)
    _report(first, second, tally, test, as_json, faults, late if control else None)
    if records is not None:
        _write_records(records, played, first, second)


def _late(played: list[tuple[Played, bool]]) -> tuple[int, int]:
    """The number of games that the first and the second player have lost on time."""
    from korgool.rules import Side, Termination

    lost = [0, 0]
    for one, first_white in played:
        if one.outcome.termination is Termination.TIME:
            lost[(one.outcome.winner is Side.WHITE) == first_white] += 1
    return lost[0], lost[1]


def _control(clock: str, lag: float) -> Control:
    from korgool.engine.arena import Control

    try:
        return Control.parse(clock, lag / 1000)
    except ValueError as error:
        raise click.UsageError(f"--clock: {error}") from None


def _player(text: str, rules: Rules, seed: int) -> Opponent:
    from korgool.engine.arena import LevelOpponent, UgiOpponent

    level = _level(text, rules)
    return UgiOpponent(text, rules) if level is None else LevelOpponent(rules, level, seed=seed)


def _level(text: str, rules: Rules) -> int | None:
    """The number of a level or a rating; None for a program."""
    from korgool.engine.levels import NUMBERS, ratings_of

    kind, colon, number = text.partition(":")
    if not colon or kind not in ("level", "rating"):
        return None
    known = NUMBERS if kind == "level" else ratings_of(rules)
    if not (number.isascii() and number.isdigit() and len(number) < 7 and int(number) in known):
        raise click.UsageError(f"{text}: a {kind} is {kind}:{known[0]} to {kind}:{known[-1]} in {rules.title.lower()}")
    return int(number)


def _has_its_own_limit(text: str, rules: Rules) -> bool:
    """Return whether a player minds no time: all levels but the highest."""
    from korgool.engine.levels import of_number

    number = _level(text, rules)
    if number is None:
        return False
    level = of_number(number, rules)
    return level.depth is not None or level.nodes is not None


def _judge(rules: Rules) -> Adjudicate:
    from korgool.engine import TableError
    from korgool.engine.arena.arena_game import TableJudge

    try:
        judge = TableJudge(rules)
    except TableError as error:
        raise InputError(f"--adjudicate: {error}") from None
    if not judge.tables.stones:
        title = rules.title if spoken() == "en" else tell(GAME_NAMES[rules.name])
        said = N_("there are no tables of {game}; `korgool tables build --game {name}` makes some")
        raise InputError("--adjudicate: " + tell(said, game=title, name=rules.name))
    return judge


def _book(rules: Rules, count: int, path: Path | None, seed: int) -> list[tuple[int, ...]]:
    from korgool.engine.arena import level_openings, read_openings

    if path is not None:
        try:
            with path.open(encoding="utf-8") as lines:
                found = read_openings(lines, rules)
        except OSError as error:
            raise unreadable(path, error.strerror) from None
        except UnicodeDecodeError:
            raise InputError(f"{path}: " + tell(N_("it is not UTF-8; save it as UTF-8"))) from None
        except ValueError as error:
            raise InputError(f"{path}, {error}") from None
        return [found[index % len(found)] for index in range(count)]
    with progress(tell(N_("choosing openings")), count) as done:
        book = []
        for opening in level_openings(rules, count, seed=seed):
            book.append(opening)
            done(len(book))
    return book


def _logged(log: Path) -> MatchScore:
    from korgool.engine.arena.series import read_tally

    return read_tally(log)


def _check_writable(path: Path) -> None:
    """Refuse a file that cannot be written before the first game, and not after the last; nothing is changed."""
    new = not path.exists() and not path.is_symlink()
    try:
        path.open("a").close()
        if new:
            path.unlink()
    except OSError as error:
        raise unwritable(path, error.strerror) from None


def _write_records(path: Path, played: list[tuple[Played, bool]], first: str, second: str) -> None:
    from korgool.notation import Record, write_records

    games = []
    for number, (one, first_white) in enumerate(played, 1):
        white, black = (first, second) if first_white else (second, first)
        games.append(Record.of(one.game, Event="Arena", Round=str(number), White=white, Black=black))
    try:
        path.write_text("".join(write_records(games, "pgn")), encoding="utf-8")
    except OSError as error:
        raise unwritable(path, error.strerror) from None


def _report(first: str, second: str, tally: MatchScore, test: Any, as_json: bool, faults: int,
            late: tuple[int, int] | None) -> None:  # fmt: skip
    from korgool.engine.arena import elo_of

    low, high = tally.interval
    verdict = test.verdict(tally) if test else None
    if as_json:
        finite = [
            None if abs(value) == float("inf") else round(value, 1) for value in (elo_of(tally.fraction), low, high)
        ]
        emit(
            {
                "first": first, "second": second, "games": tally.games, "wins": tally.wins, "draws": tally.draws,
                "losses": tally.losses, "pairs": list(tally.pairs), "fraction": round(tally.fraction, 4),
                "elo": finite[0], "elo_low": finite[1], "elo_high": finite[2], "faults": faults,
                **({} if late is None else {"lost_on_time": list(late)}),
                "llr": round(test.ratio(tally), 3) if test else None, "accepted": verdict,
            }
        )  # fmt: skip
        return
    against = tell(N_("{first} against {second}"), first=first, second=second)
    click.echo(f"{against}: {tally.text()}")
    if late is not None:
        said = N_("lost on time: {first_lost} by {first}, {second_lost} by {second}")
        click.echo(tell(said, first_lost=late[0], first=first, second_lost=late[1], second=second))
    if test:
        verdicts = {
            None: tell(N_("not decided")),
            "elo0": tell(N_("no better than {elo}"), elo=f"{test.elo0:g}"),
            "elo1": tell(N_("at least {elo} better"), elo=f"{test.elo1:g}"),
        }
        found = {"low": f"{test.elo0:g}", "high": f"{test.elo1:g}", "ratio": f"{test.ratio(tally):+.2f}"}
        said = N_("SPRT {low} to {high}: {ratio} of {bound}, {verdict}")
        click.echo(tell(said, **found, bound=f"{test.bounds[1]:.2f}", verdict=verdicts[verdict]))
