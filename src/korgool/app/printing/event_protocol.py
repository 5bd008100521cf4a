"""The protocol of an event: organiser, officials, penalties, results (WNG-TK §IX, §XII, §XIV)."""

from __future__ import annotations

from collections.abc import Sequence

from korgool.app.printing.event_lists import results_by_round, sentence
from korgool.app.printing.event_tables import standings, team_standings
from korgool.app.printing.paper_context import Block, PaperContext, by_number
from korgool.app.printing.table_layout import Column, Row, table
from korgool.app.words.event_texts import half
from korgool.app.words.tiebreaks import tiebreak_name
from korgool.competition.log.people_actions import AUTOMATIC_REASONS
from korgool.competition.model import Official, Role


def protocol(context: PaperContext) -> list[Block]:
    """All parts of the protocol; an empty part says so."""
    words = context.words
    blocks: list[Block] = [
        {"kind": "fields", "items": _about(context)},
        *_part(words["officials"], _officials(context)),
    ]
    if any(official.excluded for official in context.state.officials.values()):
        blocks += _part(words["excluded_officials"], _excluded(context))
    blocks += _part(words["warnings"], _warnings(context))
    blocks += _part(words["penalties"], _penalties(context))
    blocks += _part(words["left"], _left(context))
    if any(form.state in ("lost", "spoiled") for form in context.state.forms.values()):
        blocks += _part(words["forms"], _forms(context))
    if context.played:
        blocks += _part(words["title final_standings" if _over(context) else "title standings"], standings(context))
        if not context.teams and context.state.event.team_best:
            blocks += _part(words["title team_standings"], team_standings(context))
        for number in range(1, context.played + 1):
            text = f"{words['title results']}, {words['round_n'] % {'round': number}}"
            if context.state.round(number).manual:
                text += f" ({words['manual']})"
            blocks += _part(text, results_by_round(context, number))
    blocks.append({"kind": "signatures", "items": signatures(context)})
    return blocks


def _over(context: PaperContext) -> bool:
    return context.state.over and context.played == len(context.state.rounds)


def _part(title: str, blocks: Sequence[Block]) -> list[Block]:
    return [{"kind": "heading", "text": title}, *blocks]


def _about(context: PaperContext) -> list[list[str]]:
    event, words = context.state.event, context.words
    control = str(event.time_control())
    codes = ", ".join(
        f"{code} {tiebreak_name(code, context.language, teams=context.teams)}" for code in event.tiebreaks
    )
    items = [
        [words["game"], words[f"game {event.game}"]],
        [words["system"], words[f"system {event.system}"]],
        [words["place"], context.cell(event.place)],
        [words["dates"], context.dates],
        [words["organiser"], context.cell(event.organiser)],
        [words["federation"], context.cell(event.federation)],
        [words["control"], control],
        [words["sets"], str(event.sets) if event.sets > 1 else ""],
        [words["teams"], str(len(context.state.teams)) if context.teams else ""],
        [words["players"], str(len(context.state.players))],
        [words["rounds"], str(event.rounds)],
        [words["rounds_played"], str(context.played)],
        [words["tiebreaks"], codes],
    ]
    return [item for item in items if item[1]]


def _none(context: PaperContext) -> list[Block]:
    return [{"kind": "text", "text": context.words["none"]}]


def _officials(context: PaperContext) -> list[Block]:
    words = context.words
    columns = [
        Column(words["office"], flex=9),
        Column(words["name"], flex=15, bold=True),
        Column(words["category"], flex=6, optional=True),
        Column(words["federation"], flex=6, optional=True),
    ]
    rows: list[Row] = [
        [
            words[f"role {official.role}"],
            context.cell(official.name),
            context.cell(official.category),
            context.cell(official.federation),
        ]
        for official in _in_office(context)
    ]
    return [table(columns, rows)] if rows else _none(context)


def _in_office(context: PaperContext) -> list[Official]:
    order = list(Role)
    serving = [official for official in context.state.officials.values() if not official.excluded]
    return sorted(serving, key=lambda official: (order.index(official.role), official.id))


def _excluded(context: PaperContext) -> list[Block]:
    words = context.words
    columns = [
        Column(words["name"], flex=15, bold=True),
        Column(words["office"], flex=9),
        Column(words["reason"], flex=7),
    ]
    rows: list[Row] = [
        [context.cell(official.name), words[f"role {official.role}"], context.cell(official.excluded)]
        for official in context.state.officials.values()
        if official.excluded
    ]
    return [table(columns, rows)]


def _warnings(context: PaperContext) -> list[Block]:
    words = context.words
    columns = [
        Column("№", "right"),
        Column(words["player"], flex=15, bold=True),
        Column(words["warnings"], "center"),
        Column(words["round"], "center"),
        Column(words["reason"], flex=7),
    ]
    rows: list[Row] = [
        [str(player.number), context.player(player.id), str(at), str(warning.round), context.cell(warning.reason)]
        for player in by_number(context.state)
        for at, warning in enumerate(player.warnings, 1)
    ]
    return [table(columns, rows)] if rows else _none(context)


def _penalties(context: PaperContext) -> list[Block]:
    words = context.words
    columns = [
        Column("№", "right"),
        Column(words["player"], flex=15, bold=True),
        Column(words["round"], "center"),
        Column(words["points"], "right", bold=True),
        Column(words["reason"], flex=7),
    ]
    rows: list[Row] = [
        [
            str(player.number),
            context.player(player.id),
            str(penalty.round),
            half(-penalty.half_points),
            _reason(context, penalty.reason),
        ]
        for player in by_number(context.state)
        for penalty in player.penalties
    ]
    return [table(columns, rows)] if rows else _none(context)


def _reason(context: PaperContext, reason: str) -> str:
    """A reason as it was entered; those that the program gives are translated."""
    return context.words[AUTOMATIC_REASONS[reason]] if reason in AUTOMATIC_REASONS else context.cell(reason)


def _left(context: PaperContext) -> list[Block]:
    words = context.words
    columns = [
        Column("№", "right"),
        Column(words["player"], flex=15, bold=True),
        Column(words["kind"]),
        Column(words["last_round"], "right"),
    ]
    rows: list[Row] = [
        [
            str(player.number),
            context.player(player.id),
            words["excluded" if player.excluded else "withdrawn"],
            str(player.until) if player.until else "–",
        ]
        for player in by_number(context.state)
        if player.excluded or player.until is not None
    ]
    return [table(columns, rows)] if rows else _none(context)


def _forms(context: PaperContext) -> list[Block]:
    words = context.words
    columns = [
        Column(words["round"], "center"),
        Column(words["board"], "right"),
        Column(words["borrower"], flex=7, bold=True),
        Column(words["kind"]),
    ]
    rows: list[Row] = [
        [str(form.round), str(form.board), context.cell(form.borrower), words[form.state]]
        for form in context.state.forms.values()
        if form.state in ("lost", "spoiled")
    ]
    return [table(columns, rows)]


def signatures(context: PaperContext) -> list[list[str]]:
    """The signatures of the chief referee and the chief secretary, with their names if they are appointed."""
    named = {official.role: official for official in reversed(_in_office(context))}
    items = []
    for role in (Role.CHIEF_REFEREE, Role.CHIEF_SECRETARY):
        official = named.get(role)
        name = "" if official is None else ", ".join(filter(None, (official.name, official.category)))
        items.append([sentence(context.words[f"role {role}"]), context.cell(name)])
    return items
