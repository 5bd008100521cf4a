"""Relates the levels to people, by the chances of winning that a move gives away on average under one judge.

    python benchmarks/levels_people.py judge people.jsonl --people games_online.jsonl
    python benchmarks/levels_people.py judge levels.jsonl --levels FOLDER
    python benchmarks/levels_people.py fit people.jsonl levels.jsonl --plot docs/_static/levels-people.svg

`judge` searches every position of the games with the same nodes and writes a line for each game; it appends to existing
lines. FOLDER holds the logs of `benchmarks/levels.py play`. `fit` counts moves after the opening where the mover had a
choice and the judge gave the mover between 5 and 95 % of the point. It fits the loss of people against their rating,
and finds the rating whose players lose as much as a level does, with 95 % intervals by drawing games anew.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from levels import interval

from korgool.engine.arena.elo import LOGIT
from korgool.engine.levels import NUMBERS
from korgool.engine.limits import Limits
from korgool.engine.review import expectation, judge_ply
from korgool.engine.search import Engine
from korgool.rules import TOGUZ_KORGOOL, Game, Side

NODES = 30_000
OPENING = 8
"""Plies that are not judged: in the arena they are drawn by lot, and people know them by heart."""
SHORTEST = 20
"""A game of people with fewer plies was broken off."""
OPEN = 0.05, 0.95
MIDDLE, STEP = 1200, 100
DRAWS = 1000


@dataclass(frozen=True)
class Seat:
    """One player's judged moves in a game: how many, and the expected points that they gave away together."""

    player: str
    moves: int
    lost: float


Pair = tuple[Seat, Seat]
Played = tuple[str, str, str, float]
"""Moves, names of White and Black, White's points."""
POINTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}


def judged(engine: Engine, moves: str) -> list[list[float]]:
    """Of each ply after the opening: its number, side, the mover's expectation, what the ply gave away, his choices."""
    engine.clear()
    game = Game(TOGUZ_KORGOOL, [int(digit) for digit in moves])
    boards = game.positions
    seen = [
        engine.analyse(board, Limits(nodes=NODES), history=boards[:at])
        if at >= OPENING and board.outcome() is None
        else None
        for at, board in enumerate(boards)
    ]
    plies = []
    for at, move in enumerate(game.moves):
        before, found = boards[at], seen[at]
        if found is None:
            continue
        verdict = judge_ply(at + 1, before, found, move, boards[at + 1], seen[at + 1])
        points = expectation(before, found)
        own = points if before.to_move is Side.WHITE else 1 - points
        plies.append([at + 1, int(before.to_move), round(own, 4), round(verdict.lost, 4), len(before.legal_moves())])
    return plies


def games_of_people(path: Path) -> Iterator[Played]:
    """With the ratings as names."""
    for text in path.read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        yield line["moves"], line["white_elo"] or "", line["black_elo"] or "", POINTS[line["result"]]


def games_of_levels(folder: Path, count: int) -> Iterator[Played]:
    """The first games of each match of neighbours."""
    for number in NUMBERS[:-1]:
        log = folder / f"toguz-{number + 1}-{number}.jsonl"
        if not log.exists():
            continue
        for text in log.read_text(encoding="utf-8").splitlines()[1 : count + 1]:
            line = json.loads(text)
            names = f"level {number + 1}", f"level {number}"
            white, black = names if line["first_white"] else names[::-1]
            yield "".join(map(str, line["moves"])), white, black, POINTS[line["result"]]


def judge(games: Iterable[Played], output: Path) -> None:
    """Write what the judge says of each game, behind the games that are there."""
    engine = Engine(TOGUZ_KORGOOL, table_mib=4)
    done = len(output.read_text(encoding="utf-8").splitlines()) if output.exists() else 0
    with output.open("a", encoding="utf-8") as file:
        for number, (moves, white, black, points) in enumerate(games):
            if number >= done:
                plies = judged(engine, moves) if len(moves) >= SHORTEST else []
                file.write(json.dumps({"white": white, "black": black, "points": points, "plies": plies}) + "\n")
                file.flush()


def read(path: Path) -> list[Pair]:
    """The games of a file, by player; those without a judged move are left out."""
    found = []
    for text in path.read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        seats = []
        for side, name in enumerate(("white", "black")):
            lost = [ply[3] for ply in line["plies"] if ply[1] == side and OPEN[0] < ply[2] < OPEN[1] and ply[4] > 1]
            seats.append(Seat(line[name] or "", len(lost), sum(lost)))
        if seats[0].moves or seats[1].moves:
            found.append((seats[0], seats[1]))
    return found


