"""Beginning a game between people on a real server: by link, in the lobby, against a level, at one device."""

from __future__ import annotations

import hashlib
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import product

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from korgool.app.server.core import errors
from korgool.languages import LANGUAGES, translations
from korgool.rules import GAMES
from tests.patience import PATIENCE, best_of

from .guests import Guest
from .support import Json, Server, Visitor, running

LATE = "1S,8/1S,8 80 80 S 60"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Without limits, which count what one visitor does. It must not have stumbled over anything."""
    with running(tmp_path_factory.mktemp("data"), None, "--limits", "off") as server:
        yield server
        assert "Traceback" not in server.stop()


@pytest.fixture(scope="module")
def ann(server: Server) -> Guest:
    return Guest(server)


@pytest.fixture(scope="module")
def bob(server: Server) -> Guest:
    return Guest(server)


@pytest.fixture(scope="module")
def eve(server: Server) -> Guest:
    return Guest(server)


def refused(answer: httpx.Response, status: int, message: str) -> str:
    """A refusal with this message."""
    assert answer.status_code == status, answer.text
    assert set(answer.json()) == {"detail"}
    detail: str = answer.json()["detail"]
    assert detail.startswith(message.partition("{")[0]), detail
    return detail


def test_two_guests_begin_by_a_link(server: Server, ann: Guest, bob: Guest) -> None:
    made = ann.challenge(clock="10+5", side="black")
    assert set(made) == {"id", "url", "expires"}
    assert made["url"] == f"{server.url}/c/{made['id']}"
    week = made["expires"] - time.time() * 1000 - 7 * 86_400_000
    assert abs(week) < 600_000
    seen = bob.look(made["id"])
    assert (seen["state"], seen["game"], seen["own"], seen["to"]) == ("open", None, False, "link")
    assert seen["name"] == ann.told["name"]
    assert seen["terms"]["clock"] == "10+5"
    assert ann.look(made["id"])["own"]
    answer = bob.accept(made["id"])
    assert answer.status_code == 200, answer.text
    assert answer.json()["side"] == "white"
    game = answer.json()["game"]
    assert ann.look(made["id"]) == seen | {"state": "accepted", "game": game, "own": True}
    state = ann.state(game)
    assert (state["you"], bob.state(game)["you"]) == ("black", "white")
    assert state["seats"]["white"]["name"] == bob.told["name"]
    assert (state["control"], state["conduct"], state["level"]) == ("10+5", "friendly", None)


def test_the_lot_is_shown_and_can_be_drawn_again(ann: Guest, bob: Guest) -> None:
    sides: set[str] = set()
    while len(sides) < 2:
        made = ann.challenge(side="random")
        assert ann.look(made["id"])["lot"] is None
        begun = bob.accept(made["id"]).json()
        side = begun["side"]
        even = hashlib.sha256(begun["game"].encode()).digest()[0] % 2 == 0
        assert side == ("black" if even else "white")
        names = [ann.told["name"], bob.told["name"]]
        white, black = names if even else reversed(names)
        assert bob.look(made["id"])["lot"] == {"seed": begun["game"], "white": white, "black": black}
        sides.add(side)
    assert ann.look(ann.challenge(side="white")["id"])["lot"] is None


def test_whoever_has_the_seat_is_told_of_the_game_again(ann: Guest, bob: Guest, eve: Guest) -> None:
    made = ann.challenge()
    first, again = bob.accept(made["id"]), bob.accept(made["id"])
    assert again.status_code == 200
    assert first.json() == again.json()
    refused(eve.accept(made["id"]), 409, "Somebody has accepted this invitation already.")
    refused(ann.accept(made["id"]), 409, "Somebody has accepted this invitation already.")


def test_only_one_of_many_acceptances_wins(server: Server, ann: Guest) -> None:
    guests = [Guest(server) for _ in range(20)]
    for _ in range(3):
        made = ann.challenge()
        with ThreadPoolExecutor(20) as threads:
            answers = list(threads.map(lambda guest, made=made: guest.accept(made["id"]), guests))
        assert Counter(answer.status_code for answer in answers) == {200: 1, 409: 19}
        (won,) = (answer.json() for answer in answers if answer.status_code == 200)
        (winner,) = (guest for guest, answer in zip(guests, answers, strict=True) if answer.status_code == 200)
        assert ann.look(made["id"])["game"] == won["game"]
        assert winner.state(won["game"])["you"] == won["side"]
        # No other game has come of it: nobody else has a game at all.
        assert all(guest.state(won["game"])["you"] is None for guest in guests if guest is not winner)


def test_the_maker_cannot_accept(ann: Guest) -> None:
    made = ann.challenge()
    refused(ann.accept(made["id"]), 422, "This is your own invitation; send its link to somebody.")
    assert ann.look(made["id"])["state"] == "open"


def test_what_was_withdrawn_is_over(ann: Guest, bob: Guest) -> None:
    made = ann.challenge()
    refused(bob.withdraw(made["id"]), 403, "Only the player who made this invitation can withdraw it.")
    answer = ann.withdraw(made["id"])
    assert answer.status_code == 200, answer.text
    assert answer.json()["state"] == "withdrawn"
    for again in (bob.accept(made["id"]), ann.withdraw(made["id"]), ann.accept(made["id"])):
        refused(again, 409, "This invitation was withdrawn.")


def test_a_link_is_declined_by_not_taking_it(ann: Guest, bob: Guest) -> None:
    made = ann.challenge()
    refused(bob.decline(made["id"]), 403, "This invitation is open to everybody and cannot be declined.")
    assert bob.decline(made["id"], reason="rude").status_code == 400
    assert ann.look(made["id"])["state"] == "open"


def test_nobody_has_a_name_yet(ann: Guest) -> None:
    refused(ann.ask(to="Aibek"), 404, errors.NO_PLAYER)


@pytest.mark.parametrize("level", ["level:1", "level:8", "level:800"])
def test_a_level_of_the_engine_begins_at_once(server: Server, ann: Guest, level: str) -> None:
    made = ann.challenge(to=level, side="white")
    assert set(made) == {"id", "url", "expires", "game"}
    assert made["url"] == f"{server.url}/games/{made['game']}"
    state = ann.state(made["game"])
    assert state["you"] == "white"
    assert state["level"] == int(level.partition(":")[2])
    seen = ann.look(made["id"])
    assert (seen["state"], seen["game"], seen["to"]) == ("accepted", made["game"], "none")


def test_perfect_play_is_for_the_solved_game_alone(ann: Guest) -> None:
    assert ann.state(ann.challenge(game="mangala", to="level:9")["game"])["level"] == 9
    refused(ann.ask(game="toguz", to="level:9"), 422, errors.NOT_SOLVED)
    refused(ann.ask(game="mangala", to="level:9", rules={"sweep": "owner"}), 422, errors.NOT_SOLVED)


def test_the_engine_takes_part_in_the_lot(ann: Guest) -> None:
    sides: set[str] = set()
    while len(sides) < 2:
        made = ann.challenge(to="level:1", side="random")
        side = ann.state(made["game"])["you"]
        lot = ann.look(made["id"])["lot"]
        assert lot["seed"] == made["game"]
        assert lot[side] == ann.told["name"]
        assert sorted((lot["white"], lot["black"])) == sorted((ann.told["name"], "engine"))
        sides.add(side)


@pytest.mark.parametrize("clock", ["1d", "5+0 byoyomi 3x30", "10+0 delay 5", "10+0 bronstein 5", "3+2 40 moves"])
def test_the_engine_plays_with_every_clock(ann: Guest, clock: str) -> None:
    made = ann.challenge(to="level:1", side="black", clock=clock)
    until = time.monotonic() + PATIENCE
    while not (state := ann.state(made["game"]))["moves"]:
        assert time.monotonic() < until
        time.sleep(0.05)
    assert state["control"] == clock


def test_the_engine_plays_by_other_options(ann: Guest) -> None:
    made = ann.challenge(game="mangala", to="level:1", side="black", rules={"sweep": "owner", "empty_capture": "no"})
    until = time.monotonic() + PATIENCE
    while not (state := ann.state(made["game"]))["legal"]:
        assert time.monotonic() < until
        time.sleep(0.05)
    assert state["rules"] == {"sweep": "owner", "empty_capture": False}


def test_two_people_at_one_device(ann: Guest) -> None:
    made = ann.challenge(to="self", clock="10+5")
    state = ann.state(made["game"])
    assert (state["shared"], state["you"]) == (True, "white")
    assert ann.look(made["id"])["lot"] is None


@pytest.mark.parametrize("game", GAMES)
def test_terms_go_into_the_game(ann: Guest, bob: Guest, game: str) -> None:
    asked: Json = {
        "game": game,
        "clock": "15+10 40 moves",
        "side": "white",
        "conduct": "competition",
        "rules": {"threefold": 5},
        "delay": 60,
    }
    made = ann.challenge(**asked)
    terms = ann.look(made["id"])["terms"]
    assert terms == asked | {"to": "link", "rated": False, "position": None}
    state = bob.state(bob.accept(made["id"]).json()["game"])
    assert (state["game"], state["control"], state["conduct"]) == (game, "15+10 40 moves", "competition")
    assert (state["rules"], state["delay"], state["rated"]) == ({"threefold": 5}, 60, False)


def test_a_position_to_begin_with(ann: Guest, bob: Guest) -> None:
    made = ann.challenge(position=f"  {LATE} ", side="white")
    state = bob.state(bob.accept(made["id"]).json()["game"])
    assert state["position"] == state["start"] == LATE
    usual = ann.challenge(position=str(GAMES["toguz"].start()))
    assert ann.look(usual["id"])["terms"]["position"] is None


@pytest.mark.parametrize(
    ("changes", "status", "message"),
    [
        ({"side": "both"}, 422, errors.BAD_FIELD),
        ({"to": ""}, 404, errors.NO_PLAYER),
        ({"to": "none"}, 404, errors.NO_PLAYER),
        ({"clock": "x" * 5000}, 422, errors.BAD_CONTROL),
        ({"clock": "9999.125+9999.125 999 moves x999"}, 201, ""),
        ({"position": "1" * 9999}, 422, errors.BAD_POSITION),
        ({"rated": True}, 403, errors.GUEST_RATED),
    ],
)
def test_terms_that_cannot_be(ann: Guest, changes: Json, status: int, message: str) -> None:
    """At the door; the reasons themselves stand in `test_asked_terms.py`."""
    answer = ann.ask(**changes)
    if status == 201:
        assert answer.status_code == 201, answer.text
        ann.withdraw(answer.json()["id"]).raise_for_status()
    else:
        refused(answer, status, message)


def test_refusals_are_told_in_five_languages(server: Server, ann: Guest, bob: Guest) -> None:
    made = ann.challenge()
    for language in LANGUAGES:
        gettext = translations(language).gettext
        told = {"accept-language": language}
        own = ann.client.post(f"/challenges/{made['id']}/accept", json={}, headers=told)
        assert own.json()["detail"] == gettext("This is your own invitation; send its link to somebody.")
        asked = {"game": "toguz", "to": "link", "rated": True}
        rated = ann.client.post("/challenges", json=asked, headers=told)
        assert rated.json()["detail"] == gettext(errors.GUEST_RATED)
        gone = bob.client.get("/challenges/AAAAAAAAAAAA", headers=told)
        assert gone.json()["detail"] == gettext(errors.NO_CHALLENGE)


# The lobby


def test_the_lobby_mixes_live_and_slow_games(server: Server, ann: Guest, bob: Guest) -> None:
    live, slow = ann.challenge(to="lobby", clock="5+3"), ann.challenge(to="lobby", clock="3d", game="mangala")
    hidden = ann.challenge(to="link")
    minutes = [(made["expires"] - time.time() * 1000) / 60_000 for made in (live, slow)]
    assert minutes == [pytest.approx(15, abs=5), pytest.approx(14 * 1440, abs=5)]
    seen, own = bob.lobby(), ann.lobby()
    assert {live["id"], slow["id"]} <= set(seen)
    assert hidden["id"] not in seen
    assert (seen[live["id"]]["clock"], seen[slow["id"]]["clock"]) == ("5+3", "3d")
    assert (seen[slow["id"]]["game"], seen[slow["id"]]["name"]) == ("mangala", ann.told["name"])
    assert own[live["id"]]["own"]
    assert not seen[live["id"]]["own"]
    anonymous = httpx.get(f"{server.url}/api/lobby", timeout=PATIENCE).json()
    assert live["id"] in {one["id"] for one in anonymous}
    assert bob.accept(live["id"]).status_code == 200
    ann.withdraw(slow["id"]).raise_for_status()
    assert not {live["id"], slow["id"]} & set(bob.lobby())


# Looking and waiting


def test_whoever_waits_hears_at_once(ann: Guest, bob: Guest) -> None:
    """Not only with the next look into the database, five seconds later."""

    def waited(settle: Callable[[str], httpx.Response]) -> float:
        made = ann.challenge()
        with ThreadPoolExecutor(1) as threads:
            news = threads.submit(ann.look, made["id"], wait=20)
            time.sleep(0.2)
            assert not news.done()
            began = time.monotonic()
            settle(made["id"]).raise_for_status()
            assert news.result(PATIENCE)["state"] in {"accepted", "withdrawn"}
        return time.monotonic() - began

    for settle in (bob.accept, ann.withdraw):
        assert best_of(5, partial(waited, settle), lambda seconds: seconds < 4) < 4


def test_waiting_ends(ann: Guest) -> None:
    made = ann.challenge()
    began = time.monotonic()
    assert ann.look(made["id"], wait=1)["state"] == "open"
    assert time.monotonic() - began >= 1
    for wrong in ("21", "-1", "x", "1e3"):
        assert ann.client.get(f"/challenges/{made['id']}", params={"wait": wrong}).status_code == 400


def test_looking_changes_nothing(server: Server, ann: Guest) -> None:
    """Robots of messengers look with GET and HEAD, with and without the cookies of whoever sends the link."""
    made = ann.challenge()
    visitor = Visitor(server)
    for client in (httpx.Client(base_url=server.url, timeout=PATIENCE), visitor.client):
        for path in (
            f"/c/{made['id']}",
            f"/c/{made['id']}/picture.png",
            f"/c/{made['id']}/accept",
            f"/api/challenges/{made['id']}",
            f"/api/challenges/{made['id']}/accept",
        ):
            for method in ("GET", "HEAD", "OPTIONS"):
                headers = {"user-agent": "WhatsApp/2.23.20.0", "accept": "text/html"}
                assert client.request(method, path, headers=headers).status_code < 500
    assert ann.look(made["id"])["state"] == "open"


def test_a_preview_speaks_the_language_of_whoever_sends_the_link(server: Server, ann: Guest) -> None:
    """A messenger names no language; a reader's browser does, and is shown its own."""
    made = ann.challenge()
    page = f"{server.url}/c/{made['id']}"

    def language(address: str, **headers: str) -> str:
        text = httpx.get(address, headers={"user-agent": "WhatsApp/2.23.20.0", **headers}, timeout=PATIENCE).text
        found = re.search(r'<html lang="(\w+)"', text)
        assert found
        assert ("приглашает" in text) == (found[1] == "ru")
        return str(found[1])

    assert language(f"{page}?in=ru") == "ru"
    assert language(f"{page}?in=kk") == "kk"
    assert language(page) == language(f"{page}?in=xx") == language(f"{page}?in=") == "en"
    assert language(f"{page}?in=ru", **{"accept-language": "tr"}) == "tr"
    assert language(f"{page}?in=ru", cookie="language=ky") == "ky"


