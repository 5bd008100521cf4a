"""The analysis board's commands: lines, records, searches, moves of levels, and whatever is wrong with a request."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from korgool.app.server.analysis.api import MOST_LINES, MOST_NODES, MOST_PLIES
from korgool.notation import DIALECTS, format_movetext
from korgool.notation.record import Record
from korgool.notation.writing import write_record
from korgool.rules import GAMES, Game, Position
from tests.patience import PATIENCE

from .support import Server, Visitor

START = str(GAMES["toguz"].start())


@pytest.fixture(scope="module")
def client(server: Server) -> Iterator[httpx.Client]:
    """A program without cookies and tokens: nothing here is anybody's."""
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        yield client


def ask(client: httpx.Client, name: str, **values: object) -> Any:
    answer = client.post(f"/api/analysis/{name}", json=values)
    assert answer.status_code == 200, answer.text
    return answer.json()


def played(game: str, plies: int) -> Game:
    """A game in which both players always capture the most they can."""
    going = Game(GAMES[game])
    while len(going.moves) < plies and going.position.outcome() is None:
        position = going.position
        going.play(max(position.legal_moves(), key=lambda hole: position.sow(hole).taken))
    return going


@pytest.mark.parametrize("game", GAMES)
def test_a_line_is_told_as_the_rules_have_it(client: httpx.Client, game: str) -> None:
    going = played(game, 400)
    line = ask(client, "line", game=game, moves=list(going.moves))
    assert [one["position"] for one in line] == [str(position) for position in going.positions]
    assert [one["legal"] for one in line] == [list(position.legal_moves()) for position in going.positions]
    words = format_movetext(going, numbered=False).replace(",", " ").split()
    assert [one["text"] for one in line[1:]] == words
    assert line[0]["trace"] is None
    outcome = going.position.outcome()
    assert outcome is not None
    assert line[-1]["outcome"]["result_text"] == outcome.result_text
    for one, position in zip(line, going.positions, strict=True):
        board = one["board"]
        assert (tuple(board["white"]), tuple(board["black"])) == position.holes
        for hole, preview in one["previews"].items():
            assert preview["captures"] == position.sow(int(hole)).taken


def test_a_line_may_begin_anywhere(client: httpx.Client) -> None:
    middle = played("toguz", 31).position
    line = ask(client, "line", game="toguz", position=str(middle), moves=[middle.legal_moves()[0]])
    assert line[0]["position"] == str(middle)
    assert line[1]["position"] == str(middle.play(middle.legal_moves()[0]))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_is_read(client: httpx.Client, dialect: str) -> None:
    going = played("toguz", 40)
    text = write_record(Record.of(going, White="A", Black="B"), dialect)
    found = ask(client, "record", text=f"\n{text}\n")
    assert found["moves"] == list(going.moves)
    assert found["game"] == "toguz"
    assert found["position"] is None
    assert found["players"] == (["A", "B"] if dialect in ("pgn", "tgk") else [None, None])


def test_records_name_their_game_and_start(client: httpx.Client) -> None:
    start = Position.parse("4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 N 3", GAMES["castle"])
    going = Game(start, [3])
    text = write_record(Record.of(going), "pgn")
    found = ask(client, "record", text=text, game="toguz")
    assert (found["game"], found["position"], found["moves"]) == ("castle", str(start), [3])
    two = ask(client, "record", text="7779\n5555\n", game="toguz")
    assert two["more"]
    assert ask(client, "record", text="123", game="bestemshe")["game"] == "bestemshe"


@pytest.mark.parametrize("game", GAMES)
def test_position_texts_are_read(client: httpx.Client, game: str) -> None:
    position = played(game, 9).position
    found = ask(client, "record", text=f"  {position}\n", game=game)
    assert (found["game"], found["position"], found["moves"]) == (game, str(position), [])
    assert len(GAMES[ask(client, "record", text=str(position), game="toguz")["game"]].start().holes[0]) == len(
        position.holes[0]
    )


@pytest.mark.parametrize("game", GAMES)
def test_a_search_tells_lines(client: httpx.Client, game: str) -> None:
    going = played(game, 7)
    found = ask(client, "search", game=game, moves=list(going.moves), lines=3, nodes=20_000)
    assert 0 < found["nodes"] <= 20_000
    assert len(found["lines"]) == min(3, len(going.position.legal_moves()))
    for line in found["lines"]:
        assert line["move"] == line["pv"][0]
        assert line["win"] + line["draw"] + line["loss"] == pytest.approx(1)
        assert len(line["texts"]) == len(line["pv"])
        position = going.position
        for hole in line["pv"]:
            position = position.play(hole)
    values = [line["evaluation"] for line in found["lines"]]
    assert values == sorted(values, reverse=True)


def test_a_line_past_the_end_of_the_game_is_cut(client: httpx.Client) -> None:
    """The search counts stones on where the game is decided; what is told can be played."""
    going = played("bestemshe", 11)
    assert ask(client, "search", game="bestemshe", moves=list(going.moves), lines=5, nodes=400_000)["lines"]


def test_every_level_moves(client: httpx.Client) -> None:
    going = played("castle", 10)
    for level in (*range(1, 9), 200, 1111):
        move = ask(client, "move", game="castle", moves=list(going.moves), level=level)["move"]
        assert move in going.position.legal_moves()


OVER = list(played("bestemshe", 400).moves)


