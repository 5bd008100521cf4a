"""Ratings of events: Elo by hand, and lists carried over events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from korgool.competition import actions as do
from korgool.competition.errors import CompetitionError
from korgool.competition.event_fields import rating_fields
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.model import Entry, PairedGame, Settings
from korgool.competition.ratings import (
    Elo,
    RatingChange,
    elo,
    elo_over,
    expected_points,
    fide_factor,
    glicko,
    glicko_over,
    identity,
    rating_changes,
    steady_factor,
)
from korgool.competition.result import read_result
from korgool.glicko import Glicko, updated

Factory = Callable[..., EventState]


def one_game(text: str, *entries: Entry) -> EventState:
    state = apply(EventState(), do.Open(Settings(name="Cup", rounds=1)))
    for entry in entries:
        state = apply(state, do.Enter(entry))
    state = apply(state, do.Seed(tuple(state.players), True))
    state = apply(state, do.Pair(1, (PairedGame(1, 1, 2),), engine="test"))
    return apply(state, do.EnterResult(1, 1, read_result(text)))


def test_who_is_on_no_list_begins_with_the_entry() -> None:
    unrated, weak = Entry(family="A"), Entry(family="B", rating=1)
    state = one_game("0.5 (81) - 0.5 (81)", unrated, weak)
    assert elo({}, state) == {"a": Elo(1, 1), "b": Elo(1)}, "a rating of one point is a rating"
    assert Glicko() == Glicko(1500, 350, 0.06)
    games = {"a": [(Glicko(1), 0.5)], "b": [(Glicko(), 0.5)]}
    starts = {"a": Glicko(), "b": Glicko(1)}
    assert glicko({}, state) == {name: updated(own, games[name]) for name, own in starts.items()}
    with pytest.raises(CompetitionError, match="tau is above 0, not -1"):
        glicko({}, state, tau=-1)


def test_a_first_rating_lies_four_hundred_from_the_opponents_at_most() -> None:
    """FIDE B.02 8.1.1: the mean of the opponents and the difference for the per cent of points."""
    new, rated = Entry(family="N"), Entry(family="R", rating=1500)
    held = {"r": Elo(1500.0, 5)}
    for results, rating in (("1", 1900), ("10", 1500), ("110", 1500 + 125), ("100", 1500 - 125), ("1110", 1500 + 193)):
        state = apply(EventState(), do.Open(Settings(name="Cup", rounds=len(results))))
        for entry in (new, rated):
            state = apply(state, do.Enter(entry))
        state = apply(state, do.Seed((1, 2), True))
        for number, points in enumerate(results, 1):
            state = apply(state, do.Pair(number, (PairedGame(1, 1, 2),), engine="test"))
            state = apply(state, do.EnterResult(number, 1, read_result("1-0" if points == "1" else "0-1")))
        assert elo(held, state) == {"n": Elo(rating, len(results)), "r": Elo(1500.0, 5)}, results


def test_elo_of_one_game() -> None:
    a, b = Entry(family="A", rating=1600), Entry(family="B", rating=1400)
    after = elo({}, one_game("0 (60) - 1 (82)", a, b), factor=steady_factor(20))
    assert expected_points(1600, 1400) == pytest.approx(1 / (1 + 10**-0.5))
    change = 20 * expected_points(1600, 1400)
    assert after["a"].rating == pytest.approx(1600 - change)
    assert after["b"].rating == pytest.approx(1400 + change)
    assert [one.games for one in after.values()] == [1, 1]


def test_the_list_goes_before_the_entry() -> None:
    a, b = Entry(family="A", rating=1600, external="77"), Entry(family="B", rating=1400, born=2001)
    assert (identity(a), identity(b)) == ("77", "b 2001")
    state = one_game("0.5 (81) - 0.5 (81)", a, b)
    after = elo({"77": Elo(1400, 50), "other": Elo(2000, 5)}, state)
    assert after["77"] == Elo(1400, 51)
    assert after["b 2001"] == Elo(1400, 1)
    assert after["other"] == Elo(2000, 5)


def test_forfeits_and_byes_are_not_rated() -> None:
    a, b = Entry(family="A", rating=1600), Entry(family="B", rating=1400)
    for text in ("+ - -", "- - -"):
        state = one_game(text, a, b)
        assert elo({}, state) == {"a": Elo(1600), "b": Elo(1400)}
        assert glicko({}, state)["a"].rating == 1600
        assert glicko({}, state)["a"].deviation > 350


def test_a_first_rating_comes_from_rated_opponents() -> None:
    new, rated, other = Entry(family="N"), Entry(family="R", rating=1500), Entry(family="O")
    assert elo({}, one_game("1 (82) - 0 (60)", new, rated)) == {"n": Elo(1900, 1), "r": Elo(1500)}
    assert elo({}, one_game("0.5 (81) - 0.5 (81)", new, rated))["n"] == Elo(1500, 1)
    assert elo({}, one_game("0 (60) - 1 (82)", new, rated))["n"] == Elo(0), "no point gives no rating"
    assert elo({}, one_game("1 (82) - 0 (60)", new, other)) == {"n": Elo(0), "o": Elo(0)}


def test_two_of_one_name_are_refused() -> None:
    twins = [Entry(family="A", rating=1500, external=""), Entry(family="B")]
    state = one_game("1 (82) - 0 (60)", *twins)
    double = apply(state, do.Amend(2, Entry(family="C", external="a")))
    with pytest.raises(CompetitionError, match="two players are known as 'a'"):
        elo({}, double)


def test_factors_of_fide() -> None:
    assert [fide_factor(one) for one in (Elo(1500, 29), Elo(1500, 30), Elo(2399, 99), Elo(2400, 30))] == [
        40,
        20,
        20,
        10,
    ]


def test_events_are_rated_one_after_the_other(event: Factory) -> None:
    states = [event(10, rounds, 0, absences=0, forfeits=0) for rounds in (4, 5, 6)]
    assert len({identity(one.entry) for state in states for one in state.players.values()}) == 10
    held = elo_over(states)
    step = elo(elo(elo({}, states[0]), states[1]), states[2])
    assert held == step
    assert elo_over(states[::-1]) != held
    assert glicko_over(states) == glicko(glicko(glicko({}, states[0]), states[1]), states[2])
    assert elo_over([], {"a": Elo(1500)}) == {"a": Elo(1500)}


def test_elo_with_one_factor_keeps_the_sum(event: Factory) -> None:
    state = event(16, 7, 5, absences=0.1)
    before = sum(player.entry.rating for player in state.players.values())
    lost = sum(  # a game that both lost gives a point to nobody
        1 for one in state.rounds for game in one.games if game.result and game.result.cause == "time"
        and game.result.white == game.result.black == 0
    )  # fmt: skip
    after = elo({}, state, factor=steady_factor(20))
    assert sum(one.rating for one in after.values()) == pytest.approx(before - 20 * lost)


def test_changes_are_told_for_every_player() -> None:
    """What the list says, with the games that count."""
    state = one_game("1 (82) - 0 (60)", Entry(family="A", rating=1500), Entry(family="B", rating=1500))
    assert [(one.player, one.rating, one.games, one.score, one.change) for one in rating_changes(state)] == [
        (1, 1500, 1, 2, 20), (2, 1500, 1, 0, -20),
    ]  # fmt: skip
    held = {"b": Elo(1900, 40)}
    second = rating_changes(state, held)[1]
    assert (second.rating, second.after, second.change) == (1900, elo(held, state)["b"].rating, second.after - 1900)
    new = one_game("0 (60) - 1 (82)", Entry(family="A", rating=1500), Entry(family="B"))
    assert elo({}, new)["b"].games == 1, "the one before, who met nobody with a rating, holds up nobody"
    new = one_game("1 (82) - 0 (60)", Entry(family="A"), Entry(family="B", rating=1500))
    first, other = rating_changes(new)
    assert (first.rating, first.after, first.change, first.games) == (0, 1900, 0, 1)
    assert (other.games, other.change) == (0, 0)


def test_whose_name_was_removed_is_on_no_list() -> None:
    """Their games count for their opponents all the same."""
    named = Entry(family="A", rating=1500)
    state = one_game("1 (82) - 0 (60)", named, Entry(family="B", rating=1500))
    players = {id_: replace(one, entry=one.entry.public) for id_, one in state.players.items()}
    nobody = replace(state, players=players)
    assert not elo({}, nobody)
    assert not glicko({}, nobody)
    assert rating_changes(nobody) == rating_changes(state)
    half = replace(state, players={**state.players, 2: players[2]})
    assert elo({}, half) == {"a": elo({}, state)["a"]}


def test_ratings_are_told_to_a_hundredth() -> None:
    state = one_game("1 (82) - 0 (60)", Entry(family="A", rating=1500), Entry(family="B", rating=1500))
    (line, _) = rating_fields(state, [RatingChange(one, 1500.126, 1, 2, 1510.129) for one in (1, 2)])
    assert (line["rating"], line["change"], line["after"]) == (1500.13, 10.0, 1510.13)
