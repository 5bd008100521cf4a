"""The waiting times of an arbiter: a round of 200 and of 500 players, a log of 500 over 9 rounds, standings of 1,000
over 11, a PDF of 300.

Run as `python benchmarks/competition.py [--runs N] [--players N ...]`. A round is measured from the command to the
published pairing, with the log read before and written after it, three ways: the typed function on a file that is
open, the function with the opening of the file, and `korgool event pair` as a process of its own. Beside them stands
what cannot be saved: the same pairing engine on the same report file, started as `python -m gacrux.pairingchecker` and
as the program starts it. Times are the least of N runs taken in turns, so that a busy machine slows all of them alike;
the ratios are to gacrux's own command.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from korgool.competition import actions as do
from korgool.competition import commands
from korgool.competition.codec import from_json, to_json
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.log.replay import replay
from korgool.competition.model import Bye, ByeKind, Entry, PairedGame, Settings
from korgool.competition.pairing import GacruxProcess
from korgool.competition.pairing.engine_file import engine_file
from korgool.competition.result import Result
from korgool.competition.standings import standings
from korgool.competition.storage.event_file import EventFile
from korgool.competition.storage.sealing import seal, unseal

BY = "secretary"
PATIENT = GacruxProcess(timeout=600)
ROUND = 5
RESULTS = (Result(2, 0, (90, 70)), Result(0, 2, (60, 100)), Result(1, 1, (81, 81)))


def entry(number: int, random: Random) -> Entry:
    """A player with what a list usually holds."""
    federation = random.choice(("KGZ", "KAZ", "TUR", "UZB"))
    return Entry(
        family=f"Player{number:04}", given="Given Name", sex="m", born=1990, rating=random.randint(1200, 2400),
        federation=federation, club=f"Club {number % 40}", title=random.choice(("", "КМС", "МС")),
    )  # fmt: skip


def half_played(path: Path, players: int) -> None:
    """An event file in which the next round to pair is `ROUND`."""
    random = Random(players)
    with EventFile.create(path, Settings(name="Bench", rounds=9), by=BY) as file:
        file.do(*(do.Enter(entry(number, random)) for number in range(players)), by=BY)
        for number in range(1, ROUND):
            one = commands.pair(file, by=BY, lot="bench", engine=PATIENT)
            file.do(
                *(do.EnterResult(number, game.board, random.choices(RESULTS, (4, 4, 2))[0]) for game in one.games),
                by=BY,
            )


def least(cases: dict[str, Callable[[], object]], runs: int) -> dict[str, tuple[float, float]]:
    """Least seconds by the clock and by the processor (children included), for each case."""
    found = dict.fromkeys(cases, (float("inf"), float("inf")))
    for _ in range(runs):
        for name, case in cases.items():
            began, used = time.perf_counter(), processor()
            case()
            clock, spent = time.perf_counter() - began, processor() - used
            found[name] = (min(found[name][0], clock), min(found[name][1], spent))
    return found


def processor() -> float:
    """Seconds of processor time of this process and of its children that have ended."""
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def a_round(players: int, runs: int) -> None:
    """Measure the pairing of a round."""
    with tempfile.TemporaryDirectory() as folder:
        made, scratch, trf = (Path(folder) / name for name in ("made.korgool", "scratch.korgool", "round.trf"))
        half_played(made, players)
        with EventFile.open(made) as file:
            text = engine_file(file.state, ROUND)
        trf.write_text(text)
        bare = [sys.executable, "-m", "gacrux.pairingchecker", "-i", str(trf), "-p", "-n", str(ROUND)]
        command = [sys.executable, "-m", "korgool", "event", "pair", str(scratch), "--by", BY]

        def run(words: list[str]) -> None:
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL)

        def opened_before() -> None:
            held[0].close()
            shutil.copy(made, scratch)
            held[0] = EventFile.open(scratch)

        def function() -> None:
            commands.pair(held[0], by=BY, engine=PATIENT)

        def opening() -> None:
            with EventFile.open(scratch) as file:
                commands.pair(file, by=BY, engine=PATIENT)

        held = [EventFile.open(made)]
        fresh: dict[str, tuple[float, float]] = {}
        for _ in range(runs):
            for name, prepare, case in (
                ("gacrux on the same file", None, lambda: run(bare)),
                ("the same as we start it", None, lambda: PATIENT.pair(text, ROUND, players)),
                ("commands.pair, file open", opened_before, function),
                ("open and commands.pair", lambda: shutil.copy(made, scratch), opening),
                ("korgool event pair", lambda: shutil.copy(made, scratch), lambda: run(command)),
            ):
                if prepare is not None:
                    prepare()
                clock, spent = least({name: case}, 1)[name]
                before = fresh.get(name, (clock, spent))
                fresh[name] = (min(before[0], clock), min(before[1], spent))
        held[0].close()
        report(f"round {ROUND} of {players} players", fresh)


def report(title: str, found: dict[str, tuple[float, float]]) -> None:
    """Print a table, each line with its ratio to the first."""
    print(title)
    first = next(iter(found.values()))
    for name, (clock, spent) in found.items():
        print(
            f"  {name:26} {clock:7.3f} s   {spent:7.3f} s CPU   x {clock / first[0]:.2f}   x {spent / first[1]:.2f} CPU"
        )


def played(players: int, rounds: int) -> EventState:
    """A whole event, paired by turns instead of by an engine."""
    random = Random(rounds)
    state = apply(EventState(), do.Open(Settings(name="Bench", rounds=rounds)))
    for number in range(players):
        state = apply(state, do.Enter(entry(number, random)))
    state = apply(state, do.Seed(tuple(state.players), True))
    for number in range(1, rounds + 1):
        order = list(state.players)
        random.shuffle(order)
        games = tuple(
            PairedGame(board, order[2 * board - 2], order[2 * board - 1]) for board in range(1, players // 2 + 1)
        )
        byes = (Bye(order[-1], ByeKind.ALLOCATED),) if players % 2 else ()
        state = apply(state, do.Pair(number, games, byes))
        for game in games:
            state = apply(state, do.EnterResult(number, game.board, random.choice(RESULTS)))
    return state


def papers(runs: int) -> None:
    """Measure a log, standings and a paper."""
    from korgool.app.printing.event_papers import event_paper

    large, small = played(1000, 11), played(300, 9)
    log = [action for action, _ in played(500, 9).done]
    texts, sealed = [to_json(action) for action in log], [seal(action) for action in log]
    cases: dict[str, Callable[[], object]] = {
        "log of 500 players: read": lambda: [from_json(text, do.ANY_ACTION) for text in texts],
        "log of 500 players: unseal": lambda: [unseal(*one) for one in sealed],
        "log of 500 players: replay": lambda: replay([(action, "") for action in log]),
        "standings, 1000 players": lambda: standings(large),
        "PDF of 300 players": lambda: event_paper(small, "standings"),
    }
    for name, case in cases.items():  # the first run finds nothing that an earlier one has kept
        for which, count in (("first", 1), ("least", runs)):
            clock, spent = least({name: case}, count)[name]
            print(f"{name:27} {which}   {clock:7.3f} s   {spent:7.3f} s CPU")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--players", type=int, nargs="*", default=[200, 500])
    arguments = parser.parse_args()
    for players in arguments.players:
        a_round(players, arguments.runs)
    papers(min(arguments.runs, 3))


if __name__ == "__main__":
    main()