@pytest.mark.parametrize(
    ("command", "body", "status", "reason"),
    [
        ("line", {"game": "chess"}, 422, "game"),
        ("line", {}, 400, "game"),
        ("line", [], 400, "object"),
        ("line", "\x00", 400, "object"),
        ("line", {"game": "toguz", "moves": ["7"]}, 400, "moves"),
        ("line", {"game": "toguz", "moves": [7.5]}, 400, "moves"),
        ("line", {"game": "toguz", "moves": [10]}, 422, "Move 1, White: there is no hole 10"),
        ("line", {"game": "toguz", "moves": [10**30]}, 422, "Move 1, White"),
        ("line", {"game": "toguz", "moves": [7, -1]}, 422, "Move 1, Black"),
        ("line", {"game": "mangala", "moves": [1, 1, 1, 6, 6, 6, 6, 6]}, 422, "Move 3, Black: hole 6"),
        ("line", {"game": "toguz", "moves": [1] * (MOST_PLIES + 1)}, 422, "too long"),
        ("line", {"game": "toguz", "position": "9S/9S 0 0 S 1"}, 422, "1 holes instead of 9"),
        ("line", {"game": "mangala", "position": START}, 422, "This is not a position"),
        ("line", {"game": "toguz", "position": "x" * 5000}, 422, "too long"),
        ("line", {"game": "toguz", "more": 1}, 400, "more"),
        ("line", {"game": "bestemshe", "moves": [*OVER, 1]}, 422, "game is over"),
        ("record", {"text": ""}, 422, "no record"),
        ("record", {"text": "  \n "}, 422, "no record"),
        ("record", {"text": "hello"}, 422, "Line 1, move 1, White"),
        ("record", {"text": "\n\n1. 76(10) 54"}, 422, "Line 3, move 1, Black"),
        ("record", {"text": "1. 76(10) 75(10)\n2. 33 9"}, 422, "move 1, Black"),
        ("record", {"text": "70"}, 422, "move 1, Black: 0 cannot be played"),
        ("record", {"text": "9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 S 1"}, 422, "2 holes instead of 9"),
        ("record", {"text": "9S,9S,9S/ 0 0 S 1"}, 422, "This is not a position"),
        ("record", {"text": "7", "game": "go"}, 422, "game"),
        ("record", {"text": 7}, 400, "text"),
        ("search", {"game": "toguz", "lines": 0}, 422, "lines"),
        ("search", {"game": "toguz", "lines": MOST_LINES + 1}, 422, "lines"),
        ("search", {"game": "toguz", "nodes": 0}, 422, "nodes"),
        ("search", {"game": "toguz", "nodes": MOST_NODES + 1}, 422, "nodes"),
        ("search", {"game": "toguz", "nodes": True}, 400, "nodes"),
        ("search", {"game": "bestemshe", "moves": OVER}, 422, "The game is over"),
        ("move", {"game": "toguz", "level": 0}, 422, "level"),
        ("move", {"game": "toguz", "level": 10}, 422, "level"),
        ("move", {"game": "mangala", "level": 2300}, 422, "whole number from 100 to 1"),
        ("move", {"game": "toguz", "level": 10**9}, 422, "whole number from 200 to 2"),
        ("move", {"game": "bestemshe", "moves": OVER}, 422, "The game is over"),
    ],
)
def test_what_is_wrong_is_told(client: httpx.Client, command: str, body: Any, status: int, reason: str) -> None:
    answer = client.post(f"/api/analysis/{command}", json=body)
    assert answer.status_code == status, answer.text
    assert list(answer.json()) == ["detail"]
    assert reason in answer.json()["detail"]


def test_what_is_no_json_is_told(client: httpx.Client) -> None:
    for content in (b"", b"{", b"\xff\xfe", b"[" * 5000, b'{"game": "toguz", "moves": [1e400]}'):
        answer = client.post("/api/analysis/line", content=content)
        assert answer.status_code == 400
        assert "detail" in answer.json()
    assert client.post("/api/analysis/record", json={"text": "7" * 70_000}).status_code == 413
    assert client.get("/api/analysis/line").status_code == 405


def test_refusals_speak_the_language(client: httpx.Client) -> None:
    answer = client.post("/api/analysis/record", json={"text": ""}, headers={"accept-language": "ru"})
    assert answer.json()["detail"] == "В этом тексте нет ни записи партии, ни позиции."


def test_too_many_searches_of_one_visitor_are_refused_and_none_stops_the_others(
    client: httpx.Client, server: Server
) -> None:
    eager = Visitor(server)
    eager.new_game()
    body = {"game": "toguz", "nodes": MOST_NODES, "lines": 5}
    with ThreadPoolExecutor(20) as crowd:
        asked = lambda _: eager.client.post("/api/analysis/search", json=body, timeout=PATIENCE)  # noqa: E731
        answers = list(crowd.map(asked, range(20)))
    assert {answer.status_code for answer in answers} == {200, 429}
    assert all(int(answer.headers["retry-after"]) > 0 for answer in answers if answer.status_code == 429)
    assert ask(client, "search", game="toguz", nodes=100)["lines"]


def test_the_page_tells_levels_games_and_books(client: httpx.Client) -> None:
    html = client.get("/analysis").text
    facts = json.loads(html.split('<script type="application/json" id="facts">')[1].split("</script>")[0])
    assert facts["levels"] == list(range(1, 9))
    assert facts["games"] == {name: rules.holes for name, rules in GAMES.items()}
    for address in facts["books"].values():
        book = client.get(address).json()
        assert START.rsplit(" ", 1)[0] in book["positions"] or book["game"] != "toguz"
