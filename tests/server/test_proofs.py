"""What is proven about a game, against perfect play by the rules of the whole game: its goal, its past, its claims."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from shutil import copytree

import pytest

from korgool.app.server.engines import adjudication, adjudication_pool
from korgool.app.server.engines.adjudication import Adjudication, Adjudicator, _judged
from korgool.app.server.engines.adjudication_pool import AdjudicationPool
from korgool.app.server.engines.searches import BusyError, CancelledSearchError, Search
from korgool.app.server.limits import Caller
from korgool.engine import Engine, Limits
from korgool.engine.tables import build, files
from korgool.rules import BESTEMSHE, GAMES, MANGALA, MANGALA_CASTLE, TOGUZ_KORGOOL, Game, Position, Rules, Side
from tests.patience import PATIENCE, in_time
from tests.solving.positions import laid

from .naive_games import TooLongError, literal, winners
from .support import run_async

SIGN = {Side.WHITE: 1, Side.BLACK: -1, None: 0}
SMALL = {"toguz": (2, 3), "mangala": (4, 5, 6), "castle": (3, 4, 5), "bestemshe": (4,)}
SOMEBODY, ANOTHER = Caller("192.0.2.1", "somebody"), Caller("192.0.2.1", "another")


def undecided(rules: Rules, stones: int, random: Random) -> Position:
    """A position with few stones in which nearly as many are in both stores, so that every stone counts."""
    while True:
        position = laid(rules, stones, random)
        stored, half = sum(position.stores), rules.total // 2
        one = half - random.randint(0, stones + 1)
        stores = (one, stored - one) if random.random() < 0.5 else (stored - one, one)
        position = replace(position, stores=stores)
        if position.outcome() is None and min(stores) >= 0:
            return position


def strolled(start: Position, plies: int, random: Random) -> Game:
    """A game in which nothing is gained, so that its positions can come again."""
    game = Game(start)
    for _ in range(plies):
        at = game.position
        following = {move: at.play(move) for move in at.legal_moves()}
        quiet = [m for m, q in following.items() if (q.stores, q.tuz) == (at.stores, at.tuz) and q.outcome() is None]
        if not quiet:
            break
        game.play(random.choice(quiet))
    return game


def games(rules: Rules, count: int, seed: int, more: int = 0) -> Iterator[Game]:
    """Games that stroll about among few stones, or so many more."""
    random = Random(seed)
    for _ in range(count):
        start = undecided(rules, random.choice(SMALL[rules.name]) + more, random)
        yield strolled(start, random.choice([0, 0, 2, 5, 12, 30]), random)


def past(game: Game) -> list[Position]:
    """What stood on the board before with the same stores and tuz."""
    now = game.position
    if not (now.rules.threefold or now.rules.recurrence):
        return []  # nobody may claim anything
    return [before for before in game.positions[:-1] if (before.stores, before.tuz) == (now.stores, now.tuz)]


def expected(game: Game) -> int:
    """Who wins with perfect play from here on, where an earlier position is a draw as soon as it comes again."""
    earlier = past(game)
    return 0 if game.position in earlier else SIGN[winners(game.position, earlier).winner.get(game.position)]


def compare(prover: Adjudicator, game: Game) -> bool:
    """Whether a result is proven; it is the right one, and only a win that the past has spoilt may be missing."""
    proven, naive = prover.prove(game.positions), expected(game)
    if proven is None:
        assert naive == 0
        assert past(game)
        return False
    assert SIGN[proven.winner] == naive, (str(game.start), game.moves)
    return True


@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_a_proof_is_what_perfect_play_gives(rules: Rules) -> None:
    prover = Adjudicator()
    found = [compare(prover, game) for game in games(rules, 25, 1)]
    assert found.count(True) > 20


@pytest.mark.long
@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_many_proofs_are_what_perfect_play_gives(rules: Rules) -> None:
    prover = Adjudicator()
    found = [compare(prover, game) for more in (0, 0, 2) for game in games(rules, 300, 2 + more, more)]
    assert found.count(True) > 700


@pytest.mark.parametrize("count", [60, pytest.param(300, marks=pytest.mark.long)])
@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_going_through_all_games_with_their_claims_says_the_same(rules: Rules, count: int) -> None:
    """The comparison itself is checked: earlier positions as draws are what claims by two players amount to."""
    random, told, drawn = Random(3), 0, 0
    for _ in range(count):
        start = undecided(rules, random.randint(2, 3), random)
        game = strolled(start, random.choice([0, 3, 6]), random)
        try:
            value = literal(Game(start, game.moves), 20_000)
        except TooLongError:
            continue
        assert value == expected(game), (str(start), game.moves)
        told, drawn = told + 1, drawn + (value == 0)
    assert told > count * 2 // 3
    assert 0 < drawn < told


def test_a_past_that_comes_again_spoils_a_win() -> None:
    """The same position is won without its past. With it, the other side comes back to a position and claims a draw."""
    prover = Adjudicator()
    found = 0
    for game in games(BESTEMSHE, 80, 5):
        alone = prover.prove(game.positions[-1:])
        if alone is not None and alone.winner is not None and expected(game) == 0:
            assert prover.prove(game.positions) is None
            found += 1
    assert found > 2


def test_no_win_is_proven_while_a_draw_can_be_claimed() -> None:
    """Both players may claim it, and the one who loses would."""
    prover, found = Adjudicator(), 0
    for game in games(BESTEMSHE, 200, 6):
        if game.claims():
            proven = prover.prove(game.positions)
            assert proven is None or proven.winner is None
            found += 1
    assert found > 3


@pytest.mark.parametrize("count", [3, pytest.param(30, marks=pytest.mark.long)])
@pytest.mark.parametrize("rules", [BESTEMSHE, MANGALA_CASTLE, MANGALA], ids=lambda rules: rules.name)
def test_endings_of_real_play_end_as_proven(rules: Rules, count: int) -> None:
    """The engine plays both sides; from the first proof on the winner plays perfectly and the loser as it can."""
    engine, random, prover, ended = Engine(rules, table_mib=8), Random(7), Adjudicator(), 0
    while ended < count:
        game, results = Game(rules), list[Adjudication]()
        while game.outcome() is None and len(game.moves) < 250:
            position = game.position
            few = sum(map(sum, position.holes)) <= max(SMALL[rules.name])
            proven = prover.prove(game.positions) if few else None
            if proven is not None:
                results.append(proven)
                assert SIGN[proven.winner] == expected(game)
            if results and results[-1].winner is not None and game.claims():
                pytest.fail(f"the loser claims a draw after {game.moves}")
            game.play(chosen(game, results, engine, random))
        outcome = game.outcome()
        if results and (outcome is not None or results[-1].winner is None):
            assert {result.winner for result in results} == {None if outcome is None else outcome.winner}
            ended += 1


def chosen(game: Game, results: list[Adjudication], engine: Engine, random: Random) -> int:
    """The engine's move; after a proof that of the nearest win, or one that holds the draw, or anything that loses."""
    position, moves = game.position, game.position.legal_moves()
    if not results:
        if random.random() < 0.2:
            return random.choice(moves)
        return engine.analyse(position, Limits(nodes=500), history=game.positions[:-1]).move
    side = results[-1].winner
    found = winners(position, past(game))
    if side is None:
        other = position.to_move.other
        return random.choice([move for move in moves if found.winner.get(position.play(move)) is not other])
    if position.to_move is side:
        won = [move for move in moves if found.winner.get(position.play(move)) is side]
        return min(won, key=lambda move: found.distance[position.play(move)])
    return random.choice(moves)


