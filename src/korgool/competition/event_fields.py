"""The rounds, standings and players of an event as data: what `korgool event … --json` prints and the server answers.

Points are decimal numbers, and players are identified by their pairing numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from korgool.competition.csv_export import competitor
from korgool.competition.event_state import EventState
from korgool.competition.model import PairedGame, Player, Round, Row
from korgool.competition.prizes import PrizeList
from korgool.competition.ratings import RatingChange
from korgool.competition.result import Result
from korgool.competition.round_history import competitors
from korgool.competition.standings import rank

_PRESET = {"progress": "PS", "buchholz": "BH", "direct": "DE", "korgools": "KL"}
"""The fields of every line of the standings, whatever the order of the event."""


def points(half_points: int) -> float:
    """Half points as a decimal."""
    return half_points / 2


def result_fields(result: Result | None) -> dict[str, Any]:
    """A result as data: `result` is `1-0`, `0-1`, `1/2-1/2`, `0-0` or null."""
    if result is None:
        return {"result": None, "result_text": None, "cause": None, "points": None, "stores": None}
    words = {(2, 0): "1-0", (0, 2): "0-1", (1, 1): "1/2-1/2", (0, 0): "0-0"}
    fields: dict[str, Any] = {
        "result": words.get((result.white, result.black)),
        "result_text": result.text,
        "cause": result.cause,
        "points": {"white": points(result.white), "black": points(result.black)},
        "stores": None if result.stores is None else {"white": result.stores[0], "black": result.stores[1]},
    }
    if result.set_score is not None:
        fields["set_score"] = {"white": points(result.set_score[0]), "black": points(result.set_score[1])}
        fields["sets"] = [result_fields(Result(one.white, one.black, one.stores, one.cause)) for one in result.sets]
    return fields


def board_fields(state: EventState, number: int, game: PairedGame) -> dict[str, Any]:
    """A board of a round as data: numbers and names of both players, and the result."""
    fields: dict[str, Any] = {"round": number, "board": game.board}
    for side, id_ in (("white", game.white), ("black", game.black)):
        fields |= {side: state.players[id_].number if id_ else None}
        fields |= {f"{side}_name": state.players[id_].name if id_ else None}
    match = next((match for match in state.round(number).matches if game.board in match.boards), None)
    if match is not None:
        home, away = state.teams[match.home], state.teams[match.away]
        fields |= {"table": match.table, "home": home.name, "away": away.name}
    fields |= {"bye": None, **result_fields(game.result)}
    if game.special:
        fields["special"] = True
    return fields


def round_fields(state: EventState, one: Round) -> list[dict[str, Any]]:
    """The boards of a round, then its byes; a bye has the player or the team as White."""
    fields = [board_fields(state, one.number, game) for game in one.games]
    met = competitors(state, rounds=one.number) if one.byes else {}
    for bye in one.byes:
        number, name = competitor(state, bye.player)
        given = points(met[bye.player][one.number - 1].points)
        fields.append(
            {"round": one.number, "board": None, "white": number, "white_name": name, "black": None}
            | {"black_name": None, "bye": bye.kind.value, **result_fields(None), "points": {"white": given}}
        )
    return fields


def player_fields(player: Player) -> dict[str, Any]:
    """A player as data; points are decimals."""
    entry = player.entry
    return {
        "id": player.id,
        "number": player.number,
        "name": player.name,
        "sex": entry.sex or None,
        "born": entry.born or None,
        "title": entry.title or None,
        "rating": entry.rating or None,
        "external": entry.external or None,
        "federation": entry.federation or None,
        "club": entry.club or None,
        "team": entry.team or None,
        "groups": list(entry.groups),
        "short": entry.short or None,
        "consent": None if entry.consent is None else asdict(entry.consent),
        "removed": entry.removed,
        "status": "excluded" if player.excluded else "withdrawn" if player.until is not None else "plays",
        "since": player.since,
        "absences": [{"round": one.round, "bye": one.kind.value} for one in player.absences],
        "warnings": len(player.warnings),
        "penalty": points(player.penalty),
    }


def standings_fields(
    state: EventState, *, rounds: int | None = None, tiebreaks: Sequence[str] | None = None, group: str | None = None,
    players: bool = False,
) -> list[dict[str, Any]]:  # fmt: skip
    """The standings as data: a line for each competitor, points as decimals, and every tie-break under its code."""
    asked: dict[str, Any] = {"rounds": rounds, "group": group, "players": players}
    found = rank(state, tiebreaks=tiebreaks, **asked)
    codes = [one.code for one in found.tiebreaks]
    more = [code for code in _PRESET.values() if code not in codes]
    others: dict[int, Row] = {}
    if more:
        others = {row.competitor: row for row in rank(state, tiebreaks=more, **asked).rows()}
    lines = []
    for row in found.rows():
        number, name = named_competitor(state, row.competitor, players)
        values = dict(zip(codes, row.values, strict=True))
        known = values | (dict(zip(more, others[row.competitor].values, strict=True)) if more else {})
        lines.append(
            {"rank": row.rank, "number": number, "name": name, "points": points(row.points)}
            | {field: known[code] for field, code in _PRESET.items()}
            | {"tiebreaks": values}
        )
    return lines


def named_competitor(state: EventState, id_: int, players: bool) -> tuple[int, str]:
    """Pairing number and name of a competitor; with `players` always of a player."""
    if players:
        return state.players[id_].number, state.players[id_].name
    return competitor(state, id_)


def prize_fields(state: EventState, found: PrizeList) -> list[dict[str, Any]]:
    """The prizes as data: a line for each award, amounts in the currency; a team has no number."""
    unit = 10**found.fund.digits

    def money(amount: int) -> float:
        return amount / unit if found.fund.digits else amount

    lines = []
    for award in found.awards:
        player = state.players[award.winner] if isinstance(award.winner, int) else None
        lines.append(
            {
                "category": award.category,
                "rank": award.rank,
                "place": award.place,
                "number": player.number if player else None,
                "name": player.name if player else award.winner,
                "prize": award.thing or found.fund.amount_text(award.amount),
                "amount": money(award.amount),
                "currency": found.fund.currency if award.amount else "",
                "thing": award.thing,
                "pool": money(award.pool),
                "among": award.among,
                "passed": award.passed,
                "final": found.final,
            }
        )
    return lines


def rating_fields(state: EventState, changes: Sequence[RatingChange]) -> list[dict[str, Any]]:
    """Changes of ratings as data: a line for each player; `rating`, `change` and `after` are null where there is
    none."""
    return [
        {
            "number": state.players[one.player].number,
            "name": state.players[one.player].name,
            "rating": round(one.rating, 2) or None,
            "games": one.games,
            "score": points(one.score),
            "change": round(one.change, 2) if one.rating else None,
            "after": round(one.after, 2) or None,
        }
        for one in changes
    ]
