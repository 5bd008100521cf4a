"""The form for a new game: clocks, handicaps, and positions to begin with."""

from __future__ import annotations

import io
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from korgool.app.server.core.errors import ApiError
from korgool.app.server.play.new_game_form import CLOCKS, HANDICAPS, handicap, read_form
from korgool.engine.levels import ratings_of
from korgool.live import GameTerms, read_clock, write_clock
from korgool.notation.reading import read_records
from korgool.rules import GAMES, Position, Side

from .support import Visitor

FORM: dict[str, object] = {"game": "toguz", "side": "white", "level": "1", "clock": "none"}
FIELDS = ["clock", "minutes", "seconds", "handicap", "position", "game", "level", "rating"]
WHO = "v" * 22
LATE = "1S,8/1S,8 80 80 S 60"
"""A toguz korgool position in which each side has one stone."""


def form(fields: dict[str, object]) -> GameTerms:
    """What a visitor asks for."""
    asked = read_form(fields, WHO)
    assert {seat.who for seat in asked.seats} == {WHO, ""}
    assert (asked.friendly, asked.rated, asked.delay_s) == (True, False, 0)
    return asked


def strength(asked: GameTerms) -> int:
    return max(seat.strength for seat in asked.seats)


def test_clocks_of_the_form_and_others() -> None:
    for clock in CLOCKS:
        assert write_clock(form(FORM | {"clock": clock}).control) == clock
    assert write_clock(form(FORM | {"clock": "3+2", "minutes": " 7 ", "seconds": "1"}).control) == "7+1"
    assert write_clock(form(FORM | {"minutes": "7", "seconds": ""}).control) == "7+0"
    for wrong in ("0+5", "1:30", "", "1000+0", "5+1000", "٣+2", "5+3 delay 2"):
        with pytest.raises(ApiError, match=r"clock cannot be .* 1 to 999 minutes"):
            form(FORM | {"clock": wrong})
    for own in ({"minutes": "1000"}, {"seconds": "5"}, {"minutes": "-1"}):
        with pytest.raises(ApiError, match=r"clock cannot be .* 1 to 999 minutes"):
            form(FORM | own)


@pytest.mark.parametrize("game", GAMES)
def test_a_handicap_moves_stones_and_loses_none(game: str) -> None:
    rules = GAMES[game]
    for name in HANDICAPS:
        for side in ("white", "black"):
            asked = form(FORM | {"game": game, "side": side, "handicap": name})
            if name == "none":
                assert asked.start is None
                continue
            assert asked.start is not None
            position = Position.parse(asked.start, rules)
            assert position.outcome() is None
            (own,) = asked.sides(WHO)
            assert own is {"white": Side.WHITE, "black": Side.BLACK}[side]
            gains = own if name.startswith("engine") else own.other
            assert position.stores[gains] == int(name[-1]) * rules.holes
            assert position.stores[gains.other] == 0
    assert str(handicap(GAMES["toguz"], Side.BLACK, 1)).endswith(" 9 0 S 1")


def test_a_position_is_told_what_is_wrong_with_it() -> None:
    usual = str(GAMES["toguz"].start())
    assert form(FORM | {"position": f"  {usual} "}).start is None
    assert form(FORM | {"position": LATE}).start == LATE
    for text, reasons in {
        "nonsense": ["five parts"],
        "9S/1S,8 80 80 S 60": ["Black has 1 holes instead of 9", "there are 170 stones instead of 162"],
        "1S,8/1S,8 80 80 X x": ["the side to move is S or N", "the move number"],
        "1" * 500: ["too long"],
        "9/9 81 81 S 90": ["already over"],
    }.items():
        with pytest.raises(ApiError) as refused:
            form(FORM | {"position": text})
        assert refused.value.status == 422
        assert all(reason in str(refused.value) for reason in reasons), str(refused.value)
    with pytest.raises(ApiError, match="not both"):
        form(FORM | {"position": LATE, "handicap": "you 1"})


