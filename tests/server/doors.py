"""Every door of the server, read from its own routes, and whom each of them is for."""

from __future__ import annotations

import re
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path

from litestar.routes import HTTPRoute, WebSocketRoute

from korgool.app.server.application import create_app
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.storage.schema import metadata

LIVE = "LIVE"
"""The method of a door that is a WebSocket."""


class For(Enum):
    """Whom a door is for that is not only looked through."""

    PLAYERS = "the players of the game in its address"
    INVITED = "who made the challenge in its address, or may take it"
    SENDER = "whoever sends it, and for nobody else"
    MEMBERS = "somebody with an account, for themselves"
    HOLDER = "whoever holds the token in its address"
    ANYBODY = "anybody, but for pages of other sites"


FOR = {
    "LIVE /api/games/{game_id}/live": For.PLAYERS,
    "POST /api/games/{game_id}/{command}": For.PLAYERS,
    "POST /games/{game_id}/{command}": For.PLAYERS,
    "POST /api/challenges/{challenge_id}/accept": For.INVITED,
    "POST /api/challenges/{challenge_id}/decline": For.INVITED,
    "DELETE /api/challenges/{challenge_id}": For.INVITED,
    "POST /c/{challenge_id}/{command}": For.INVITED,
    "POST /api/challenges": For.SENDER,
    "POST /challenges": For.SENDER,
    "POST /games": For.SENDER,
    "POST /api/vacation": For.SENDER,
    "DELETE /api/vacation": For.SENDER,
    "POST /vacation": For.SENDER,
    "POST /vacation/end": For.SENDER,
    "POST /api/push": For.SENDER,
    "DELETE /api/push": For.SENDER,
    "POST /mail": For.SENDER,
    "POST /language": For.SENDER,
    "POST /seat": For.SENDER,
    "POST /seat/{token}": For.HOLDER,
    "POST /mail/confirm/{token}": For.HOLDER,
    "POST /mail/stop/{token}": For.HOLDER,
    "POST /api/guests": For.ANYBODY,
    "POST /api/account": For.ANYBODY,
    "POST /api/account/session": For.ANYBODY,
    "POST /api/account/recovery": For.ANYBODY,
    "DELETE /api/account/session": For.SENDER,
    "DELETE /api/account/sessions": For.SENDER,
    "DELETE /api/account/sessions/{key_id}": For.SENDER,
    "DELETE /api/account": For.MEMBERS,
    "POST /api/account/proof": For.MEMBERS,
    "PUT /api/account/password": For.MEMBERS,
    "POST /api/account/codes": For.MEMBERS,
    "POST /api/account/tokens": For.MEMBERS,
    "DELETE /api/account/tokens/{key_id}": For.MEMBERS,
    "POST /api/account/bots": For.MEMBERS,
    "POST /api/account/bots/{bot_id}/token": For.MEMBERS,
    "POST /api/account/passkeys/begin": For.MEMBERS,
    "POST /api/account/passkeys": For.MEMBERS,
    "DELETE /api/account/passkeys/{key_id}": For.MEMBERS,
    "POST /api/account/passkey/begin": For.ANYBODY,
    "POST /api/account/passkey": For.ANYBODY,
    "POST /api/account/proof/passkey/begin": For.MEMBERS,
    "POST /api/account/proof/passkey": For.MEMBERS,
    "POST /api/puzzles/answers": For.MEMBERS,
    "POST /api/puzzles/runs": For.MEMBERS,
    "POST /api/account/blocks": For.MEMBERS,
    "DELETE /api/account/blocks/{key_id}": For.MEMBERS,
    "POST /api/games/{game_id}/report": For.PLAYERS,
    "POST /api/account/children": For.MEMBERS,
    "PUT /api/account/children/{key_id}/short": For.MEMBERS,
    "PUT /api/account/children/{key_id}/password": For.MEMBERS,
    "POST /api/account/children/{key_id}/codes": For.MEMBERS,
    "DELETE /api/account/children/{key_id}/sessions": For.SENDER,
    "POST /api/account/children/{key_id}/known": For.MEMBERS,
    "DELETE /api/account/children/{key_id}/known": For.MEMBERS,
    "DELETE /api/account/children/{key_id}": For.MEMBERS,
    "POST /api/account/session/passkey/begin": For.ANYBODY,
    "POST /api/account/session/passkey": For.ANYBODY,
    "POST /sign-up": For.SENDER,
    "POST /sign-up/passkey": For.SENDER,
    "POST /sign-in": For.SENDER,
    "POST /recovery": For.SENDER,
    "POST /wish": For.ANYBODY,
    "POST /sign-out": For.SENDER,
    "POST /account/sessions/end": For.SENDER,
    "POST /account/sessions/{key_id}/end": For.SENDER,
    "POST /account/proof": For.MEMBERS,
    "POST /account/password": For.MEMBERS,
    "POST /account/codes": For.MEMBERS,
    "POST /account/data": For.MEMBERS,
    "POST /account/blocks": For.MEMBERS,
    "POST /account/blocks/{key_id}/end": For.MEMBERS,
    "POST /games/{game_id}/report": For.PLAYERS,
    "POST /games/{game_id}/block": For.MEMBERS,
    "POST /account/tokens": For.MEMBERS,
    "POST /account/tokens/{key_id}/end": For.MEMBERS,
    "POST /account/passkeys/{key_id}/remove": For.MEMBERS,
    "POST /account/children": For.MEMBERS,
    "POST /account/children/{key_id}/short": For.MEMBERS,
    "POST /account/children/{key_id}/password": For.MEMBERS,
    "POST /account/children/{key_id}/codes": For.MEMBERS,
    "POST /account/children/{key_id}/out": For.SENDER,
    "POST /account/children/{key_id}/know": For.MEMBERS,
    "POST /account/children/{key_id}/forget": For.MEMBERS,
    "POST /account/children/{key_id}/delete": For.MEMBERS,
    "POST /account/bots": For.MEMBERS,
    "POST /account/bots/{bot_id}/token": For.MEMBERS,
    "POST /api/events": For.MEMBERS,
    "POST /api/events/file": For.MEMBERS,
    "PUT /api/events/{event_id}": For.MEMBERS,
    "POST /api/events/{event_id}/actions": For.MEMBERS,
    "POST /api/events/{event_id}/helpers": For.MEMBERS,
    "DELETE /api/events/{event_id}/helpers/{helper_id}": For.MEMBERS,
    "POST /api/events/{event_id}/stand-by": For.MEMBERS,
    "POST /api/events/{event_id}/stand-by/strays": For.ANYBODY,
    "DELETE /api/events/{event_id}/stand-by/{machine_id}": For.MEMBERS,
    "POST /api/events/{event_id}/boards/{board}/sheet": For.MEMBERS,
    "POST /api/events/{event_id}/table/{code}/sheet": For.HOLDER,
    "POST /events/{event_id}/table/{code}/sheet/report": For.HOLDER,
    "POST /events/{event_id}/join/{token}": For.ANYBODY,
    "POST /events/join": For.ANYBODY,
    "POST /events/{event_id}/table": For.ANYBODY,
    "POST /events/{event_id}/table/{code}/report": For.HOLDER,
    "POST /events/{event_id}/table/{code}/call": For.HOLDER,
    "POST /events/{event_id}/table/{code}/photo": For.HOLDER,
    "POST /events/{event_id}/desk/act": For.MEMBERS,
    "POST /events/{event_id}/desk/check": For.MEMBERS,
    "POST /events/{event_id}/desk/round/{number}/hands": For.MEMBERS,
    "POST /events/{event_id}/desk/copies": For.MEMBERS,
    "POST /events/{event_id}/desk/helpers": For.MEMBERS,
    "POST /events/{event_id}/desk/helpers/{helper_id}/end": For.MEMBERS,
    "POST /events/{event_id}/desk/papers/text": For.MEMBERS,
    "POST /events/{event_id}/desk/second-machine": For.MEMBERS,
    "POST /events/{event_id}/desk/second-machine/{machine_id}/end": For.MEMBERS,
    "POST /events/{event_id}/desk/second-machine/lines": For.MEMBERS,
    "POST /events/{event_id}/desk/pairing": For.MEMBERS,
    "POST /events/{event_id}/desk/pairing/publish": For.MEMBERS,
    "POST /events/{event_id}/desk/players/{player_id}": For.MEMBERS,
    "POST /events/{event_id}/desk/check-in/groups": For.MEMBERS,
    "POST /events/{event_id}/desk/papers/emblem": For.MEMBERS,
    "POST /events/{event_id}/desk/players/list": For.MEMBERS,
    "POST /events/{event_id}/desk/players/list/enter": For.MEMBERS,
    "POST /events/{event_id}/desk/settings": For.MEMBERS,
    "POST /events/{event_id}/desk/settings/public": For.MEMBERS,
    "POST /events/{event_id}/desk/wall/clock": For.MEMBERS,
    "POST /events/{event_id}/desk/applications/windows": For.MEMBERS,
    "POST /events/{event_id}/desk/applications/decide": For.MEMBERS,
    "POST /events/{event_id}/desk/applications/last": For.MEMBERS,
    "POST /events/{event_id}/enter": For.ANYBODY,
    "POST /events/{event_id}/enter/{token}": For.HOLDER,
    "POST /events/{event_id}/desk/wall/call": For.MEMBERS,
    "POST /events/{event_id}/desk/settings/forget": For.MEMBERS,
    "POST /events/new": For.MEMBERS,
    "POST /events/upload": For.MEMBERS,
    "POST /events/follow": For.MEMBERS,
    "POST /events/unfollow": For.MEMBERS,
    "POST /api/events/follow": For.MEMBERS,
    "POST /events/{event_id}/desk/round/{number}/results": For.MEMBERS,
    "POST /api/mistakes": For.MEMBERS,
    "POST /classes": For.MEMBERS,
    "POST /classes/{class_id}/act": For.MEMBERS,
    "POST /class": For.SENDER,
    "POST /class/{class_id}/answer": For.SENDER,
    "POST /class/{class_id}/leave": For.SENDER,
    "POST /api/class/{class_id}/results": For.SENDER,
    "POST /mistakes/worst.pdf": For.SENDER,
    "POST /studies/booklet.pdf": For.SENDER,
    "POST /api/studies": For.MEMBERS,
    "PUT /api/studies/{study_id}": For.MEMBERS,
    "DELETE /api/studies/{study_id}": For.MEMBERS,
    "POST /api/studies/{study_id}/chapters": For.MEMBERS,
    "PUT /api/studies/{study_id}/chapters/{number}": For.MEMBERS,
    "DELETE /api/studies/{study_id}/chapters/{number}": For.MEMBERS,
    "POST /api/analysis/line": For.ANYBODY,
    "POST /api/analysis/record": For.ANYBODY,
    "POST /api/analysis/search": For.ANYBODY,
    "POST /api/analysis/move": For.ANYBODY,
    "POST /api/analysis/values": For.ANYBODY,
    "POST /api/analysis/picture": For.ANYBODY,
    "POST /api/analysis/played": For.ANYBODY,
}
"""Everything but what is only looked at; a new door has to be entered here."""


