"""Texts of notices, in the language of their reader. Nothing of the position, and no text that anybody typed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
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
_WITHDRAWN = N_("This invitation was withdrawn")
_LONGEST = 40
_WAITS = N_("Your opponent waits for an answer")


class NoticeKind(StrEnum):
    """Kind of a notice. A newer notice of a page takes the place of an older one, whatever their kinds."""

    TURN = "turn"
    CHALLENGE = "challenge"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    DRAW = "draw"
    TAKEBACK = "takeback"
    REMATCH = "rematch"
    ENDED = "ended"


_TEXTS = {
    NoticeKind.TURN: (YOUR_TURN, MOVED),
    NoticeKind.CHALLENGE: (
        N_("You are invited to a game"),
        N_("{opponent} invites you to a game. The invitation is open until {due}."),
    ),
    NoticeKind.ACCEPTED: (N_("Your invitation was accepted"), N_("{opponent} plays with you: the game begins.")),
    NoticeKind.DECLINED: (N_("Your invitation was declined"), N_("{opponent} does not want to play now.")),
    NoticeKind.DRAW: (_WAITS, N_("{opponent} offers a draw.")),
    NoticeKind.TAKEBACK: (_WAITS, N_("{opponent} asks to take back.")),
    NoticeKind.REMATCH: (_WAITS, N_("{opponent} offers a rematch.")),
    NoticeKind.ENDED: ("", N_("Your game with {opponent} is over: {reason}.")),
}
"""Title and body of each kind; a game that is over has its headline for a title."""


@dataclass(frozen=True, slots=True)
class NoticeText:
    """Text of a notice.

    Attributes:
        kind: its kind.
        headline: of a game that is over, in English.
        reason: why it is over, in English.
    """

    kind: NoticeKind = NoticeKind.TURN
    headline: str = ""
    reason: str = ""

    def title(self, gettext: Callable[[str], str]) -> str:
        """The title."""
        return gettext(self.headline or _TEXTS[self.kind][0])

    def body(self, opponent: str, gettext: Callable[[str], str]) -> str:
        """The body; `{due}` is left in it where it says until when."""
        name = _shown(said_name(opponent, gettext)) or gettext(YOUR_OPPONENT)
        text = gettext(_TEXTS[self.kind][1]).replace("{reason}", gettext(self.reason) if self.reason else "")
        return text.replace("{opponent}", name)


TURN = NoticeText()


def push_text(language: str, opponent: str, url: str, due: int, text: NoticeText = TURN) -> bytes:
    """The message for a browser as JSON; `{due}` in it is filled in by the browser, in the reader's own time."""
    gettext = translations(language).gettext
    body = text.body(opponent, gettext)
    told = {"title": text.title(gettext), "body": body, "url": url, "due": due, "language": language}
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def over_text(language: str, url: str, text: NoticeText = TURN) -> bytes:
    """The message for a browser that ends a notice, and says so: some browsers want something to be seen for each."""
    gettext = translations(language).gettext
    over = _WITHDRAWN if text.kind is NoticeKind.CHALLENGE else YOU_HAVE_MOVED
    told = {"title": gettext(over), "url": url, "language": language, "over": True}
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def mail_text(
    language: str,
    opponent: str,
    link: str,
    due: int,
    stop: str,
    *,
    zone: str = "",
    seat: str = "",
    said: NoticeText = TURN,
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
        said: what the notice says.
    """
    gettext = translations(language).gettext
    body = said.body(opponent, gettext).replace("{due}", _moment(due, zone, language))
    if seat:
        link += f"\n\n{gettext(SEAT).format(link=seat)}"
    return said.title(gettext), gettext(MAIL_BODY).format(moved=body, link=link, stop=stop)


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