OPTIONS = [
    replace(BESTEMSHE, goal=27),
    replace(BESTEMSHE, goal=25),
    replace(BESTEMSHE, sweep="nobody"),
    replace(BESTEMSHE, threefold=0),
    replace(BESTEMSHE, threefold=0, recurrence=0),
    replace(BESTEMSHE, ending="side_empty", sweep="emptied"),
    replace(TOGUZ_KORGOOL, tuz_takes=False),
    replace(TOGUZ_KORGOOL, sweep="nobody"),
    replace(MANGALA_CASTLE, goal=25),
    replace(MANGALA_CASTLE, goal=40, sweep="nobody"),
    replace(MANGALA_CASTLE, store_sown=True, extra_turn=True),
    replace(MANGALA, goal=25),
    replace(MANGALA, goal=30),
    replace(MANGALA, sweep="nobody"),
    replace(MANGALA, store_sown=False),
    replace(MANGALA, extra_turn=False, empty_capture=False),
]


@pytest.mark.parametrize("count", [10, pytest.param(100, marks=pytest.mark.long)])
@pytest.mark.parametrize("number", range(len(OPTIONS)))
def test_under_other_options_nothing_is_proven_that_is_not_so(number: int, count: int) -> None:
    """Under a goal that both could reach, or without a claim for going on for ever, less is proven, never something
    else."""
    rules, prover, found = OPTIONS[number], Adjudicator(), 0
    for game in games(rules, count, 8):
        proven = prover.prove(game.positions)
        if proven is not None:
            assert SIGN[proven.winner] == expected(game), (str(game.start), game.moves)
            found += 1
    assert bool(found) is (not rules.goal or 2 * rules.goal > rules.total)


