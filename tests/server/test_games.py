"""Whole games over HTTP and WebSocket against the engine, on a real server with a real database."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
from websockets.exceptions import ConnectionClosed

from korgool.notation import DIALECTS, format_movetext
from korgool.notation.reading import parse_records
from korgool.rules import GAMES

from .support import Server, Visitor, check_stream, replayed, running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("data")) as server:
        yield server


@pytest.mark.parametrize("side", ["white", "black"])
@pytest.mark.parametrize("game", list(GAMES))
def test_a_whole_game(server: Server, game: str, side: str) -> None:
    visitor, random = Visitor(server), Random(5)
    address = visitor.new_game(game, side, level=2)
    with visitor.live(address, 0) as live:
        events = [live.next()]
        while events[-1]["state"]["outcome"] is None:
            state = events[-1]["state"]
            if state["legal"]:
                hole = random.choice(state["legal"])
                preview = state["previews"][str(hole)]
                answer = visitor.send(address, "move", hole=hole, version=state["version"])
                assert answer.status_code == 200, answer.text
                event = answer.json()
                assert event["version"] == state["version"] + 1
                last = event["trace"]["drops"][-1]
                assert (last["side"], last["hole"]) == (preview["side"], preview["hole"])
                assert preview["ends"] == (event["state"]["outcome"] is not None)
                assert preview["extra_turn"] == event["trace"]["extra_turn"]
                assert preview["tuz"] == (event["trace"]["tuz"] is not None)
                assert preview["captures"] == sum(capture["stones"] for capture in event["trace"]["captured"])
            events.append(live.next())
    check_stream(events)
    final = visitor.state(address)
    played = replayed(final)
    outcome = played.outcome()
    assert final == events[-1]["state"]
    assert final["movetext"] == format_movetext(played)
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
        for _ in range(3):
            state = visitor.state(address)
            if state["outcome"] or not state["legal"]:
                break
            visitor.send(address, "move", hole=state["legal"][0], version=state["version"]).raise_for_status()
            while not (state := visitor.state(address))["legal"] and not state["outcome"]:
                pass
        version = visitor.state(address)["version"]
        one, two = first.until(version), second.until(version)
    check_stream(one)
    assert one[1:] == two


def test_one_who_comes_back_gets_what_was_missed(server: Server) -> None:
    visitor = Visitor(server)
    address = visitor.new_game("toguz")
    with visitor.live(address, 1) as live:
        visitor.send(address, "move", hole=7, version=1)
        seen = live.until(3)
    for since in range(3):
        with visitor.live(address, since) as live:
            found = live.until(3)
        check_stream(found, since + 1)
        assert [one for one in found if one["version"] > 1] == [one for one in seen if one["version"] > since]
    for unknown in (4, 10**30, "-1", "x", "%00", ""):
        with visitor.live(address, unknown) as live:
            told = live.next()
        assert (told["kind"], told["version"], told["trace"]) == ("state", 3, None)


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
    for command, body in (("move", {"hole": 5}), ("undo", {}), ("resign", {}), ("claim", {})):
        answer = stranger.send(address, command, version=1, **body)
        assert answer.status_code == 403
        assert "Only the visitor" in answer.json()["detail"]
    assert stranger.send(address, "rematch").status_code == 403
    with stranger.live(address, 1) as live:
        visitor.send(address, "move", hole=7, version=1)
        assert live.next()["state"]["you"] is None
    assert visitor.state(address)["you"] == "white"


def test_undo_goes_back_to_the_visitors_last_turn(server: Server) -> None:
    visitor = Visitor(server)
    address = visitor.new_game("toguz", "black")
    with visitor.live(address, 0) as live:
        state = live.until(2)[-1]["state"]
        assert not state["can_undo"]
        refused = visitor.send(address, "undo", version=2)
        assert (refused.status_code, "no move of yours" in refused.json()["detail"]) == (422, True)
        visitor.send(address, "move", hole=state["legal"][0], version=2).raise_for_status()
        live.until(4)
        back = visitor.send(address, "undo", version=4).json()
        assert (back["kind"], back["version"]) == ("undo", 5)
        assert back["state"]["position"] == state["position"]
        assert back["state"]["legal"] == state["legal"]
        assert not back["state"]["can_undo"]
        assert live.next() == back


def test_undo_while_the_engine_thinks(server: Server) -> None:
    visitor = Visitor(server)
    for _ in range(5):  # it thinks for a second; a busy machine may let that pass
        address = visitor.new_game("toguz", level=8)
        visitor.send(address, "move", hole=7, version=1).raise_for_status()
        back = visitor.send(address, "undo", version=2)
        if back.status_code == 200:
            break
    assert back.status_code == 200, back.text
    assert back.json()["state"]["moves"] == []
    with visitor.live(address, 3) as live, pytest.raises(TimeoutError):
        live.next(1.5)  # the answer to the move that was taken back must not come


def test_resignation_and_rematch(server: Server) -> None:
    visitor = Visitor(server)
    address = visitor.new_game("mangala", "white", level=3, clock="30+0")
    assert visitor.send(address, "rematch").status_code == 422
    with visitor.live(address) as live:
        ended = visitor.send(address, "resign", version=1).json()
        assert ended["kind"] == "resign"
        assert ended["state"]["outcome"]["result_text"] == "0 (0) - 1 (0)"
        assert ended["state"]["outcome"]["termination"] == "resignation"
        assert ended["state"]["clock"]["running"] is None
        assert visitor.send(address, "resign", version=2).status_code == 422
        assert visitor.send(address, "undo", version=2).status_code == 422
        following = visitor.send(address, "rematch").json()["id"]
        assert visitor.send(address, "rematch").json()["id"] == following
        told = [live.next() for _ in range(3)][-1]
        assert (told["kind"], told["version"], told["state"]["rematch"]) == ("state", 2, following)
    again = visitor.state(following)
    assert (again["you"], again["level"], again["game"]) == ("black", 3, "mangala")
    assert again["clock"]["increment_ms"] == 0


def test_the_clock_runs_and_rests(server: Server) -> None:
    visitor, begun = Visitor(server), time.monotonic()

    def least() -> float:
        """Milliseconds that ten minutes must have left by now."""
        return 600_000 - (time.monotonic() - begun) * 1000 - 1

    address = visitor.new_game("toguz", clock="10+5")
    clock = visitor.state(address)["clock"]
    assert clock["running"] == "white"
    assert least() <= clock["white_ms"] <= 600_000 == clock["black_ms"]
    with visitor.live(address, 1) as live:
        visitor.send(address, "move", hole=7, version=1)
        moved, replied = live.until(3)
    assert moved["state"]["clock"]["running"] == "black"
    assert least() + 5_000 <= moved["state"]["clock"]["white_ms"] <= 605_000
    assert replied["state"]["clock"]["running"] == "white"
    assert least() + 5_000 <= replied["state"]["clock"]["black_ms"] <= 605_000


def test_evaluations_of_a_finished_game(server: Server) -> None:
    visitor = Visitor(server)
    address = visitor.new_game("toguz")
    path = f"/api/games/{address}/evaluations"
    assert visitor.client.get(path).status_code == 409
    with visitor.live(address, 1) as live:
        visitor.send(address, "move", hole=7, version=1)
        live.until(3)
    visitor.send(address, "resign", version=3).raise_for_status()
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
    assert visitor.form(f"/games/{address}/undo", version=3).status_code == 303
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
            if event["state"]["turn"] == "black":
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
        resigned = visitor.send(address, "resign", version=visitor.state(address)["version"])
        if resigned.status_code == 200:
            assert visitor.send(address, "move", hole=hole, version=1).status_code == 409


def test_the_move_that_ends_a_game_is_told_twice_too(server: Server) -> None:
    visitor, random = Visitor(server), Random(3)
    while True:
        address = visitor.new_game("bestemshe", random.choice(["white", "black"]))
        with visitor.live(address, 0) as live:
            event = live.next()
            while event["state"]["outcome"] is None:
                state = event["state"]
                if state["legal"]:
                    sent = random.choice(state["legal"]), state["version"]
                    answer = visitor.send(address, "move", hole=sent[0], version=sent[1])
                event = live.next()
        if event["trace"] and event["trace"]["side"] == event["state"]["you"]:
            break
    assert visitor.send(address, "move", hole=sent[0], version=sent[1]).json() == answer.json() == event
