"""Three officials act on one event at once: nothing is lost, nothing overwritten unseen, and the log replays equal.

Each acts on what they last saw, which may be old, and sends some actions twice, as a browser does that has had no
answer. Afterwards the log is held against what each was told.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

import httpx
import pytest
from sqlalchemy import select

from korgool.app.server.cluster.bus import News
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.events.event_registry import EventRegistry
from korgool.app.server.events.live_event import ActionRefusedError, ConflictError, LiveEvent
from korgool.app.server.storage.database import Storage
from korgool.app.server.storage.event_tables import competition_log
from korgool.app.server.storage.writer import StorageError
from korgool.competition.actions import Dispute, Seed
from korgool.competition.event_state import EventState
from korgool.competition.json_export import facts
from korgool.competition.log.replay import replay
from korgool.competition.log.undo import Part, touched
from korgool.competition.model import Settings, System
from korgool.competition.pairing.gacrux_here import GacruxHere
from korgool.competition.roles import DeskRole, Officer
from tests.competition.third_engine import assert_confirmed
from tests.conftest import SEED
from tests.patience import PATIENCE

from .guests import Guest
from .processes import FORKS, begin
from .support import Json, Server, postgresql_database, run_async

OFFICERS = (
    Officer("a" * 22, "Asel", DeskRole.ORGANISER),
    Officer("b" * 22, "Bakyt", DeskRole.CHIEF),
    Officer("c" * 22, "Cholpon", DeskRole.DEPUTY),
)
STEPS = 12
PLAYERS = 6
FEDERATIONS = ("KGZ", "KAZ", "TUR")
KINDS = (
    Settings(name="Cup", rounds=5, system=System.ROUND_ROBIN),
    Settings(name="Cup", rounds=5),
    Settings(name="Cup", rounds=5, forbid=("federation",)),
    Settings(name="Cup", rounds=3, system=System.TEAM_SWISS, boards=2),
)


@contextmanager
def site(settings: ServerSettings) -> Iterator[EventRegistry]:
    """The events of one process."""
    storage = Storage.open(settings)
    competitions = EventRegistry(storage, News(), engine=GacruxHere())
    try:
        yield competitions
    finally:
        competitions.close()
        storage.close()


@dataclass
class Sent:
    """An action that was acknowledged: from which line it came, and the line that was told."""

    officer: Officer
    id: str
    after: int
    seq: int


@dataclass
class Log:
    """What three officials have been told, and how many of their pairings a third engine has confirmed."""

    sent: list[Sent] = field(default_factory=list)
    refused: set[tuple[str, str]] = field(default_factory=set)
    conflicts: int = 0
    confirmed: int = 0


def wish(state: EventState, chance: Random) -> Json:
    """What an official may want to do who sees this."""
    last = len(state.rounds)
    board, player = chance.randint(1, PLAYERS // 2), chance.choice(sorted(state.players))
    result = chance.choice(["82-60", "60-82", "=", "+-"])
    wishes: list[tuple[int, Json]] = [
        (8, {"do": "result", "round": max(last, 1), "board": board, "result": result}),
        (2, {"do": "correct", "round": chance.randint(1, max(last, 1)), "board": board, "result": result}),
        (1, {"do": "correct", "round": max(last, 1), "board": board, "result": None}),
        (2, {"do": "dispute", "round": max(last, 1), "board": board, "result": result}),
        (1, {"do": "settle", "round": max(last, 1), "board": board}),
        (3, {"do": "pair", "round": last + 1}),
        (1, {"do": "unpair", "round": max(last, 1)}),
        (1, {"do": "warn", "player": player}),
        (1, {"do": "penalise", "player": player, "half_points": chance.choice([1, -1])}),
        (1, {"do": "present", "round": last + 1, "players": [player], "here": chance.random() < 0.7}),
        (1, {"do": "miss", "player": player, "absence": {"round": last + 1, "kind": "H"}}),
        (1, {"do": "appoint", "name": f"R{chance.random()}", "role": "referee"}),
        (1, {"do": "swap", "round": max(last, 1), "players": chance.sample(sorted(state.players), 2)}),
        (1, {"do": "undo", "line": max(2, state.actions - chance.randint(0, 3))}),
        (1, {"do": "publish"}),
    ]
    found = chance.choices([one for _, one in wishes], [weight for weight, _ in wishes])[0]
    return {**found, "reason": "because"}


async def official(officer: Officer, event: LiveEvent, log: Log, chance: Random) -> None:
    seen = await event.fresh()
    for at in range(STEPS):
        if chance.random() < 0.6:
            seen = await event.fresh()
        actions = [{**wish(seen, chance), "id": f"{at}-{part}"} for part in range(chance.choice([1, 1, 1, 2]))]
        names = {(officer.who, str(one["id"])) for one in actions}

        async def send(after: int = seen.actions, actions: list[Json] = actions) -> int:
            while True:
                with suppress(StorageError):  # a process that has stood still writes nothing at first: sent again
                    return await event.act(officer, after, actions)

        times = 2 if chance.random() < 0.3 else 1
        found = await asyncio.gather(*(send() for _ in range(times)), return_exceptions=True)
        seqs = {one for one in found if isinstance(one, int)}
        strange = [one for one in found if not isinstance(one, (int, ActionRefusedError, ConflictError))]
        assert not strange, strange
        log.conflicts += sum(isinstance(one, ConflictError) for one in found)
        if not seqs:
            log.refused |= names
            continue
        assert len(seqs) == 1, "both were told the same"
        log.sent += [Sent(officer, str(one["id"]), seen.actions, *seqs) for one in actions]
        if chance.random() < 0.3:
            await asyncio.sleep(0)


async def begun(competitions: EventRegistry, seed: int) -> LiveEvent:
    """An event with its players."""
    chance = Random(seed)
    settings = replace(chance.choice(KINDS), name=f"Cup {seed}")
    made = await competitions.make(replace(OFFICERS[0], who=f"{seed:022}"), settings)  # one makes 200 events at most
    entries = [{"family": f"P{at}", "rating": 2000 - at, "federation": FEDERATIONS[at // 2]} for at in range(PLAYERS)]
    if settings.system.of_teams:
        entries = [{**entry, "team": entry["federation"]} for entry in entries]
    await made.act(OFFICERS[0], 1, [{"do": "enter", "entry": entry} for entry in entries])
    return made


async def play(competitions: EventRegistry, seed: int) -> Log:
    """Three officials at one process."""
    log, event = Log(), await begun(competitions, seed)
    chances = [Random(seed * 10 + at) for at in range(len(OFFICERS))]
    await asyncio.gather(*(official(one, event, log, chance) for one, chance in zip(OFFICERS, chances, strict=True)))
    await event.fresh(max((one.seq for one in log.sent), default=0))
    check(competitions, event, log)
    return log


def clerk(settings: ServerSettings, number: int, pipe: Connection) -> None:
    """One official at a process of its own: acts at the events that come, and tells what it was told and has seen."""

    async def work() -> None:
        with site(settings) as competitions:
            while (given := await asyncio.to_thread(pipe.recv)) is not None:
                id_, seed = given
                event, log = await competitions.find(id_), Log()
                await official(OFFICERS[number], event, log, Random(seed * 10 + number))
                pipe.send(log)
                await event.fresh(await asyncio.to_thread(pipe.recv))
                pipe.send(facts(event.state))

    run_async(work())


@contextmanager
def clerks(settings: ServerSettings) -> Iterator[list[Connection]]:
    """A process for each official."""
    begin()
    pipes, processes = [], []
    for number in range(len(OFFICERS)):
        here, there = FORKS.Pipe()
        pipes.append(here)
        processes.append(FORKS.Process(target=clerk, args=(settings, number, there)))
        processes[-1].start()
        there.close()
    try:
        yield pipes
    finally:
        for pipe, process in zip(pipes, processes, strict=True):
            with suppress(OSError):
                pipe.send(None)
            process.join(PATIENCE)
            process.kill()


async def play_apart(competitions: EventRegistry, pipes: list[Connection], seed: int) -> Log:
    """Three officials at three processes."""
    log, event = Log(), await begun(competitions, seed)
    for pipe in pipes:
        pipe.send((event.id, seed))
    for pipe in pipes:
        told = await asyncio.to_thread(pipe.recv)
        log.sent += told.sent
        log.refused |= told.refused
        log.conflicts += told.conflicts
    last = max((one.seq for one in log.sent), default=0)
    await event.fresh(last)
    for pipe in pipes:
        pipe.send(last)
        assert await asyncio.to_thread(pipe.recv) == facts(event.state)
    check(competitions, event, log)
    return log


def check(competitions: EventRegistry, event: LiveEvent, log: Log) -> None:
    """Hold the log against what was told."""
    with competitions._storage.engine.begin() as connection:
        query = select(competition_log).where(competition_log.c.competition == event.id)
        rows = connection.execute(query.order_by(competition_log.c.at)).all()
    assert [row.at for row in rows] == list(range(1, len(rows) + 1))
    book = competitions._book(event.id)
    state = book.refresh()
    assert state == event.state == replay(state.done)
    assert book.broken_links() == ()
    log.confirmed += assert_confirmed(state)
    lines: dict[tuple[str, str], list[int]] = {}
    for row in rows:
        if row.command:
            lines.setdefault((row.who, row.command), []).append(row.at)
    follow = {name for name, ats in lines.items() if all(isinstance(state.done[at - 1][0], Dispute) for at in ats)}
    parts: dict[int, frozenset[Part]] = {}
    before = EventState()
    for at in range(1, len(rows) + 1):
        after = replay(state.done[:at])
        parts[at] = frozenset() if isinstance(state.done[at - 1][0], Seed) else touched(before, after)
        before = after
    told: set[tuple[str, str]] = set()
    for one in log.sent:
        name = (one.officer.who, one.id)
        assert name not in told
        told.add(name)
        own = lines.get(name, [])
        if not own:
            continue  # nothing had to be done, as with a result that stands already
        assert own == list(range(own[0], own[-1] + 1)), "once, and together"
        assert own[-1] <= one.seq
        for other in () if name in follow else range(one.after + 1, own[0]):
            if rows[other - 1].who != one.officer.who:
                met = parts[other] & frozenset().union(*(parts[at] for at in own))
                assert not met, f"line {own[0]} has overwritten line {other} unseen: {met}"
    assert not told & log.refused
    assert lines.keys() - follow <= told, "nothing was done that was refused; the log tells what it disputes"


def held(logs: list[Log]) -> None:
    assert sum(len(log.sent) for log in logs) > len(logs) * STEPS // 2
    assert any(log.conflicts for log in logs)
    assert sum(log.confirmed for log in logs) >= len(logs) // 10


def at_one_process(settings: ServerSettings, seeds: range) -> None:
    async def run() -> None:
        with site(settings) as competitions:
            held([await play(competitions, seed) for seed in seeds])

    run_async(run())


def at_three_processes(settings: ServerSettings, seeds: range) -> None:
    async def run() -> None:
        with site(settings) as competitions, clerks(settings) as pipes:
            held([await play_apart(competitions, pipes, seed) for seed in seeds])

    run_async(run())


def test_three_officials_on_sqlite(tmp_path: Path) -> None:
    at_one_process(ServerSettings(data=tmp_path), range(SEED * 10, SEED * 10 + 8))


def test_three_officials_at_three_processes() -> None:
    with postgresql_database() as url:
        at_three_processes(ServerSettings(database=url), range(SEED * 10, SEED * 10 + 5))


@pytest.mark.long
def test_many_interleavings_on_sqlite(tmp_path: Path) -> None:
    at_one_process(ServerSettings(data=tmp_path), range(1000))


@pytest.mark.long
def test_many_interleavings_at_three_processes() -> None:
    with postgresql_database() as url:
        at_three_processes(ServerSettings(database=url), range(1000))


def test_a_server_is_killed_while_officials_act(tmp_path: Path) -> None:
    killed(tmp_path, 2)


@pytest.mark.long
def test_a_server_is_killed_a_hundred_times(tmp_path: Path) -> None:
    killed(tmp_path, 100)


def killed(folder: Path, times: int) -> None:
    """An official enters players as fast as the server takes them; what has no answer is sent again after a kill."""
    chance = Random(SEED)
    server = Server(folder, None, "--limits", "off")
    try:
        maker = Guest(server)
        maker.sign_up("Enduring")
        body = {"label": "events", "scopes": ["event"]}
        token = maker.client.post("/account/tokens", json=body).raise_for_status().json()["token"]
        headers = {"authorization": f"Bearer {token}"}
        with httpx.Client(headers=headers, timeout=PATIENCE) as client:
            made = client.post(f"{server.url}/api/events", json={"name": "Cup", "rounds": 9}).raise_for_status()
            id_, acknowledged, waiting = made.json()["id"], dict[str, int](), list[str]()
            for _ in range(times):
                most = chance.randint(3, 25)
                run_async(act_and_kill(server, headers, id_, acknowledged, waiting, most))
                server = Server(folder, None, "--limits", "off")
                for name in waiting:
                    acknowledged[name] = enter(client, server, id_, name)
                waiting.clear()
            log = client.get(f"{server.url}/api/events/{id_}/log").raise_for_status().json()
            for name, seq in acknowledged.items():  # again: it is known, and the answer is the same
                if seq % 7 == 0:
                    assert enter(client, server, id_, name) == seq
    finally:
        server.stop()
    entered = {line["action"]["entry"]["family"]: line["at"] for line in log["lines"] if line["at"] > 1}
    assert entered == acknowledged
    assert [line["at"] for line in log["lines"]] == list(range(1, len(acknowledged) + 2))
    with site(ServerSettings(data=folder)) as competitions:
        book = competitions._book(id_)
        assert len(book.refresh().players) == len(acknowledged)
        assert book.broken_links() == ()


def body_of(name: str) -> Json:
    return {"after": 1, "actions": [{"do": "enter", "id": name, "entry": {"family": name}}]}


def enter(client: httpx.Client, server: Server, id_: str, name: str) -> int:
    answer = client.post(f"{server.url}/api/events/{id_}/actions", json=body_of(name))
    assert answer.status_code == 200, answer.text
    return int(answer.json()["seq"])


async def act_and_kill(
    server: Server, headers: dict[str, str], id_: str, acknowledged: dict[str, int], waiting: list[str], most: int
) -> None:
    """Three officials enter players; after so many answers the server is killed, with requests on their way."""
    count = len(acknowledged)
    first = count

    async def official(client: httpx.AsyncClient) -> None:
        nonlocal count
        while True:
            count += 1
            name = f"P{count}"
            waiting.append(name)
            try:
                answer = await client.post(f"{server.url}/api/events/{id_}/actions", json=body_of(name))
            except httpx.HTTPError:
                return
            assert answer.status_code == 200, answer.text
            acknowledged[name] = answer.json()["seq"]
            waiting.remove(name)
            if len(acknowledged) == first + most:
                server.kill()

    async with httpx.AsyncClient(headers=headers, timeout=PATIENCE) as client:
        await asyncio.gather(*(official(client) for _ in range(3)))
