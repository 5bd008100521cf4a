"""Ratings of accounts: what a game changes, what nothing changes, and that the order alone decides."""

from __future__ import annotations

import sqlite3
from random import Random
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool.accounts.ratings import (
    FIRST,
    PERIOD_MS,
    PROVISIONAL,
    SUREST,
    TAU,
    Key,
    OutOfOrderError,
    RatedGame,
    Standing,
    counts,
    rate,
    recompute,
)
from korgool.accounts.speeds import Speed
from korgool.glicko import Glicko
from tests.test_glicko import steps_of_the_paper

DAY_MS = 86_400_000
BEGIN = 1_790_000_000_000
Row: TypeAlias = tuple[float, float, float, int, int, int]


def game(seq: int, half_points: tuple[int, int] = (2, 0), at: int = BEGIN) -> RatedGame:
    return RatedGame(seq, at, "toguz", Speed.BLITZ, ("ann", "bob"), half_points)


def random_games(seed: int, count: int) -> list[RatedGame]:
    """People of different strength and habit; days pass between some games, and clocks of hosts differ."""
    random = Random(seed)
    people = {f"p{number}": random.gauss(1500, 300) for number in range(60)}
    at, found = BEGIN, []
    for seq in range(1, count + 1):
        at += random.choice((1_000, 60_000, 600_000, 3 * DAY_MS if not seq % 50 else 5_000))
        white, black = random.sample(sorted(people), 2)
        chance = 1 / (1 + 10 ** ((people[black] - people[white]) / 400))
        won = (1, 1) if random.random() < 0.05 else (2, 0) if random.random() < chance else (0, 2)
        pool = random.choice(("toguz", "mangala")), random.choice((Speed.BLITZ, Speed.RAPID, Speed.DAYS))
        found.append(RatedGame(seq, at + random.randint(-10_000, 10_000), *pool, (white, black), won))
    return found


def test_ten_thousand_games_counted_one_by_one_give_what_all_of_them_give() -> None:
    """One by one through rows of a database, as a server counts them, and at once from the finished games unordered."""
    games = random_games(1, 10_000)
    with sqlite3.connect(":memory:") as database:
        database.execute(
            "CREATE TABLE ratings (who, game, speed, rating REAL, deviation REAL, volatility REAL, games, at, seq, "
            "PRIMARY KEY (who, game, speed))"
        )
        for one in games:
            rows: list[Row | None] = [
                database.execute(
                    "SELECT rating, deviation, volatility, games, at, seq FROM ratings "
                    "WHERE who = ? AND game = ? AND speed = ?",
                    (who, one.game, one.speed),
                ).fetchone()
                for who in one.players
            ]
            white, black = (Standing() if row is None else Standing(Glicko(*row[:3]), *row[3:]) for row in rows)
            for who, after in zip(one.players, rate(white, black, one), strict=True):
                figures = (after.rating.rating, after.rating.deviation, after.rating.volatility)
                database.execute(
                    "INSERT OR REPLACE INTO ratings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (who, one.game, one.speed, *figures, after.games, after.at, after.seq),
                )
        stored: dict[Key, Standing] = {
            (who, name, Speed(speed)): Standing(Glicko(*row[:3]), *row[3:])
            for who, name, speed, *row in database.execute("SELECT * FROM ratings")
        }
    Random(2).shuffle(games)
    assert recompute(games) == stored
    assert sum(one.games for one in stored.values()) == 20_000
    assert len(stored) == 360


def test_the_order_is_that_of_the_sequence_and_matters() -> None:
    games = random_games(3, 300)
    swapped = [RatedGame(301 - one.seq, one.at, one.game, one.speed, one.players, one.half_points) for one in games]
    assert recompute(games[::-1]) == recompute(games) != recompute(swapped)
    with pytest.raises(OutOfOrderError, match="number 7"):
        recompute([*games, games[6]])
    after = rate(Standing(), Standing(), game(8))
    for late in (8, 7):
        with pytest.raises(OutOfOrderError, match=f"game {late} comes after game 8"):
            rate(*after, game(late))


