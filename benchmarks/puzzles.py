"""Yield of puzzles: candidates a CPU-hour, the share that each search confirms, and the share that a judge finds wrong.

    python benchmarks/puzzles.py --game toguz --games 20 --seed 100 [--judge 1200000] [--tables FOLDER]

Games are self-play of levels 3 to 6, as `korgool puzzles make --self-play` has them. The judge searches each move to
find with so many nodes, 64 MiB and the tables of FOLDER; it is told by theme. `ratings` are a histogram of the ladder.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path

from korgool.engine import Tables
from korgool.engine.tables.files import SHIPPED
from korgool.rules import GAMES, Game
from korgool.training.puzzle import LEAST_GAP, Puzzle
from korgool.training.puzzle_checking import PuzzleChecker
from korgool.training.puzzle_making import puzzles_of
from korgool.training.puzzle_search import QUICK_NODES, PuzzleSearch, step_of, two_lines
from korgool.training.puzzle_selection import greedy_chance
from korgool.training.self_play import self_play_engine, self_play_game


def candidates(games: list[Game], search: PuzzleSearch) -> dict[str, float]:
    """Positions that pass the quick search, and what the three searches together confirm of them."""
    positions = [one for game in games for one in game.positions if len(one.legal_moves()) > 1]
    began = time.process_time()
    found = [one for one in positions if step_of(two_lines(search.quick, one, QUICK_NODES)) is not None]
    quick = time.process_time() - began
    began = time.process_time()
    confirmed = [one for one in found if search.only_moves(one) is not None]
    return {
        "positions": len(positions),
        "candidates": len(found),
        "candidates a CPU-hour": round(3600 * len(found) / quick) if quick else 0,
        "confirmed": len(confirmed),
        "seconds a candidate confirmed": round((time.process_time() - began) / max(1, len(found)), 4),
    }


def judged(puzzles: list[Puzzle], checker: PuzzleChecker) -> dict[str, object]:
    """Faults that the judge finds, by theme, and how many of them are another move that is better."""
    wrong: Counter[str] = Counter()
    all_: Counter[str] = Counter(theme for one in puzzles for theme in one.themes)
    faulty = better = 0
    for puzzle in puzzles:
        faults = checker.faults(puzzle)
        faulty += bool(faults)
        better += any("better" in fault.reason or "as good" in fault.reason for fault in faults)
        wrong.update(puzzle.themes if faults else ())
    by_theme = {theme: f"{wrong[theme]} of {all_[theme]}" for theme in sorted(all_)}
    return {"judged": len(puzzles), "faulty": faulty, "another move is better": better, "faulty by theme": by_theme}


def main() -> None:
    """Print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=list(GAMES), default="toguz")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=100)
    parser.add_argument("--judge", type=int, default=1_200_000)
    parser.add_argument("--tables", type=Path)
    asked = parser.parse_args()
    rules = GAMES[asked.game]
    began = time.process_time()
    engine = self_play_engine(rules)
    games = [self_play_game(rules, asked.seed, number, engine) for number in range(asked.games)]
    playing = time.process_time() - began
    search = PuzzleSearch(rules, Tables.open(rules, SHIPPED))
    told: dict[str, object] = {"game": asked.game, "games": asked.games, "seconds a game played": playing / len(games)}
    told |= candidates(games, search)
    began = time.process_time()
    puzzles = [one for number, game in enumerate(games) for one in puzzles_of(game, f"game {number}", search)]
    seconds = time.process_time() - began
    told["puzzles"] = len(puzzles)
    told["puzzles a CPU-hour"] = round(3600 * len(puzzles) / (seconds + playing))
    told["exact"] = sum(one.proof == "exact" for one in puzzles)
    told["gap under 4 by result"] = sum(one.gap < LEAST_GAP for one in puzzles)
    told["greedy share"] = round(sum(map(greedy_chance, puzzles)) / max(1, len(puzzles)), 3)
    told["ratings"] = dict(sorted(Counter(one.rating // 200 * 200 for one in puzzles).items()))
    tables = Tables.open(rules, asked.tables) if asked.tables else Tables.shared(rules)
    told |= judged(puzzles, PuzzleChecker(rules, tables, nodes=asked.judge, table_mib=64))
    print(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()
