"""Paper: the record form of a game as PDF, blank and filled, in five languages."""

from korgool.app.printing.form import TAGS, Form, Player
from korgool.app.printing.layout import PAPERS
from korgool.app.printing.typesetting import form_pdf, form_png

__all__ = ["PAPERS", "TAGS", "Form", "Player", "form_pdf", "form_png"]
