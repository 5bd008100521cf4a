"""Opening books: made by our own analysis, shipped as small files of text, shown by `analyse` and played on request."""

from korgool.engine.openings.book import BookMove, OpeningBook, shipped
from korgool.engine.openings.use import LEAST, MARGIN, consult, has_book, page, pick, source_of
from korgool.engine.solving.book import BookError

__all__ = [
    "LEAST",
    "MARGIN",
    "BookError",
    "BookMove",
    "OpeningBook",
    "consult",
    "has_book",
    "page",
    "pick",
    "shipped",
    "source_of",
]