# Strangers


STRANGERS = ["nobody", "cookie without token", "foreign origin", "wrong token", "spectator"]


def stranger(server: Server, kind: str, ann: Guest, eve: Guest) -> httpx.Client:
    """Somebody who may not do what they try, over HTTP."""
    visitor = Visitor(server)
    headers: dict[str, str] = {}
    cookies = None
    match kind:
        case "cookie without token":
            cookies = visitor.client.cookies
        case "foreign origin":
            cookies = visitor.client.cookies
            headers = {"x-csrftoken": visitor.token, "origin": "http://evil.example"}
        case "wrong token":
            headers = {"authorization": f"Bearer {ann.told['token'][:-1]}x"}
        case "spectator":
            headers = {"authorization": f"Bearer {eve.told['token']}"}
    return httpx.Client(base_url=f"{server.url}/api", cookies=cookies, headers=headers, timeout=PATIENCE)


@pytest.mark.parametrize(("kind", "command"), list(product(STRANGERS, ["make", "accept", "decline", "withdraw"])))
def test_strangers(server: Server, ann: Guest, bob: Guest, eve: Guest, kind: str, command: str) -> None:
    made = ann.challenge()
    if kind == "spectator":
        bob.accept(made["id"]).raise_for_status()  # somebody who only watches what two others have begun
        if command == "make":
            return
    before = ann.look(made["id"])
    client = stranger(server, kind, ann, eve)
    path = f"/challenges/{made['id']}"
    answer = {
        "make": lambda: client.post("/challenges", json={"game": "toguz", "to": "lobby"}),
        "accept": lambda: client.post(f"{path}/accept", json={}),
        "decline": lambda: client.post(f"{path}/decline", json={}),
        "withdraw": lambda: client.delete(path),
    }[command]()
    allowed = {"wrong token": {401}, "spectator": {403, 409}}.get(kind, {403})
    assert answer.status_code in allowed, answer.text
    assert len(answer.json()["detail"]) > 10
    assert ann.look(made["id"]) == before


