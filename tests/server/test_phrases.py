"""Set phrases between players: who hears them, how many there are, and what else is refused."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool.app.server.core.errors import ApiError
from korgool.app.server.http.template_texts import words
from korgool.app.server.limits import ServiceLimits
from korgool.app.server.play.phrases import MOST_PHRASES, PAUSE_SECONDS, PhraseExchange, Say
from korgool.app.server.play.subscribers import Subscriber, Subscribers
from korgool.app.words.online_games import PHRASES
from korgool.languages import LANGUAGES

from .slow_games import ANN, BOB, people, stored
from .support import Json, Live, Visitor, running


class Room:
    """A game with a page of White, two of Black, and one of a watcher."""

    def __init__(self, white: str = ANN, black: str = BOB) -> None:
        terms = people(white, black)
        self.now = 100.0
        self.talk = PhraseExchange(terms, lambda: self.now)
        self.followers = Subscribers()
        self.pages = [Subscriber(who, plays=bool(terms.sides(who or ""))) for who in (ANN, BOB, BOB, None)]
        for page in self.pages:
            self.followers.join(page, ServiceLimits())

    def say(self, who: str | None, phrase: str, name: str | None = None) -> int:
        """The status that says the same as the answer."""
        try:
            self.talk.say(who, Say(phrase, name), self.followers)
        except ApiError as refused:
            assert str(refused)
            return refused.status
        return 200

    def heard(self) -> list[list[Any]]:
        """What each page has heard since the last look."""
        return [list(map(msgspec.json.decode, drained(page.queue))) for page in self.pages]


def drained(queue: asyncio.Queue[bytes | None]) -> Iterator[bytes]:
    while not queue.empty():
        yield queue.get_nowait() or b""


def test_both_players_hear_it_on_all_their_pages_and_watchers_do_not() -> None:
    room = Room()
    assert room.say(BOB, "thanks") == 200
    said = {"kind": "phrase", "side": "black", "phrase": "thanks"}
    assert room.heard() == [[said], [said], [said], []]


def test_strangers_and_watchers_say_nothing() -> None:
    room = Room()
    assert [room.say(who, "thanks") for who in (None, "", "c" * 22)] == [403, 403, 403]
    assert [room.say(ANN, phrase) for phrase in ("", "fool", "Thanks", "<b>", "x" * 10_000)] == [422] * 5
    assert room.heard() == [[], [], [], []]


@pytest.mark.parametrize("black", ["", ANN])
def test_nobody_talks_to_an_engine_or_to_themselves(black: str) -> None:
    assert Room(ANN, black).say(ANN, "hello") == 422


def test_one_in_two_seconds_and_thirty_in_a_game() -> None:
    room = Room()
    assert [room.say(ANN, "hello"), room.say(ANN, "luck"), room.say(BOB, "hello")] == [200, 429, 200]
    room.now += PAUSE_SECONDS - 0.01
    assert room.say(ANN, "luck") == 429
    for _ in range(MOST_PHRASES - 1):
        room.now += PAUSE_SECONDS
        assert room.say(ANN, "nice") == 200
    room.now += 1000
    assert [room.say(ANN, "bye"), room.say(BOB, "bye")] == [429, 200]


def test_a_phrase_sent_again_is_said_once() -> None:
    room = Room()
    assert [room.say(ANN, "bye", "a1"), room.say(ANN, "bye", "a1"), room.say(BOB, "bye", "a1")] == [200, 200, 200]
    assert len(room.heard()[0]) == 2
    assert room.say(ANN, "luck", "a2") == 429
    room.now += PAUSE_SECONDS
    assert room.say(ANN, "luck", "a2") == 200, "a refusal is no answer for ever"


@given(st.lists(st.tuples(st.floats(0, 5), st.sampled_from([ANN, BOB, None]), st.sampled_from([*PHRASES, "no"]))))
def test_no_schedule_says_more(steps: list[tuple[float, str | None, str]]) -> None:
    room, said = Room(), []
    for wait, who, phrase in steps:
        room.now += wait
        if room.say(who, phrase) == 200:
            said.append((room.now, who, phrase))
    assert [one["phrase"] for one in room.heard()[1]] == [phrase for _, _, phrase in said]
    for who in (ANN, BOB):
        times = [now for now, speaker, _ in said if speaker == who]
        assert len(times) <= MOST_PHRASES
        assert all(later - earlier >= PAUSE_SECONDS - 1e-9 for earlier, later in pairwise(times))
    assert all(who is not None and phrase != "no" for _, who, phrase in said)


def test_every_phrase_has_a_short_key_and_five_languages() -> None:
    assert all(key.isascii() and key.isalpha() and key.islower() and len(key) < 10 for key in PHRASES)
    for language in LANGUAGES:
        told = json.loads(words(language)["words_json"])["phrases"]
        assert list(told) == list(PHRASES)
        assert len(set(told.values())) == len(PHRASES)
        if language != "en":
            assert not set(told.values()) & set(PHRASES.values()), f"{language} has no words of its own"


@pytest.fixture(scope="module")
def players(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Visitor, Visitor, str]]:
    """Two visitors at a real server, and their game."""
    folder = tmp_path_factory.mktemp("talk")
    with running(folder) as server:
        ann, bob = Visitor(server), Visitor(server)
    (game,) = stored(folder, people(ann.identity, bob.identity, clock="none"))
    with running(folder) as server:
        ann.move_to(server)
        bob.move_to(server)
        yield ann, bob, game
        assert "Traceback" not in server.stop()


def phrase_on(page: Live) -> Json:
    while (message := page.hear()).get("kind") != "phrase":
        continue
    return message


def says(page: Live, phrase: str, name: str = "") -> None:
    """Say a phrase, after the pause that may be left from another test."""
    while (answer := page.act("say", name, phrase=phrase)).get("status") == 429:
        time.sleep(0.2)
    assert "ack" in answer


def test_over_live_connections(players: tuple[Visitor, Visitor, str]) -> None:
    ann, bob, game = players
    version = ann.state(game)["version"]
    with ann.live(game) as first, ann.live(game) as tab, bob.live(game) as other:
        says(first, "hello", "p1")
        assert "ack" in first.act("say", "p1", phrase="hello"), "the same again is said once"
        said = {"kind": "phrase", "side": "white", "phrase": "hello"}
        assert phrase_on(other) == said
        assert phrase_on(tab) == said
        refused = first.act("say", phrase="luck", version=1)
        assert (refused["status"], "wait" in refused["detail"]) == (429, True)
        for body, reason in (
            ({}, "`phrase`"),
            ({"phrase": 3}, "$.phrase"),
            ({"phrase": "hello", "text": "you fool"}, "`text`"),
        ):
            other.say("say", **body)
            while "refused" not in (answer := other.hear()):
                continue
            assert answer["status"] == 400
            assert reason in answer["detail"]
        assert other.act("say", "x" * 41, phrase="hello")["status"] == 400
        says(other, "luck")
        assert phrase_on(tab) == {"kind": "phrase", "side": "black", "phrase": "luck"}
    after = ann.state(game)
    assert after["version"] <= version + 2, "who came is written down, and no phrase is"
    assert bob.send(game, "say").status_code == 404


def test_watchers_neither_hear_nor_say(players: tuple[Visitor, Visitor, str]) -> None:
    ann, _, game = players
    watcher = Visitor(type("Address", (), {"url": str(ann.client.base_url).rstrip("/")})())
    with watcher.live(game) as watching, ann.live(game) as playing:
        assert watching.act("say", phrase="hello")["status"] == 403
        says(playing, "thanks")
        watching.say("ping", sent=1)
        heard = []
        while "pong" not in (message := watching.hear()):
            heard.append(message.get("kind"))
        assert "phrase" not in heard
