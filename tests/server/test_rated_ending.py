"""Who has played, called off or left a rated game; and who may begin one, at the desk and by a rematch."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select

from korgool import live
from korgool.accounts import Way
from korgool.app.server.core import errors
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.limits import Caller
from korgool.app.server.play.challenges.request import AskedTerms
from korgool.app.server.play.challenges.service import ChallengeService
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.play.live_session import LiveSession
from korgool.app.server.play.ratings import ways_of
from korgool.app.server.storage.schema import marks, rated_games
from korgool.conduct.claims import ClaimKind
from korgool.live import GameTerms, Manner, OnlineGame, Seat, SeatKind, journal, read_clock
from korgool.live.journal import Happening, happen
from korgool.rules import GAMES, Side
from tests.patience import until

from .inside import act, begun, drained, plain, refusal_of, within
from .rated import ANN, AT, BOB, EVE, open_account, rated, told

WHITE, BLACK = Side.WHITE, Side.BLACK
JOINED = (journal.Joined(WHITE), journal.Joined(BLACK), journal.Begun())
MOVES = (journal.Moved(7), journal.Moved(7))
HERE, GONE = 1_000, 400_000
DAY_MS = 86_400_000


def ways(terms: GameTerms, *events: Happening, after: int = 1_000, quiet: int = HERE) -> tuple[Way | None, Way | None]:
    """How both ended a game whose last event came so much later, and who has given no sign for so long."""
    game = OnlineGame.open(terms, AT)
    for event in events[:-1]:
        game, _ = happen(game, event, AT)
    over, _ = happen(game, events[-1], AT + after)
    assert over.over
    sign = AT + after - quiet
    return ways_of(game, events[-1], over, live.Facts(signs=(sign, sign)))


def test_who_has_left_and_who_has_not() -> None:
    game, slow = rated(), rated(clock="3d")
    strict = GameTerms(
        GAMES["toguz"],
        (Seat(SeatKind.PERSON, ANN), Seat(SeatKind.PERSON, BOB)),
        read_clock("10+5"),
        Manner.COMPETITION,
        rated=True,
    )
    played, aborted, left = Way.PLAYED, Way.ABORTED, Way.LEFT
    flag, gone = journal.TimeCalled(), journal.ClaimGranted(BLACK, ClaimKind.GONE)
    proof = journal.ClaimGranted(BLACK, ClaimKind.PROOF, BLACK, "tables")
    out = 600_000 + 10_000
    both = (*JOINED, *MOVES)
    assert ways(game, *both, journal.Resigned(WHITE), quiet=GONE) == (played, played)
    assert ways(game, *both, flag, after=out) == (played, played)
    assert ways(game, *both, flag, after=out, quiet=GONE) == (left, played)
    assert ways(game, *both, gone) == (left, played)
    assert ways(game, *both, proof) == (played, played)
    assert ways(game, *both, proof, quiet=GONE) == (left, played)
    assert ways(game, *JOINED, MOVES[0], journal.Resigned(BLACK)) == (None, aborted)
    assert ways(game, *JOINED, MOVES[0], flag, after=out, quiet=GONE) == (None, left)
    assert ways(game, *JOINED, journal.Aborted(BLACK)) == (None, aborted)
    assert ways(game, *JOINED, journal.Aborted()) == (aborted, None)
    assert ways(game, journal.Joined(WHITE), journal.Aborted()) == (None, aborted)
    assert ways(game, journal.Aborted()) == (aborted, aborted)
    days = (journal.Begun(), *MOVES, flag)
    assert ways(slow, *days, after=3 * DAY_MS, quiet=DAY_MS) == (played, played)
    assert ways(slow, *days, after=3 * DAY_MS, quiet=3 * DAY_MS) == (left, played)
    late = (journal.Begun(), journal.Joined(BLACK), journal.ClaimGranted(BLACK, ClaimKind.NO_SHOW))
    assert ways(strict, *late, after=out) == (left, None)
    assert ways(strict, journal.Begun(), flag, after=out, quiet=GONE) == (left, None)


def test_a_rated_game_that_people_play(tmp_path: Path) -> None:
    """It is counted with its last event; who leaves again and again has no rematch, and is told until when."""

    async def test(game_registry: GameRegistry) -> None:
        open_account(game_registry.storage.engine, ANN, BOB)
        running = await begun(game_registry, rated(), 7, 7)
        await act(running, ANN, "resign")
        with game_registry.storage.engine.begin() as connection:
            (row,) = connection.execute(select(rated_games)).all()
            assert (row.game_id, row.white_half_points) == (running.address, 0)
            assert len(connection.execute(select(marks)).all()) == 2
        await act(running, ANN, "rematch")
        again = await game_registry.find((await act(running, BOB, "rematch"))["game"])
        assert again.game.terms.rated
        await act(again, BOB, "abort")
        for number in range(5):
            aborted = told(f"{number:012}", rated(BOB, EVE), (journal.Aborted(WHITE),), now_ms())
            await game_registry.storage.write(aborted)
        await act(again, ANN, "rematch")
        status, message = await refusal_of(act(again, BOB, "rematch"))
        assert (status, message) == (403, errors.KEPT)
        assert not again.game.rematch

    within(tmp_path, test)


@pytest.mark.parametrize("clock", ["10+5", "3d"])
def test_whose_challenges_may_be_rated(tmp_path: Path, clock: str) -> None:
    """Accounts offer and take them; guests, locked accounts, and games without a clock are refused."""
    asked = AskedTerms("toguz", "link", clock, rated=True)

    async def test(game_registry: GameRegistry) -> None:
        open_account(game_registry.storage.engine, ANN, BOB)
        open_account(game_registry.storage.engine, EVE, locked_ms=AT)
        desk = ChallengeService(game_registry)

        def caller(who: str) -> Caller:
            return Caller("", who)

        made = await desk.make(asked, ANN, caller(ANN))
        for who, message in (("v" * 22, errors.GUEST_RATED), (EVE, errors.LOCKED)):
            assert await refusal_of(desk.make(asked, who, caller(who))) == (403, message)
            assert await refusal_of(desk.accept(made.id, who, caller(who))) == (403, message)
        begun = await desk.accept(made.id, BOB, caller(BOB))
        assert (await game_registry.find(begun.game)).game.terms.rated
        for wrong, message in (
            (AskedTerms("toguz", "link", rated=True), errors.RATED_CLOCK),
            (AskedTerms("toguz", "level:4", clock, rated=True), errors.TWO_PEOPLE),
            (AskedTerms("toguz", "self", clock, rated=True), errors.TWO_PEOPLE),
            (AskedTerms("toguz", "link", clock, rated=True, rules={"threefold": 5}), errors.RATED_START),
        ):
            assert await refusal_of(desk.make(wrong, ANN, caller(ANN))) == (422, message)

    within(tmp_path, test)


def test_the_seats_show_ratings_and_what_the_game_has_made_of_them(tmp_path: Path) -> None:
    """Who follows is sent the state with them; watchers who see the game later learn them later."""

    async def test(game_registry: GameRegistry) -> None:
        open_account(game_registry.storage.engine, ANN, BOB)
        terms = rated()
        late = GameTerms(terms.rules, terms.seats, terms.control, rated=True, delay_s=60)
        for game in (terms, late):
            running = await begun(game_registry, game, 7, 7)
            before = [seat["rating"] for seat in plain(running.broadcast.state(None))["seats"].values()]
            player, watcher = running.follow(ANN, running.game.version), running.follow(None, running.game.version)
            for follower in (player, watcher):
                drained(follower)
            await act(running, ANN, "resign")
            ended = running.game.version
            await until(lambda at=running: at.broadcast.ratings.changes is not None)  # type: ignore[misc]
            for since in (ended - 1, ended):  # whose connection was cut off meanwhile, before the end or after it
                states = [one for one in drained(running.follow(ANN, since)) if one and one["kind"] == "state"]
                assert states[-1]["state"]["seats"]["black"]["change"] > 0
            seats = plain(running.broadcast.state(ANN))["seats"]
            assert seats["white"]["rating"] == before[0] + seats["white"]["change"] < before[0]
            assert seats["white"]["deviation"] < 350
            assert seats["black"]["change"] > 0
            states = [message for message in drained(player) if message and message["kind"] == "state"]
            assert states[-1]["state"]["seats"]["white"]["change"] == seats["white"]["change"]
            states = [message for message in drained(watcher) if message and message["kind"] == "state"]
            assert len(states) == (0 if game.delay_s else 1)
            again = LiveSession(game_registry, running.address, running.game, running.history.entries)
            await again.broadcast.learn_ratings()
            assert plain(again.broadcast.state(ANN))["seats"] == seats | {"white": seats["white"] | {"present": False}}
        white = plain(running.broadcast.state(None))["seats"]["white"]
        assert (white["rating"], "change" in white) == (before[0], False), "watchers do not know that it is over"

    within(tmp_path, test)
