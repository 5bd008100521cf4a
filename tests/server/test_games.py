"""Whole games over HTTP and WebSocket against the engine, on a real server with a real database."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest
from websockets.exceptions import ConnectionClosed

from korgool.app.server.play.commands import COMMANDS
from korgool.notation import DIALECTS, format_movetext
from korgool.notation.reading import parse_records
from korgool.rules import GAMES
from tests.conftest import SEED

from .support import Json, Server, Visitor, agrees, check_stream, first_state, replayed, running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("data")) as server:
        yield server


def turn(visitor: Visitor, address: str) -> Json:
    """The state when the engine has answered."""
    while not ((state := visitor.state(address))["legal"] or state["outcome"]):
        time.sleep(0.02)
    return state


def sides() -> Iterator[object]:
    """Every game from one side, and from the other one in the long run, or with the next seed."""
    for number, game in enumerate(GAMES):
        for at, side in enumerate(("white", "black")):
            yield pytest.param(game, side, marks=[pytest.mark.long] if (SEED + number + at) % 2 else [])


@pytest.mark.parametrize(("game", "side"), list(sides()))
def test_a_whole_game(server: Server, game: str, side: str) -> None:
    visitor, random = Visitor(server), Random(5)
    address = visitor.new_game(game, side, level=2)
    state = first_state(visitor.state(address))
    with visitor.live(address, 0) as live:
        events = [live.next()]
        while "outcome" not in events[-1]:
            event = events[-1]
            if event["turn"] == side:
                previews = visitor.state(address)["previews"]
                assert list(previews) == [str(hole) for hole in event["legal"]]
                hole = random.choice(event["legal"])
                preview = previews[str(hole)]
                answer = visitor.send(address, "move", hole=hole, version=event["version"])
                assert answer.status_code == 200, answer.text
                told = answer.json()
                trace = told["trace"]
                assert told["version"] == event["version"] + 1
                last = trace["drops"][-1]
                owner = "white" if last > 0 else "black"
                assert (preview["side"], preview["hole"]) == (side if last == 0 else owner, abs(last))
                assert preview["ends"] == (told.get("outcome", {}).get("termination", "repetition") != "repetition")
                assert preview["extra_turn"] == trace.get("extra_turn", False)
                assert preview["tuz"] == ("tuz" in trace)
                assert preview["captures"] == sum(stones for _, stones in trace.get("captured", []))
            events.append(live.next())
    final = visitor.state(address)
    agrees(check_stream(state, events), final)
    played = replayed(final)
    outcome = played.outcome()
    assert final["movetext"] == format_movetext(played)
    assert final["last"] == events[-1]["trace"]
    if final["outcome"]["termination"] != "repetition":
        assert outcome is not None
        assert final["outcome"]["result_text"] == outcome.result_text
        assert final["outcome"]["stores"] == final["stores"] == list(outcome.stores)
    records = visitor.client.get(f"/games/{address}/record/pgn")
    assert "attachment" in records.headers["content-disposition"]
    (record,) = parse_records(records.text)
    assert (record.error, list(record.moves)) == (None, list(played.moves))
    assert record.result == final["outcome"]["result"]


def test_two_tabs_see_the_same_stream(server: Server) -> None:
    visitor = Visitor(server)
    address = visitor.new_game("bestemshe")
    with visitor.live(address, 0) as first, visitor.live(address) as second:
        told = second.next()
        assert (told["kind"], told["version"]) == ("state", 1)
        assert {**told["state"], "now": 0} == {**visitor.state(address), "now": 0}
        for _ in range(3):
            state = turn(visitor, address)
            if state["outcome"]:
                break
            visitor.send(address, "move", hole=state["legal"][0], version=state["version"]).raise_for_status()
        state = turn(visitor, address)
        one, two = first.until(state["version"]), second.until(state["version"])
    assert one[1:] == two
    agrees(check_stream(told["state"], two), state)


def test_one_who_comes_back_gets_what_was_missed(server: Server) -> None:
    visitor = Visitor(server)
    address = visitor.new_game("toguz")
    before = first_state(visitor.state(address))
    with visitor.live(address, 1) as live:
        visitor.send(address, "move", hole=7, version=1)
        seen = live.until(3)
    for since in range(3):
        with visitor.live(address, since) as live:
            found = live.until(3)
        assert [one["version"] for one in found] == list(range(since + 1, 4))
        assert [one for one in found if one["version"] > 1] == [one for one in seen if one["version"] > since]
    with visitor.live(address, 0) as live:
        agrees(check_stream(before, live.until(3)), visitor.state(address))
    for unknown in (4, 10**30, "-1", "x", "%00", ""):
        with visitor.live(address, unknown) as live:
            told = live.next()
        assert (told["kind"], told["version"]) == ("state", 3)
        assert told["state"]["last"] == seen[-1]["trace"]


def test_who_is_there_is_told_when_it_changes(server: Server) -> None:
    visitor, stranger = Visitor(server), Visitor(server)
    address = visitor.new_game("toguz")
    with stranger.live(address, 1) as watching:
        assert watching.hear() == {"kind": "presence", "white": False, "black": True, "viewers": 1}
        with visitor.live(address, 1) as live:
            assert watching.hear() == {"kind": "presence", "white": True, "black": True, "viewers": 1}
            assert live.hear() == {"kind": "presence", "white": True, "black": True, "viewers": 1}
            assert stranger.state(address)["seats"]["white"]["present"]
            with stranger.live(address, 1):
                assert watching.hear()["viewers"] == 2, "soon, not at once"
        assert watching.hear() == {"kind": "presence", "white": False, "black": True, "viewers": 1}
    assert not stranger.state(address)["seats"]["white"]["present"]


def test_stale_and_double_moves_are_refused(server: Server) -> None:
    visitor = Visitor(server)
    address = visitor.new_game("toguz")

    def play(hole: int) -> int:
        return visitor.send(address, "move", hole=hole, version=1).status_code

    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(play, range(1, 9)))
    assert sorted(statuses) == [200] + [409] * 7
    answer = visitor.send(address, "move", hole=5, version=1)
    assert answer.status_code == 409
    assert "moved on" in answer.json()["detail"]


def test_others_watch_and_do_not_act(server: Server) -> None:
    visitor, stranger = Visitor(server), Visitor(server)
    address = visitor.new_game("toguz")
    watched = stranger.state(address)
    assert (watched["you"], watched["legal"], watched["previews"], watched["can_undo"]) == (None, [], {}, False)
    for command in COMMANDS:
        answer = stranger.send(address, command, version=1, hole=5, what="repetition")
        assert answer.status_code == 403, command
        assert "Only the players" in answer.json()["detail"]
    with stranger.live(address, 1) as live:
        refused = live.act("resign")
        assert (refused["status"], refused["version"], "Only the players" in refused["detail"]) == (403, 1, True)
        told = visitor.send(address, "move", hole=7, version=1).json()
        assert live.next() == told, "events are the same for everybody"
    assert stranger.state(address)["you"] is None
    assert visitor.state(address)["you"] == "white"


def test_a_take_back_goes_back_to_the_visitors_last_turn(server: Server) -> None:
    visitor = Visitor(server)
    address = visitor.new_game("toguz", "black")
    with visitor.live(address, 0) as live:
        live.until(2)
        state = visitor.state(address)
        assert not state["can_undo"]
        refused = visitor.send(address, "ask-takeback")
        assert (refused.status_code, "no move of yours" in refused.json()["detail"]) == (422, True)
        visitor.send(address, "move", hole=state["legal"][0], version=2).raise_for_status()
        live.until(4)
        assert visitor.state(address)["can_undo"]
        back = visitor.send(address, "ask-takeback").json()
        assert (back["kind"], back["version"], back["plies"], back["side"]) == ("takeback", 5, 2, "black")
        assert back["position"] == state["position"]
        assert back["legal"] == state["legal"]
        assert (back["white"], back["black"], back["stores"]) == (state["white"], state["black"], state["stores"])
        assert not visitor.state(address)["can_undo"]
        assert live.next() == back


def test_a_take_back_while_the_engine_thinks(server: Server) -> None:
    visitor = Visitor(server)
    for _ in range(5):  # it thinks for a second; a busy machine may let that pass
        address = visitor.new_game("toguz", level=8)
        visitor.send(address, "move", hole=7, version=1).raise_for_status()
        back = visitor.send(address, "ask-takeback")
        if back.json()["version"] == 3:
            break
    assert back.json()["plies"] == 1, back.text
    assert visitor.state(address)["moves"] == []
    with visitor.live(address, 3) as live, pytest.raises(TimeoutError):
        live.next(1.5)  # the answer to the move that was taken back must not come


def test_resignation_and_rematch(server: Server) -> None:
    visitor = Visitor(server)
    address = visitor.new_game("mangala", "white", level=3, clock="30+0")
    assert visitor.send(address, "rematch").status_code == 422
    with visitor.live(address, 1) as live:
        ended = visitor.send(address, "resign", version=1).json()
        assert ended["kind"] == "resign"
        assert ended["outcome"]["result_text"] == "0 (0) - 1 (0)"
        assert ended["outcome"]["termination"] == "resignation"
        assert ended["clock"]["running"] is None
        for command in ("resign", "ask-takeback", "abort", "offer-draw"):
            refused = visitor.send(address, command)
            assert (refused.status_code, "over" in refused.json()["detail"]) == (409, True), command
        told = visitor.send(address, "rematch").json()
        assert (told["kind"], told["version"], told["side"]) == ("rematch", 3, "white")
        assert visitor.send(address, "rematch").json() == told
        assert [live.next() for _ in range(2)] == [ended, told]
    following = told["game"]
    assert visitor.state(address)["rematch"] == following
    again = visitor.state(following)
    assert (again["you"], again["level"], again["game"]) == ("black", 3, "mangala")
    assert again["clock"]["increment_ms"] == 0


def test_a_game_that_has_hardly_begun_can_be_called_off(server: Server) -> None:
    visitor = Visitor(server)
    address = visitor.new_game("toguz", "black", clock="10+5")
    with visitor.live(address, 0) as live:
        live.until(2)
        told = visitor.send(address, "abort").json()
        assert (told["kind"], told["side"], "outcome" in told) == ("abort", "black", False)
        assert told["clock"]["running"] is None
        assert live.next() == told
    state = visitor.state(address)
    assert (state["aborted"], state["outcome"], state["legal"], state["due"]) == (True, None, [], None)
    assert visitor.send(address, "move", hole=1, version=state["version"]).status_code == 409
    assert visitor.client.get(f"/games/{address}").status_code == 200
    assert address in visitor.client.get("/").text
    other = visitor.new_game("toguz")
    visitor.send(other, "move", hole=7, version=1).raise_for_status()
    assert len(turn(visitor, other)["moves"]) == 2
    refused = visitor.send(other, "abort")
    assert (refused.status_code, "can be resigned" in refused.json()["detail"]) == (422, True)


def test_the_engine_declines_a_draw_and_gets_no_time(server: Server) -> None:
    visitor = Visitor(server)
    address = visitor.new_game("toguz", clock="10+5")
    with visitor.live(address, 1) as live:
        told = visitor.send(address, "offer-draw").json()
        assert (told["kind"], told["side"], told["offers"]) == ("offer-draw", "white", {"draw": "white"})
        declined = live.until(3)[-1]
        assert (declined["kind"], declined["side"], "offers" in declined) == ("decline-draw", "black", False)
    refused = visitor.send(address, "offer-draw")
    assert (refused.status_code, "after your next move" in refused.json()["detail"]) == (422, True)
    assert visitor.send(address, "add-time").status_code == 422


def test_the_clock_runs_and_rests(server: Server) -> None:
    visitor, begun = Visitor(server), time.monotonic()

    def least() -> float:
        """Milliseconds that ten minutes must have left by now."""
        return 600_000 - (time.monotonic() - begun) * 1000 - 1

    address = visitor.new_game("toguz", clock="10+5")
    state = visitor.state(address)
    clock = state["clock"]
    assert clock["running"] == "white"
    assert least() <= clock["white_ms"] <= 600_000 == clock["black_ms"]
    assert state["due"] == state["now"] + clock["white_ms"]
    with visitor.live(address, 1) as live:
        visitor.send(address, "move", hole=7, version=1)
        moved, replied = live.until(3)
    assert moved["clock"]["running"] == "black"
    assert moved["due"] == moved["at"] + moved["clock"]["black_ms"]
    assert least() + 5_000 <= moved["clock"]["white_ms"] <= 605_000
    assert replied["clock"]["running"] == "white"
    assert least() + 5_000 <= replied["clock"]["black_ms"] <= 605_000


def test_evaluations_of_a_finished_game(server: Server) -> None:
    visitor = Visitor(server)
    address = visitor.new_game("toguz")
    path = f"/api/games/{address}/evaluations"
    assert visitor.client.get(path).status_code == 409
    with visitor.live(address, 1) as live:
        visitor.send(address, "move", hole=7, version=1)
        live.until(3)
    visitor.send(address, "resign").raise_for_status()
    found = visitor.client.get(path).json()
    assert [one["ply"] for one in found] == [0, 1, 2]
    assert all(-162 <= one["evaluation"] <= 162 for one in found)
    assert visitor.client.get(path).json() == found


def test_every_record_form_can_be_downloaded(server: Server) -> None:
    visitor = Visitor(server)
    address = visitor.new_game("bestemshe")
    for dialect in ("coordinates", "bare"):
        assert visitor.client.get(f"/games/{address}/record/{dialect}").status_code == 409
    with visitor.live(address, 1) as live:
        visitor.send(address, "move", hole=3, version=1)
        live.until(3)
    moves = [move["hole"] for move in visitor.state(address)["moves"]]
    names = set()
    page = visitor.client.get(f"/games/{address}").text
    for dialect in DIALECTS:
        assert f'href="/games/{address}/record/{dialect}"' in page
        answer = visitor.client.get(f"/games/{address}/record/{dialect}")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        names.add(answer.headers["content-disposition"])
        (record,) = parse_records(answer.text, GAMES["bestemshe"])
        assert (dialect, record.error, list(record.moves)) == (dialect, None, moves)
    assert len(names) == len(DIALECTS), "two forms of one game share a file name"
    refused = visitor.client.get(f"/games/{address}/record/csv")
    assert (refused.status_code, "pgn, tgk" in refused.json()["detail"]) == (404, True)


def test_pages_play_without_scripts(server: Server) -> None:
    visitor = Visitor(server)
    address = visitor.new_game("toguz")
    answer = visitor.form(f"/games/{address}/move", hole=7, version=1)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/games/{address}")
    state = visitor.state(address)
    assert state["version"] == 3, "the page waits for the engine before it is shown again"
    assert visitor.client.get(f"/games/{address}").status_code == 200
    assert visitor.form(f"/games/{address}/ask-takeback", version=3).status_code == 303
    assert visitor.form(f"/games/{address}/resign", version=4).status_code == 303
    rematch = visitor.form(f"/games/{address}/rematch")
    assert rematch.headers["location"] == f"/games/{visitor.state(address)['rematch']}"
    assert address in visitor.client.get("/").text


def test_a_connection_to_no_game_is_closed_with_the_reason(server: Server) -> None:
    visitor = Visitor(server)
    with visitor.live("AAAAAAAAAAAA") as live, pytest.raises(ConnectionClosed, match="no such game") as closed:
        live.next()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4404


def test_a_move_sent_twice_is_made_once_and_told_twice(server: Server) -> None:
    """A double submit, and a client that asks again because the answer was lost on its way."""
    visitor = Visitor(server)
    for game, level in (("toguz", 1), ("mangala", 1), ("bestemshe", 8)):
        address = visitor.new_game(game, level=level)
        hole = visitor.state(address)["legal"][-1]
        with visitor.live(address, 1) as live:
            with ThreadPoolExecutor(6) as pool:
                answers = list(pool.map(lambda _: visitor.send(address, "move", hole=hole, version=1), range(6)))  # noqa: B023
            assert {answer.status_code for answer in answers} == {200}
            assert len({answer.text for answer in answers}) == 1
            event = live.next()
            assert event == answers[0].json()
            if event["turn"] == "black":
                live.next(60)  # the engine's reply
        again = visitor.send(address, "move", hole=hole, version=1)
        assert again.json() == event
        form = visitor.form(f"/games/{address}/move", hole=hole, version=1)
        assert (form.status_code, form.headers["location"]) == (303, f"/games/{address}")
        state = visitor.state(address)
        assert [move["hole"] for move in state["moves"] if move["side"] == "white"] == [hole]
        other = next(one for one in range(1, 6) if one != hole)
        assert visitor.send(address, "move", hole=other, version=1).status_code == 409
        assert Visitor(server).send(address, "move", hole=hole, version=1).status_code == 403
        resigned = visitor.send(address, "resign")
        if resigned.status_code == 200:
            assert visitor.send(address, "move", hole=hole, version=1).status_code == 409


def test_the_move_that_ends_a_game_is_told_twice_too(server: Server) -> None:
    visitor, random = Visitor(server), Random(3)
    while True:
        address = visitor.new_game("bestemshe", random.choice(["white", "black"]))
        own = visitor.state(address)["you"]
        with visitor.live(address, 0) as live:
            event = live.next()
            while "outcome" not in event:
                if event["turn"] == own:
                    sent = random.choice(event["legal"]), event["version"]
                    answer = visitor.send(address, "move", hole=sent[0], version=sent[1])
                event = live.next()
        if event["side"] == own:
            break
    assert visitor.send(address, "move", hole=sent[0], version=sent[1]).json() == answer.json() == event


def test_a_command_with_an_id_happens_once_at_every_door(tmp_path: Path) -> None:
    """By the socket, by another tab, by POST, and after a kill; a refused one stays refused."""
    server = Server(tmp_path)
    visitor = Visitor(server)
    address = visitor.new_game("toguz", level=8)
    with visitor.live(address, 1) as one, visitor.live(address, 1) as other:
        assert one.act("move", "a 1", hole=7, version=1) == {"ack": "a 1", "version": 2}
        assert other.act("move", "a 1", hole=7, version=1) == {"ack": "a 1", "version": 2}
        refused = one.act("move", "a 2", hole=10, version=2)
        assert refused["refused"] == "a 2"
        assert refused["status"] in {409, 422}, "the engine may have answered by now"
        again = other.act("move", "a 2", hole=3, version=2)
        assert again["detail"] == refused["detail"], "the same refusal"
    posted = visitor.send(address, "move", id="a 1", hole=7, version=1)
    assert (posted.status_code, posted.json()["version"], posted.json()["trace"]["hole"]) == (200, 2, 7)
    server.kill()
    with running(tmp_path) as later:
        visitor.move_to(later)
        assert visitor.send(address, "move", id="a 1", hole=7, version=1).json() == posted.json()
        with visitor.live(address, 1) as live:
            assert live.act("move", "a 1", hole=7, version=1) == {"ack": "a 1", "version": 2}
        moves = [move for move in visitor.state(address)["moves"] if move["side"] == "white"]
        assert [move["hole"] for move in moves] == [7]
