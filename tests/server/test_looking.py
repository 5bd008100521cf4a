"""Who only looks changes nothing and, where watchers see a game later, learns nothing early: at every door there is.

The doors come from the routes of the application, so one that is added later is held by these tests too.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from korgool.app.server.play.game_records import DIALECT_WORDS
from tests.conftest import SEED
from tests.patience import PATIENCE, eventually

from .doors import Door, doors, kept
from .guests import Guest
from .support import Server, Visitor, running

WHOLE = pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.long)], ids=["part", "whole"])
"""Whether everybody comes to every door, or each to some of them: to others with another seed."""
ROBOTS = ("WhatsApp/2.23.20.0", "TelegramBot (like TwitterBot)", "facebookexternalhit/1.1")
_NUMBERS = itertools.count(1)
_DIFFERS = re.compile(
    r'"now":\d+|[0-9a-f]{64}|<span class="badge">\d+</span>|data-tag="\w+"'
    r'|(?s:<script[^>]* id="tasks">.*?</script>|<korgool-board id="puzzle-board".*?</korgool-board>)'
    r'|(?s:<p class="task".*?</p>)'
)
"""What differs between any two answers: the time, tokens, puzzles drawn by lot, and number and tag of a list that is
compared itself."""
_ENTRY = re.compile(r'<(tr|li)\b.*?</\1>|{"id"[^}]*},?', re.DOTALL)
"""An entry of a list of games."""


class Board:
    """A game that watchers see later, or at once, of a guest and somebody with an account, and its challenge."""

    def __init__(self, server: Server, delay: int) -> None:
        self.server = server
        self.white, self.black = Guest(server), Guest(server)
        self.name = f"Watched{next(_NUMBERS)}"
        self.black.sign_up(self.name)
        made = self.white.challenge(side="white", delay=delay, clock="none")
        self.challenge = str(made["id"])
        self.game = str(self.black.accept(self.challenge).json()["game"])
        for player in (self.white, self.black):
            player.client.post(f"/games/{self.game}/decline-draw", json={})  # who acts has come

    def move(self, hole: int) -> None:
        """Whoever is to move sows a hole."""
        state = self.white.state(self.game)
        mover = self.white if state["turn"] == "white" else self.black
        body = {"hole": hole, "version": state["version"]}
        mover.client.post(f"/games/{self.game}/move", json=body).raise_for_status()

    def end(self) -> str:
        """White gives up, and they begin another game, in which a stone is sown; its address."""
        self.white.client.post(f"/games/{self.game}/resign", json={}).raise_for_status()
        for player in (self.white, self.black):
            answer = player.client.post(f"/games/{self.game}/rematch", json={}).raise_for_status()
        rematch = str(answer.json()["game"])
        for player in (self.white, self.black):
            player.client.post(f"/games/{rematch}/decline-draw", json={})
        body = {"hole": 7, "version": self.black.state(rematch)["version"]}
        self.black.client.post(f"/games/{rematch}/move", json=body).raise_for_status()
        return rematch

    def addresses(self) -> Iterator[tuple[Door, str]]:
        """Every door through which one looks, with an address of it; a place that is not known here is a mistake."""
        for door in doors():
            if not door.looks:
                continue
            for dialect in DIALECT_WORDS if "{dialect}" in door.path else ["-"]:
                asks = f"?game=toguz&id={self.game}" if door.path == "/living-board" else ""
                yield (
                    door,
                    door.at(
                        game_id=self.game,
                        challenge_id=self.challenge,
                        dialect=dialect,
                        game="toguz",
                        stop="sow",
                        speed="slow",
                        key_id="k" * 16,
                        name="/css/page.css" if door.path.startswith("/static") else self.name,
                        token="t" * 43,
                        event_id="e" * 8,
                        class_id="c" * 8,
                        study_id="s" * 16,
                        player_id="1",
                        helper_id="h" * 12,
                        machine_id="h" * 12,
                        application_id="h" * 12,
                        number="1",
                        board="1",
                        order="name",
                        screen="1",
                        code="c" * 8,
                        path="openapi.json",
                    )
                    + asks,
                )

    def seen(self, client: httpx.Client, *but: str, part: slice = slice(None)) -> dict[str, str]:
        """What somebody finds at every door, without what differs in any two answers, and entries of other games."""
        found = {}
        for _, address in list(self.addresses())[part]:
            answer = client.get(f"{self.server.url}{address}", headers={"accept": "*/*"})
            text = f"{answer.status_code} {answer.content.decode('latin-1')}"
            text = _ENTRY.sub(lambda entry: "" if any(game in entry[0] for game in but) else entry[0], text)
            found[address] = " ".join(_DIFFERS.sub("", text).split())
        return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    with running(folder, None, "--limits", "off") as server:
        yield server
        assert "Traceback" not in server.stop()


def strangers(server: Server) -> list[httpx.Client]:
    """A visitor, a guest, and somebody with nothing, who becomes a visitor."""
    return [Visitor(server).client, Guest(server).client, httpx.Client(timeout=PATIENCE)]


def changed(before: dict[str, str], after: dict[str, str], board: Board) -> set[str]:
    """The doors at which somebody finds something else than before, with ID for the game, and NAME for the player."""
    return {
        address.replace(board.game, "ID").replace(board.name, "NAME")
        for address in before
        if before[address] != after[address]
    }


OF_THE_GAME = {
    "/games/ID",
    "/games/ID/review",
    "/api/games/ID",
    "/api/games/ID/evaluations",
    *(f"/games/ID/record/{dialect}" for dialect in DIALECT_WORDS),
}
PUBLIC = {
    *("/games/ID/picture.png", "/games/ID/picture.svg", "/games/ID/animation.gif"),
    *("/", "/living-board?game=toguz&id=ID", "/watch", "/watch/list", "/api/running"),
    "/api/finished",
    *("/player/NAME", "/api/players/NAME", "/api/players/NAME/games"),
}


@WHOLE
def test_watchers_of_a_delayed_game_learn_nothing_early_at_any_door(server: Server, whole: bool) -> None:
    others = Board(server, 0), Board(server, 0)  # so that no list is ever empty
    for board in others:
        board.move(7)
    others[1].end()
    late, shown = Board(server, 3600), Board(server, 0)
    for board in (late, shown):
        board.move(7)
    listed(server, shown.game, "running")
    watchers, visitor = strangers(server), Visitor(server)
    parts = [slice(None) if whole else slice((SEED + number) % 3, None, 3) for number in range(3)]
    # Somebody watches another game, so that it is the one of the first page, unless the later one is taken for it.
    with Visitor(server).live(others[0].game), visitor.live(late.game) as live:
        known = live.next()["version"]
        own, public = late.seen(late.black.client), shown.seen(watchers[0])
        before = [late.seen(one, shown.game, part=part) for one, part in zip(watchers, parts, strict=True)]
        for board in (late, shown):
            board.move(1)
        rematch, shown_rematch = late.end(), shown.end()
        listed(server, shown.game, "finished")
        # What is done in a game that all may see at once is seen at all of these doors …
        assert changed(public, shown.seen(watchers[0]), shown) == OF_THE_GAME | PUBLIC
        assert changed(own, late.seen(late.black.client), late) >= OF_THE_GAME
        # … and of the other nothing is, not even that the same two play again.
        for one, part, found in zip(watchers, parts, before, strict=True):
            assert changed(found, late.seen(one, shown.game, shown_rematch, part=part), late) == set()
        live.say("resign")
        live.say("ping")
        heard = []
        while "pong" not in (message := live.hear()):
            heard.append(message)
        assert [one["version"] for one in heard if one.get("kind") != "presence"] == [known]
        assert rematch not in str(heard)


def listed(server: Server, game: str, name: str) -> None:
    """Wait until a list has been read again, and names the game."""
    eventually(lambda: game in httpx.get(f"{server.url}/api/{name}", timeout=PATIENCE).text, f"{game} among the {name}")


@WHOLE
def test_looking_changes_nothing(folder: Path, server: Server, whole: bool) -> None:
    """Robots that unfold links look with GET, HEAD and OPTIONS, with and without the cookies of who has sent them."""
    board, maker = Board(server, 0), Visitor(server)
    board.move(7)
    board.challenge = maker.form("/challenges", game="toguz", to="link").headers["location"][-12:]
    before = kept(folder)
    commands = [f"/c/{board.challenge}/{word}" for word in ("accept", "decline", "withdraw")]
    commands += [f"/api/challenges/{board.challenge}/accept", f"/games/{board.game}/resign"]
    places = [address for _, address in board.addresses()] + commands
    for who, client in enumerate((maker.client, Visitor(server).client, httpx.Client(timeout=PATIENCE))):
        for way, (method, robot) in enumerate(zip(("GET", "HEAD", "OPTIONS"), ROBOTS, strict=True)):
            for address in places if whole else places[(SEED + who + way) % 3 :: 3]:
                headers = {"user-agent": robot, "accept": "text/html"}
                answer = client.request(method, f"{server.url}{address}", headers=headers)
                assert answer.status_code < 500, address
                assert answer.status_code != 201, address
                led = answer.headers.get("location", "/sign-in")
                back = {"/wish": "/", "/games/next": "/games", f"/games/{board.game}/review": f"/games/{board.game}"}
                assert led.startswith("/sign-in") or back.get(address) == led, address
    assert kept(folder) == before
    assert board.white.look(board.challenge)["state"] == "open"
