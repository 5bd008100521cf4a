"""Every way in which a game between two people can end, clicked to the end on two phones.

Each is a generator: it comes to its first `yield` where time has to pass, so that many games wait at once, and returns
how the game must have ended. What ends at once yields nothing.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Generator
from random import Random
from typing import TypeAlias

from korgool.app.server.engines.adjudication import Adjudicator
from korgool.app.words.event_texts import halves_said
from korgool.conduct.ruling import RulingKind
from korgool.conduct.sentences import sentence
from korgool.rules import BESTEMSHE, MANGALA, TOGUZ_KORGOOL, Game, Position, Rules, Side, Termination
from tests.page.phones import End, Pair, Phone, begin, move, seated
from tests.page.table import expect, settled
from tests.page.test_claim import ROUND, ROUND_START
from tests.solving.positions import laid

Ending: TypeAlias = Callable[[Pair, Random], Generator[None, None, End]]
FRIENDLY, LATE = "By the rules of friendly play", "WNG-TK §V, §XIV"
RESIGNED = {Side.WHITE: "Black resigned", Side.BLACK: "White resigned"}
TIME = {Side.WHITE: "Black's time ran out", Side.BLACK: "White's time ran out"}
LEFT = {Side.WHITE: "Black left the game", Side.BLACK: "White left the game"}
NOT_COME = {Side.WHITE: "Black did not come in time", Side.BLACK: "White did not come in time"}
OFFERED = {
    Side.WHITE: "Black offered a draw more than three times",
    Side.BLACK: "White offered a draw more than three times",
}
PROVEN = {
    Side.WHITE: "proven: White wins with best play",
    Side.BLACK: "proven: Black wins with best play",
    None: "proven: a draw with best play",
}
LATE_MS = 33_000
SLOW_TURN = "0.1+0 delay 900"
"""A clock of six seconds, so that whoever has not come is late soon (half of it and 30 s), on which a turn may last."""


def _side(random: Random) -> Side:
    return random.choice(list(Side))


def resigned(pair: Pair, random: Random) -> Generator[None, None, End]:
    """The dialog asks first, and play can go on."""
    begin(pair, _side(random))
    for hole in (7, 5):
        move(pair, hole)
    side = _side(random)
    for answer in ("Play on", "Resign"):
        pair[side].tap("Resign")
        dialog = pair[side].page.get_by_role("dialog", name=pair[side].text("Resign this game?"), exact=True)
        dialog.get_by_role("button", name=pair[side].text(answer), exact=True).tap()
        expect(dialog).to_be_hidden()
        if answer == "Play on":
            move(pair, 3)
    return End(side.other, RESIGNED[side.other], "WNG-TK §V, §VII")
    yield


def called_off(pair: Pair, random: Random) -> Generator[None, None, End]:
    begin(pair, _side(random), clock="10+0")
    if random.random() < 0.5:
        move(pair, 7)
    pair[_side(random)].tap("Call the game off")
    return End("nobody")
    yield


def agreed(pair: Pair, random: Random) -> Generator[None, None, End]:
    begin(pair, _side(random), game="bestemshe", clock="10+0")
    side = _side(random)
    pair[side].tap("Offer a draw")
    pair[side.other].answer("The opponent offers a draw.", "Accept the draw")
    return End(None, "draw agreed", "WNG-TK §V, §X")
    yield


def agreed_in_a_competition(pair: Pair, random: Random) -> Generator[None, None, End]:
    """The offer goes with a move; one is declined by the button, one by a move, and one is accepted."""
    begin(pair, _side(random), conduct="competition", clock="10+0")
    for answer in ("Decline", "", "Accept the draw"):
        turn = _offering_move(pair, random)
        if answer:
            pair[turn.other].answer("The opponent offers a draw.", answer)
        if answer != "Accept the draw":
            move(pair, _any_hole(pair, random))
            expect(pair[turn].page.locator("#offered")).to_be_hidden()
    return End(None, "draw agreed", "WNG-TK §V, §X")
    yield


def fourth_offer(pair: Pair, random: Random) -> Generator[None, None, End]:
    begin(pair, _side(random), conduct="competition", clock="10+0")
    if random.random() < 0.5:
        move(pair, _any_hole(pair, random))
    for number in range(4):
        if number:
            move(pair, _any_hole(pair, random))
        expect(pair[0].page.locator("#claim-fourth-offer")).to_be_hidden()
        turn = _offering_move(pair, random)
    expect(pair[turn.other].page.locator("#claim-fourth-offer")).to_be_visible()
    expect(pair[turn].page.locator("#claim-fourth-offer")).to_be_hidden()
    pair[turn.other].tap("Claim the game: fourth offer of a draw")
    return End(turn.other, OFFERED[turn.other], "WNG-TK §X")
    yield


def _offering_move(pair: Pair, random: Random) -> Side:
    """Whoever has the turn offers a draw with a move."""
    turn = Side.WHITE if pair[0].table.state()["turn"] == "white" else Side.BLACK
    page = pair[turn].page
    page.get_by_role("checkbox", name=pair[turn].text("Offer a draw with the next move"), exact=True).tap()
    move(pair, _any_hole(pair, random))
    pair[turn.other].hears("The opponent offers a draw.")
    expect(pair[turn].page.locator("#offered")).to_have_text(pair[turn].text("You have offered a draw."))
    return turn


def _any_hole(pair: Pair, random: Random) -> int:
    for phone in pair:
        if legal := phone.table.state()["legal"]:
            return int(random.choice(legal))
    raise AssertionError("nobody can move")


def _repeated(times: int) -> Ending:
    """The second time a player may claim a draw; the third time the game ends by itself.

    The moves up to the last are sent as a program would, the last one and the claim are taps.
    """
    moves = ROUND * (times - 1)

    def ending(pair: Pair, random: Random) -> Generator[None, None, End]:
        game = begin(pair, _side(random), position=ROUND_START).rsplit("/", 1)[1]
        for ply, hole in enumerate(moves[:-1]):
            phone = pair[ply % 2]
            phone.post(f"/api/games/{game}/move", hole=hole, version=phone.table.state()["version"])
        for phone in pair:
            phone.table.wait_for_ply(len(moves) - 1)
        if times == 2:
            expect(pair[0].page.locator("#claim-repetition")).to_be_hidden()
        move(pair, moves[-1])
        if times == 2:
            pair[_side(random)].tap("Claim a draw")
        return End(None, "the position was repeated", "WNG-TK §V, §X")
        yield

    return ending


BOARD: dict[str, tuple[Rules, Termination, dict[Side | None, str]]] = {
    "majority": (TOGUZ_KORGOOL, Termination.MAJORITY, {
        Side.WHITE: "White's kazan holds more than half of the stones",
        Side.BLACK: "Black's kazan holds more than half of the stones",
    }),
    "no_move": (BESTEMSHE, Termination.NO_MOVE, {
        Side.WHITE: "the player to move had no stones left; White has more",
        Side.BLACK: "the player to move had no stones left; Black has more",
        None: "the player to move had no stones left; both have the same",
    }),
    "equal": (TOGUZ_KORGOOL, Termination.EQUAL, {None: "both kazans hold half of the stones"}),
    "side_empty": (MANGALA, Termination.SIDE_EMPTY, {
        Side.WHITE: "one side of the board is empty; White has more",
        Side.BLACK: "one side of the board is empty; Black has more",
        None: "one side of the board is empty; both have the same",
    }),
}  # fmt: skip


def _on_the_board(name: str) -> Ending:
    rules, termination, reasons = BOARD[name]

    def ending(pair: Pair, random: Random) -> Generator[None, None, End]:
        start, hole, winner = _last_ply(rules, termination, random)
        begin(pair, _side(random), game=rules.name, position=str(start))
        move(pair, hole)
        expected = Game(start, [hole]).outcome()
        assert expected is not None
        for phone in pair:
            expect(phone.page.locator("#outcome .result")).to_have_text(halves_said(expected.result_text))
        clause = "WNG-M §III.4" if rules is MANGALA else "WNG-TK §V"
        return End(winner, reasons[winner], clause)
        yield

    return ending


def _last_ply(rules: Rules, termination: Termination, random: Random) -> tuple[Position, int, Side | None]:
    """A position with a hole whose sowing ends the game in this way, and who wins."""
    while True:
        start = laid(rules, random.randint(1, 6), random)
        for hole in start.legal_moves() if start.outcome() is None else ():
            outcome = start.play(hole).outcome()
            if outcome is not None and outcome.termination is termination:
                return start, hole, outcome.winner


def _flag(side: Side) -> Ending:
    def ending(pair: Pair, random: Random) -> Generator[None, None, End]:
        begin(pair, _side(random), clock="0.2+0", game="mangala")
        if side is Side.BLACK:
            move(pair, 6)
        yield
        return End(side.other, TIME[side.other], "WNG-TK §V, §VII")

    return ending


def never_moved(pair: Pair, random: Random) -> Generator[None, None, End]:
    """A friendly game with a clock, both there, and for 30 s no first move."""
    begin(pair, _side(random), clock="10+5")
    yield
    return End("nobody")


def _gone(side: Side) -> Ending:
    """`side` leaves in its own turn, and the other claims the game as soon as that is possible."""

    def ending(pair: Pair, random: Random) -> Generator[None, None, End]:
        url = begin(pair, _side(random), clock="10+0")
        if side is Side.BLACK:
            move(pair, 7)
        else:
            for hole in (7, 5):
                move(pair, hole)
        pair[side].page.goto("about:blank")
        here = pair[side.other]
        group = here.page.get_by_role("group", name=here.text("The opponent has left"), exact=True)
        expect(group.get_by_role("button", name=here.text("Claim the game"), exact=True)).to_be_disabled()
        yield
        here.hears("The opponent has left. You can claim the game now.")
        settled(group.get_by_role("button", name=here.text("Claim the game"), exact=True)).tap()
        expect(here.page.locator("#outcome")).to_be_visible()
        pair[side].page.goto(url)
        pair[side].page.reload()
        return End(side.other, LEFT[side.other], FRIENDLY, (side,))

    return ending


def _proven(drawn: bool) -> Ending:
    """The opponent leaves in a position whose result is proven."""

    def ending(pair: Pair, random: Random) -> Generator[None, None, End]:
        start, hole, winner = _proof(drawn, random)
        url = begin(pair, _side(random), game="bestemshe", position=str(start), clock="10+0")
        mover = start.to_move
        move(pair, hole)
        pair[mover.other].page.goto("about:blank")
        expect(pair[mover].page.locator("#claim-proof")).to_be_hidden()
        yield
        pair[mover].tap("Claim a proven result")
        expect(pair[mover].page.locator("#outcome")).to_be_visible()
        pair[mover.other].page.goto(url)
        return End(winner, PROVEN[winner], FRIENDLY, (mover.other,))

    return ending


def _proof(drawn: bool, random: Random) -> tuple[Position, int, Side | None]:
    """A position and a hole after which the mover's win, or a draw, is proven, and whose end is not there yet."""
    prover = Adjudicator()
    while True:
        start = laid(BESTEMSHE, 4, random)
        for hole in start.legal_moves() if start.outcome() is None else ():
            game = Game(start, [hole])
            proven = prover.prove(game.positions)
            if proven and game.outcome() is None and proven.winner is (None if drawn else start.to_move):
                return start, hole, proven.winner


