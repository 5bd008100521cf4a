"""Every public class of the library copies, compares, prints and pickles as a value, or is listed here with the reason.

Nobody lists the classes that are values: each public class of every module is one, and its values are made from the
types of its fields. A new class is tried here as soon as it exists.
"""

from __future__ import annotations

import copy
import ctypes
import dataclasses
import os
import pickle
import re
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

import korgool
from korgool import GAMES, MANGALA, TOGUZ_KORGOOL, Game, Position, Rules, Setup, Side, Termination
from korgool.accounts import RatedGame, Speed
from korgool.competition import Entry, EventFile, Settings
from korgool.competition.actions import Withdraw
from korgool.competition.codec import JsonError
from korgool.competition.entry_lists.cell_values import CellError
from korgool.competition.errors import CompetitionError, Message
from korgool.competition.log.replay import LineError
from korgool.competition.log.undo import LineTag
from korgool.competition.prize_fund import Prize, PrizeFund
from korgool.competition.result_entry import ListError, NoWinnerError
from korgool.competition.timetable import PlannedRound
from korgool.competition.trf import TrfError
from korgool.conduct.claims import ClaimKind
from korgool.conduct.control import TimeControl
from korgool.conduct.ruling import Refusal
from korgool.conduct.scoresheet import SheetError
from korgool.conduct.sheets import SheetPair
from korgool.engine import Engine, Kernel, Pace, Solver, Tables, TimeLeft, UgiEngine
from korgool.engine.arena import Sprt
from korgool.engine.openings import OpeningBook, shipped
from korgool.engine.openings.build import BookPlan
from korgool.engine.perfect import PerfectPlayer
from korgool.live import GameTerms, Seat, SeatKind
from korgool.live.journal import ClaimGranted, RuledError
from korgool.notation import Record, RecordError, Variation, movetext, parse_movetext
from korgool.rules import MoveError, PositionError, Problem, ProblemKind
from tests.rules.positions import positions
from tests.values import public_classes, values

OPEN = "holds something open (memory of the kernel, files, a process) and refuses to be copied"
MACHINE = "is at work within a module and handed to nobody"
PROTOCOL = "says what others implement"
NO_VALUES = {
    "korgool.competition.entry_lists.reading.Row": MACHINE,
    "korgool.competition.json_schema.Schemas": MACHINE,
    "korgool.competition.pairing.engine.PairingEngine": PROTOCOL,
    "korgool.competition.people_index.PeopleIndex": MACHINE,
    "korgool.competition.kept_log.KeptLog": "holds `GroupViews`",
    "korgool.competition.log.group_views.GroupViews": "grows with its log, of which there is one",
    "korgool.competition.storage.book.Book": OPEN,
    "korgool.competition.storage.book.WholeLog": "holds `GroupViews`",
    "korgool.competition.storage.event_file.EventFile": OPEN,
    "korgool.competition.storage.salvage.Recovered": "holds `GroupViews`",
    "korgool.conduct.fields.Fields": MACHINE,
    "korgool.engine.arena.arena_game.TableJudge": MACHINE,
    "korgool.engine.arena.opponents.LevelOpponent": MACHINE,
    "korgool.engine.arena.opponents.Opponent": PROTOCOL,
    "korgool.engine.arena.opponents.UgiOpponent": MACHINE,
    "korgool.engine.kernel.Memory": MACHINE,
    "korgool.engine.networks.NetworkFile": MACHINE,
    "korgool.engine.openings.tree.GraphMove": MACHINE,
    "korgool.engine.openings.tree.Leaf": MACHINE,
    "korgool.engine.openings.tree.Node": MACHINE,
    "korgool.engine.openings.tree.Tree": MACHINE,
    "korgool.engine.perfect.PerfectPlayer": OPEN,
    "korgool.engine.search.Engine": OPEN,
    "korgool.engine.solving.book.Book": MACHINE,
    "korgool.engine.solving.graph.Graph": MACHINE,
    "korgool.engine.solving.mangala_table.MangalaTable": MACHINE,
    "korgool.engine.solving.search.Searcher": MACHINE,
    "korgool.engine.solving.solver.Solver": OPEN,
    "korgool.engine.tables.draws.Draws": MACHINE,
    "korgool.engine.tables.probing.Tables": OPEN,
    "korgool.engine.ugi.Sink": PROTOCOL,
    "korgool.engine.ugi.Source": PROTOCOL,
    "korgool.engine.ugi.Ugi": MACHINE,
    "korgool.engine.ugi_client.UgiEngine": OPEN,
    "korgool.engine.ugi_options.EngineOptions": MACHINE,
    "korgool.engine.ugi_process.UgiProcess": MACHINE,
    "korgool.notation.segments.GameSplitter": MACHINE,
    "korgool.notation.segments.Segment": MACHINE,
}
"""Public classes that are no values."""

