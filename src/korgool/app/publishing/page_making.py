"""Common parts of every page: words, figures, circumstances, and players and results as links and texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, TypeAlias

from babel.dates import format_datetime
from markupsafe import Markup

from korgool.app.publishing.event_figures import EventFigures
from korgool.app.publishing.places import Place
from korgool.app.words.event_texts import collation, day_text, half
from korgool.app.words.event_words import event_words
from korgool.app.words.page_texts import outbox_words, sentences
from korgool.competition.board_sheet import BoardSheet
from korgool.competition.event_state import EventState
from korgool.competition.model import ByeKind, PairedGame, Player
from korgool.competition.photographs import file_name
from korgool.competition.result import Result
from korgool.languages import LANGUAGES, translations
from korgool.languages.name_search import finds, sought

BYES = {ByeKind.ALLOCATED: "bye", ByeKind.FULL: "full_bye", ByeKind.HALF: "half_bye", ByeKind.ZERO: "absent"}
"""The labels of byes in `event_words`."""


@lru_cache(maxsize=len(LANGUAGES))
def page_words(language: str) -> dict[str, Any]:
    """Words of a language for every template: `_`, `gettext`, `ngettext`, and labels as `w`.

    All pages share the dictionary, which must not be changed.
    """
    catalogue = translations(language)
    return {
        **sentences(catalogue),
        "w": event_words(language),
        "language": language,
        "languages": LANGUAGES,
        "moment": lambda text: moment(text, language),
        "address_link": address_link,
        "outbox_words": outbox_words(language),
    }


def moment(text: str, language: str) -> Markup:
    """A point in time such as `2026-09-14T10:05:00Z` as an element that a script rewrites in the reader's own time."""
    when = datetime.fromisoformat(text).astimezone(UTC)
    shown = format_datetime(when, "d MMMM y, HH:mm", locale=language)
    return Markup('<time class="moment" datetime="{}">{} UTC</time>').format(when.isoformat(), shown)


def address_link(address: str) -> Markup:
    """A link to an event on another site, shown without its scheme."""
    shown = address.partition("://")[2].rstrip("/")
    return Markup('<a class="source" href="{}" rel="nofollow">{}</a>').format(address, shown)


def dates(begins: str, ends: str, language: str) -> str:
    """The dates of an event as a text; dates of another form stay as they are written."""
    first, last = (day_text(text, language) or text for text in (begins, ends))
    if first and last and first != last:
        return event_words(language)["from_to"] % {"begins": first, "ends": last}
    return first or last


Context: TypeAlias = dict[str, Any]
"""The values of a template."""


class NoPageError(LookupError):
    """The event has no page of this name."""


@dataclass(frozen=True, kw_only=True)
class Circumstances:
    """Circumstances of a page beside the event.

    Attributes:
        language: of its texts.
        place: where the pages lie.
        changed: the time of the last change, such as `2026-09-14T10:05:00Z`; empty if it is not known.
        refresh: seconds after which a page looks for changes; 0 for never.
        query: the search of the reader.
        languages: in which the pages are there.
        source: the address of the event on another site, if this is a copy of it.
        copied: when the copy was last right, `2026-09-14T10:05:00Z`.
        pictured: whether the photograph of a player is at hand that the event names.
        groups: the groups of the event, where a page is about all of them.
        now: the time, in milliseconds since 1970, for pages that show what runs; 0 where it is not known.
        version: of what such a page shows, by which it sees that something has changed.
        sheets: the boards of the running round as readers see them, on pages that show them.
        one_group: the group with which the wall stays; empty if it turns through all of them.
    """

    language: str
    place: Place
    changed: str = ""
    refresh: float = 0
    query: str = ""
    languages: tuple[str, ...] = tuple(LANGUAGES)
    source: str = ""
    copied: str = ""
    pictured: Callable[[Player], bool] = lambda _: False
    groups: tuple[EventState, ...] = ()
    one_group: str = ""
    now: int = 0
    version: str = ""
    sheets: Mapping[int, BoardSheet] | None = None


@dataclass(frozen=True)
class PageMaking:
    """A page that is being made.

    Attributes:
        figures: the event.
        circumstances: language and place.
        at: the name of the page.
    """

    figures: EventFigures
    circumstances: Circumstances
    at: str

    @property
    def words(self) -> dict[str, str]:
        """The labels in the language."""
        return event_words(self.circumstances.language)

    @property
    def years(self) -> bool:
        """True if years of birth are public in this event."""
        return "born" in self.figures.state.event.shown

    def link(self, name: str) -> str:
        """The address of a page."""
        return self.circumstances.place.page(name, self.at)

    def player(self, id_: int) -> Context:
        """Player for a line of a table; a note for a board that a team left empty."""
        if not id_:
            return {"name": self.words["no_player"], "number": "", "href": "", "federation": ""}
        one = self.figures.state.players[id_]
        return {
            "name": one.entry.name,
            "number": one.number,
            "href": self.link(f"players/{one.number}"),
            "federation": one.entry.federation,
        }

    def photo(self, player: Player) -> str:
        """The address of the photograph of a player; empty where none is shown."""
        if not player.photo or not self.circumstances.pictured(player):
            return ""
        return self.circumstances.place.file(f"photos/{file_name(player.id, player.photo)}", self.at)

    def competitor(self, id_: int) -> Context:
        """A team in a team event, otherwise a player."""
        if not self.figures.teams:
            return self.player(id_)
        team = self.figures.state.teams[id_]
        href = self.link(f"teams/{team.number}")
        return {"name": team.name, "number": team.number, "href": href, "federation": team.federation}

    def status(self, player: Player) -> str:
        """Status of a player who has left; empty for those who play."""
        if player.excluded:
            return self.words["excluded"]
        return "" if player.until is None else self.words["withdrawn"]

    def result(self, result: Result | None) -> Context:
        """A result in parts: `score` such as `1–0` or `+–−`, `stones` such as `82–60`, `cause` in words; empty without
        a result."""
        if result is None:
            return {"score": "", "stones": "", "cause": ""}
        if not result.played:
            return {
                "score": f"{'+' if result.white else '−'}–{'+' if result.black else '−'}",
                "stones": "",
                "cause": "",
            }
        score = f"{half(result.white)}–{half(result.black)}"
        stones = "–".join(map(str, result.stores)) if result.stores is not None else ""
        if result.set_score is not None:
            stones = f"{half(result.set_score[0])}:{half(result.set_score[1])}"
        return {"score": score, "stones": stones, "cause": self.words.get(f"cause {result.cause}", "")}

    def record(self, number: int, game: PairedGame) -> str:
        """The address of the page of a board if its record is known, otherwise empty."""
        return self.link(f"rounds/{number}/boards/{game.board}") if game.records else ""

    def bye(self, kind: ByeKind) -> str:
        """The name of a bye."""
        return self.words[BYES[kind]]

    def by_name(self, players: tuple[Player, ...]) -> list[Player]:
        """Players in the alphabetical order of the language."""
        language = self.circumstances.language
        return sorted(players, key=lambda one: (collation(one.entry.name, language), one.number))

    def fits(self, name: str, number: object = "") -> bool:
        """Return whether a player matches a search: every word is in the name, or the search is their number."""
        query = self.circumstances.query
        return query.split() == [str(number)] or finds(sought(query), name)
