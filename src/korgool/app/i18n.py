"""The five languages of the pages: catalogues compiled in memory, the choice of a language, and the words for scripts.

The catalogues are `locale/<language>/LC_MESSAGES/korgool.po`. English source strings stand in the templates, in the
scripts and in Python; `python -m korgool.app.i18n` brings the catalogues up to date with them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import lru_cache
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.dates import format_date
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from korgool.app.marking import N_
from korgool.app.reason_words import REASON_WORDS

HERE = Path(__file__).parent
LANGUAGES = {"en": "English", "ky": "Кыргызча", "kk": "Қазақша", "ru": "Русский", "tr": "Türkçe"}
"""Language tags with the name of the language in itself, in the order of the menu."""


GAME_NAMES = {
    "toguz": N_("Toguz korgool"),
    "mangala": N_("Mangala"),
    "castle": N_("Mangala with the castle"),
    "bestemshe": N_("Bestemshe"),
}
"""Games by their command line names."""

LEVEL_NAMES = (
    N_("first game"),
    N_("beginner"),
    N_("casual"),
    N_("practised"),
    N_("club player"),
    N_("strong player"),
    N_("master"),
    N_("full strength"),
)
"""Names of the engine's levels 1 to 8."""
PERFECT_NAME = N_("perfect")
"""Name of what stands above all levels."""

REASONS = {
    "majority white": N_("White's kazan holds more than half of the stones"),
    "majority black": N_("Black's kazan holds more than half of the stones"),
    "no_move white": N_("the player to move had no stones left; White has more"),
    "no_move black": N_("the player to move had no stones left; Black has more"),
    "no_move draw": N_("the player to move had no stones left; both have the same"),
    "equal draw": N_("both kazans hold half of the stones"),
    "side_empty white": N_("one side of the board is empty; White has more"),
    "side_empty black": N_("one side of the board is empty; Black has more"),
    "side_empty draw": N_("one side of the board is empty; both have the same"),
    "resignation white": N_("Black resigned"),
    "resignation black": N_("White resigned"),
    "time white": N_("Black's time ran out"),
    "time black": N_("White's time ran out"),
    "time draw": N_("both times ran out"),
    "agreement draw": N_("draw agreed"),
    "repetition draw": N_("the position was repeated"),
    "forfeit white": N_("Black lost by forfeit"),
    "forfeit black": N_("White lost by forfeit"),
}
"""Why a game ended: termination and winner, or `draw`."""


def negotiate(accept_language: str | None, cookie: str | None = None) -> str:
    """The language of a page: the cookie if it names one of the five, else the browser's best one, else English.

    Args:
        accept_language: the header `Accept-Language`; what cannot be read in it counts as absent.
        cookie: the language that the visitor chose on the page.
    """
    if cookie in LANGUAGES:
        return str(cookie)
    best, weight = "en", 0.0
    for part in (accept_language or "")[:1000].split(","):
        match = re.fullmatch(r"\s*([A-Za-z]{2,3})(?:[-_][\w-]*)?\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?))?\s*", part)
        if match and match[1].lower() in LANGUAGES and float(match[2] or 1) > weight:
            best, weight = match[1].lower(), float(match[2] or 1)
    return best


def catalogue_path(language: str) -> Path:
    """Where the catalogue of a language lies."""
    return HERE / "locale" / language / "LC_MESSAGES" / "korgool.po"


@lru_cache(maxsize=len(LANGUAGES))
def translations(language: str) -> GNUTranslations:
    """The catalogue of one of the five languages, compiled once.

    Raises:
        ValueError: there is no such language.
    """
    if language not in LANGUAGES:
        raise ValueError(f"there is no language {language!r}; there are {', '.join(LANGUAGES)}")
    with catalogue_path(language).open("rb") as file:
        catalogue = read_po(file, locale=language)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return GNUTranslations(compiled)


@lru_cache(maxsize=len(LANGUAGES))
def words(language: str) -> dict[str, Any]:
    """What every template needs of a language: `_`, `gettext`, `ngettext`, names, `day` for dates, `words_json`.

    The same dictionary is given to all; it is to be read only.
    """
    catalogue = translations(language)
    gettext = catalogue.gettext
    return {
        "_": gettext,
        "gettext": gettext,
        "ngettext": catalogue.ngettext,
        "language": language,
        "languages": LANGUAGES,
        "game_names": {name: gettext(title) for name, title in GAME_NAMES.items()},
        "level_names": [gettext(name) for name in LEVEL_NAMES],
        "perfect_name": gettext(PERFECT_NAME),
        "level_title": lambda level: _level_title(catalogue, level),
        "strength": lambda level: strength(gettext, level),
        "reasons": {key: gettext(reason) for key, reason in REASONS.items()},
        "day": lambda moment: format_date(datetime.fromisoformat(moment), locale=language),
        "words_json": _words_json(language),
    }


def _level_title(catalogue: GNUTranslations, level: int) -> str:
    """A level with its name, a rating, or the word for perfect play, which has no number to show."""
    if 1 <= level <= len(LEVEL_NAMES):
        return f"{level} · {catalogue.gettext(LEVEL_NAMES[level - 1])}"
    return strength(catalogue.gettext, level)