@pytest.mark.parametrize("game", GAMES)
def test_a_rating_of_the_form(game: str) -> None:
    known = ratings_of(GAMES[game])
    fields = FORM | {"game": game, "level": "rating"}
    for rating in (known[0], 800, known[-1]):
        assert strength(form(fields | {"rating": f" {rating} "})) == rating
    for wrong in (
        "",
        "0",
        "9",
        str(known[0] - 1),
        str(known[-1] + 1),
        "-800",
        "8e2",
        "800.0",
        "\u0668\u0660\u0660",
        "9" * 99,
    ):
        with pytest.raises(ApiError, match=f"whole number from {known[0]} to {known[-1]}, not") as refused:
            form(fields | {"rating": wrong})
        assert refused.value.status == 422
    assert strength(form(FORM | {"rating": "rubbish"})) == 1  # the field counts only where it is chosen


def test_a_game_by_rating_is_played_kept_and_recorded(visitor: Visitor) -> None:
    fields = {"game": "bestemshe", "side": "black", "level": "rating", "clock": "none"}
    refused = visitor.form("/games", **fields, rating="5000")
    assert refused.status_code == 422
    assert "whole number from 200 to" in refused.text
    assert '"5000"' not in visitor.client.get("/").text
    answer = visitor.form("/games", **fields, rating="650")
    assert answer.status_code == 303, answer.text
    game = answer.headers["location"].removeprefix("/games/")
    with visitor.live(game) as live:
        live.until(2)
    state = visitor.state(game)
    assert len(state["moves"]) == 1
    assert state["level"] == 650
    assert "rating 650" in visitor.client.get(f"/games/{game}").text
    assert "rating 650" in visitor.client.get("/").text
    visitor.send(game, "resign", version=state["version"]).raise_for_status()
    assert '[White "Korgool rating 650"]' in visitor.client.get(f"/games/{game}/record/pgn").text
    assert visitor.state(visitor.send(game, "rematch").json()["game"])["level"] == 650


@settings(deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["clock", "minutes", "seconds", "handicap", "position", "game", "level", "rating"]), st.text()
    )
)
def test_whatever_the_form_says(fields: dict[str, str]) -> None:
    with suppress(ApiError):
        asked = form(FORM | fields)
        assert read_clock(write_clock(asked.control)) == asked.control
        assert len(write_clock(asked.control)) <= 7
        assert asked.start is None or Position.parse(asked.start, asked.rules)


def test_a_game_from_a_position_is_played_kept_and_recorded(visitor: Visitor) -> None:
    start = str(handicap(GAMES["bestemshe"], Side.BLACK, 2))
    answer = visitor.form("/games", game="bestemshe", side="white", level=1, clock="5+3", handicap="engine 2")
    assert answer.status_code == 303, answer.text
    game = answer.headers["location"].removeprefix("/games/")
    state = visitor.state(game)
    assert (state["start"], state["position"], state["stores"]) == (start, start, [10, 0])
    assert state["clock"]["increment_ms"] == 3000
    visitor.send(game, "resign", version=state["version"]).raise_for_status()
    text = visitor.client.get(f"/games/{game}/record/pgn").text
    assert f'[FEN "{start}"]' in text
    (record,) = read_records(io.StringIO(text))
    assert str(record.start) == start
    assert visitor.client.get(f"/games/{game}/record/bare").status_code == 409
    assert "PGN" in visitor.client.get(f"/games/{game}/record/tgk").json()["detail"]
    again = visitor.send(game, "rematch").json()["game"]
    assert visitor.state(again)["start"] == start


def test_perfect_play_begins_at_the_start(visitor: Visitor) -> None:
    fields = {"game": "mangala", "side": "white", "level": 9, "clock": "none", "handicap": "you 1"}
    assert visitor.form("/games", **fields).status_code == 422
