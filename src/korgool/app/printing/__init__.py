"""Paper: record forms of games, and everything an event needs, as PDF in every language."""

from korgool.app.printing.event_papers import (
    EVENT_PAPERS,
    ONE_BY_ONE,
    PAPER_TITLES,
    SIZES,
    GroupPaperError,
    event_paper,
    event_png,
    print_papers,
)
from korgool.app.printing.form_pages import PAPERS, form_pdf, form_png
from korgool.app.printing.paper_context import PaperContext
from korgool.app.printing.record_form import TAGS, FormPlayer, RecordForm
from korgool.app.printing.study_booklet import BookletError, study_pdf, study_png
from korgool.app.printing.worst_moves import worst_moves_pdf, worst_moves_png

__all__ = [
    "EVENT_PAPERS",
    "ONE_BY_ONE",
    "PAPERS",
    "PAPER_TITLES",
    "SIZES",
    "TAGS",
    "BookletError",
    "FormPlayer",
    "GroupPaperError",
    "PaperContext",
    "RecordForm",
    "event_paper",
    "event_png",
    "form_pdf",
    "form_png",
    "print_papers",
    "study_pdf",
    "study_png",
    "worst_moves_pdf",
    "worst_moves_png",
]