# Whatever is sent


BODIES = st.dictionaries(
    st.sampled_from(["game", "to", "clock", "side", "rated", "conduct", "position", "rules", "delay", "x"]),
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=20)
    | st.sampled_from(["toguz", "mangala", "link", "lobby", "self", "level:1", "10+5", "1d", "friendly", "white"])
    | st.dictionaries(
        st.sampled_from(["sweep", "tuz", "threefold", "x"]), st.text(max_size=6) | st.booleans(), max_size=2
    ),
    max_size=9,
)


@pytest.mark.parametrize("count", [40, pytest.param(400, marks=pytest.mark.long)])
def test_any_body_is_answered(ann: Guest, count: int) -> None:
    @settings(max_examples=count)
    @given(body=BODIES | st.binary(max_size=60))
    def ask(body: Json | bytes) -> None:
        sent = {"content": body} if isinstance(body, bytes) else {"json": {"game": "toguz", "to": "link", **body}}
        answer = ann.client.post("/challenges", **sent)
        assert answer.status_code in {201, 400, 403, 404, 422}, answer.text
        assert "do not go together" not in answer.text, "it is refused, but in English and with no word of the field"
        if answer.status_code == 201:
            made = answer.json()
            assert ann.look(made["id"])["state"] == ("accepted" if "game" in made else "open")
        else:
            assert list(answer.json()) == ["detail"]

    ask()


