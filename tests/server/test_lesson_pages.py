"""Pages of lessons: scripts are told what the rules make, and without scripts boards are read with their answers."""

from __future__ import annotations

import gzip
import json
import re

import msgspec
import pytest
from markupsafe import escape

from korgool.app.server.play.game_events import trace
from korgool.app.words.games import STONE_GAMES
from korgool.languages import LANGUAGES, translations
from korgool.rules import GAMES
from korgool.training.lessons import first_boards, path_of
from korgool.training.questions import Way

from .support import Visitor

SCRIPT = re.compile(r'<script type="application/json" id="(\w+)">(.*?)</script>', re.DOTALL)
MOST_BYTES = 20_000
"""A page of a stop, packed: its boards as pictures, and every sowing of them."""


def read(visitor: Visitor, path: str, language: str = "en") -> str:
    answer = visitor.client.get(path, headers={"accept-language": language, "accept": "text/html"})
    assert answer.status_code == 200, path
    return answer.text


@pytest.mark.parametrize("game", GAMES)
def test_a_stop_tells_the_scripts_what_the_rules_make(visitor: Visitor, game: str) -> None:
    path = path_of(game)
    whole = dict(SCRIPT.findall(read(visitor, f"/learn/{game}")))
    for at, stop in enumerate(path):
        text = read(visitor, f"/learn/{game}/{stop.name}")
        parts = dict(SCRIPT.findall(text))
        assert [one["name"] for one in json.loads(parts["stops"])] == [one.name for one in path]
        told = json.loads(parts["lessons"])[stop.name]
        assert told == json.loads(whole["lessons"])[stop.name]
        assert len(gzip.compress(text.encode())) < MOST_BYTES
        for board, one in zip(stop.boards, told, strict=True):
            question = board.question
            position = question.position
            assert (one["way"], one["right"], one["mark"]) == (question.way, list(question.right), question.move)
            assert (one["before"]["white"], one["before"]["black"]) == tuple(map(list, position.holes))
            holes = position.legal_moves() if question.way is Way.HOLE else [question.move]
            keys = [str(hole) if question.way is Way.HOLE else "" for hole in holes]
            assert list(one["shown"]) == keys
            for key, hole in zip(keys, holes, strict=True):
                sown = position.sow(hole)
                assert one["shown"][key]["trace"] == json.loads(msgspec.json.encode(trace(sown)))
                stores = sown.after.stores if sown.outcome is None else sown.outcome.stores
                assert one["shown"][key]["after"]["stores"] == list(stores)
        if at + 1 < len(path):
            assert f'href="/learn/{game}/{path[at + 1].name}"' in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_scripts_the_boards_are_read_with_their_answers(visitor: Visitor, language: str) -> None:
    for game in GAMES:
        gettext = translations(language, game in STONE_GAMES).gettext
        for stop in path_of(game):
            text = read(visitor, f"/learn/{game}/{stop.name}", language)
            assert f"<title>{escape(gettext(stop.title))}" in text
            assert f'<html lang="{language}">' in text
            plain = text.partition("<noscript>\n  <h1>")[2].partition("</noscript>")[0]
            assert plain.count("<svg class=") == len(stop.boards)
            answers = [board for board in stop.boards if len(board.question.right) < len(board.question.answers)]
            assert plain.count(escape(gettext("Answer: %(answer)s").split("%")[0])) == len(answers)


def test_the_last_stop_begins_a_game_against_the_first_level(visitor: Visitor) -> None:
    for game in GAMES:
        fields = dict(re.findall(r'name="(game|side|level|clock)" value="(\w+)"', read(visitor, f"/learn/{game}/game")))
        assert fields == {"game": game, "side": "white", "level": "1", "clock": "none"}
        assert visitor.form("/games", **fields).headers["location"].startswith("/games/")


@pytest.mark.parametrize("game", GAMES)
def test_the_way_into_a_game_is_a_board_of_each_of_the_first_stops(visitor: Visitor, game: str) -> None:
    text = read(visitor, f"/learn/{game}/first?to=/c/AbCdEfGhIjKl")
    (told,) = json.loads(dict(SCRIPT.findall(text))["lessons"]).values()
    boards = first_boards(game)
    assert [one["position"] for one in told] == [str(board.question.position) for board in boards]
    assert [one["right"] for one in told] == [list(board.question.right) for board in boards]
    assert {one["way"] for one in told} == {"hole"}
    stops = [stop for stop in path_of(game) if stop.boards][:4]
    assert all(board in stop.boards for board, stop in zip(boards, stops, strict=True))
    assert text.count('href="/c/AbCdEfGhIjKl"') == 3  # the arrow, the end, and without scripts


@pytest.mark.parametrize(
    "to", ["", "//evil.example/", "https://evil.example/", "/\\\\evil.example", "javascript:alert(1)"]
)
def test_it_leads_nowhere_else(visitor: Visitor, to: str) -> None:
    answer = visitor.client.get("/learn/toguz/first", params={"to": to}, headers={"accept": "text/html"})
    assert answer.status_code == 200
    assert 'id="onward" href="/learn/toguz"' in answer.text
    assert not re.search(r'href="(?!/sign-in)[^"]*(?:evil|javascript)', answer.text)


def test_a_stop_that_is_none_is_not_found(visitor: Visitor) -> None:
    for path in ("/learn/toguz/castle", "/learn/chess/sow", "/learn/toguz/%3Cscript%3E", "/learn/toguz/sow/2"):
        assert visitor.client.get(path, headers={"accept": "text/html"}).status_code == 404