def fitted(pairs: Sequence[Pair]) -> tuple[float, float]:
    """a and b of loss = exp(a + b (rating - 1200) / 100), every move of one weight: Poisson's likelihood, by Newton."""
    rows = [
        ((int(seat.player) - MIDDLE) / STEP, seat.moves, seat.lost)
        for pair in pairs
        for seat in pair
        if seat.player.isdigit() and seat.moves
    ]
    a, b = math.log(sum(row[2] for row in rows) / sum(row[1] for row in rows)), 0.0
    for _ in range(30):
        g0 = g1 = h00 = h01 = h11 = 0.0
        for x, moves, lost in rows:
            expected = moves * math.exp(a + b * x)
            g0, g1 = g0 + lost - expected, g1 + (lost - expected) * x
            h00, h01, h11 = h00 + expected, h01 + expected * x, h11 + expected * x * x
        determinant = h00 * h11 - h01 * h01
        step_a, step_b = (h11 * g0 - h01 * g1) / determinant, (h00 * g1 - h01 * g0) / determinant
        a, b = a + step_a, b + step_b
        if abs(step_a) + abs(step_b) < 1e-9:
            break
    return a, b


def keeps(results: Iterable[tuple[float, float]]) -> float:
    """How far the scores keep to the ratings: 1 where a difference means what it means on Elo's scale, 0 for nothing.

    Args:
        results: White's rating less Black's, and White's points; what it is worth to be White is fitted too.
    """
    rows = [(difference / LOGIT, points) for difference, points in results]
    a = b = 0.0
    for _ in range(30):
        g0 = g1 = h00 = h01 = h11 = 0.0
        for x, points in rows:
            expected = 1 / (1 + math.exp(-a - b * x))
            weight = expected * (1 - expected)
            g0, g1 = g0 + points - expected, g1 + (points - expected) * x
            h00, h01, h11 = h00 + weight, h01 + weight * x, h11 + weight * x * x
        determinant = h00 * h11 - h01 * h01
        a, b = a + (h11 * g0 - h01 * g1) / determinant, b + (h00 * g1 - h01 * g0) / determinant
    return b


def results_in(path: Path) -> list[tuple[float, float]]:
    """Differences of rating and White's points, of the judged games between rated players."""
    lines = [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]
    return [
        (int(line["white"]) - int(line["black"]), line["points"])
        for line in lines
        if line["plies"] and line["white"].isdigit() and line["black"].isdigit()
    ]


def losses(pairs: Iterable[Pair]) -> dict[str, float]:
    """Mean loss a move of each player."""
    sums: dict[str, tuple[int, float]] = {}
    for pair in pairs:
        for seat in pair:
            moves, lost = sums.get(seat.player, (0, 0.0))
            sums[seat.player] = moves + seat.moves, lost + seat.lost
    return {player: lost / moves for player, (moves, lost) in sums.items() if moves}