def test_games_one_after_the_other_by_the_steps_of_the_paper() -> None:
    """A second reckoning of 300 games with people who pause; stored figures are rounded, hence the hundredth."""
    held: dict[str, tuple[Glicko, int]] = {}
    games = [one for one in random_games(4, 2_000) if one.game == "toguz" and one.speed is Speed.BLITZ]
    for one in games:
        before = [held.get(who, (FIRST, one.at)) for who in one.players]
        gaps = [max(0, one.at - last) / PERIOD_MS for _, last in before]
        aged = [
            Glicko(own.rating, (own.deviation**2 + gap * (own.volatility * 173.7178) ** 2) ** 0.5)
            for (own, _), gap in zip(before, gaps, strict=True)
        ]
        for me, who in enumerate(one.players):
            played = [(aged[1 - me], one.half_points[me] / 2)]
            new = steps_of_the_paper(before[me][0], played, TAU, gaps[me])
            held[who] = Glicko(new.rating, max(SUREST, new.deviation), new.volatility), max(before[me][1], one.at)
    found = recompute(games)
    assert len(games) > 250
    for who, (wanted, last) in held.items():
        standing = found[who, "toguz", Speed.BLITZ]
        assert standing.rating.rating == pytest.approx(wanted.rating, abs=0.01)
        assert standing.rating.deviation == pytest.approx(wanted.deviation, abs=0.01)
        assert standing.at == last


def test_who_plays_finds_their_place() -> None:
    """After thirty games each, nearly everybody's strength lies within two deviations of their rating."""
    random = Random(5)
    people = {f"p{number}": random.gauss(1500, 250) for number in range(80)}
    games = []
    for seq in range(1, 80 * 15 + 1):
        white, black = random.sample(sorted(people), 2)
        chance = 1 / (1 + 10 ** ((people[black] - people[white]) / 400))
        won = (2, 0) if random.random() < chance else (0, 2)
        games.append(RatedGame(seq, BEGIN + seq * 60_000, "toguz", Speed.BLITZ, (white, black), won))
    found = {who: one.rating for (who, _, _), one in recompute(games).items()}
    mean = sum(found[who].rating - people[who] for who in people) / len(people)
    near = sum(abs(found[who].rating - people[who] - mean) < 2 * found[who].deviation for who in people)
    assert near >= 0.9 * len(people)
    assert max(one.deviation for one in found.values()) < 130


RATINGS = st.builds(Glicko, st.floats(600, 2600), st.floats(SUREST, 350), st.floats(0.03, 0.1))
STANDINGS = st.builds(Standing, RATINGS, st.integers(1, 999), st.integers(BEGIN - 900 * DAY_MS, BEGIN))
RESULTS = st.sampled_from(((2, 0), (1, 1), (0, 2)))


@given(STANDINGS, STANDINGS)
def test_more_points_are_never_worse(white: Standing, black: Standing) -> None:
    """A win never lowers a rating, a loss never raises one, and a draw lies between them and nears the two."""
    won, drawn, lost = (rate(white, black, game(1, points)) for points in ((2, 0), (1, 1), (0, 2)))
    for me, own in ((0, white), (1, black)):
        best, worst = (won, lost) if me == 0 else (lost, won)
        assert best[me].rating.rating >= drawn[me].rating.rating >= worst[me].rating.rating
        assert best[me].rating.rating >= own.rating.rating >= worst[me].rating.rating
    if white.rating.rating > black.rating.rating:
        assert drawn[0].rating.rating <= white.rating.rating
        assert drawn[1].rating.rating >= black.rating.rating


@given(STANDINGS, RATINGS, RATINGS, st.floats(SUREST, 350))
def test_the_stronger_the_beaten_the_more(own: Standing, one: Glicko, other: Glicko, deviation: float) -> None:
    """Of two opponents of whom as much is known."""
    gains = [
        rate(own, Standing(Glicko(rating, deviation), 1, BEGIN), game(1))[0].rating.rating
        for rating in sorted((one.rating, other.rating))
    ]
    assert gains[0] <= gains[1] + 1e-3


