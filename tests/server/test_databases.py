"""Databases that earlier releases have left: they open, their games are as they were, and go on.

`databases/REVISION.sql` is what SQLite's `.dump` says of a database that a server of that revision of the tables wrote
over HTTP, ended by a kill; `REVISION.json` is how that server told its games, and the cookies of the two visitors.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine

from korgool.app.server.settings import ServerSettings
from korgool.app.server.storage import database as storage
from korgool.app.server.storage.database import KNOWN
from korgool.engine.review import expected_differences

from .support import Json, Server, Visitor, check_stream, postgresql_database, replayed, running

FOLDER = Path(__file__).parent / "databases"
REVISIONS = sorted(path.stem for path in FOLDER.glob("*.sql"))


@pytest.fixture(params=REVISIONS, scope="module")
def facts(request: pytest.FixtureRequest) -> Json:
    found: Json = json.loads((FOLDER / f"{request.param}.json").read_text(encoding="utf-8"))
    return found | {"revision": request.param}


@pytest.fixture(params=["sqlite", "postgresql"], scope="module")
def old(request: pytest.FixtureRequest, facts: Json, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of today on the database of then."""
    folder = tmp_path_factory.mktemp("data")
    dump = (FOLDER / f"{facts['revision']}.sql").read_text(encoding="utf-8")
    if request.param == "sqlite":
        with sqlite3.connect(folder / "korgool.sqlite") as database:
            database.executescript(dump)
        database.close()
        with running(folder) as server:
            yield server
        return
    with postgresql_database() as url:
        fill(url, facts["revision"], dump)
        with running(folder, url) as server:
            yield server


def fill(url: str, revision: str, dump: str) -> None:
    """The rows of the dump in PostgreSQL, in the tables as that revision made them."""
    config = Config()
    config.set_main_option("script_location", str(Path(storage.__file__).parent / "migrations"))
    engine = create_engine(ServerSettings(database=url).url())
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        rows = [line for line in dump.splitlines() if line.startswith("INSERT") and '"alembic_version"' not in line]
        for row in sorted(rows, key=lambda row: not row.startswith('INSERT INTO "games"')):
            connection.exec_driver_sql(row.replace("%", "%%"))
    engine.dispose()


def visitor(server: Server, facts: Json, game: Json) -> Visitor:
    """The one whose game it is, with the cookie of then and none of today."""
    found = Visitor(server)
    found.client.cookies.clear()
    found.client.cookies.set(facts["cookie"], facts["visitors"][game["visitor"]], domain="127.0.0.1")
    found.client.get("/").raise_for_status()
    return found


def told(state: Json, game: Json) -> dict[str, Any]:
    """What the facts say of a game, of a state."""
    outcome = state["outcome"] or {}
    return {
        "visitor": game["visitor"],
        **{name: state[name] for name in ("id", "you", "version", "position", "movetext", "rematch")},
        **{name: outcome.get(name) for name in ("result_text", "termination")},
    }


def test_every_earlier_revision_has_its_database() -> None:
    assert set(KNOWN[:-1]) <= set(REVISIONS) <= set(KNOWN)


def test_games_are_as_they_were_and_go_on(old: Server, facts: Json) -> None:
    for title, game in facts["games"].items():
        owner, address = visitor(old, facts, game), game["id"]
        with owner.live(address, 0) as live:
            events = live.until(game["version"])
            check_stream(events)
            # The events of the past do not know the rematch; the running engine may have moved on meanwhile.
            then = events[-1]["state"] | {"rematch": owner.state(address)["rematch"]}
            assert told(then, game) == game, title
            if game["result_text"] is None:
                go_on(owner, address)
        assert owner.client.get(f"/games/{address}").status_code == 200
        assert game["movetext"].split()[1] in owner.client.get(f"/games/{address}/record/pgn").text


def go_on(owner: Visitor, address: str) -> None:
    """Two moves of the visitor and the engine's replies, a take-back, and the end."""
    for _ in range(2):
        state = your_turn(owner, address)
        owner.send(address, "move", hole=state["legal"][0], version=state["version"]).raise_for_status()
    state = your_turn(owner, address)
    owner.send(address, "undo", version=state["version"]).raise_for_status()
    ended = owner.send(address, "resign", version=state["version"] + 1)
    assert ended.json()["state"]["outcome"]["termination"] == "resignation", ended.text


def your_turn(owner: Visitor, address: str) -> Json:
    late = time.monotonic() + 60
    while not (state := owner.state(address))["legal"]:
        assert time.monotonic() < late
        time.sleep(0.02)
    return state


def test_rematches_and_evaluations_are_kept(old: Server, facts: Json) -> None:
    game = facts["games"]["resigned, with a rematch"]
    owner = visitor(old, facts, game)
    assert owner.send(game["id"], "rematch").json() == {"id": game["rematch"]}
    dump = (FOLDER / f"{facts['revision']}.sql").read_text(encoding="utf-8")
    with sqlite3.connect(":memory:") as kept:
        kept.executescript(dump)
        rows = kept.execute("SELECT game_id, payload FROM evaluations").fetchall()
    kept.close()
    assert len(rows) == 2
    for address, payload in rows:
        found = owner.client.get(f"/api/games/{address}/evaluations").json()
        assert [one["ply"] for one in found] == [one["ply"] for one in json.loads(payload)]
        told = expected_differences(replayed(owner.state(address)), [one["evaluation"] for one in json.loads(payload)])
        assert [one["evaluation"] for one in found] == [round(one, 2) for one in told]


def test_the_first_page_lists_a_visitors_games(old: Server, facts: Json) -> None:
    for name in facts["visitors"]:
        games = [game for game in facts["games"].values() if game["visitor"] == name]
        page = visitor(old, facts, games[0]).client.get("/").text
        assert all(f"/games/{game['id']}" in page for game in games)
