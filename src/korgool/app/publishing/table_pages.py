"""Standings, cross table, teams, prizes and the entries."""

from __future__ import annotations

from korgool.app.publishing.page_making import Context, NoPageError, PageMaking
from korgool.app.words.event_texts import collation, half, number_text
from korgool.app.words.prize_words import prize_tables
from korgool.app.words.regulations import regulations
from korgool.app.words.tiebreaks import tiebreak_name
from korgool.competition.errors import said
from korgool.competition.model import Player, Row, System
from korgool.competition.round_history import Meeting, RoundKind
from korgool.competition.standings import Ranking, find_tiebreak, rank
from korgool.languages import translations

ORDERS = ("name", "rating", "federation", "team")
"""The orders of the entries beside that by number."""
_MATRIX = (System.ROUND_ROBIN, System.DOUBLE_ROUND_ROBIN, System.TEAM_ROUND_ROBIN)


def standings_page(making: PageMaking) -> Context:
    """The places with every tie-break."""
    figures = making.figures
    return {
        "rows": _places(making, figures.rows, teams=figures.teams),
        "codes": _codes(making, figures.ranking, teams=figures.teams),
    }


def players_page(making: PageMaking) -> Context:
    """The standings of the players of a team event."""
    figures = making.figures
    return {
        "rows": _places(making, figures.players_rows, teams=False),
        "codes": _codes(making, figures.players_ranking, teams=False),
    }


def group_page(making: PageMaking, text: str) -> Context:
    """The standings of a group, by its number among the groups.

    Raises:
        NoPageError: there is no such group.
    """
    groups = making.figures.groups
    if not (text.isascii() and text.isdecimal() and len(text) < 4 and 1 <= int(text) <= len(groups)):
        raise NoPageError(making.at)
    ranking = rank(making.figures.state, group=groups[int(text) - 1], players=True)
    return {"rows": _places(making, ranking.rows(), teams=False), "codes": _codes(making, ranking, teams=False)}


def _places(making: PageMaking, rows: tuple[Row, ...], *, teams: bool) -> list[Context]:
    found = []
    for row in rows:
        who = making.competitor(row.competitor) if teams else making.player(row.competitor)
        if not making.fits(who["name"], who["number"]):
            continue
        status = "" if teams else making.status(making.figures.state.players[row.competitor])
        values = [number_text(value) for value in row.values]
        found.append({"rank": row.rank, "points": half(row.points), "values": values, "status": status, **who})
    return found


def _codes(making: PageMaking, ranking: Ranking, *, teams: bool) -> list[tuple[str, str]]:
    language = making.circumstances.language
    return [(one.code, tiebreak_name(one.code, language, teams=teams)) for one in ranking.tiebreaks]


def cross_page(making: PageMaking) -> Context:
    """Everybody against everybody; if not all meet, round by round."""
    figures = making.figures
    rows = figures.rows
    matrix = figures.state.event.system in _MATRIX
    numbers = {row.competitor: making.competitor(row.competitor)["number"] for row in rows}
    if matrix:
        columns = list(range(1, len(rows) + 1))
        cells = [_against(making, row.competitor, rows) for row in rows]
    else:
        columns = list(range(1, len(figures.state.rounds) + 1))
        cells = [
            [_cell(one, numbers, teams=figures.teams) for one in figures.matches_of[row.competitor]] for row in rows
        ]
    words = making.words
    signs = [words["sign_forfeit"]] if matrix else [words["sign_cell"], words["sign_forfeit"], words["sign_bye"]]
    if figures.teams:
        signs.append(words["sign_board_points"])
    return {
        "columns": columns,
        "matrix": matrix,
        "rows": [
            {"rank": row.rank, "points": half(row.points), "cells": line, **making.competitor(row.competitor)}
            for row, line in zip(rows, cells, strict=True)
        ],
        "signs": " · ".join(signs),
    }


def _against(making: PageMaking, id_: int, rows: tuple[Row, ...]) -> list[tuple[str, str, str]]:
    met, teams = making.figures.matches_of[id_], making.figures.teams
    found = []
    for row in rows:
        marks = [gained(one, teams=teams) for one in met if one.opponent == row.competitor]
        found.append(("", "", "×" if row.competitor == id_ else " ".join(marks)))
    return found


def _cell(meeting: Meeting, numbers: dict[int, int], *, teams: bool) -> tuple[str, str, str]:
    """Number of the opponent, colour as `w` or `b`, and the mark of a round."""
    if meeting.kind is RoundKind.BYE:
        points = meeting.game_points if teams else meeting.points
        return "", "", f"({half(points)})" if points or meeting.bye != "Z" else "–"
    opponent = str(numbers[meeting.opponent]) if meeting.opponent else ""
    return opponent, "w" if meeting.white else "b", gained(meeting, teams=teams)


def gained(meeting: Meeting, *, teams: bool) -> str:
    """Points of a round: `1`, `½`, `+` and `−` for a forfeit, board points of a team; empty while it is played."""
    if meeting.kind is RoundKind.PENDING:
        return ""
    points = meeting.game_points if teams else meeting.points
    if meeting.kind is RoundKind.FORFEIT and not teams:
        return "+" if points else "−"
    return half(points)


def teams_page(making: PageMaking) -> Context:
    """The teams of an individual event by the points of their players."""
    points = {row.competitor: row.points for row in making.figures.rows}
    valued = [code for code in making.figures.state.event.tiebreaks if find_tiebreak(code).value is not None]
    rows = [
        {
            "rank": one.rank,
            "team": one.team,
            "points": half(one.points),
            "values": [number_text(value) for value in one.values],
            "counted": [{**making.player(id_), "points": half(points[id_])} for id_ in one.counted],
        }
        for one in making.figures.totals
    ]
    language = making.circumstances.language
    return {
        "rows": rows,
        "codes": [(find_tiebreak(code).code, tiebreak_name(code, language)) for code in valued],
    }


def entries_page(making: PageMaking, order: str) -> Context:
    """The players in an order: by number, name, rating, federation or team."""
    language = making.circumstances.language
    everybody = making.figures.by_number

    def name(player: Player) -> tuple[int, ...]:
        return collation(player.entry.name, language)

    if order == "name":
        players = sorted(everybody, key=name)
    elif order == "rating":
        players = sorted(everybody, key=lambda one: (-one.entry.rating, name(one)))
    elif order == "federation":
        players = sorted(everybody, key=lambda one: (one.entry.federation, name(one)))
    elif order == "team":
        players = sorted(everybody, key=lambda one: (collation(one.entry.team, language), name(one)))
    else:
        players = list(everybody)
    rows = [
        {
            **making.player(one.id),
            "rating": one.entry.rating or "",
            "title": one.entry.title,
            "team": one.entry.team,
            "born": one.entry.born if making.years and one.entry.born else "",
            "status": making.status(one),
        }
        for one in players
        if making.fits(one.entry.name, one.number)
    ]
    orders = ["", *(one for one in ORDERS if any(row[one] for row in rows))]
    return {
        "rows": rows,
        "order": order,
        "orders": [(one, making.link(f"entries/{one}" if one else "entries")) for one in orders],
        "columns": [one for one in ("title", "rating", "team", "born") if any(row[one] for row in rows)],
    }


def prizes_page(making: PageMaking) -> Context:
    """Prizes on offer and how they are shared, and the winners by the present standings, with reasons."""
    language, state = making.circumstances.language, making.figures.state
    found = prize_tables(state, translations(language).gettext)
    return {
        "prizes": found,
        "problem": said(found.problem, language),
        "sharing": [one.text for one in regulations(state.event, language) if one.about == "fund"][1:],
    }
