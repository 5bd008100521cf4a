"""Public view of an event: every name as `shown_name` has it, and nothing that only officials may know."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from korgool.competition.event_state import EventState
from korgool.competition.model import Entry, Player, Round
from korgool.competition.privacy import shown_name, shown_photo
from korgool.competition.storage.sealing import nameless


def public_event(state: EventState) -> EventState:
    """The event as the public may see it: whatever is made from it shows nothing else.

    Years of birth stay in place, because groups such as U16 follow from them; pages show them only where the
    regulations say so. Numbers at a federation are left out, and so are the reasons for warnings and penalties and
    the log. Where a player's whole name is not public, records of games have neither names of their own nor comments.
    """
    players = {
        id_: replace(one, entry=_public(one), photo=shown_photo(state, one)) for id_, one in state.players.items()
    }
    return replace(
        state,
        players=MappingProxyType({id_: _without_reasons(one) for id_, one in players.items()}),
        rounds=state.rounds if all(map(_whole, state.players.values())) else tuple(map(_nameless, state.rounds)),
        forms=MappingProxyType({}),
        done=(),
    )


def _public(player: Player) -> Entry:
    entry, name, whole = player.entry, shown_name(player), _whole(player)
    return replace(
        entry,
        family=entry.family if whole else name,
        given=entry.given if whole else "",
        patronymic=entry.patronymic if whole else "",
        external="",
        short="",
        consent=None,
        removed=False,
    )


def _whole(player: Player) -> bool:
    """Return whether the whole name of a player is public."""
    return shown_name(player) == player.entry.name


def _nameless(one: Round) -> Round:
    return replace(one, games=tuple(replace(game, records=nameless(game.records)) for game in one.games))


def _without_reasons(player: Player) -> Player:
    return replace(
        player,
        warnings=tuple(replace(one, reason="") for one in player.warnings),
        penalties=tuple(replace(one, reason="") for one in player.penalties),
    )
