"""What somebody may ask to play: terms of programs and of the form, and why some cannot be. No server is needed."""

from __future__ import annotations

from typing import Any

import pytest

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.play.challenges.request import (
    HANDICAPS_BETWEEN,
    AskedTerms,
    read_friend_form,
    read_request,
    read_terms,
)
from korgool.conduct import TimeControl
from korgool.engine.levels import ratings_of
from korgool.engine.perfect import PERFECT
from korgool.live import Manner, Seat, SeatKind, Way, read_clock, write_clock
from korgool.rules import GAMES, Position

WHO, NOW = "v" * 22, 1_700_000_000_000
LATE = "1S,8/1S,8 80 80 S 60"
"""A toguz korgool position in which each side has one stone."""
MINUTE, DAY = 60_000, 86_400_000


def ask(**fields: Any) -> AskedTerms:
    return AskedTerms(**{"game": "toguz", "to": "link", **fields})


@pytest.mark.parametrize(
    ("to", "clock", "way", "minutes"),
    [
        ("link", "10+5", Way.LINK, 7 * 1440),
        ("link", "3d", Way.LINK, 7 * 1440),
        ("lobby", "none", Way.LOBBY, 15),
        ("lobby", "10+5", Way.LOBBY, 15),
        ("lobby", "14d", Way.LOBBY, 14 * 1440),
        ("Aibek", "10+5", Way.NAME, 1440),
        ("level:4", "10+5", Way.NONE, 0),
    ],
)
def test_how_it_reaches_somebody_and_how_long_it_is_open(to: str, clock: str, way: Way, minutes: int) -> None:
    found = read_terms(ask(to=to, clock=clock), "address", WHO, NOW)
    one = found.challenge
    assert (one.id, one.maker, one.way, one.expires) == ("address", WHO, way, NOW + minutes * MINUTE)
    assert write_clock(one.control) == clock
    assert found.name == ("Aibek" if way is Way.NAME else "")
    assert (one.to, one.side, one.manner, one.start, one.rated, one.delay_s) == (
        "",
        "random",
        Manner.FRIENDLY,
        None,
        False,
        0,
    )


def test_who_takes_the_other_seat_at_once() -> None:
    def opponent(to: str, game: str = "toguz") -> Seat | None:
        return read_terms(ask(to=to, game=game), "address", WHO, NOW).opponent

    assert opponent("link") is opponent("lobby") is opponent("Aibek") is None
    assert opponent("self") == Seat(SeatKind.PERSON, WHO)
    for strength in (1, 8, ratings_of(GAMES["toguz"])[0], ratings_of(GAMES["toguz"])[-1]):
        assert opponent(f"level:{strength}") == Seat(SeatKind.ENGINE, strength=strength)
    assert opponent(f"level:{PERFECT}", "mangala") == Seat(SeatKind.ENGINE, strength=PERFECT)


def test_all_terms_are_kept_and_told_as_one_asks_for_them() -> None:
    asked = ask(
        clock="10+5",
        side="black",
        conduct="competition",
        position=LATE,
        rules={"threefold": 5, "sweep": "owner"},
        delay=3600,
    )
    one = read_terms(asked, "address", WHO, NOW).challenge
    assert (one.control, one.side, one.manner) == (TimeControl(600_000, 5_000), "black", Manner.COMPETITION)
    assert (one.start, one.delay_s, one.rules.threefold, str(one.rules.sweep)) == (LATE, 3600, 5, "owner")
    told = read_request(one)
    assert told.to == "link"
    assert read_terms(told, "address", WHO, NOW).challenge == one
    rated = ask(clock="3d", rated=True)
    assert read_request(read_terms(rated, "address", WHO, NOW).challenge).rated


