"""Texts and functions for templates and scripts: those of a language, and QR codes."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import msgspec
from babel.dates import format_date, format_datetime
from markupsafe import Markup

from korgool.app.server.core.wall_clock import now_ms
from korgool.app.words.games import GAME_NAMES, GAME_WORDS, REASONS, STONE_GAMES
from korgool.app.words.hole_names import HOLE_NAMES
from korgool.app.words.online_games import PHRASES, RESULT_NAMES, SPEED_NAMES, clock_words, time_left
from korgool.app.words.opponents import OPPONENTS, opponent_name, opponent_title, people_rating, strength
from korgool.app.words.page_texts import outbox_words, plural_digits, plural_texts, sentences
from korgool.app.words.people import guest_name, said_name
from korgool.app.words.reasons import REASON_WORDS
from korgool.languages import LANGUAGES, translations
from korgool.languages.catalogues import script_messages
from korgool.languages.stones import STONES
from korgool.live import read_clock


@lru_cache(maxsize=2 * len(LANGUAGES))
def words(language: str, stones: bool = False) -> dict[str, Any]:
    """Names of a language for every template: `_`, `gettext`, `ngettext`, names, `day` for dates, `words_json`.

    All templates share the same dictionary, which must not be changed.

    Args:
        language: its tag.
        stones: whether the page is about mangala, as `translations` takes it.
    """
    catalogue = translations(language, stones)
    gettext = catalogue.gettext
    return {
        **sentences(catalogue),
        "language": language,
        "languages": LANGUAGES,
        "game_names": {name: gettext(title) for name, title in GAME_NAMES.items()},
        "game_abouts": {name: gettext(game.about) for name, game in GAME_WORDS.items()},
        "hole_names": HOLE_NAMES.get(language, {}),
        "rules_in_short": {name: [gettext(part) for part in game.in_short] for name, game in GAME_WORDS.items()},
        "opponents": [
            {"number": one.number, "name": gettext(one.name), "kind": gettext(one.kind), "line": gettext(one.line)}
            for one in OPPONENTS
        ],
        "opponent_name": lambda number: opponent_name(gettext, number),
        "opponent_title": lambda number: opponent_title(gettext, number),
        "people_rating": lambda number, game: people_rating(gettext, number, game),
        "strength": lambda number: strength(gettext, number),
        "guest": lambda who: guest_name(who, gettext),
        "said_name": lambda name: said_name(name, gettext),
        "speed_names": {speed.value: gettext(name) for speed, name in SPEED_NAMES.items()},
        "result_names": {result: gettext(name) for result, name in RESULT_NAMES.items()},
        "phrases": {key: gettext(phrase) for key, phrase in PHRASES.items()},
        "reasons": {key: gettext(reason) for key, reason in REASONS.items()},
        "moment": lambda ms: _moment(ms, language),
        "time_left": lambda until_ms: time_left(until_ms - now_ms(), catalogue),
        "clock_of": lambda clock: clock_words(read_clock(clock) if isinstance(clock, str) else clock, catalogue),
        "day": lambda moment: format_date(datetime.fromisoformat(moment), locale=language),
        "words_json": _words_json(language),
        "outbox_words": outbox_words(language),
    }


def time_ms(text: str) -> int:
    """The time of a line of a log, `2026-09-14T10:05:00Z`, in milliseconds since 1970."""
    return int(datetime.fromisoformat(text).timestamp()) * 1000


def _moment(ms: int, language: str) -> Markup:
    """A point in time, in milliseconds since 1970, as an element that scripts rewrite in the reader's own time."""
    moment = datetime.fromtimestamp(ms // 1000, UTC)
    shown = format_datetime(moment, "d MMMM y, HH:mm", locale=language)
    return Markup('<time class="moment" datetime="{}">{} UTC</time>').format(moment.isoformat(), shown)


def safe_json(value: object) -> str:
    """JSON that is safe inside a script element of a page: no text in it can close the element."""
    text = msgspec.json.encode(value).decode()
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _words_json(language: str) -> str:
    """The messages of the scripts in one language, with the plural form of each number from 0 to 199 as a digit."""
    catalogue = translations(language)

    def translated(message: str | tuple[str, ...]) -> str | list[str]:
        return catalogue.gettext(message) if isinstance(message, str) else plural_texts(catalogue, *message)

    messages = {_key(message): translated(message) for message in script_messages()}
    return safe_json(
        {
            "language": language,
            "plural": plural_digits(catalogue),
            "messages": messages,
            "holes": HOLE_NAMES.get(language, {}),
            "stones": {"games": STONE_GAMES, "forms": STONES.get(language, {})},
            "games": {name: catalogue.gettext(title) for name, title in GAME_NAMES.items()},
            "opponents": [catalogue.gettext(one.name) for one in OPPONENTS],
            "perfect": catalogue.gettext(OPPONENTS[-1].kind),
            "reasons": {key: catalogue.gettext(reason) for key, reason in REASONS.items()},
            "phrases": {key: catalogue.gettext(phrase) for key, phrase in PHRASES.items()},
            "why": {key: translated(message) for key, message in REASON_WORDS.items()},
        }
    )


def _key(message: str | tuple[str, ...]) -> str:
    """The key of a message: for one with a plural, the singular form."""
    return message if isinstance(message, str) else message[0]


@lru_cache(maxsize=200)
def qr_svg(text: str) -> str:
    """The code of a text as an SVG element: dark on white, whatever the page's colours are."""
    import segno  # imported here because it brings the HTTP client of the standard library, and few pages have a code

    return str(segno.make(text, micro=False).svg_inline(border=2, omitsize=True, light="#fff"))
