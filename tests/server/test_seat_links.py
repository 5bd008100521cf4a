"""A guest goes on in another browser by a link of one use: who may make it, what it opens, and that none is guessed."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random

import httpx
import pytest
from sqlalchemy import text

from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.notices import notices as notices_module
from korgool.app.server.notices import seat_links as module
from korgool.app.server.notices.seat_links import MOST_LINKS, SeatLink, SeatLinks
from korgool.app.server.people.guests.migration import move
from korgool.app.server.people.transactions import PeopleTransactions
from korgool.app.server.storage.database import Storage
from tests.conftest import SEED

from .support import Server, Visitor, running

ANN, BOB, GAME = "a" * 22, "b" * 22, "abcdefghijkl"


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[Storage]:
    found = Storage.open(ServerSettings(data=tmp_path / "data"))
    yield found
    found.close()


@pytest.fixture
def links(storage: Storage) -> SeatLinks:
    return SeatLinks(storage.engine)


def soon() -> int:
    return now_ms() + 60_000


def test_a_link_works_once_and_looking_uses_nothing_up(links: SeatLinks) -> None:
    secret = links.make(ANN, GAME, soon())
    for _ in range(3):
        assert links.look(secret) == SeatLink(ANN, GAME)
    assert links.use(secret) == SeatLink(ANN, GAME)
    assert links.use(secret) is None
    assert links.look(secret) is None


def test_of_many_who_use_a_link_at_once_one_is_served(links: SeatLinks) -> None:
    for _ in range(5):
        secret, served = links.make(ANN, GAME, soon()), []
        threads = [threading.Thread(target=lambda: served.append(links.use(secret))) for _ in range(8)]  # noqa: B023
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(served, key=str) == [None] * 7 + [SeatLink(ANN, GAME)]


def test_a_link_expires_and_expired_ones_are_removed(links: SeatLinks, storage: Storage) -> None:
    old = links.make(ANN, GAME, now_ms() - 1)
    assert links.look(old) is links.use(links.make(ANN, GAME, now_ms() - 1)) is None
    links.make(BOB, GAME, soon())
    with storage.engine.begin() as connection:
        assert connection.scalar(text("SELECT count(*) FROM seat_links")) == 1


def test_nobody_has_many_links_and_the_database_knows_none(links: SeatLinks, storage: Storage) -> None:
    other = links.make(BOB, GAME, soon())
    made = [links.make(ANN, GAME, soon() + at) for at in range(MOST_LINKS + 3)]
    assert [links.look(secret) is not None for secret in made] == [False] * 3 + [True] * MOST_LINKS
    assert links.look(other)
    with storage.engine.begin() as connection:
        rows = str(connection.execute(text("SELECT * FROM seat_links")).all())
    assert not any(secret in rows for secret in made)


def test_a_link_ends_when_its_guest_has_an_account(links: SeatLinks, storage: Storage) -> None:
    """Their games are the account's then, and who has the link must not become the guest of before."""
    secret = links.make(ANN, GAME, soon())
    move(PeopleTransactions(storage.engine), ANN, "A" * 24)
    assert links.look(secret) is None


def link_of(answer: httpx.Response) -> str:
    assert answer.status_code == 200, answer.text
    found = re.search(r'value="[^"]*(/seat/[\w-]{43})"', answer.text)
    assert found, answer.text
    return found[1]


def test_a_guest_goes_on_in_another_browser(server: Server) -> None:
    owner, other, third = Visitor(server), Visitor(server), Visitor(server)
    game = owner.new_game(clock="10+5")
    assert 'action="/seat"' in owner.client.get(f"/games/{game}").text
    watched = other.client.get(f"/games/{game}").text
    assert 'action="/seat"' not in watched
    assert "Do you play in this game?" in watched
    made = owner.form("/seat", game=game)
    assert made.headers["cache-control"] == "no-store"
    link = link_of(made)
    # Programs open links, and somebody sees nothing but the question.
    for _ in range(3):
        page = other.client.get(link).text
        assert f'action="{link}"' in page
        assert "no longer be yours" not in page
    assert not other.state(game)["you"]
    assert other.client.post(link).status_code == 403, "another page cannot press the button"
    third.new_game()
    assert "no longer be yours" in third.client.get(link).text
    answer = other.form(link)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/games/{game}")
    assert other.identity == owner.identity
    state = other.state(game)
    assert state["you"] == owner.state(game)["you"] == "white"
    assert other.send(game, "move", hole=7, version=state["version"]).status_code == 200
    # It works once, and says how to come by another one.
    for answer in (third.client.get(link), third.form(link), other.form(link)):
        assert answer.status_code == 410
        assert "Play on another device" in answer.text
    assert third.state(game)["you"] is None
    again = link_of(owner.form("/seat", game=game))
    assert "has your seat already" in owner.client.get(again).text


def test_who_may_make_no_link(server: Server) -> None:
    owner, watcher = Visitor(server), Visitor(server)
    game = owner.new_game()
    assert watcher.form("/seat", game=game).status_code == 403
    assert owner.client.post("/seat", data={"game": game}).status_code == 403
    assert owner.form("/seat", game="nonesuch0000").status_code == 404
    assert owner.form("/seat").status_code in {404, 422}
    link = link_of(owner.form("/seat", game=game))
    name = f"Seat{Random(SEED).randrange(10**9)}"
    answer = watcher.client.post(
        "/api/account", json={"name": name, "password": "eleven green apples"}, headers={"x-csrftoken": watcher.token}
    )
    assert answer.is_success, answer.text
    assert watcher.form("/seat", game=game).status_code == 403, "an account signs in instead"
    assert "Sign out first" in watcher.client.get(link).text
    assert watcher.form(link).status_code == 303
    assert not watcher.state(game)["you"]
    assert Visitor(server).client.get(link).status_code == 200, "and it has not been used up"


def test_guesses_are_refused(tmp_path: Path) -> None:
    """A link is 256 random bits; what looks like one is answered alike, and only so many times."""
    with running(tmp_path) as server:
        guess(Visitor(server), Visitor(server))


def guess(owner: Visitor, guesser: Visitor) -> None:
    game = owner.new_game()
    link = link_of(owner.form("/seat", game=game))
    for bad in (
        link[:-1],
        link[:-1] + ("A" if link[-1] != "A" else "B"),
        "/seat/%27%20OR%201=1",
        "/seat/" + "x" * 3000,
    ):
        assert guesser.client.get(bad).status_code in {404, 410, 414}, bad
    statuses = {guesser.form(f"/seat/{'x' * 43}").status_code for _ in range(notices_module.RATES["seat here"].burst)}
    assert statuses == {410, 429}
    assert module.PAGE_MS <= 3_600_000