def test_the_usual_position_is_no_position() -> None:
    usual = str(GAMES["toguz"].start())
    found = read_terms(ask(position=f"  {usual} ", clock="3d", rated=True), "address", WHO, NOW)
    assert found.challenge.start is None


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"game": "chess"}, errors.BAD_FIELD),
        ({"side": "both"}, errors.BAD_FIELD),
        ({"conduct": "rude"}, errors.BAD_FIELD),
        ({"to": "level:0"}, errors.BAD_FIELD),
        ({"to": "level:10"}, errors.BAD_FIELD),
        ({"to": "level:-4"}, errors.BAD_FIELD),
        ({"to": "level:٣"}, errors.BAD_FIELD),
        ({"to": "level:99999"}, errors.BAD_FIELD),
        ({"to": "level:000004"}, errors.BAD_FIELD),
        ({"to": "level:"}, errors.BAD_FIELD),
        ({"to": "people:4"}, errors.BAD_FIELD),
        ({"to": "level:9"}, errors.NOT_SOLVED),
        ({"to": "level:9", "game": "mangala", "rules": {"sweep": "owner"}}, errors.NOT_SOLVED),
        ({"clock": "15d"}, errors.BAD_CONTROL),
        ({"clock": "0+5"}, errors.BAD_CONTROL),
        ({"clock": ""}, errors.BAD_CONTROL),
        ({"clock": "9999.999+9999.999 bronstein 9999.999"}, errors.BAD_CONTROL),
        ({"clock": "x" * 5000}, errors.BAD_CONTROL),
        ({"delay": 3601}, errors.BAD_DELAY),
        ({"delay": -1}, errors.BAD_DELAY),
        ({"rules": {"sweep": "mine"}}, errors.BAD_RULE),
        ({"rules": {"wings": "yes"}}, errors.BAD_RULE),
        ({"rules": {"x" * 9999: "y" * 9999}}, errors.BAD_RULE),
        ({"position": "nonsense"}, errors.BAD_POSITION),
        ({"position": "1" * 9999}, errors.BAD_POSITION),
        ({"position": LATE + " " * 400 + "x"}, errors.BAD_POSITION),
        ({"position": "9/9 81 81 S 90"}, errors.OVER_AT_START),
        ({"rated": True, "position": LATE}, errors.RATED_START),
        ({"rated": True, "rules": {"threefold": 5}}, errors.RATED_START),
        ({"rated": True, "to": "level:4"}, errors.TWO_PEOPLE),
        ({"rated": True, "clock": "none"}, errors.RATED_CLOCK),
        ({"conduct": "competition"}, errors.CLOCK_NEEDED),
        ({"conduct": "competition", "clock": "3d"}, errors.CLOCK_NEEDED),
        ({"conduct": "competition", "clock": "10+5", "to": "level:4"}, errors.TWO_PEOPLE),
        ({"conduct": "competition", "clock": "10+5", "to": "self"}, errors.TWO_PEOPLE),
    ],
)
def test_terms_that_cannot_be(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ApiError) as refused:
        read_terms(ask(**fields), "address", WHO, NOW)
    assert (refused.value.status, refused.value.message) == (422, message)
    assert len(str(refused.value)) < 400, "what was sent is told in short"


def test_the_longest_clock_is_no_longer_than_forty_letters() -> None:
    longest = "9999.125+9999.125 999 moves x999"
    assert read_terms(ask(clock=longest), "address", WHO, NOW).challenge.control == read_clock(longest)


# The form


def form(**fields: str) -> AskedTerms:
    return read_friend_form({"game": "toguz", "to": "link", **fields})


def test_an_empty_form_asks_for_a_friendly_game() -> None:
    assert form() == AskedTerms("toguz", "link", "none", "random", False, "friendly", None, {}, 0)
    assert read_friend_form({"game": "mangala"}).to == ""


def test_fields_of_the_form() -> None:
    asked = form(
        to="lobby",
        clock="5+3",
        side="black",
        conduct="competition",
        position=f"  {LATE}\r\n",
        rules="sweep=owner, threefold=5",
        delay=" 90 ",
    )
    assert asked == AskedTerms(
        "toguz", "lobby", "5+3", "black", False, "competition", LATE, {"sweep": "owner", "threefold": "5"}, 90
    )
    assert form(delay="").delay == 0
    assert form(clock="5+3", minutes=" 7 ").clock == "7+0"
    assert form(clock="5+3", minutes="7", seconds="2").clock == "7+2"
    assert form(clock="5+3", seconds="2").clock == "+2", "which is refused as a clock"


@pytest.mark.parametrize("handicap", HANDICAPS_BETWEEN)
def test_a_handicap_gives_stones_of_each_hole(handicap: str) -> None:
    asked = form(handicap=handicap)
    if handicap == "none":
        assert asked.position is None
        return
    giver, stones = handicap.split()
    assert asked.position is not None
    position = Position.parse(asked.position, GAMES["toguz"])
    given = int(stones)
    assert position.stores == ((0, 9 * given) if giver == "white" else (9 * given, 0))
    rows = {"white": position.holes[0], "black": position.holes[1]}
    assert {name: set(row) for name, row in rows.items()} == {
        giver: {9 - given},
        "black" if giver == "white" else "white": {9},
    }


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"game": "chess"}, errors.BAD_FIELD),
        ({"handicap": "white 9"}, errors.BAD_FIELD),
        ({"handicap": "white 1", "position": LATE}, errors.TWO_STARTS),
        ({"delay": "-1"}, errors.BAD_DELAY),
        ({"delay": "٣"}, errors.BAD_DELAY),
        ({"delay": "000060"}, errors.BAD_DELAY),
        ({"delay": "a minute"}, errors.BAD_DELAY),
        ({"rules": "sweep"}, errors.BAD_RULE),
        ({"rules": "sweep=owner wings"}, errors.BAD_RULE),
    ],
)
def test_a_form_that_cannot_be(fields: dict[str, str], message: str) -> None:
    with pytest.raises(ApiError) as refused:
        form(**fields)
    assert (refused.value.status, refused.value.message) == (422, message)
