"""What a notice says, in the language of its reader. Nothing of the position, and no text that anybody typed."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from babel.dates import format_datetime

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
_LONGEST = 40


def push_text(language: str, opponent: str, url: str, due: int) -> bytes:
    """The message for a browser as JSON; `{due}` in it is filled in by the browser, in the reader's own time."""
    gettext = translations(language).gettext
    body = gettext(MOVED).replace("{opponent}", _shown(opponent) or gettext(YOUR_OPPONENT))
    told = {"title": gettext(YOUR_TURN), "body": body, "url": url, "due": due, "language": language}
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def mail_text(language: str, opponent: str, link: str, due: int, stop: str) -> tuple[str, str]:
    """Subject and text of an e-mail; its time is UTC."""
    gettext = translations(language).gettext
    when = f"{format_datetime(datetime.fromtimestamp(due / 1000, UTC), 'medium', locale=language)} UTC"
    moved = gettext(MOVED).format(opponent=_shown(opponent) or gettext(YOUR_OPPONENT), due=when)
    return gettext(YOUR_TURN), gettext(MAIL_BODY).format(moved=moved, link=link, stop=stop)


def confirm_text(language: str, site: str, link: str) -> tuple[str, str]:
    """Subject and text of the e-mail with the link that confirms an address."""
    gettext = translations(language).gettext
    return gettext(CONFIRM), gettext(CONFIRM_BODY).format(site=site, link=link)


def _shown(name: str) -> str:
    """A name as one line without braces, which the texts fill in."""
    return "".join(letter for letter in name if letter.isprintable() and letter not in "{}")[:_LONGEST].strip()