def bands(people: Iterable[Pair]) -> list[tuple[int, int, int, float]]:
    """Ratings in hundreds: the lowest of the band, players' games, moves, mean loss."""
    found: dict[int, list[Seat]] = {}
    for pair in people:
        for seat in pair:
            if seat.player.isdigit() and seat.moves:
                found.setdefault(int(seat.player) // STEP * STEP, []).append(seat)
    rows = []
    for low, seats in sorted(found.items()):
        moves = sum(seat.moves for seat in seats)
        rows.append((low, len(seats), moves, sum(seat.lost for seat in seats) / moves))
    return rows


def rating_of(loss: float, curve: tuple[float, float]) -> float:
    """The rating whose players lose so much."""
    return MIDDLE + STEP * (math.log(loss) - curve[0]) / curve[1]


def fit(people_file: Path, levels_file: Path, plot: Path | None) -> None:
    """Print what people lose, the curve through it, and the rating of each level; draw it."""
    people, levels, results = read(people_file), read(levels_file), results_in(people_file)
    curve, found, random = fitted(people), losses(levels), Random(1)
    curves, others = [], []
    for _ in range(DRAWS):
        curves.append(fitted(random.choices(people, k=len(people))))
        others.append(losses(random.choices(levels, k=len(levels))))
    print("| rating | players' games | moves | loss |\n|---|---|---|---|")
    for low, seats, moves, loss in bands(people):
        print(f"| {low} to {low + STEP - 1} | {seats} | {moves:,} | {100 * loss:.2f} |")
    slopes = interval(100 * (math.exp(one[1]) - 1) for one in curves)
    print(
        f"\nat {MIDDLE}: {100 * math.exp(curve[0]):.2f}; {STEP} points more change it by "
        f"{100 * (math.exp(curve[1]) - 1):+.1f} % ({slopes[0]:+.1f} to {slopes[1]:+.1f})\n"
    )
    least, most = interval(keeps(random.choices(results, k=len(results))) for _ in range(DRAWS // 5))
    print(f"{len(results)} games keep to the ratings by {keeps(results):.2f} ({least:.2f} to {most:.2f})\n")
    print("| level | moves | loss | rating |\n|---|---|---|---|")
    for name in sorted(found):
        moves = sum(seat.moves for pair in levels for seat in pair if seat.player == name)
        smallest, largest = interval(one[name] for one in others if name in one)
        least, most = interval(
            rating_of(one[name], drawn) for one, drawn in zip(others, curves, strict=True) if one.get(name)
        )
        print(
            f"| {name} | {moves:,} | {100 * found[name]:.2f} ({100 * smallest:.2f} to {100 * largest:.2f}) "
            f"| {rating_of(found[name], curve):.0f} ({least:.0f} to {most:.0f}) |"
        )
    if plot is not None:
        plot.write_text(drawing(people, curve, found), encoding="utf-8")


def drawing(people: Iterable[Pair], curve: tuple[float, float], levels: dict[str, float]) -> str:
    """People's loss by rating with the curve, and a line across for each level that lies on the picture."""
    width, height, left, top, lowest, highest, most = 620, 360, 60, 40, 850, 1800, 0.12
    right = width - 80

    def x(rating: float) -> float:
        return left + (right - left) * (rating - lowest) / (highest - lowest)

    def y(loss: float) -> float:
        return top + (height - top - 50) * (1 - loss / most)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        f'font-size="11"><rect width="{width}" height="{height}" fill="#fff"/>',
        f'<rect x="{left}" y="{top}" width="{right - left}" height="{height - top - 50}" fill="none" stroke="#888"/>',
        f'<text x="{left}" y="22" font-size="13">Share of the point given away a move, people and levels</text>',
        f'<text x="{(left + right) / 2}" y="{height - 10}" text-anchor="middle">online rating</text>',
    ]
    for mark in range(900, highest + 1, 100):
        parts.append(f'<text x="{x(mark):.1f}" y="{height - 32}" text-anchor="middle">{mark}</text>')
    for mark in range(0, 13, 2):
        parts.append(f'<text x="{left - 6}" y="{y(mark / 100) + 4:.1f}" text-anchor="end">{mark} %</text>')
    for name, loss in levels.items():
        if loss <= most:
            parts.append(
                f'<line x1="{left}" x2="{right}" y1="{y(loss):.1f}" y2="{y(loss):.1f}" stroke="#b5651d" '
                f'stroke-dasharray="5 4"/><text x="{right + 6}" y="{y(loss) + 4:.1f}" fill="#b5651d">{name}</text>'
            )
    points = [
        f"{x(rating):.1f},{y(math.exp(curve[0] + curve[1] * (rating - MIDDLE) / STEP)):.1f}"
        for rating in range(lowest, highest + 1, 10)
        if math.exp(curve[0] + curve[1] * (rating - MIDDLE) / STEP) <= most
    ]
    parts.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="#1560a8" stroke-width="2"/>')
    for low, _, moves, loss in bands(people):
        if loss <= most and low >= lowest - STEP / 2:
            size = 2 + 1.5 * math.log10(moves)
            parts.append(f'<circle cx="{x(low + STEP / 2):.1f}" cy="{y(loss):.1f}" r="{size:.1f}" fill="#1560a8"/>')
    return "\n".join([*parts, "</svg>\n"])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="what", required=True)
    judging = commands.add_parser("judge")
    judging.add_argument("output", type=Path)
    source = judging.add_mutually_exclusive_group(required=True)
    source.add_argument("--people", type=Path, help="JSON lines with moves, white_elo and black_elo")
    source.add_argument("--levels", type=Path, help="the folder of the levels' games")
    judging.add_argument("--games", type=int, default=30, help="of each match of levels")
    fitting = commands.add_parser("fit")
    fitting.add_argument("people", type=Path)
    fitting.add_argument("levels", type=Path)
    fitting.add_argument("--plot", type=Path)
    arguments = parser.parse_args()
    if arguments.what == "fit":
        fit(arguments.people, arguments.levels, arguments.plot)
    elif arguments.people:
        judge(games_of_people(arguments.people), arguments.output)
    else:
        judge(games_of_levels(arguments.levels, arguments.games), arguments.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
