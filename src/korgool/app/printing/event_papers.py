"""Everything that an event needs on paper, as PDF: lists, tables, slips, cards, protocols, in every language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from korgool.app.printing.event_bracket import knockout_bracket
from korgool.app.printing.event_cards import badges, place_cards, result_slips, table_cards
from korgool.app.printing.event_diplomas import certificates, diplomas
from korgool.app.printing.event_games import record_forms, special_games
from korgool.app.printing.event_lists import pairings, pairings_by_name, start_list
from korgool.app.printing.event_prizes import prize_list
from korgool.app.printing.event_protocol import protocol
from korgool.app.printing.event_tables import cross_table, rating_list, standings, team_standings, wall_chart
from korgool.app.printing.event_teams import application, match_protocols, team_sheets
from korgool.app.printing.form_pages import PAPERS, form_pdf, form_png
from korgool.app.printing.ornament import strip
from korgool.app.printing.paper_context import Block, PaperContext
from korgool.app.printing.qr import round_address
from korgool.app.printing.table_layout import SIZE, arrange
from korgool.app.printing.typesetting import printable, typeset
from korgool.app.printing.wall_pages import wall_pages
from korgool.app.words.event_texts import planned_time
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.model import Personal
from korgool.languages import N_

_TEMPLATE = Path(__file__).with_name("event.typ")


@dataclass(frozen=True, slots=True)
class _Paper:
    """Definition of a paper: how it is made.

    Attributes:
        about: a description in English.
        title: key of its title in the words.
        make: its blocks.
        of: whether it is about one `round`, shows the state `after` a round, or neither.
        turned: whether its pages are in landscape; None if the width of its tables decides.
        bare: whether it fills the whole page, without head and margins.
        wall: whether it may hang on the wall, on A3.
    """

    about: str
    title: str
    make: Callable[[PaperContext], list[Block]]
    of: Literal["round", "after", ""] = ""
    turned: bool | None = None
    bare: bool = False
    wall: bool = False


_PAPERS = {
    "start-list": _Paper("the players by pairing number", "start_list", start_list, wall=True),
    "pairings": _Paper("a round by board, with the results that are known", "pairings", pairings, "round", wall=True),
    "pairings-by-name": _Paper(
        "the board, colour and opponent of every player", "pairings_by_name", pairings_by_name, "round", wall=True
    ),
    "result-slips": _Paper("a slip for every game of a round, to be cut", "slips", result_slips, "round", False, True),
    "standings": _Paper("places, points and tie-breaks after a round", "standings", standings, "after", wall=True),
    "cross-table": _Paper(
        "all results by places: everybody against everybody, or round by round",
        "cross_table",
        cross_table,
        "after",
        wall=True,
    ),
    "bracket": _Paper("who meets whom in a knock-out", "bracket", knockout_bracket, "", True, wall=True),
    "wall-chart": _Paper(
        "all results by pairing number, later rounds blank for the pen", "wall_chart", wall_chart, "after", wall=True
    ),
    "team-sheets": _Paper(
        "for every team its players by board; with a round also the blank line-up", "team_sheet", team_sheets
    ),
    "match-protocols": _Paper(
        "the protocol of every team match of a round", "match_protocol", match_protocols, "round"
    ),
    "team-standings": _Paper(
        "places of teams, or totals of teams in an individual event",
        "team_standings",
        team_standings,
        "after",
        wall=True,
    ),
    "protocol": _Paper(
        "the protocol of the event with officials, warnings, results and signatures", "protocol", protocol
    ),
    "place-cards": _Paper("a folding card for every player's table", "place_cards", place_cards, "", False, True),
    "table-cards": _Paper(
        "a card for every board, with a code of its page", "table_cards", table_cards, "", False, True
    ),
    "badges": _Paper("a badge for every player and official", "badges", badges, "", False, True),
    "prize-list": _Paper("who gets which prize, to be signed", "prize_list", prize_list),
    "diplomas": _Paper("a diploma for every prize place, also of categories", "diploma", diplomas, "", False, True),
    "certificates": _Paper("a certificate for everybody who played", "certificate", certificates, "", True, True),
    "rating-changes": _Paper("rating, games, points and change of every player", "rating_changes", rating_list),
    "application": _Paper("the nominal application, blank or with personal data", "application", application, "", True),
    "special-games": _Paper("the games chosen for the special board, with diagrams", "special", special_games),
}
_TEMPLATED = ("diplomas", "certificates")
WALL = "a3"
SIZES = (*PAPERS, WALL)
"""Sizes of paper; A3 is for papers that are read from afar."""
ONE_BY_ONE = ("record-forms",)
"""Papers of which a document holds those of one group."""
_FORMS = {"record-forms": "the record forms of a round, headed, one for every game or set"}

EVENT_PAPERS: Mapping[str, str] = MappingProxyType({name: paper.about for name, paper in _PAPERS.items()} | _FORMS)
"""The papers by name, each with its description."""
PAPER_TITLES: Mapping[str, str] = MappingProxyType(
    {name: paper.title for name, paper in _PAPERS.items()} | {"record-forms": "record_forms"}
)
"""The key of the title of each paper in `event_words`, behind `title `."""


def event_paper(
    state: EventState,
    what: str,
    *,
    language: str = "en",
    paper: str = "a4",
    round: int | None = None,
    personal: Mapping[int, Personal] | None = None,
    base_url: str | None = None,
    group: str | None = None,
    date: str = "",
    boards: tuple[int, int] | None = None,
    head: str = "",
    template: str | None = None,
) -> bytes:
    """A paper of an event as PDF. The same event gives the same bytes.

    Args:
        state: the event.
        what: the name of the paper, one of `EVENT_PAPERS`.
        language: one of `korgool.languages.LANGUAGES`.
        paper: `a4` or `a5`; wide tables use landscape pages. Lists, tables and brackets also `a3`, for the wall.
        round: the round; by default the last, and for tables the last with all its results.
        personal: personal data by player for `application`; no other paper prints any.
        base_url: the address that QR codes lead to, as `ADDRESS?round=5`, on table cards `ADDRESS/boards/3` and on
            badges `ADDRESS/players/17`; without one only result slips have a code.
        group: the group of `standings`, `diplomas` or `certificates` (`korgool.competition.standings.members`).
        date: the date on `record-forms`, `diplomas` and `certificates`, such as `2026-09-08`.
        boards: the first and the last board of `record-forms`, `result-slips` and `table-cards`; all of them if None. A
            document holds at most 200 record forms.
        head: the head of the log (`EventFile.head`), printed below every page that has margins.
        template: the text of `diplomas` and `certificates` (`korgool.app.printing.diploma_template`).

    Raises:
        ValueError: there is no such paper, language or size, or the address is invalid; as CompetitionError, there is
            no such round, nothing to print, or the paper does not fit this kind of event.
    """
    context = PaperContext(state, language, paper, round, group, personal, base_url, date, boards, head, template)
    try:
        return print_papers({"": context}, what)
    except GroupPaperError as error:
        raise error.reason from None


class GroupPaperError(ValueError):
    """A paper of a group that is refused.

    Attributes:
        group: its name.
        reason: why, as `event_paper` raises it.
    """

    def __init__(self, group: str, reason: ValueError) -> None:
        super().__init__(f"{group}: {reason}" if group else str(reason))
        self.group, self.reason = group, reason


def print_papers(contexts: Mapping[str, PaperContext], what: str) -> bytes:
    """The same paper of all groups as one PDF, each with pages of its own; the rest as for `event_paper`.

    Args:
        contexts: what each group prints, by its name.
        what: the name of the paper; of those in `ONE_BY_ONE` a document holds one group.

    Raises:
        GroupPaperError: the paper of a group is refused.
    """
    return _print(contexts, what, "pdf")[0]


def event_png(
    state: EventState,
    what: str,
    *,
    language: str = "en",
    paper: str = "a4",
    round: int | None = None,
    personal: Mapping[int, Personal] | None = None,
    base_url: str | None = None,
    group: str | None = None,
    date: str = "",
    boards: tuple[int, int] | None = None,
    head: str = "",
    template: str | None = None,
    resolution: float = 110,
) -> list[bytes]:
    """The pages of the same paper as pictures, `resolution` pixels an inch."""
    context = PaperContext(state, language, paper, round, group, personal, base_url, date, boards, head, template)
    try:
        return _print({"": context}, what, "png", resolution)
    except GroupPaperError as error:
        raise error.reason from None


def _print(
    contexts: Mapping[str, PaperContext], what: str, kind: Literal["pdf", "png"], resolution: float = 110
) -> list[bytes]:
    papers = []
    for group, context in contexts.items():
        try:
            _check(context, what)
            if what in _FORMS and len(contexts) > 1:
                raise ValueError(f"{what} of several groups do not fit in one document; print each group by itself")
            if what in _FORMS:
                return _printed_forms(context, kind, resolution)
            papers.append(_data(context, _PAPERS[what]))
        except ValueError as error:
            raise GroupPaperError(group, error) from error
    return typeset(_TEMPLATE, {"papers": papers}, kind, resolution)


def _printed_forms(context: PaperContext, kind: Literal["pdf", "png"], resolution: float) -> list[bytes]:
    forms, language, paper, base_url = record_forms(context), context.language, context.paper, context.base_url
    if kind == "pdf":
        return [form_pdf(forms, language=language, paper=paper, base_url=base_url)]
    return form_png(forms, language=language, paper=paper, base_url=base_url, resolution=resolution)


def _check(context: PaperContext, what: str) -> None:
    """Refuse what a paper cannot have."""
    if what not in EVENT_PAPERS:
        raise ValueError(f"there is no paper {what!r}; there are {', '.join(EVENT_PAPERS)}")
    if context.paper not in SIZES:
        raise ValueError(f"there is no size {context.paper!r}; there are {', '.join(SIZES)}")
    if context.paper == WALL and not (what in _PAPERS and _PAPERS[what].wall):
        on_walls = ", ".join(name for name, paper in _PAPERS.items() if paper.wall)
        raise CompetitionError(
            N_("{paper} has no sheets for the wall, on A3; these have: {on_walls}"), paper=what, on_walls=on_walls
        )
    if context.personal is not None and what != "application":
        raise ValueError(f"personal data is for the application alone, {what} prints none")
    if context.group is not None and what not in ("standings", *_TEMPLATED):
        raise ValueError(f"{what} has no groups; the standings have")
    if context.boards is not None and what not in ("record-forms", "result-slips", "table-cards"):
        raise ValueError(f"{what} are not printed by boards; record-forms and result-slips are")
    if context.template is not None and what not in _TEMPLATED:
        raise ValueError(f"{what} has no template; {' and '.join(_TEMPLATED)} have")
    if context.base_url is not None:
        round_address(context.base_url, 1)
    if not context.state.players and what not in ("application", "protocol"):
        raise CompetitionError(f"{context.state.event.name} has no players yet")


def _data(context: PaperContext, order: _Paper) -> dict[str, Any]:
    """The data for the template."""
    wall = context.paper == WALL
    blocks, turned = arrange(order.make(context), context.paper, turned=True if wall else order.turned)
    if wall:
        blocks = wall_pages(blocks, SIZE[WALL], 24.0 if order.of and context.base_url else 0.0)
    event, words = context.state.event, context.words
    title = _title(context, order)
    place = " · ".join(filter(None, (context.cell(event.place), context.dates)))
    number = context.number if order.of and context.state.rounds else 0
    return {
        "language": context.language,
        "paper": context.paper,
        "turned": turned,
        "bare": order.bare,
        "size": SIZE[context.paper],
        "event": context.cell(event.name),
        "place": place,
        "game": words[f"game {event.game}"],
        "title": title,
        "page": words["page_of"],
        "head": words["log_head"] % {"head": context.head} if context.head else "",
        "qr": context.qr(number) if number else None,
        "qr_name": words["qr"],
        "emblem": context.emblem if wall else "",
        "strip": strip(396.0, 6.0) if wall else "",
        "blocks": blocks,
    }


def _title(context: PaperContext, order: _Paper) -> str:
    words, state = context.words, context.state
    key = order.title
    if key == "pairings" and state.rounds and not state.round(context.number).missing:
        key = "results"
    if key == "standings" and state.over and context.played == len(state.rounds):
        key = "final_standings"
    title = words[f"title {key}"]
    if order.of == "round":
        title = f"{title}, {words['round_n'] % {'round': context.number}}"
        planned = planned_time(state.event, context.number, context.language) if key.startswith("pairings") else ""
        title = f"{title}, {planned}" if planned else title
    elif order.of == "after" and state.rounds:
        counted = context.number if order.title == "wall_chart" else context.played * (key != "final_standings")
        title = f"{title}, {words['after_round'] % {'round': counted}}" if counted else title
    if context.group is not None:
        title = f"{title}: {words['group_n'] % {'group': printable(context.group)}}"
    return title
