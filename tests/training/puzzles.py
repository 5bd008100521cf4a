"""Puzzles to look at, a few of each game, as `korgool puzzles make --self-play 30 --seed 55` finds them."""

from __future__ import annotations

from korgool.rules import GAMES, Position
from korgool.training.puzzle import Puzzle


def puzzle(game: str, text: str, *moves: int | tuple[int, ...], goal: str = "stones", proof: str = "search") -> Puzzle:
    """A puzzle without themes; each ply is a move, or those that are accepted."""
    plies = tuple((ply,) if isinstance(ply, int) else ply for ply in moves)
    return Puzzle(Position.parse(text, GAMES[game], lenient=True), plies, goal, proof, 5.0, source="test")


QUIET = puzzle("toguz", "10S,10S,10S,10S,10S,10S,10S,1S,9S/1,10S,10S,10S,10S,10S,10S,10S,10S 0 2 S 2", 9)
CAPTURE = puzzle("toguz", "3S,t,2S,2S,2S,12S,1S,13S,13S/12S,2S,13S,13S,1S,t,4S,1S,13S 35 20 N 4", 1)
TUZ = puzzle("toguz", "3S,1S,15S,1S,2S,4S,4S,2S,3S/1,13S,2S,t,1,1S,13S,13S,3S 48 34 S 6", 2, goal="save")
NINTH = puzzle("toguz", "1S,12S,12S,2S,2S,1S,13S,13S,13S/1,11S,1S,12S,12S,t,1S,13S,3S 24 16 N 4", 7)
FEEDS = puzzle("toguz", "2S,t,3S,17S,3S,1S,1S,10S,1S/17S,2S,2S,4S,4S,5S,7S,6S,3S 34 40 S 13", 1)
COUNTS = puzzle("toguz", "2,t,1S,2,16S,2/1,3S,1S,t,1S,1S,1S,2S,25S 56 55 S 32", 8)
ENDING = puzzle("toguz", "9S,1S,2,t,4/3,t,1,1S,2,8S 76 67 S 88", 6, goal="win", proof="exact")
STARVES = puzzle("toguz", "15S,1,1S,5,t/3,t,5 77 69 N 62", 7, goal="win")
EMPTY = puzzle("mangala", "1S,1S,1S,1,1S,2S/1S,1S,2,1S,2S 17 20 S 14", (2, 6), goal="win", proof="exact")
AGAIN = puzzle("mangala", "1,3S,3S,1S,2S,1S/2,5S,1S,4S,1 12 16 S 9", (3, 5), goal="save", proof="exact")