def _no_show(side: Side) -> Ending:
    """`side` does not come; a claim that is too early is denied with what remains."""

    def ending(pair: Pair, random: Random) -> Generator[None, None, End]:
        url, since = seated(pair, _side(random), conduct="competition", clock=SLOW_TURN), time.monotonic()
        here = pair[side.other]
        here.sit(url)
        claim = "Claim the game: the opponent has not come"
        here.tap(claim)
        arguments: dict[str, str | int] = {"player": side.name.lower(), "limit_ms": LATE_MS, "left_ms": 999_000}
        denied = sentence(RulingKind.NOT_LATE_YET, arguments, here.language)
        here.reads(re.escape(re.split(r"\d+", denied)[0]) + r".*\(WNG-TK §V, §XIV\)$")
        yield
        _wait(here, since)
        here.tap(claim)
        expect(here.page.locator("#outcome")).to_be_visible()
        pair[side].sit(url)
        return End(side.other, NOT_COME[side.other], LATE, (side,))

    return ending


def nobody_came(pair: Pair, random: Random) -> Generator[None, None, End]:
    """White comes too late to a game of a competition, and Black is not there even then."""
    url, since = seated(pair, _side(random), conduct="competition", clock=SLOW_TURN), time.monotonic()
    yield
    _wait(pair[0], since)
    pair[0].sit(url)
    expect(pair[0].page.locator("#outcome")).to_be_visible()
    pair[1].sit(url)
    return End("both", "neither player came in time", LATE, tuple(Side))


def _wait(phone: Phone, since: float) -> None:
    """Let the time go by after which whoever has not come is late."""
    phone.page.wait_for_timeout(max(0.0, LATE_MS + 1_000 - 1_000 * (time.monotonic() - since)))


QUICK: dict[str, Ending] = {
    "resigned": resigned,
    "called off": called_off,
    "agreed": agreed,
    "agreed in a competition": agreed_in_a_competition,
    "fourth offer": fourth_offer,
    "repeated": _repeated(2),
    "repeated three times": _repeated(3),
    **{name: _on_the_board(name) for name in BOARD},
}
WAITING: dict[str, Ending] = {
    "never moved": never_moved,
    "White has gone": _gone(Side.WHITE),
    "Black has gone": _gone(Side.BLACK),
    "proven won": _proven(drawn=False),
    "proven drawn": _proven(drawn=True),
    "White did not come": _no_show(Side.WHITE),
    "Black did not come": _no_show(Side.BLACK),
    "nobody came": nobody_came,
    "White's flag": _flag(Side.WHITE),
    "Black's flag": _flag(Side.BLACK),
}