GAME = Game(TOGUZ_KORGOOL, [7, 5])
ENDED = Game(MANGALA, [4], (Side.BLACK, Termination.TIME))
TAG = LineTag([(Withdraw(3), "ill")], 1)
BOOK = shipped(TOGUZ_KORGOOL)


def _paced() -> Pace:
    pace, game = Pace(), Game(TOGUZ_KORGOOL)
    for move, left in ((7, 60.0), (6, 59.0)):
        pace.plan(game, TimeLeft(left))
        pace.answered(move, 0.5)
        game.play(move)
        game.play(game.position.legal_moves()[0])
    return pace


OWN: dict[type, Sequence[object]] = {
    Rules: [*GAMES.values(), MANGALA.with_option("sweep", "owner")],
    Position: [
        TOGUZ_KORGOOL.start().play(7),
        Position.parse("2,T,24S,2S,9S,3S,9S,9S/2S,11S,2S,T,2,9S,9S,4S 30 39 S 16"),
        Position.parse("9/8,1S 3 4 N 5", lenient=True),
    ],
    Game: [GAME, ENDED, Game(Position.parse("7,1S,1/1,1S,7 79 81 S 1"), [2, 2])],
    Setup: [Setup(MANGALA, ([4] * 6, [4] * 6)), Setup(MANGALA, ([4] * 6, [0] * 6), (0, 24))],
    Kernel: [Kernel(TOGUZ_KORGOOL), Kernel(MANGALA)],
    Pace: [Pace(), _paced()],
    OpeningBook: [BOOK],
    Record: [Record(TOGUZ_KORGOOL.start()), Record.of(GAME, White="A", variations=[Variation(1, (5,), after=("b",))])],
    movetext.Movetext: [
        parse_movetext("1. 76 (1. 54 {a}) 1... 55", TOGUZ_KORGOOL.start()),
        parse_movetext("1. 54", TOGUZ_KORGOOL.start()),
    ],
    ClaimGranted: [ClaimGranted(Side.WHITE, kind, None) for kind in (ClaimKind.NO_SHOW, ClaimKind.RECURRENCE)],
    GameTerms: [
        GameTerms(rules, (Seat(SeatKind.PERSON, "ann"), Seat(SeatKind.PERSON, "bob"))) for rules in GAMES.values()
    ],
    RatedGame: [RatedGame(seq, 2, "toguz", Speed.BLITZ, ("a", "b"), (2, 0)) for seq in (1, 2)],
    Entry: [Entry(family="Family", given="Given"), Entry(family="Other", rating=1500)],
    Settings: [Settings(name="Cup", rounds=rounds) for rounds in (5, 7)],
    Prize: [Prize(1, 100), Prize(2, 50)],
    PrizeFund: [PrizeFund((Prize(1, 100),), "KGS"), PrizeFund((Prize(1, 100),), "KZT")],
    PlannedRound: [PlannedRound(1, "2026-09-14 10:00"), PlannedRound(2, "2026-09-14 12:00")],
    Message: [Message("a {b}", b=1), Message("c")],
    LineTag: [TAG],
    TimeControl: [TimeControl(600_000), TimeControl(600_000, 5_000)],
    SheetPair: [SheetPair.of(TOGUZ_KORGOOL), SheetPair.of(MANGALA)],
    Sprt: [Sprt(0.0, 5.0), Sprt(0.0, 10.0)],
    BookPlan: [BookPlan("toguz", 100), BookPlan("castle", 100)],
    Seat: [Seat(SeatKind.PERSON, "ann"), Seat(SeatKind.ENGINE, strength=4)],
    PositionError: [PositionError([Problem(ProblemKind.TEXT_PARTS, {"count": 2})])],
    MoveError: [MoveError(Problem(ProblemKind.NO_SUCH_HOLE, {"hole": 10, "holes": 9}))],
    RecordError: [RecordError(3, "why", 1)],
    CompetitionError: [CompetitionError("{a} {b}", a=Message("c"), b=TAG)],
    JsonError: [JsonError("why", "a.b")],
    CellError: [CellError("born", "why", "12")],
    LineError: [LineError(3, "why")],
    ListError: [ListError([(1, "why"), (2, "why not")])],
    NoWinnerError: [NoWinnerError("70-60", (70, 60), None, 82)],
    TrfError: [TrfError(3, 4, "why")],
    SheetError: [SheetError("why", "WNG-TK §VIII")],
    RuledError: [RuledError(Refusal("why"))],
}
"""Values of classes whose fields have to fit each other."""

