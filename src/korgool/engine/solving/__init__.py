"""Exact values: mangala solved by a table, a search above it and a book; endings of all games by listing them.

Everything here is proven and nothing is guessed: what does not fit into the limits given is refused.
"""

from korgool.engine.solving.book import Book, BookError, shipped_book
from korgool.engine.solving.judging import Verdict, judge, optimal_line, perfect_move
from korgool.engine.solving.mangala_table import MangalaTable, NotAcyclicError
from korgool.engine.solving.solver import BeyondLimitsError, Perfect, Solution, Solver

__all__ = [
    "BeyondLimitsError",
    "Book",
    "BookError",
    "MangalaTable",
    "NotAcyclicError",
    "Perfect",
    "Solution",
    "Solver",
    "Verdict",
    "judge",
    "optimal_line",
    "perfect_move",
    "shipped_book",
]