@dataclass(frozen=True, slots=True)
class Door:
    """A method of an address; what stands in braces is to be filled in."""

    method: str
    path: str

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def looks(self) -> bool:
        """Whether it is only looked through."""
        return self.method == "GET"

    def at(self, **places: str) -> str:
        """Its address.

        Raises:
            KeyError: a place in its path is not among these.
        """
        return self.path.format(**places)


@cache
def doors() -> tuple[Door, ...]:
    """All doors of the application. Every GET has a HEAD and an OPTIONS beside it."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for route in create_app(ServerSettings(data=Path(folder))).routes:
            path = re.sub(r":\w+}", "}", route.path)
            if isinstance(route, WebSocketRoute):
                found.append(Door(LIVE, path))
            else:
                assert isinstance(route, HTTPRoute), "an application of its own has doors that nobody sees here"
                found += [Door(str(method), path) for method in sorted(route.methods - {"OPTIONS"})]
    return tuple(found)


def kept(folder: Path) -> dict[str, list[tuple[object, ...]]]:
    """Everything in the database but the sign of life of its owner, and those of players."""
    found = {}
    with closing(sqlite3.connect(folder / "korgool.sqlite", timeout=30)) as database:
        for table in metadata.sorted_tables:
            columns = ", ".join(column.name for column in table.columns if column.name not in {"sign_ms", "beat_ms"})
            found[table.name] = sorted(database.execute(f"SELECT {columns} FROM {table.name}"), key=repr)
    return found