CLASSES = {
    f"{cls.__module__}.{cls.__qualname__}": cls for cls in public_classes() if not issubclass(cls, ctypes.Structure)
}
ERRORS = {name: cls for name, cls in CLASSES.items() if issubclass(cls, BaseException)}
VALUES = {name: cls for name, cls in CLASSES.items() if name not in ERRORS and name not in NO_VALUES}


def _pickled(protocol: int, value: object) -> object:
    return pickle.loads(pickle.dumps(value, protocol))


WAYS: Mapping[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    **{f"pickle {protocol}": partial(_pickled, protocol) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)},
}


def test_the_list_of_exceptions_is_true() -> None:
    assert set(NO_VALUES) <= set(CLASSES)
    assert len(VALUES) > 280
    rooms = [
        korgool,
        *(
            sys.modules[f"korgool.{name}"]
            for name in ("rules", "notation", "engine", "competition", "conduct", "live", "accounts")
        ),
    ]
    at_the_door = [getattr(room, name) for room in rooms for name in room.__all__]
    assert all(cls in CLASSES.values() for cls in at_the_door if isinstance(cls, type))


@pytest.mark.parametrize("name", VALUES)
def test_a_value_is_copied_compared_printed_and_pickled(name: str) -> None:
    found = values(VALUES[name], OWN)
    for value in found:
        for way, made in WAYS.items():
            again = made(value)
            assert type(again) is type(value), way
            assert again == value, way
            if _hashable(value):
                assert hash(again) == hash(value), way
        assert value != object()
        assert re.search(r" at 0x", repr(value)) is None
        _hold_apart(value, copy.copy(value))
    for first, second in pairwise(found):
        assert first != second
        assert repr(first) != repr(second)


def _hashable(value: Any) -> bool:
    """A value that never changes has a hash, unless it holds a mapping."""
    try:
        hash(value)
    except TypeError as error:
        assert not _frozen(value) or re.search("'(dict|list|Game)'", str(error)), error
        return False
    return True


def _frozen(value: Any) -> bool:
    return dataclasses.is_dataclass(value) and getattr(type(value), "__dataclass_params__").frozen  # noqa: B009


def _hold_apart(value: Any, again: Any) -> None:
    """Of what changes, a copy has its own."""
    if _hashable(value) or _frozen(value):
        return
    names = [slot for cls in type(value).__mro__ for slot in getattr(cls, "__slots__", ())]
    for attribute in (*names, *getattr(value, "__dict__", ())):
        held = getattr(value, attribute)
        if isinstance(held, (list, dict, set, deque)):
            assert getattr(again, attribute) is not held, attribute


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_is_copied_and_pickled(name: str) -> None:
    """Errors are compared as Python compares them, by identity; what they say and hold stays."""
    error: Any = OWN[ERRORS[name]][0] if ERRORS[name] in OWN else ERRORS[name]("what is wrong")
    for way, made in WAYS.items():
        again = made(error)
        assert type(again) is type(error), way
        assert (str(again), repr(again), again.args) == (str(error), repr(error), error.args), way
        assert vars(again) == vars(error), way


@pytest.mark.parametrize("name", sorted(korgool.__all__))
def test_what_the_front_prints_can_be_pasted_back(name: str) -> None:
    known = {public: getattr(korgool, public) for public in korgool.__all__}
    cls = known[name]
    if not isinstance(cls, type) or issubclass(cls, Exception):
        return
    for value in values(cls, OWN):
        assert eval(repr(value), {**known, "Variation": Variation, "RecordError": RecordError}) == value


