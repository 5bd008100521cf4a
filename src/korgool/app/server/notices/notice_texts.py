"""Texts of notices, in the language of their reader. Nothing of the position, and no text that anybody typed."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from babel.dates import format_datetime

from korgool.app.words.people import said_name
from korgool.languages import N_, translations

YOUR_TURN = N_("It is your turn")
MOVED = N_("{opponent} has moved. Your time ends {due}.")
YOUR_OPPONENT = N_("Your opponent")
CONFIRM = N_("Do you want to be told when it is your turn?")
CONFIRM_BODY = N_(
    "Somebody, probably you, asked {site} to send an e-mail to this address when it is their turn in a game.\n\n"
    "Open this page to agree:\n{link}\n\nWithout that nothing more is sent."
)
MAIL_BODY = N_("{moved}\n\nThe game: {link}\n\nNo more of these messages: {stop}")
SEAT = N_("To play on another device, open this link there. It works once.\n{link}")
YOU_HAVE_MOVED = N_("It is no longer your turn.")
_LONGEST = 40


def push_text(language: str, opponent: str, url: str, due: int) -> bytes:
    """The message for a browser as JSON; `{due}` in it is filled in by the browser, in the reader's own time."""
    gettext = translations(language).gettext
    body = gettext(MOVED).replace("{opponent}", _shown(said_name(opponent, gettext)) or gettext(YOUR_OPPONENT))
    told = {"title": gettext(YOUR_TURN), "body": body, "url": url, "due": due, "language": language}
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def over_text(language: str, url: str) -> bytes:
    """The message for a browser that ends the notice of a game. Some browsers want something to be seen for each."""
    gettext = translations(language).gettext
    told = {"title": gettext(YOU_HAVE_MOVED), "url": url, "language": language, "over": True}
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def mail_text(
    language: str, opponent: str, link: str, due: int, stop: str, *, zone: str = "", seat: str = ""
) -> tuple[str, str]:
    """Subject and text of an e-mail.

    Args:
        language: of its reader.
        opponent: the name of who has moved, as the wire has it.
        link: to the game.
        due: when the turn ends, in milliseconds since 1970.
        stop: the link that ends the messages.
        zone: the reader's time zone as IANA names it; UTC where there is none that this machine knows.
        seat: a link by which a guest goes on in another browser.
    """
    gettext = translations(language).gettext
    name = _shown(said_name(opponent, gettext)) or gettext(YOUR_OPPONENT)
    moved = gettext(MOVED).format(opponent=name, due=_moment(due, zone, language))
    if seat:
        link += f"\n\n{gettext(SEAT).format(link=seat)}"
    return gettext(YOUR_TURN), gettext(MAIL_BODY).format(moved=moved, link=link, stop=stop)


def confirm_text(language: str, site: str, link: str) -> tuple[str, str]:
    """Subject and text of the e-mail with the link that confirms an address."""
    gettext = translations(language).gettext
    return gettext(CONFIRM), gettext(CONFIRM_BODY).format(site=site, link=link)


def known_zone(name: str) -> str:
    """A time zone's name if this machine knows it, otherwise nothing."""
    try:
        return name if len(name) <= _LONGEST and ZoneInfo(name) else ""
    except (ValueError, OSError, LookupError):
        return ""


def _moment(ms: int, zone: str, language: str) -> str:
    """A point in time in a zone, with how far that is from UTC."""
    at = datetime.fromtimestamp(ms / 1000, ZoneInfo(zone) if known_zone(zone) else UTC)
    ahead = at.strftime("%z")
    return f"{format_datetime(at, 'medium', locale=language)} UTC{f'{ahead[:3]}:{ahead[3:5]}' if int(ahead) else ''}"


def _shown(name: str) -> str:
    """A name as one line without braces, which the texts fill in."""
    return "".join(letter for letter in name if letter.isprintable() and letter not in "{}")[:_LONGEST].strip()