@pytest.mark.parametrize("count", [15, pytest.param(150, marks=pytest.mark.long)])
def test_any_body_of_the_other_commands_is_answered(ann: Guest, count: int) -> None:
    @settings(max_examples=count)
    @given(st.binary(max_size=40) | st.sampled_from([b"{}", b'{"reason": "later"}', b'{"reason": 7}', b"[]", b"null"]))
    def ask(body: bytes) -> None:
        made = ann.challenge()
        for command in ("accept", "decline"):
            answer = ann.client.post(f"/challenges/{made['id']}/{command}", content=body)
            assert answer.status_code in {400, 403, 422}, answer.text
        assert ann.look(made["id"])["state"] == "open"

    ask()


@pytest.mark.parametrize("name", ["AAAAAAAAAAAA", "a", "%00", "..%2f..", "x" * 300, "%F0%9F%98%80", "'; DROP--"])
def test_challenges_that_are_not_there(server: Server, ann: Guest, name: str) -> None:
    for answer in (
        ann.client.get(f"/challenges/{name}"),
        ann.client.get(f"/challenges/{name}", params={"wait": 20}),
        ann.accept(name),
        ann.decline(name),
        ann.withdraw(name),
        httpx.get(f"{server.url}/c/{name}", timeout=PATIENCE),
        httpx.get(f"{server.url}/c/{name}/picture.png", timeout=PATIENCE),
    ):
        assert answer.status_code in {400, 404, 405}, answer.text
        assert len(answer.json()["detail"]) > 10


def test_a_drawn_position_is_claimed_where_the_terms_name_it(ann: Guest, bob: Guest) -> None:
    """docs/rules/options.md, drawn_position: listed while it stands, and granted by a proof."""
    circle = "1S,8/8,1S 81 79 S 1"
    for rules, listed, status in (({"drawn_position": True}, ["drawn-position"], 200), ({}, [], 422)):
        made = ann.challenge(position=circle, side="white", rules=rules)
        game = bob.accept(made["id"]).json()["game"]
        assert ann.state(game)["claims"] == listed
        answer = ann.client.post(f"/games/{game}/claim", json={"what": "drawn-position"})
        assert answer.status_code == status, answer.text
        assert (ann.state(game)["outcome"] is not None) == bool(listed)
