"""Databases that earlier releases have left: they open, their games are as they were, and go on.

`databases/REVISION.sql` is what SQLite's `.dump` says of a database that a server of that revision of the tables wrote
over HTTP, ended by a kill; `REVISION.json` is how that server told its games, and the cookies of the two visitors. From
0006 on there are an account, a child's, and an event too, in 0007 an event of another site; the games of 0004 to 0007
are those of 0003, and 0008 to 0014 are 0007 with its tables as they have them.
"""

from __future__ import annotations

import html
import json
import re
import sqlite3
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import httpx
import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine

from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.storage import database as storage
from korgool.app.server.storage.database import KNOWN
from korgool.app.server.storage.event_tables import competitions
from korgool.engine.review import expected_differences
from tests.conftest import SEED
from tests.patience import PATIENCE

from .support import Json, Server, Visitor, agrees, check_stream, first_state, postgresql_database, replayed, running

FOLDER = Path(__file__).parent / "databases"
SLOW = (8, 9)
"""Levels whose engine takes its second for every move, the highest and perfect play."""
REVISIONS = sorted(path.stem for path in FOLDER.glob("*.sql"))


def places() -> Iterator[object]:
    """Every revision in SQLite; in PostgreSQL the oldest, the newest and one between, all in the long run."""
    usual = {REVISIONS[0], REVISIONS[-1], Random(SEED).choice(REVISIONS[1:-1])}
    for revision in REVISIONS:
        yield pytest.param(("sqlite", revision), id=f"sqlite-{revision}")
        marks = [] if revision in usual else [pytest.mark.long]
        yield pytest.param(("postgresql", revision), id=f"postgresql-{revision}", marks=marks)


@pytest.fixture(params=list(places()), scope="module")
def place(request: pytest.FixtureRequest) -> tuple[str, str]:
    """A kind of database, and a revision."""
    found: tuple[str, str] = request.param
    return found


@pytest.fixture(scope="module")
def facts(place: tuple[str, str]) -> Json:
    found: Json = json.loads((FOLDER / f"{place[1]}.json").read_text(encoding="utf-8"))
    return found | {"revision": place[1]}