def _open_things(folder: Path) -> list[Any]:
    engine = Engine(MANGALA, table_mib=1)
    event = EventFile.create(folder / "cup.db", Settings(name="Cup"), by="x")
    program = UgiEngine([sys.executable, "-m", "korgool", "engine"])
    return [engine, program, Solver(MANGALA), PerfectPlayer(engine), Tables(MANGALA), event]


def test_what_is_open_says_that_it_is_not_copied(tmp_path: Path) -> None:
    for thing in _open_things(tmp_path):
        assert NO_VALUES[f"{type(thing).__module__}.{type(thing).__qualname__}"] == OPEN
        for way, made in WAYS.items():
            with pytest.raises(TypeError, match=r"not copied or pickled: "):
                made(thing)
            assert way
        assert " at 0x" not in repr(thing)
        assert repr(thing).startswith(f"<{type(thing).__name__} ")
        if isinstance(thing, (EventFile, UgiEngine)):
            thing.close()


def test_a_copied_game_goes_its_own_way() -> None:
    game = Game(TOGUZ_KORGOOL, [7, 5])
    for again in (game.copy(), copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        again.play(3)
        assert (len(game.moves), len(game.positions), len(again.moves), len(again.positions)) == (2, 3, 3, 4)
        assert again != game
        again.undo()
        assert again == game
        again.conclude(Side.WHITE, Termination.RESIGNATION)
        assert again != game
        assert game.outcome() is None
    with pytest.raises(TypeError, match="unhashable"):
        hash(game)


def test_a_copied_setup_has_its_own_holes() -> None:
    setup = Setup(MANGALA, ([4] * 6, [4] * 6))
    again = copy.copy(setup)
    again.holes[0][0] = 9  # type: ignore[index]
    assert setup.holes[0][0] == 4


def test_a_subclass_of_a_game_stays_one() -> None:
    class Named(Game):
        name = ""

    game = Named(TOGUZ_KORGOOL, [7])
    game.name = "final"
    assert type(game.copy()) is Named
    assert copy.copy(game).name == "final"


KEYS = {
    "toguz": 13870891313574715840,
    "mangala": 12376436183893290523,
}
"""Written down once: a key stands in other people's databases."""


def test_a_key_is_the_same_for_ever() -> None:
    assert {name: GAMES[name].start().key for name in KEYS} == KEYS
    command = "from korgool import GAMES; print({name: GAMES[name].start().key for name in ('toguz', 'mangala')})"
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", command], env=environment, capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == str(KEYS)


def test_a_key_is_computed_as_it_is_described() -> None:
    text = "9 9 82 1 0 0 1 0 0 1 0 0 0 3 73 " + "1 " + "10 " * 8 + "9 " * 9 + "0 0 0 0 1"
    digest = blake2b(text.encode(), digest_size=8).digest()
    assert TOGUZ_KORGOOL.start().play(1).key == int.from_bytes(digest, "big")


@settings(max_examples=60, deadline=None)
@given(positions(), positions())
def test_equal_positions_and_no_others_have_the_same_key(first: Position, second: Position) -> None:
    assert 0 <= first.key < 1 << 64
    assert (first == second) == (first.key == second.key)
    again = replace(first, fullmove=first.fullmove + 5)
    assert again.key == first.key


def test_whatever_makes_positions_differ_changes_the_key() -> None:
    position = Position.parse("2,T,24S,2S,9S,3S,9S,9S/2S,11S,2S,T,2,9S,9S,4S 30 39 S 16")
    others = [
        replace(position, stores=(39, 30)),
        replace(position, tuz=(7, None)),
        replace(position, tuz=(None, 4)),
        replace(position, to_move=Side.BLACK),
        replace(position, holes=position.holes[::-1]),
        *(
            replace(position, rules=TOGUZ_KORGOOL.with_option(name, text))
            for name, text in (("goal", "81"), ("sweep", "nobody"), ("recurrence", "0"))
        ),
    ]
    assert len({position.key, *(other.key for other in others)}) == len(others) + 1
    assert replace(position, rules=replace(TOGUZ_KORGOOL, title="Another name")).key == position.key
