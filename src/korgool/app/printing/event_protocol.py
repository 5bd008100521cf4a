"""The protocol of an event: organiser, officials, penalties, results (WNG-TK §IX, §XII, §XIV)."""

from __future__ import annotations

from collections.abc import Sequence

from korgool.app.printing.event_layout import Column, Row, table
from korgool.app.printing.event_lists import results_by_round, sentence
from korgool.app.printing.event_tables import standings, team_standings
from korgool.app.printing.event_values import Block, Making, by_number
from korgool.app.words.event_texts import half
from korgool.app.words.tiebreaks import tiebreak_name
from korgool.competition.log.people_actions import AUTOMATIC_REASONS
from korgool.competition.model import Official, Role


def protocol(making: Making) -> list[Block]:
    """All parts of the protocol; an empty part says so."""
    words = making.words
    blocks: list[Block] = [
        {"kind": "fields", "items": _about(making)},
        *_part(words["officials"], _officials(making)),
    ]
    if any(one.excluded for one in making.state.officials.values()):
        blocks += _part(words["excluded_officials"], _excluded(making))
    blocks += _part(words["warnings"], _warnings(making))
    blocks += _part(words["penalties"], _penalties(making))
    blocks += _part(words["left"], _left(making))
    if any(form.state in ("lost", "spoiled") for form in making.state.forms.values()):
        blocks += _part(words["forms"], _forms(making))
    if making.played:
        blocks += _part(words["title final_standings" if _over(making) else "title standings"], standings(making))
        if not making.teams and making.state.event.team_best:
            blocks += _part(words["title team_standings"], team_standings(making))
        for number in range(1, making.played + 1):
            text = f"{words['title results']}, {words['round_n'] % {'round': number}}"
            if making.state.round(number).manual:
                text += f" ({words['manual']})"
            blocks += _part(text, results_by_round(making, number))
    blocks.append({"kind": "signatures", "items": signatures(making)})
    return blocks


def _over(making: Making) -> bool:
    return making.state.over and making.played == len(making.state.rounds)


def _part(title: str, blocks: Sequence[Block]) -> list[Block]:
    return [{"kind": "heading", "text": title}, *blocks]


def _about(making: Making) -> list[list[str]]:
    event, words = making.state.event, making.words
    control = str(event.time_control())
    codes = ", ".join(f"{code} {tiebreak_name(code, making.language, teams=making.teams)}" for code in event.tiebreaks)
    items = [
        [words["game"], words[f"game {event.game}"]],
        [words["system"], words[f"system {event.system}"]],
        [words["place"], making.cell(event.place)],
        [words["dates"], making.dates],
        [words["organiser"], making.cell(event.organiser)],
        [words["federation"], making.cell(event.federation)],
        [words["control"], control],
        [words["sets"], str(event.sets) if event.sets > 1 else ""],
        [words["teams"], str(len(making.state.teams)) if making.teams else ""],
        [words["players"], str(len(making.state.players))],
        [words["rounds"], str(event.rounds)],
        [words["rounds_played"], str(making.played)],
        [words["tiebreaks"], codes],
    ]
    return [item for item in items if item[1]]


def _none(making: Making) -> list[Block]:
    return [{"kind": "text", "text": making.words["none"]}]


def _officials(making: Making) -> list[Block]:
    words = making.words
    columns = [
        Column(words["office"], flex=9),
        Column(words["name"], flex=15, bold=True),
        Column(words["category"], flex=6, optional=True),
        Column(words["federation"], flex=6, optional=True),
    ]
    rows: list[Row] = [
        [words[f"role {one.role}"], making.cell(one.name), making.cell(one.category), making.cell(one.federation)]
        for one in _in_office(making)
    ]
    return [table(columns, rows)] if rows else _none(making)


def _in_office(making: Making) -> list[Official]:
    order = list(Role)
    serving = [one for one in making.state.officials.values() if not one.excluded]
    return sorted(serving, key=lambda one: (order.index(one.role), one.id))


def _excluded(making: Making) -> list[Block]:
    words = making.words
    columns = [
        Column(words["name"], flex=15, bold=True),
        Column(words["office"], flex=9),
        Column(words["reason"], flex=7),
    ]
    rows: list[Row] = [
        [making.cell(one.name), words[f"role {one.role}"], making.cell(one.excluded)]
        for one in making.state.officials.values()
        if one.excluded
    ]
    return [table(columns, rows)]


def _warnings(making: Making) -> list[Block]:
    words = making.words
    columns = [
        Column("№", "right"),
        Column(words["player"], flex=15, bold=True),
        Column(words["warnings"], "center"),
        Column(words["round"], "center"),
        Column(words["reason"], flex=7),
    ]
    rows: list[Row] = [
        [str(one.number), making.player(one.id), str(at), str(given.round), making.cell(given.reason)]
        for one in by_number(making.state)
        for at, given in enumerate(one.warnings, 1)
    ]
    return [table(columns, rows)] if rows else _none(making)


def _penalties(making: Making) -> list[Block]:
    words = making.words
    columns = [
        Column("№", "right"),
        Column(words["player"], flex=15, bold=True),
        Column(words["round"], "center"),
        Column(words["points"], "right", bold=True),
        Column(words["reason"], flex=7),
    ]
    rows: list[Row] = [
        [
            str(one.number),
            making.player(one.id),
            str(taken.round),
            half(-taken.half_points),
            _reason(making, taken.reason),
        ]
        for one in by_number(making.state)
        for taken in one.penalties
    ]
    return [table(columns, rows)] if rows else _none(making)


def _reason(making: Making, reason: str) -> str:
    """A reason as it was entered; those that the program gives are translated."""
    return making.words[AUTOMATIC_REASONS[reason]] if reason in AUTOMATIC_REASONS else making.cell(reason)


def _left(making: Making) -> list[Block]:
    words = making.words
    columns = [
        Column("№", "right"),
        Column(words["player"], flex=15, bold=True),
        Column(words["kind"]),
        Column(words["last_round"], "right"),
    ]
    rows: list[Row] = [
        [
            str(one.number),
            making.player(one.id),
            words["excluded" if one.excluded else "withdrawn"],
            str(one.until) if one.until else "–",
        ]
        for one in by_number(making.state)
        if one.excluded or one.until is not None
    ]
    return [table(columns, rows)] if rows else _none(making)


def _forms(making: Making) -> list[Block]:
    words = making.words
    columns = [
        Column(words["round"], "center"),
        Column(words["board"], "right"),
        Column(words["borrower"], flex=7, bold=True),
        Column(words["kind"]),
    ]
    rows: list[Row] = [
        [str(form.round), str(form.board), making.cell(form.borrower), words[form.state]]
        for form in making.state.forms.values()
        if form.state in ("lost", "spoiled")
    ]
    return [table(columns, rows)]


def signatures(making: Making) -> list[list[str]]:
    """The signatures of the chief referee and the chief secretary, with their names if they are appointed."""
    named = {one.role: one for one in reversed(_in_office(making))}
    found = []
    for role in (Role.CHIEF_REFEREE, Role.CHIEF_SECRETARY):
        one = named.get(role)
        name = "" if one is None else ", ".join(filter(None, (one.name, one.category)))
        found.append([sentence(making.words[f"role {role}"]), making.cell(name)])
    return found
