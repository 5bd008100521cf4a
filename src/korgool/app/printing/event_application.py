"""The nominal application (WNG-TK §XIII), blank or filled. It is the only paper with personal data."""

from __future__ import annotations

from collections.abc import Sequence

from korgool.app.printing.event_layout import Column, Row, table
from korgool.app.printing.event_values import Block, Making
from korgool.app.words.event_texts import collation
from korgool.competition.errors import CompetitionError
from korgool.competition.model import Personal, Player

_BLANK = {"a4": 9, "a5": 5}
"""The rows of a blank application: as many as fit on a page with the signatures."""


def application(making: Making) -> list[Block]:
    """One application for every team, or for every federation if there are no teams; blank without personal data.

    The columns for personal data are those the organiser asks for, or all if the settings name none.
    """
    if making.personal is None:
        return _application(making, "", [], {})
    unknown = set(making.personal) - set(making.state.players)
    if unknown:
        raise CompetitionError(f"there is personal data for players that are not entered: {sorted(unknown)}")
    groups: dict[str, list[Player]] = {}
    for id_ in making.personal:
        player = making.state.players[id_]
        entry = player.entry
        groups.setdefault(entry.team or entry.federation or entry.club, []).append(player)
    blocks: list[Block] = []
    for name in sorted(groups, key=lambda one: collation(one, making.language)):
        players = sorted(groups[name], key=lambda one: (one.entry.board or 99, collation(one.name, making.language)))
        if blocks:
            blocks.append({"kind": "break"})
        blocks += _application(making, name, players, dict(making.personal))
    return blocks or _application(making, "", [], {})


def _application(making: Making, team: str, players: Sequence[Player], personal: dict[int, Personal]) -> list[Block]:
    words, event = making.words, making.state.event
    asked = event.personal or ("born", "passport", "coaches", "doctor")
    columns = [
        Column("№", "right"),
        Column(words["family"], flex=7, least=6.0, bold=True),
        Column(words["given"], flex=7, least=6.0),
        Column(words["born"], "center") if "born" in asked else None,
        Column(words["grade"], flex=7, least=6.0),
        Column(words["rating"], "right"),
        Column(words["passport"], flex=7, least=6.0) if "passport" in asked else None,
        Column(words["coaches"], flex=7, least=6.0) if "coaches" in asked else None,
        Column(words["doctor"], flex=7, least=6.0) if "doctor" in asked else None,
    ]
    kept = [at for at, column in enumerate(columns) if column is not None]
    rows: list[Row] = []
    for at, player in enumerate(players, 1):
        entry, data = player.entry, personal[player.id]
        cells = [
            str(at),
            making.cell(player.name if entry.removed else entry.family),
            making.cell(" ".join(filter(None, (entry.given, entry.patronymic)))),
            making.cell(data.born),
            making.cell(entry.title),
            str(entry.rating or ""),
            making.cell(" ".join(filter(None, (data.passport_series, data.passport_number)))),
            making.cell("; ".join(data.coaches)),
            making.cell(data.doctor),
        ]
        rows.append([cells[place] for place in kept])
    for at in range(len(players), _BLANK[making.paper] if not players else len(players)):
        rows.append([str(at + 1)] + [""] * (len(kept) - 1))
    blocks: list[Block] = [
        {
            "kind": "fields",
            "items": [
                [words["application_to"], making.cell(event.name)],
                [words["team"], making.cell(team)],
                [words["place"], making.cell(event.place)],
                [words["dates"], making.dates],
            ],
        },
        table([column for column in columns if column is not None], rows, tall=2.2),
        {"kind": "text", "text": words["admitted"]},
        {
            "kind": "signatures",
            "items": [
                [words["doctor_signature"], ""],
                [words["representative"], ""],
                [words["head_signature"], ""],
                [words["date"], ""],
            ],
        },
    ]
    if players:
        blocks.append({"kind": "note", "text": words["confidential"]})
    return blocks
