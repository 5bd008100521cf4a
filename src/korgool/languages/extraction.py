"""Extracts the English messages from the sources: templates, scripts and Python.

This needs Babel, which the `serve` extra brings.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir

PACKAGE = Path(__file__).parents[1]
_KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2), "N_": None, "NN_": (1, 2)}
_SCRIPTS = ("app/static/js/**.js", "javascript")
_TEMPLATES = "app/templates/**.html"
_ROOMS = ("app", "competition", "conduct")
_LESSONS = ("training/lessons/*.toml", "korgool.languages.extraction:lesson_texts")
_METHODS = [_SCRIPTS, (_TEMPLATES, "jinja2"), _LESSONS, *((f"{room}/**.py", "python") for room in _ROOMS)]
_LESSON_TEXT = re.compile(rb'^(?:title|task) = (".*")$')


def lesson_texts(file: IO[bytes], *_: object, **_options: object) -> Iterator[tuple[int, str, str, list[str]]]:
    """The titles and sentences of a file of lessons, each with its line; Babel calls it."""
    for number, line in enumerate(file, 1):
        if found := _LESSON_TEXT.match(line.rstrip()):
            yield number, "", tomllib.loads(f"text = {found[1].decode()}")["text"], []


def _extracted() -> Iterator[tuple[str, int, str | tuple[str, ...]]]:
    options = {_TEMPLATES: {"extensions": "jinja2.ext.i18n", "silent": "false"}}
    found = extract_from_dir(PACKAGE, _METHODS, options, keywords=_KEYWORDS, comment_tags=("TRANSLATORS:",))
    for name, line, message, _, _ in found:
        yield name, line, message


def extracted() -> Catalog:
    """Every message of templates, scripts and Python, as a catalogue without translations."""
    catalogue = Catalog(project="korgool", charset="utf-8", fuzzy=False)
    for name, _, message in sorted(_extracted(), key=lambda found: found[:2]):
        catalogue.add(message, locations=[(name.removeprefix("app/"), 0)])
    return catalogue
