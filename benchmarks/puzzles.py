"""Puzzles: the yield of making them, an independent judge of the shipped ones, and their ratings against the levels.

    python benchmarks/puzzles.py yield --game toguz --games 20 --seed 100
    python benchmarks/puzzles.py judge --draw 3000 --seed 7 [--game toguz] [--nodes 2400000] [--tables FOLDER]
    python benchmarks/puzzles.py levels --plot docs/_static/puzzle-levels.svg

`yield` plays games of levels 3 to 6, as `korgool puzzles make --self-play` does, and tells the candidates and puzzles
of a processor hour, the share of the candidates that all searches confirm, and the share that the judge finds wrong, by
theme. `judge` draws shipped puzzles by lot over all games, and searches each move to find with other settings than
those by which they were made and packed: twice the nodes of the packing, twice its memory, and the tables of FOLDER.
`levels` lets each level try puzzles of every rating once, and draws the shares that it solves. All print JSON.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from random import Random

from korgool.engine import Engine, Tables
from korgool.engine.levels import choose
from korgool.engine.tables.files import SHIPPED
from korgool.rules import GAMES, Game
from korgool.training.puzzle import LEAST_GAP, Puzzle
from korgool.training.puzzle_checking import PuzzleChecker
from korgool.training.puzzle_making import puzzles_of
from korgool.training.puzzle_packing import JUDGE_MIB, JUDGE_NODES
from korgool.training.puzzle_search import QUICK_NODES, PuzzleSearch, step_of, two_lines
from korgool.training.puzzle_selection import greedy_chance
from korgool.training.puzzle_set import shipped_set
from korgool.training.self_play import self_play_engine, self_play_game

BAND = 200
"""Points of rating of the puzzles that are told together."""
LEVELS = (1, 2, 3, 4, 5, 6)
"""Levels that try puzzles; the stronger ones solve nearly all."""
OTHER_MOVE = ("is better", "is as good", "loses ")
"""Faults by which another move is right; all others are about the size of the gap, the answer or the goal."""
_COLOURS = ("#8a3ffc", "#1560a8", "#00858a", "#2f7d32", "#b5651d", "#b3261e")


def candidates(games: list[Game], search: PuzzleSearch) -> dict[str, float]:
    """Positions that pass the quick search, and what the searches together confirm of them."""
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
        "share confirmed": round(len(confirmed) / max(1, len(found)), 3),
        "seconds a candidate confirmed": round((time.process_time() - began) / max(1, len(found)), 4),
    }


def judged(puzzles: Sequence[Puzzle], checkers: Mapping[str, PuzzleChecker]) -> dict[str, object]:
    """Faults that the judge finds, by game and by theme; each is printed when it is found."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    wrong: Counter[str] = Counter()
    all_: Counter[str] = Counter(theme for one in puzzles for theme in one.themes)
    for puzzle in puzzles:
        began = time.process_time()
        faults = [str(fault) for fault in checkers[puzzle.game].faults(puzzle)]
        count = counts[puzzle.game]
        count["judged"] += 1
        count["exact"] += puzzle.proof == "exact"
        if faults:
            other = any(word in fault for fault in faults for word in OTHER_MOVE if "the answer" not in fault)
            count["another move is right" if other else "other faults"] += 1
            wrong.update(puzzle.themes)
            print(json.dumps({"id": puzzle.id, "faults": faults}), flush=True)
        count["milliseconds"] += round(1000 * (time.process_time() - began))
    by_theme = {theme: f"{wrong[theme]} of {all_[theme]}" for theme in sorted(all_)}
    return {"judge": {game: dict(count) for game, count in counts.items()}, "faulty by theme": by_theme}


def solved(puzzle: Puzzle, level: int, engine: Engine, chance: Random) -> bool:
    """Whether a level finds every move of a line in one try."""
    position = puzzle.start
    for accepted in puzzle.moves:
        if position.to_move is puzzle.solver and choose(engine, position, level, random=chance).move not in accepted:
            return False
        position = position.play(accepted[0])
    return True


def shares(game: str, most: int, seed: int) -> dict[int, dict[int, tuple[int, int]]]:
    """For each level and each band of ratings of a game: the puzzles that are solved, and those that are tried."""
    puzzles, chance = shipped_set(game), Random(f"{game} {seed}")
    assert puzzles is not None
    engine = Engine(GAMES[game], table_mib=1, tables=None)
    places: dict[int, list[int]] = defaultdict(list)
    for at in range(len(puzzles)):
        places[puzzles.rating(at) // BAND * BAND].append(at)
    told: dict[int, dict[int, tuple[int, int]]] = {level: {} for level in LEVELS}
    for band, some in sorted(places.items()):
        tried = [puzzles[at] for at in chance.sample(some, min(most, len(some)))]
        for level in LEVELS:
            told[level][band] = sum(solved(one, level, engine, chance) for one in tried), len(tried)
    return told


def drawing(found: Mapping[str, Mapping[int, Mapping[int, tuple[int, int]]]], least: int) -> str:
    """A panel for each game: the share of puzzles that a level solves, by the rating of the puzzles."""
    width, height, parts = 300, 210, list[str]()
    for panel, (game, levels) in enumerate(found.items()):
        left, top = 42 + panel % 2 * (width + 20), 50 + panel // 2 * (height + 30)
        right, bottom = left + width - 70, top + height - 60
        bands = sorted({band for shown in levels.values() for band, (_, tried) in shown.items() if tried >= least})
        wide = (right - left) / max(1, len(bands) - 1)
        parts.append(
            f'<text x="{left}" y="{top - 8}" font-size="13">{GAMES[game].title}</text>'
            f'<rect x="{left}" y="{top}" width="{right - left}" height="{bottom - top}" fill="none" stroke="#888"/>'
        )
        for mark in (0, 50, 100):
            y = bottom - (bottom - top) * mark / 100
            parts.append(f'<text x="{left - 5}" y="{y + 4:.0f}" text-anchor="end">{mark} %</text>')
        for place, band in enumerate(bands):
            x = left + wide * place
            parts.append(f'<text x="{x:.0f}" y="{bottom + 15}" text-anchor="middle">{band}</text>')
        for colour, (level, shown) in zip(_COLOURS, levels.items(), strict=True):
            points = [
                (left + wide * place, bottom - (bottom - top) * shown[band][0] / shown[band][1])
                for place, band in enumerate(bands)
            ]
            line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
            parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
            parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>' for x, y in points]
            if not panel % 2:
                continue
            at = top + 12 + 15 * LEVELS.index(level)
            parts.append(f'<text x="{right + 10}" y="{at}" fill="{colour}">level {level}</text>')
    whole = 50 + (height + 30) * ((len(found) + 1) // 2)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * width + 50} {whole}" font-family="sans-serif" '
            f'font-size="11"><rect width="{2 * width + 50}" height="{whole}" fill="#fff"/>',
            '<text x="42" y="22" font-size="13">Share of puzzles that a level solves, by their rating</text>',
            *parts,
            "</svg>\n",
        ]
    )