def strength(gettext: Callable[[str], str], level: int) -> str:
    """How strong an engine is, in a word or two: its level, its rating, or that it plays perfectly."""
    if level == len(LEVEL_NAMES) + 1:
        return gettext(PERFECT_NAME)
    if level <= len(LEVEL_NAMES):
        return gettext("level %(level)s") % {"level": level}
    return gettext("rating %(rating)s") % {"rating": level}


def safe_json(value: object) -> str:
    """JSON that may stand inside a script element of a page: no text in it can close the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


_COUNTS = 200
"""Numbers for which scripts know the plural form: more than there are stones in any game."""


def _words_json(language: str) -> str:
    """The messages of the scripts in one language, with the plural form of each number from 0 to 199 as a digit."""
    catalogue = translations(language)
    plural = catalogue.plural  # type: ignore[attr-defined]  # the compiled Plural-Forms header
    forms = range(1 + max(plural(number) for number in range(_COUNTS)))
    table = catalogue._catalog  # type: ignore[attr-defined]  # by (message, form)

    def translated(message: str | tuple[str, ...]) -> str | list[str]:
        if isinstance(message, str):
            return catalogue.gettext(message)
        # What waits for its translator is shown in English.
        return [table.get((message[0], form), message[min(form, 1)]) for form in forms]

    messages = {_key(message): translated(message) for message in _script_messages()}
    return safe_json(
        {
            "language": language,
            "plural": "".join(str(plural(number)) for number in range(_COUNTS)),
            "messages": messages,
            "games": {name: catalogue.gettext(title) for name, title in GAME_NAMES.items()},
            "levels": [catalogue.gettext(name) for name in LEVEL_NAMES],
            "perfect": catalogue.gettext(PERFECT_NAME),
            "reasons": {key: catalogue.gettext(reason) for key, reason in REASONS.items()},
            "why": {key: translated(message) for key, message in REASON_WORDS.items()},
        }
    )


def _key(message: str | tuple[str, ...]) -> str:
    """What a message is called by: of one with a plural the form for one."""
    return message if isinstance(message, str) else message[0]


_KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2), "N_": None, "NN_": (1, 2)}
_SCRIPTS = [("static/js/**.js", "javascript")]
_METHODS = [
    *_SCRIPTS,
    ("templates/**.html", "jinja2"),
    ("i18n.py", "python"),
    ("reason_words.py", "python"),
    ("cli/play.py", "python"),
    ("cli/table.py", "python"),
    ("cli/table_words.py", "python"),
    ("server/**.py", "python"),
    ("printing/**.py", "python"),
]


def _extracted(methods: list[tuple[str, str]]) -> Iterator[tuple[str, int, str | tuple[str, ...]]]:
    options = {"templates/**.html": {"extensions": "jinja2.ext.i18n", "silent": "false"}}
    found = extract_from_dir(HERE, methods, options, keywords=_KEYWORDS, comment_tags=("TRANSLATORS:",))
    for name, line, message, _, _ in found:
        yield name, line, message


@lru_cache(maxsize=1)
def _script_messages() -> tuple[str | tuple[str, ...], ...]:
    """The messages in the scripts; the sources are the only list of them."""
    return tuple(dict.fromkeys(message for _, _, message in _extracted(_SCRIPTS)))


def extracted() -> Catalog:
    """Every message of templates, scripts and this file, as a catalogue without translations."""
    catalogue = Catalog(project="korgool", charset="utf-8", fuzzy=False)
    for name, _, message in sorted(_extracted(_METHODS), key=lambda found: found[:2]):
        catalogue.add(message, locations=[(name, 0)])
    return catalogue


def update() -> dict[str, list[str]]:
    """Bring the catalogues up to date with the sources; English is complete at once.

    Returns:
        For each language the messages that wait for a translator.
    """
    waiting: dict[str, list[str]] = {}
    for language, name_of_it in LANGUAGES.items():
        path = catalogue_path(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        old = Catalog(locale=language)
        if path.exists():
            with path.open("rb") as file:
                old = read_po(file, locale=language)
        title = f"# {name_of_it}: the words of the pages."
        new = Catalog(locale=language, project="korgool", charset="utf-8", fuzzy=False, header_comment=title)
        waiting[language] = []
        for message in extracted():
            if not message.id:
                continue
            before = old.get(message.id)
            string = before.string if before is not None and not before.fuzzy else None
            if language == "en":
                string = message.id
            new.add(message.id, string, locations=[(name, 0) for name, _ in message.locations])
            if not string or not all([string] if isinstance(string, str) else string):
                waiting[language].append(message.id if isinstance(message.id, str) else message.id[0])
        file_text = BytesIO()
        write_po(file_text, new, width=110, omit_header=False, include_lineno=False, sort_output=True)
        dated = rb'"(Project-Id-Version|POT-|PO-|Last-T|Language-Team|Generated-By|Report-)[^\n]*\n'
        path.write_bytes(re.sub(dated, b"", file_text.getvalue()))
    return waiting


if __name__ == "__main__":
    for code, messages in update().items():
        print(f"{code}: {len(messages)} messages wait for a translation")
        for text in messages:
            print(f"  {text}")