@pytest.mark.parametrize("count", [50, pytest.param(300, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "rules",
    [replace(BESTEMSHE, goal=27), replace(BESTEMSHE, sweep="nobody"), replace(BESTEMSHE, goal=28, sweep="nobody")],
)
def test_tables_of_other_options_prove_only_what_is_so(
    rules: Rules, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a side can win without the goal, no table tells that neither does."""
    monkeypatch.setattr(files, "default_folder", lambda: tmp_path)
    build(rules, 4, folder=tmp_path)
    prover, known = Adjudicator(), 0
    for game in games(rules, count, 10):
        proven = prover.prove(game.positions)
        if proven is not None:
            assert SIGN[proven.winner] == expected(game), (str(game.start), game.moves)
            known += proven.source == "tables"
    assert known > count * 2 // 5


def test_a_side_that_wins_in_one_of_two_ways_is_not_called_level(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a goal of 27 a side can be sure neither of 27 stones nor of an end with more, and yet of one of the two."""
    rules = replace(BESTEMSHE, goal=27)
    position = Position.parse("1S,2S,1S,2/1,1S,1,1S,1 18 26 N 3", rules)
    monkeypatch.setattr(files, "default_folder", lambda: tmp_path)
    build(rules, 6, folder=tmp_path)
    assert winners(position).winner[position] is Side.BLACK
    assert Adjudicator().prove([position]) is None


def test_without_claims_the_past_does_not_matter() -> None:
    rules, prover = replace(BESTEMSHE, threefold=0, recurrence=0), Adjudicator()
    for game in games(rules, 60, 11):
        assert prover.prove(game.positions) == prover.prove(game.positions[-1:])


@pytest.mark.parametrize(
    ("rules", "text", "winner"),
    [
        (BESTEMSHE, "2S,2S,3/1,1S,1S,2 19 25 N 1", Side.BLACK),
        (TOGUZ_KORGOOL, "3,1S,4,1S/6,1S,1,1S 81 77 S 1", Side.WHITE),
        (TOGUZ_KORGOOL, "1S,4,1S,3/1S,1,1S,6 77 81 N 1", Side.BLACK),
    ],
)
def test_a_side_sure_of_the_goal_wins_though_the_other_could_go_on_for_ever(
    rules: Rules, text: str, winner: Side
) -> None:
    position = Position.parse(text, rules)
    assert Adjudicator().prove([position]) == Adjudication(winner, "tables")
    assert winners(position).winner[position] is winner


def test_beyond_the_tables_such_a_win_is_not_proven() -> None:
    """A listing of endings plays on beyond the goal: it cannot tell this from a draw, and does not guess."""
    position = Position.parse("2S,2S,1S,1S,2S/2,2S,1,2S 24 14 S 1", BESTEMSHE)
    prover = Adjudicator()
    assert prover.within_reach(position)
    assert prover.prove([position]) is None


def test_a_goal_that_can_just_be_reached_is_no_proven_draw() -> None:
    """The last two stones would make 26 of 24, and it is not known who can be sure of them."""
    position = Position.parse("1S,4/1S,4 24 24 S 9", BESTEMSHE)
    assert _judged(position, -2, 2, None) is None
    assert _judged(position, -2, 2, (1, 1)) == "draw"
    assert _judged(position, -2, 2, (2, 0)) is Side.WHITE
    assert _judged(position, -2, 2, (0, 2)) is Side.BLACK


def test_endless_play_is_no_proven_draw_where_nobody_may_claim_it() -> None:
    prover, found = Adjudicator(), 0
    for game in games(BESTEMSHE, 60, 9):
        position = game.position
        usual = prover.prove([position])
        unclaimed = prover.prove([replace(position, rules=replace(BESTEMSHE, threefold=0))])
        assert usual is not None
        if usual.winner is not None:
            assert unclaimed == usual
        elif unclaimed is None:
            found += 1
    assert found > 5


def test_more_than_half_of_the_stones_win_where_every_game_ends() -> None:
    """In mangala with any number of stones on the board, with a castle too; without one, play may go on for ever."""
    mangala = Position.parse("4S,4S,4S,2S,1,1S/1S,1S,1S,1S,1S,1S 25 2 N 1", MANGALA)
    castle = Position.parse("3S,1S,3S,1S,2S,t/1,2S,1S,4S,t,1S 5 25 S 1", MANGALA_CASTLE)
    none = Position.parse("3S,1S,3S,1S,2S,1S/1,2S,1S,2S,2 25 7 S 1", MANGALA_CASTLE)
    prover = Adjudicator()
    assert prover.prove([mangala]) == Adjudication(Side.WHITE, "solver")
    assert prover.prove([castle]) == Adjudication(Side.BLACK, "solver")
    assert prover.prove([none]) is None


@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_a_game_that_has_hardly_begun_is_out_of_reach(rules: Rules) -> None:
    """Although mangala is solved: nobody shall claim the draw of its first position."""
    prover = Adjudicator()
    assert not prover.within_reach(rules.start())
    assert prover.prove([rules.start()]) is None


def test_a_finished_game_has_nothing_to_prove() -> None:
    over = Position.parse("5S,4/5S,4 26 14 S 1", BESTEMSHE)
    assert over.outcome() is not None
    assert not Adjudicator().within_reach(over)


def test_tables_that_somebody_has_built_reach_further(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game is then proven that the shipped tables leave open, because the built ones know what is sure."""
    position = Position.parse("2S,2S,1S,1S,2S/2,2S,1,2S 24 14 S 1", BESTEMSHE)
    deep = Position.parse("1S,1,4S,1S,1/1S,3S,1S,1S,1S 21 16 N 1", BESTEMSHE)
    monkeypatch.setattr(files, "default_folder", lambda: tmp_path)
    monkeypatch.setitem(adjudication.REACH, "bestemshe", (12, 0, 0))  # every stone more doubles the time of a table
    build(BESTEMSHE, 13, folder=tmp_path)
    prover = Adjudicator()
    assert not prover.within_reach(deep)  # before the first claim nobody has looked for tables
    assert prover.prove([position]) == Adjudication(Side.WHITE, "tables")
    assert prover.within_reach(deep)
    assert prover.prove([deep]) is not None


def test_damaged_tables_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(files, "default_folder", lambda: tmp_path)
    copytree(files.SHIPPED / "bestemshe", tmp_path / "bestemshe")
    with (tmp_path / "bestemshe" / "04-0.table").open("r+b") as file:
        file.seek(200)
        file.write(b"damage")
    proven = Adjudicator().prove([Position.parse("3S,1S,3/2S,2S,3 19 23 N 1", BESTEMSHE)])
    assert proven is None or proven.source == "solver"
    assert "04-0.table" in caplog.text


def test_a_search_ends_when_it_is_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    prover = Adjudicator()
    position = Position.parse("2S,2S,1S,1S,2S/2,2S,1,2S 24 14 S 1", BESTEMSHE)
    assert prover.prove([position], lambda: True) is None
    monkeypatch.setattr(adjudication, "SECONDS", -1.0)
    mangala = Position.parse("4S,4S,4S,4S,4S,4S/1,1S,4 10 13 S 1", MANGALA)
    assert prover.prove([mangala]) is None


def within(test: Callable[[AdjudicationPool], Awaitable[None]]) -> None:
    async def all_of_it() -> None:
        desk = AdjudicationPool()
        try:
            await in_time(test(desk))
        finally:
            desk.cancel()
            desk.close()

    run_async(all_of_it())


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> list[Position]:
    """A game whose proof takes long: 26 stones of mangala, with time and a table for far more."""
    monkeypatch.setattr(adjudication, "SECONDS", PATIENCE)
    monkeypatch.setitem(adjudication.REACH, "mangala", (48, 0, 0))
    positions = [MANGALA.start()]
    for hole in (4, 4, 1, 3, 5, 4):
        positions.append(positions[-1].play(hole))
    return positions


ENDING = [Position.parse("4,4S,4S/1,1S,4 19 20 S 1", MANGALA)]


def test_the_desk_answers_while_the_loop_goes_on() -> None:
    async def test(desk: AdjudicationPool) -> None:
        assert desk.within_reach(ENDING[-1])
        proven = await desk.prove(ENDING, Search(), SOMEBODY)
        assert proven is not None
        assert SIGN[proven.winner] == SIGN[winners(ENDING[-1]).winner.get(ENDING[-1])]
        assert await desk.prove([MANGALA.start()], Search(), SOMEBODY) is None

    within(test)


def test_a_session_has_one_claim_open_and_others_wait(slow: list[Position]) -> None:
    async def test(desk: AdjudicationPool) -> None:
        search = Search()
        first = asyncio.create_task(desk.prove(slow, search, SOMEBODY))
        await asyncio.sleep(0.1)
        with pytest.raises(BusyError):
            await desk.prove(ENDING, Search(), SOMEBODY)
        second = asyncio.create_task(desk.prove(ENDING, Search(), ANOTHER))
        await asyncio.sleep(0.1)
        assert not first.done()
        assert not second.done()
        search.cancel()  # the opponent has moved
        with pytest.raises(CancelledSearchError):
            await first
        assert await second is not None
        assert await desk.prove(ENDING, Search(), SOMEBODY) is not None

    within(test)


def test_who_waits_too_long_is_told_so_and_what_runs_ends(
    slow: list[Position], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adjudication_pool, "PATIENCE", 0.3)

    async def test(desk: AdjudicationPool) -> None:
        search = Search()
        with pytest.raises(BusyError):
            await desk.prove(slow, search, SOMEBODY)
        assert search.cancelled
        monkeypatch.setattr(adjudication_pool, "PATIENCE", PATIENCE)
        assert await desk.prove(ENDING, Search(), SOMEBODY) is not None

    within(test)


def test_a_task_that_is_cancelled_stops_the_proof(slow: list[Position]) -> None:
    async def test(desk: AdjudicationPool) -> None:
        search = Search()
        task = asyncio.create_task(desk.prove(slow, search, SOMEBODY))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert search.cancelled
        assert await desk.prove(ENDING, Search(), SOMEBODY) is not None

    within(test)


def test_a_server_that_stops_waits_for_no_proof(slow: list[Position]) -> None:
    async def test() -> None:
        desk = AdjudicationPool()
        running = asyncio.create_task(desk.prove(slow, Search(), SOMEBODY))
        waiting = asyncio.create_task(desk.prove(slow, Search(), ANOTHER))
        await asyncio.sleep(0.1)
        began = time.monotonic()
        desk.cancel()
        desk.close()
        assert time.monotonic() - began < PATIENCE / 2
        with pytest.raises(CancelledSearchError):
            await running
        with pytest.raises(asyncio.CancelledError):
            await waiting

    run_async(test())
    until = time.monotonic() + PATIENCE  # a search that was stopped ends its thread a moment later
    while any(thread.name.startswith("korgool-proof") for thread in threading.enumerate()):
        assert time.monotonic() < until, "a proof goes on"
        time.sleep(0.01)