@given(st.floats(600, 2600), st.floats(600, 2600), st.floats(SUREST, 350), st.floats(0.03, 0.1), RESULTS)
def test_equally_sure_players_exchange_points(
    one: float, other: float, deviation: float, volatility: float, half_points: tuple[int, int]
) -> None:
    """The sum stays where both are equally sure; otherwise who is surer moves less."""
    before = [Standing(Glicko(rating, deviation, volatility), 9, BEGIN - DAY_MS) for rating in (one, other)]
    after = rate(before[0], before[1], game(1, half_points))
    assert sum(standing.rating.rating for standing in after) == pytest.approx(one + other, abs=3e-4)
    sure = Standing(Glicko(other, SUREST, volatility), 9, BEGIN - DAY_MS)
    moved = rate(before[0], sure, game(1, half_points))
    assert abs(moved[1].rating.rating - other) <= abs(moved[0].rating.rating - one) + 1e-3


@given(STANDINGS, STANDINGS)
def test_nobody_gains_by_aborting(white: Standing, black: Standing) -> None:
    """Calling a game off leaves the rating as it is, which is what playing it gives in the mean."""
    own, other = white.at_time(BEGIN), black.at_time(BEGIN)
    weight = (1 + 3 * (other.deviation / 173.7178 / 3.141592653589793) ** 2) ** -0.5
    chance = 1 / (1 + 10 ** (-weight * (own.rating - other.rating) / 400))
    won, lost = (rate(white, black, game(1, points))[0].rating.rating for points in ((2, 0), (0, 2)))
    assert chance * won + (1 - chance) * lost == pytest.approx(white.rating.rating, abs=0.5)
    assert not counts(None, 40)
    assert not counts((2, 0), 1)
    assert not counts((0, 0), 40)
    assert all(counts(points, 2) for points in ((2, 0), (1, 1), (0, 2)))


@given(STANDINGS, st.integers(0, 5_000 * DAY_MS))
def test_time_makes_less_certain_and_never_more_than_a_newcomer(own: Standing, passed: int) -> None:
    soon, late = own.at_time(BEGIN + passed), own.at_time(BEGIN + 2 * passed)
    assert own.rating.deviation - 1e-9 <= soon.deviation <= late.deviation + 1e-9 <= FIRST.deviation + 1e-6
    assert (late.rating, late.volatility) == (own.rating.rating, own.rating.volatility)


def test_the_surest_rating_becomes_provisional_after_a_year() -> None:
    sure = Standing(Glicko(1712.4, SUREST, 0.06), 400, BEGIN, 9)
    assert str(sure.shown(BEGIN)) == "1712 ± 45"
    days = next(days for days in range(9_999) if sure.shown(BEGIN + days * DAY_MS).provisional)
    assert 365 <= days <= 380
    assert str(sure.shown(BEGIN + 380 * DAY_MS)) == "1712? ± 111"
    assert str(Standing().shown(BEGIN)) == "1500? ± 350"
    assert sure.at_time(BEGIN - DAY_MS).deviation == pytest.approx(SUREST), "the clock of another host is behind"
    assert sure.at_time(BEGIN + 99_999 * DAY_MS).deviation == pytest.approx(350)


def test_a_rating_is_not_provisional_after_a_dozen_games() -> None:
    """Against people with settled ratings; somewhat more against newcomers."""
    own, needed = Standing(), 0
    while own.rating.deviation > PROVISIONAL:
        needed += 1
        settled = Standing(Glicko(own.rating.rating, 60), 99, BEGIN)
        own, _ = rate(own, settled, game(needed, ((2, 0), (0, 2))[needed % 2]))
    assert 8 <= needed <= 14


def test_an_engine_at_one_level_stays_where_it_is() -> None:
    fixed = Standing(Glicko(1240, 60), fixed=True)
    white, engine = rate(Standing(), fixed, game(1))
    assert engine == fixed
    assert white.rating.rating > 1580
    assert white.games == 1
    assert str(fixed.shown(BEGIN)) == "1240 ± 60"
    key = ("bob", "toguz", Speed.BLITZ)
    found = recompute([game(1), game(2, (0, 2))], {key: Glicko(1240, 60)})
    assert found[key] == fixed
    assert found["ann", "toguz", Speed.BLITZ].games == 2


def test_a_rated_game_has_two_people_and_a_result() -> None:
    with pytest.raises(ValueError, match="two people"):
        RatedGame(1, BEGIN, "toguz", Speed.BLITZ, ("ann", "ann"), (2, 0))
    for points in ((0, 0), (2, 2), (2, 1)):
        with pytest.raises(ValueError, match="no points"):
            game(1, points)