def tell_yield(asked: argparse.Namespace) -> dict[str, object]:
    """What a processor hour of making brings, and what is wrong with it."""
    rules = GAMES[asked.game or "toguz"]
    began = time.process_time()
    engine = self_play_engine(rules)
    games = [self_play_game(rules, asked.seed, number, engine) for number in range(asked.games)]
    playing = time.process_time() - began
    search = PuzzleSearch(rules, Tables.open(rules, asked.tables or SHIPPED))
    told: dict[str, object] = {"game": rules.name, "games": asked.games, "seconds a game played": playing / len(games)}
    told |= candidates(games, search)
    began = time.process_time()
    puzzles = [one for number, game in enumerate(games) for one in puzzles_of(game, f"game {number}", search)]
    seconds = time.process_time() - began
    told["puzzles"] = len(puzzles)
    told["puzzles a CPU-hour"] = round(3600 * len(puzzles) / (seconds + playing))
    told["exact"] = sum(one.proof == "exact" for one in puzzles)
    told["gap under 4 by result"] = sum(one.gap < LEAST_GAP for one in puzzles)
    told["greedy share"] = round(sum(map(greedy_chance, puzzles)) / max(1, len(puzzles)), 3)
    told["ratings"] = dict(sorted(Counter(one.rating // BAND * BAND for one in puzzles).items()))
    return told | judged(puzzles, {rules.name: judge(rules.name, asked)})


def tell_judged(asked: argparse.Namespace) -> dict[str, object]:
    """What the judge finds in shipped puzzles that are drawn by lot."""
    names = [asked.game] if asked.game else list(GAMES)
    puzzles = lot([one for game in GAMES for one in shipped_set(game) or ()], asked.seed)[: asked.draw]
    return judged([one for one in puzzles if one.game in names], {name: judge(name, asked) for name in names})


def lot(puzzles: Sequence[Puzzle], seed: int) -> list[Puzzle]:
    """The puzzles in an order by lot; two of them keep theirs, whatever else is in the set."""
    return sorted(puzzles, key=lambda puzzle: blake2b(f"{seed} {puzzle.id}".encode(), digest_size=8).digest())


def judge(game: str, asked: argparse.Namespace) -> PuzzleChecker:
    """The judge of a game's puzzles."""
    rules = GAMES[game]
    tables = Tables.open(rules, asked.tables) if asked.tables else None
    if tables is None or not tables.files:
        tables = Tables.shared(rules)
    return PuzzleChecker(rules, tables, nodes=asked.nodes, table_mib=2 * JUDGE_MIB, learned=not asked.by_hand)


def tell_levels(asked: argparse.Namespace) -> dict[str, object]:
    """What levels solve, as numbers and as a picture."""
    found = {game: shares(game, asked.puzzles, asked.seed) for game in GAMES}
    if asked.plot is not None:
        asked.plot.write_text(drawing(found, least=min(20, asked.puzzles)), encoding="utf-8")
    return {
        game: {
            level: {band: f"{got} of {tried}" for band, (got, tried) in shown.items()} for level, shown in some.items()
        }
        for game, some in found.items()
    }


def main() -> None:
    """Print one JSON object, after a line for each fault."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for name, work in (("yield", tell_yield), ("judge", tell_judged), ("levels", tell_levels)):
        command = commands.add_parser(name)
        command.set_defaults(work=work)
        command.add_argument("--seed", type=int, default=100)
        if name == "levels":
            command.add_argument("--puzzles", type=int, default=60, help="of each band of ratings and each game")
            command.add_argument("--plot", type=Path, help="where to draw the shares, as SVG")
            continue
        command.add_argument("--game", choices=list(GAMES))
        command.add_argument("--nodes", type=int, default=2 * JUDGE_NODES, help="of the judge")
        command.add_argument("--by-hand", action="store_true", help="the judge uses the evaluation by hand")
        command.add_argument("--tables", type=Path, help="folder of `korgool tables build --folder`")
        if name == "yield":
            command.add_argument("--games", type=int, default=20)
        else:
            command.add_argument("--draw", type=int, default=3000)
    asked = parser.parse_args()
    print(json.dumps(asked.work(asked), indent=1))


if __name__ == "__main__":
    main()