@pytest.fixture(scope="module")
def old(place: tuple[str, str], facts: Json, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of today on the database of then."""
    folder = tmp_path_factory.mktemp("data")
    dump = (FOLDER / f"{facts['revision']}.sql").read_text(encoding="utf-8")
    if place[0] == "sqlite":
        with sqlite3.connect(folder / "korgool.sqlite") as database:
            database.executescript(dump)
        database.close()
        with running(folder, hasty=True) as server:
            yield server
        return
    with postgresql_database() as url:
        fill(url, facts["revision"], dump)
        with running(folder, url, hasty=True) as server:
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
        connection.exec_driver_sql("DELETE FROM owner" if revision > "0001" else "SELECT 1")
        order = [f'INSERT INTO "{table.name}"' for table in competitions.metadata.sorted_tables]
        for row in sorted(rows, key=lambda row: order.index(row[: row.index('"', 13) + 1])):
            connection.exec_driver_sql(row.replace("%", "%%"))
    engine.dispose()


def visitor(server: Server, facts: Json, game: Json) -> Visitor:
    """The one whose game it is, with the cookie of then and none of today."""
    return returned(server, facts["cookie"], facts["visitors"][game["visitor"]])


@cache
def returned(server: Server, name: str, cookie: str) -> Visitor:
    """Who comes with a cookie of then, once at each server."""
    found = Visitor(server)
    found.client.cookies.clear()
    found.client.cookies.set(name, cookie, domain="127.0.0.1")
    found.client.get("/").raise_for_status()
    return found


def told(state: Json, game: Json) -> Json:
    """What the facts say of a game, of a state; the running clock is compared by itself."""
    outcome = state["outcome"] or {}
    said = {"visitor": game["visitor"], **outcome, **state}
    return {name: said.get(name) for name in game if name not in {"version", "running", "stocks", "opponent"}}


def stocks(state: Json) -> list[int] | None:
    clock = state["clock"]
    return None if clock is None else [clock["white_ms"], clock["black_ms"]]


def test_every_earlier_revision_has_its_database() -> None:
    assert set(KNOWN[:-1]) <= set(REVISIONS) <= set(KNOWN)


def test_accounts_and_events_are_as_they_were_and_go_on(old: Server, facts: Json) -> None:
    """Since revision 0006 there are events."""
    if "event" not in facts:
        return
    event, account = facts["event"], facts["account"]
    somebody = Visitor(old)

    def ask(method: str, path: str, body: Json | None = None) -> httpx.Response:
        return somebody.client.request(method, path, json=body, headers={"x-csrftoken": somebody.token})

    for path, answer in event["public"].items():
        assert somebody.client.get(path).json() == answer, path
    assert ask("GET", f"/api/events/{event['id']}/log").status_code == 403
    words = {"name": account["name"], "password": account["password"]}
    assert ask("POST", "/api/account/session", words).status_code == 201
    log = ask("GET", f"/api/events/{event['id']}/log").json()
    assert (log["seq"], log["lines"]) == (event["seq"], event["log"])
    assert account["child"] in somebody.client.get("/account/children").text
    act = {"after": log["seq"], "actions": [{"do": "publish"}, {"do": "pair", "round": 2}]}
    answer = ask("POST", f"/api/events/{event['id']}/actions", act)
    assert answer.is_success, answer.text
    assert answer.json()["seq"] > log["seq"]


def test_events_of_other_sites_are_shown_as_they_were_copied(old: Server, facts: Json) -> None:
    """Since revision 0007 there are some; the other site of this one does not answer."""
    if "followed" not in facts:
        return
    followed = facts["followed"]
    reader = Visitor(old).client
    assert f"/events/{followed['id']}" in reader.get("/events").text
    page = reader.get(f"/events/{followed['id']}").raise_for_status().text
    assert followed["name"] in page
    assert followed["address"] in page
    public = dict(facts["event"]["public"])
    rows = next(answer for path, answer in public.items() if path.endswith("/standings"))
    assert reader.get(f"/api/events/{followed['id']}/standings").json() == rows


def test_games_are_as_they_were_and_go_on(old: Server, facts: Json) -> None:
    for title, game in facts["games"].items():
        owner, address = visitor(old, facts, game), game["id"]
        began = time.monotonic()
        with owner.live(address) as live:
            state = live.next()["state"]
        then = {name: game[name] for name in told(state, game)}
        if title.startswith("the engine to move"):
            then |= {name: state[name] for name in {"position", "movetext", "can_undo", "stores"} & then.keys()}
            assert state["movetext"].startswith(game["movetext"])
        assert told(state, game) == then, title
        check_clock(state, game, time.monotonic() - began)
        events = check_journal(owner, state)
        assert [event["version"] for event in events] == list(range(1, state["version"] + 1)), title
        if game["result_text"] is None and game.get("opponent") != "person":
            go_on(owner, address, state["level"] in SLOW)
            check_journal(owner, owner.state(address))
        assert owner.client.get(f"/games/{address}").status_code == 200
        assert game["movetext"][:6] in owner.client.get(f"/games/{address}/record/pgn").text


def check_clock(state: Json, game: Json, passed: float) -> None:
    """Nobody is charged for the time since the old server was killed; what it left runs on."""
    if "stocks" not in game or state["movetext"] != game["movetext"]:
        return  # an older fixture; or the engine has moved at once
    if game["stocks"] is None or state["outcome"]:
        assert stocks(state) == game["stocks"], game
        return
    found = stocks(state)
    assert found is not None
    running = game["running"]
    for side, left, was in zip(("white", "black"), found, game["stocks"], strict=True):
        assert was - 60_000 - 1000 * passed <= left <= was if side == running else left == was, game


def check_journal(owner: Visitor, state: Json) -> list[Json]:
    """The events from the first on lead to the state."""
    with owner.live(state["id"], 0) as live:
        events = live.until(state["version"])
    agrees(check_stream(first_state(state), events), state | {"version": events[-1]["version"]})
    return events


def go_on(owner: Visitor, address: str, slow: bool) -> None:
    """Two moves of the visitor and the engine's replies, a take-back, the end, and now and then a rematch.

    An engine that thinks for a second gets one move, and has it taken back while it thinks.
    """
    for _ in range(1 if slow else 2):
        state = your_turn(owner, address)
        if state["outcome"]:
            break
        owner.send(address, "move", hole=state["legal"][0], version=state["version"]).raise_for_status()
    state = owner.state(address) if slow else your_turn(owner, address)
    if state["outcome"] is None:
        back = owner.send(address, "ask-takeback").json()
        assert back["kind"] == "takeback", back
        ended = owner.send(address, "resign").json()
        assert ended["outcome"]["termination"] == "resignation", ended
    if state["clock"] is None or state["game"] != "bestemshe":
        return  # the list of a visitor's games shows no more than twenty
    rematch = owner.send(address, "rematch").json()
    assert rematch["kind"] == "rematch", rematch
    assert owner.state(rematch["game"])["you"] != state["you"]


def your_turn(owner: Visitor, address: str) -> Json:
    late = time.monotonic() + PATIENCE
    while not ((state := owner.state(address))["legal"] or state["outcome"]):
        assert time.monotonic() < late
        time.sleep(0.02)
    return state


def test_rematches_and_evaluations_are_kept(old: Server, facts: Json) -> None:
    game = facts["games"]["resigned, with a rematch"]
    owner = visitor(old, facts, game)
    assert owner.state(game["id"])["rematch"] == game["rematch"]
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
        client = visitor(old, facts, games[0]).client
        first = client.get("/").text
        own = re.search(r'aria-labelledby="own">.*?</section>', first, re.DOTALL)
        assert own is not None
        assert len(re.findall(r'href="/games/\w{12}"', own[0])) >= min(3, len(games))
        assert 'href="/games"' in own[0]
        pages, following = "", "/games"
        while following:
            pages += (page := client.get(following).text)
            older = re.search(r'href="(/games\?[^"]+)" rel="next"', page)
            following = html.unescape(older[1]) if older else ""
        assert all(f"/games/{game['id']}" in pages for game in games)
