"""Events on the server: acting, conflicts, repetition, roles, and several processes over one database."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import korgool.competition.actions as do
from korgool.app.server.cluster.bus import News
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.events.event_registry import EventRegistry, is_id
from korgool.app.server.events.live_event import ActionRefusedError, ConflictError, LiveEvent
from korgool.app.server.events.stored_book import StaleBookError, StoredBook
from korgool.app.server.storage.database import Storage
from korgool.competition.codec import JsonError, plain
from korgool.competition.errors import CompetitionError
from korgool.competition.log.replay import replay
from korgool.competition.model import Personal, Settings, System
from korgool.competition.pairing.gacrux_here import GacruxHere
from korgool.competition.result import read_result
from korgool.competition.roles import Boards, DeskRole, Officer
from korgool.competition.storage.book import Book
from tests.patience import PATIENCE

from .support import Json, run_async

MAKER = Officer("m" * 22, "Asel", DeskRole.ORGANISER)
CHIEF = Officer("c" * 22, "Bakyt", DeskRole.CHIEF)
SECTOR = Officer("s" * 22, "Cholpon", DeskRole.SECTOR, Boards(1, 2))
SETTINGS = Settings(name="Cup", rounds=3)


@contextmanager
def storage_in(folder: Path) -> Iterator[Storage]:
    storage = Storage.open(ServerSettings(data=folder))
    try:
        yield storage
    finally:
        storage.close()


def on_desk(folder: Path, test: Callable[[EventRegistry], Awaitable[None]]) -> None:
    """Run a test with the events of a site."""

    async def run() -> None:
        with storage_in(folder) as storage:
            competitions = EventRegistry(storage, News(), engine=GacruxHere())
            competitions.open()
            try:
                await test(competitions)
            finally:
                competitions.close()

    run_async(run())


def enter(*families: str) -> list[Json]:
    return [{"do": "enter", "entry": {"family": one, "rating": 2000 - at}} for at, one in enumerate(families)]


def result(board: int, text: str, *, id_: str = "", number: int = 1) -> Json:
    return {"do": "result", "round": number, "board": board, "result": text, "id": id_}


async def begun(competitions: EventRegistry, players: str = "ABCDEFGH") -> LiveEvent:
    """An event with its first round paired."""
    made = await competitions.make(MAKER, SETTINGS)
    seq = await made.act(MAKER, 1, enter(*players))
    await made.act(MAKER, seq, [{"do": "pair", "round": 1, "lot": "a"}])
    return made


def test_an_event_is_made_found_and_read_again(tmp_path: Path) -> None:
    async def make(competitions: EventRegistry) -> None:
        made = await begun(competitions)
        assert is_id(made.id)
        assert await competitions.find(made.id) is made
        ids.append((made.id, made.state))
        assert [one.id for one in await competitions.of(MAKER.who)] == [made.id]
        assert await competitions.public() == []
        for strange in ("abcdefgh", "x", "ABCDEFGH", "../../etc"):
            with pytest.raises(ApiError, match="no such event"):
                await competitions.find(strange)

    async def find(competitions: EventRegistry) -> None:
        id_, state = ids[0]
        found = await competitions.find(id_)
        assert found.state == state
        assert found.seq == state.actions == len(await found.log())
        assert await found.with_book(lambda book: book.broken_links()) == ()
        row = await competitions.listed(id_)
        assert (row.name, row.seq, row.maker) == ("Cup", found.seq, MAKER.who)

    ids: list[tuple[str, object]] = []
    on_desk(tmp_path, make)
    on_desk(tmp_path, find)


def test_an_event_is_listed_without_signs_that_a_database_does_not_take(tmp_path: Path) -> None:
    async def test(competitions: EventRegistry) -> None:
        made = await competitions.make(MAKER, Settings(name="A\0B", rounds=3))
        assert made.state.event.name == "A\0B"
        assert (await competitions.listed(made.id)).name == "AB"

    on_desk(tmp_path, test)


def test_those_who_touch_the_same_are_told_and_others_are_not_disturbed(tmp_path: Path) -> None:
    async def test(competitions: EventRegistry) -> None:
        event = await begun(competitions)
        after = event.seq
        seq = await event.act(CHIEF, after, [result(1, "82-60"), result(2, "+-")])
        with pytest.raises(ConflictError, match="Bakyt has changed this meanwhile") as caught:
            await event.act(MAKER, after, [result(3, "60-82"), result(1, "60-82")])
        told = caught.value
        assert (told.at, told.seq, [line.at for line in told.since]) == (1, seq, [after + 1, after + 2])
        assert told.parts == {("board", 1, 1)}
        assert told.since[0].text == "round 1, board 1: 1 (82) - 0 (60)"
        assert told.disputed
        assert event.seq == seq + 1, "nothing of the batch is done"
        assert event.state.disputes == {(1, 1): (read_result("0 (60) - 1 (82)"),)}, "but nothing that was said is lost"
        assert event.state.round(1).game(3).result is None
        await event.act(MAKER, after, [result(3, "60-82"), result(4, "82-60")])
        with pytest.raises(ConflictError):  # a pairing rests on everything
            await event.act(CHIEF, seq, [{"do": "pair", "round": 2}])
        await event.act(CHIEF, event.seq, [{"do": "pair", "round": 2}])
        assert len(event.state.rounds) == 2
        warned = {"do": "warn", "player": 1, "reason": "talk"}
        seq = event.seq
        await event.act(CHIEF, seq, [warned])
        with pytest.raises(ConflictError):
            await event.act(MAKER, seq, [{"do": "withdraw", "player": 1}])
        await event.act(MAKER, seq, [{"do": "withdraw", "player": 2}])
        await event.act(MAKER, 1, enter("Late"))  # somebody new is nobody else's

    on_desk(tmp_path, test)


def test_an_action_whose_id_is_known_happens_once(tmp_path: Path) -> None:
    async def first(competitions: EventRegistry) -> None:
        event = await begun(competitions)
        after = event.seq
        batch = [result(1, "82-60", id_="x1"), result(2, "82-60", id_="x2")]
        seqs.append(after)
        seqs.append(await event.act(CHIEF, after, batch))
        await event.act(MAKER, event.seq, [{"do": "correct", "round": 1, "board": 1, "result": "=", "reason": "slip"}])
        assert await event.act(CHIEF, after, batch) == seqs[1]
        assert await event.act(MAKER, event.seq, [result(3, "82-60", id_="x1")]) == event.seq  # another's id
        ids.append(event.id)

    async def again(competitions: EventRegistry) -> None:
        event = await competitions.find(ids[0])
        held = event.seq
        assert await event.act(CHIEF, seqs[0], [result(1, "82-60", id_="x1")]) == seqs[1] - 1
        both = [result(2, "82-60", id_="x2"), result(4, "82-60", id_="x3")]
        assert await event.act(CHIEF, held, both) == held + 1

    ids: list[str] = []
    seqs: list[int] = []
    on_desk(tmp_path, first)
    on_desk(tmp_path, again)


def test_what_is_refused_leaves_nothing(tmp_path: Path) -> None:
    async def test(competitions: EventRegistry) -> None:
        event = await begun(competitions)
        held, seq = event.state, event.seq
        for batch, why in (
            ([{"do": "pairs"}], r"actions\[0\].do: one of"),
            ([result(1, "82-60") | {"colour": "red"}], r"actions\[0\].colour: there is no such member"),
            ([result(1, "82-60"), {"do": "warn", "player": "x"}], r"actions\[1\].player: a whole number is needed"),
            ([{"do": "open", "settings": {"name": "x"}}], r"an event is opened when it is made"),
            ([], "a list of actions is needed"),
            (
                [{"do": "enter", "entry": {"family": "A", "rating": math.inf}}],
                r"actions\[0\]\.entry\.rating: a whole number is needed",
            ),
            ([{"do": "publish"}] * 5001, "at most 5,000 actions are done at once, not 5,001"),
            ([result(1, "82-60", id_="a"), result(2, "82-60", id_="a")], "'a' stands there twice"),
            ([{"do": "warn", "player": 1, "reason": "a\0b"}], r"actions\[0\].reason: .*control"),
        ):
            with pytest.raises(JsonError, match=why):
                await event.act(MAKER, seq, batch)
        for batch, why in (
            ([result(1, "82-60"), result(99, "82-60")], r"actions\[1\]: round 1 has no board 99"),
            ([{"do": "warn", "player": 1}], "give the reason"),
            ([{"do": "swap", "round": 1, "players": [1, 99], "reason": "x"}], "no player with the id 99"),
            ([{"do": "seat", "round": 7, "white": 1, "black": 2, "reason": "x"}], "round 7 is not the last"),
            ([{"do": "pair", "round": 3}], "round 2 is the next, not 3"),
            ([{"do": "pair", "round": 2}], "lacks the results"),
            ([{"do": "undo", "line": 1, "reason": "x"}], "the opening of an event"),
        ):
            with pytest.raises(ActionRefusedError, match=why) as told:
                await event.act(MAKER, seq, batch)
            assert told.value.said("ru") != str(told.value), "it is said in every language"
        with pytest.raises(CompetitionError, match=f"1 to {seq}, not {seq + 1}") as caught:
            await event.act(MAKER, seq + 1, [{"do": "publish"}])
        assert caught.value.said("tr").endswith(f"1 ile {seq} arası; {seq + 1} değil")
        assert event.state == held
        assert event.seq == len(await event.log()) == seq
        await event.act(SECTOR, seq, [result(2, "82-60")])
        for batch, why in (
            ([result(3, "82-60")], "this is outside boards 1 to 2"),
            ([{"do": "pair", "round": 2}], "your role does not have this: pair"),
            ([{"do": "undo", "line": 3, "reason": "x"}], "your role does not have this: undo"),
        ):
            with pytest.raises(ActionRefusedError, match=why) as told:
                await event.act(SECTOR, event.seq, batch)
            assert told.value.forbidden
        assert event.seq == seq + 1

    on_desk(tmp_path, test)


def test_nobody_has_a_name_that_cannot_be_seen(tmp_path: Path) -> None:
    """Joiners go from what a program or a form sends too, as from lists, and control characters are refused."""

    async def test(competitions: EventRegistry) -> None:
        event = await begun(competitions)
        entry = {
            "family": " A\u200bsan\u00adov ",
            "given": "Be\u0308k",
            "club": "\u2066Naryn\u2069",
            "groups": ["\u200d", "U16"],
        }
        await event.act(MAKER, event.seq, [{"do": "enter", "entry": entry}])
        player = max(event.state.players.values(), key=lambda one: one.id)
        made = player.entry
        assert (made.name, made.club, made.groups) == ("Asanov, B\xebk", "Naryn", ("U16",))
        await event.act(MAKER, event.seq, [{"do": "amend", "player": player.id, "entry": entry, "reason": "x"}])
        assert event.state.players[player.id].entry == made
        for action in ({"do": "enter"}, {"do": "amend", "player": player.id, "reason": "x"}):
            for family, why in (("\u200b\u200d", "a player needs a family name"), ("A\x1b[2J", "control character")):
                with pytest.raises(ActionRefusedError, match=why):
                    await event.act(MAKER, event.seq, [action | {"entry": {"family": family}}])

    on_desk(tmp_path, test)


def test_every_kind_of_action_is_understood(tmp_path: Path) -> None:
    async def test(competitions: EventRegistry) -> None:
        event = await competitions.make(MAKER, Settings(name="All", rounds=4, personal=("born",)))
        batch: list[Json] = enter(*"ABCDEFG")
        batch += [
            {"do": "enter", "entry": {"family": "H"}, "personal": {"born": "2001-05-31"}},
            {"do": "amend", "player": 8, "entry": {"family": "Hh"}, "personal": {"born": "2001-06-01"}},
            {"do": "change", "settings": plain(Settings(name="All of it", rounds=4, personal=("born",)))},
            {"do": "appoint", "name": "Bakyt", "role": "chief-referee"},
            {"do": "appoint", "name": "Other", "role": "referee"},
            {"do": "dismiss", "official": 2, "reason": "bias"},
            {"do": "miss", "player": 8, "absence": {"round": 1, "kind": "H"}},
            {"do": "attend", "player": 8, "round": 1},
            {"do": "present", "round": 1, "players": [1, 2, 8]},
            {"do": "present", "round": 1, "players": [8], "here": False},
            {"do": "withdraw", "player": 8},
            {"do": "readmit", "player": 8},
            {"do": "team", "team": {"id": 0, "number": 0, "name": "West", "players": [1, 2]}},
            {"do": "penalise", "player": 8, "half_points": 1, "reason": "late"},
            {"do": "pair", "round": 1, "lot": "b"},
            {"do": "unpair", "round": 1, "reason": "one is missing"},
            {"do": "pair", "round": 1, "lot": "b"},
        ]
        await event.act(MAKER, 1, batch)
        assert await event.with_book(lambda book: book.personal(8)) == Personal(born="2001-06-01")
        one, two = event.state.round(1).games[:2]
        await event.act(
            CHIEF,
            event.seq,
            [
                {"do": "swap", "round": 1, "players": [one.white, two.white], "reason": "by hand"},
                result(1, "82-60"),
                {"do": "special", "round": 1, "board": 1},
                {"do": "lend", "round": 1, "board": 1, "borrower": "Press"},
                {"do": "form", "form": 1, "state": "returned"},
                *(result(board, "=") for board in (2, 3, 4)),
                {"do": "correct", "round": 1, "board": 2, "result": "-+", "reason": "slip"},
                {"do": "correct", "round": 1, "board": 3, "result": None, "reason": "still playing"},
                result(3, "1-0 70-60 resignation"),
                {"do": "publish"},
                {"do": "exclude", "player": 8, "reason": "cheating"},
                {"do": "forget", "player": 8},
                {"do": "repair", "round": 2, "games": [[1, 2], [3, 4], [5, 6]], "byes": [[7, "U"]], "reason": "hand"},
            ],
        )
        await event.act(MAKER, event.seq, [{"do": "undo", "line": event.seq, "reason": "slip"}])
        await event.act(MAKER, event.seq, enter("X", "Y"))
        assert await event.with_book(lambda book: book.personal(8)) is None
        assert replay(event.state.done) == event.state
        assert await event.with_book(lambda book: book.broken_links()) == ()

    on_desk(tmp_path, test)


def test_a_forgotten_player_leaves_no_byte_in_the_database(tmp_path: Path) -> None:
    async def test(competitions: EventRegistry) -> None:
        event = await begun(competitions, "ABCDEFG")
        seq = await event.act(CHIEF, event.seq, enter("Ысымова", "Zzyzzxova"))
        player = max(event.state.players) - 1
        why = {"do": "warn", "player": player, "reason": "Ысымова talked"}
        seq = await event.act(CHIEF, seq, [why])
        seq = await event.act(CHIEF, seq, [{"do": "forget", "player": player, "names": True, "reason": "asked"}])
        assert event.state.players[player].entry.removed
        assert "Ысымова" not in repr(event.state.done)
        data = b"".join(one.read_bytes() for one in tmp_path.rglob("*") if one.is_file())
        assert "Ысымова".encode() not in data
        assert b"Zzyzzxova" in data
        assert await event.with_book(lambda book: (book.broken_links(), book.lost_details())) == ((), ())
        line = (await event.log(seq - 1))[0]
        with pytest.raises(ActionRefusedError, match="gone for good"):
            await event.act(CHIEF, seq, [{"do": "undo", "line": line.at, "reason": "sorry"}])

    on_desk(tmp_path, test)


def test_pairing_does_not_keep_others_from_writing(tmp_path: Path) -> None:
    class Slow:
        name = "slow"

        def pair(self, trf: str, number: int, competitors: int) -> tuple[tuple[int, int], ...]:
            entered.set()
            assert free.wait(PATIENCE)
            return GacruxHere().pair(trf, number, competitors)

    async def test() -> None:
        with storage_in(tmp_path) as storage:
            competitions = EventRegistry(storage, News(), engine=Slow())
            event = await competitions.make(MAKER, SETTINGS)
            seq = await event.act(MAKER, 1, enter(*"ABCD"))
            pairing = asyncio.create_task(event.act(MAKER, seq, [{"do": "pair", "round": 1}]))
            await asyncio.to_thread(entered.wait, 30)
            await event.act(CHIEF, seq, [{"do": "appoint", "name": "X", "role": "referee"}])
            free.set()
            await pairing
            assert len(event.state.rounds) == 1
            competitions.close()

    from threading import Event

    entered, free = Event(), Event()
    run_async(test())


def test_who_has_to_meet_a_team_mate_does_and_where_nobody_may_meet_it_is_said_who(tmp_path: Path) -> None:
    async def test(competitions: EventRegistry) -> None:
        made = await competitions.make(MAKER, Settings(name="Cup", rounds=3, forbid=("team", "federation")))
        mates = enter("A", "B", "C", "D")
        for one, team in zip(mates, "NNNO", strict=True):
            one["entry"] |= {"team": team, "federation": "KGZ"}
        seq = await made.act(MAKER, 1, mates)
        seq = await made.act(MAKER, seq, [{"do": "pair", "round": 1, "lot": "a"}])
        assert (await made.log(seq - 1))[0].text.endswith("(of one team or federation allowed to meet)")
        seq = await made.act(MAKER, seq, [result(1, "82-60"), result(2, "82-60")])
        seq = await made.act(MAKER, seq, [{"do": "pair", "round": 2}])
        seq = await made.act(MAKER, seq, [result(1, "82-60", number=2), result(2, "82-60", number=2)])
        game = made.state.round(1).games[0]
        others = set(made.state.players) - {game.white, game.black}
        seq = await made.act(MAKER, seq, [{"do": "withdraw", "player": id_} for id_ in others])
        with pytest.raises(ActionRefusedError, match=r"round 3 has no legal pairing .* may meet nobody any more"):
            await made.act(MAKER, seq, [{"do": "pair", "round": 3}])

    on_desk(tmp_path, test)


def test_who_is_forgotten_is_in_no_byte_of_the_database(tmp_path: Path) -> None:
    async def test(competitions: EventRegistry) -> None:
        event = await competitions.make(MAKER, Settings(name="Cup", rounds=3, personal=("born",)))
        entry = {"family": "Unforgettable", "given": "Nurlan", "rating": 1}
        one = {"do": "enter", "entry": entry, "personal": {"born": "1999-12-31"}}
        await event.act(MAKER, 1, [one, *enter("A", "B", "C")])
        await event.act(MAKER, event.seq, [{"do": "pair", "round": 1}])
        assert any("Unforgettable" in line.text for line in await event.log())
        await event.act(MAKER, event.seq, [{"do": "forget", "player": 1, "names": True}])
        assert "Unforgettable" not in str(event.state) + str(await event.log())
        held = b"".join(path.read_bytes() for path in tmp_path.iterdir())
        assert b"Unforgettable" not in held
        assert b"1999-12-31" not in held
        assert await event.with_book(lambda book: book.broken_links()) == ()
        await event.act(MAKER, event.seq, [result(1, "82-60")])

    on_desk(tmp_path, test)


def test_personal_data_change_for_one_player_of_one_event(tmp_path: Path) -> None:
    async def test(competitions: EventRegistry) -> None:
        events = []
        for name in ("Cup", "Other"):
            event = await competitions.make(MAKER, Settings(name=name, rounds=3, personal=("born",)))
            born = [one | {"personal": {"born": f"200{at}-01-01"}} for at, one in enumerate(enter("A", "B"), 1)]
            await event.act(MAKER, 1, born)
            events.append(event)

        def born_of(book: Book) -> list[str | None]:
            return [None if one is None else one.born for one in map(book.personal, (1, 2))]

        async def held() -> list[list[str | None]]:
            return [await event.with_book(born_of) for event in events]

        amend: Json = {"do": "amend", "player": 1, "entry": {"family": "A"}, "personal": {"born": "1999-01-01"}}
        await events[0].act(MAKER, events[0].seq, [amend])
        assert await held() == [["1999-01-01", "2002-01-01"], ["2001-01-01", "2002-01-01"]]
        await events[0].act(MAKER, events[0].seq, [{"do": "forget", "player": 2, "names": True}])
        assert await held() == [["1999-01-01", None], ["2001-01-01", "2002-01-01"]]
        assert any("entered: B" in line.text for line in await events[1].log())

    on_desk(tmp_path, test)


def test_a_transaction_that_another_process_has_overtaken_writes_nothing(tmp_path: Path) -> None:
    async def test(competitions: EventRegistry) -> None:
        event = await begun(competitions)
        book, seq = event._book, event.seq
        other = StoredBook(book._engine, book._fence, event.id)  # as another process has it
        other.refresh()

        def overtaken() -> None:
            with book.together():
                book.do(do.Withdraw(1), by="Asel")
                other.do(do.Withdraw(2), by="Bakyt")

        with pytest.raises(StaleBookError):
            overtaken()
        lines = await event.log(seq)
        assert [(line.at, line.by, line.action) for line in lines] == [(seq + 1, "Bakyt", do.Withdraw(2))]
        await event.act(MAKER, seq + 1, [{"do": "withdraw", "player": 1}])
        assert [id_ for id_, one in event.state.players.items() if one.until is not None] == [1, 2]

    on_desk(tmp_path, test)


def test_round_robins_need_no_engine(tmp_path: Path) -> None:
    async def test(competitions: EventRegistry) -> None:
        event = await competitions.make(MAKER, Settings(name="All", rounds=3, system=System.ROUND_ROBIN))
        seq = await event.act(MAKER, 1, enter(*"ABCD"))
        await event.act(MAKER, seq, [{"do": "pair", "round": 1}])
        assert len(event.state.round(1).games) == 2

    on_desk(tmp_path, test)
