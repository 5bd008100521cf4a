"""Lessons by the rules: what each answer does, what nobody reaches by chance, and how many words are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import pytest

from korgool.app.words.games import STONE_GAMES
from korgool.languages import LANGUAGES, translations
from korgool.rules import GAMES, TOGUZ_KORGOOL, Position, Side
from korgool.training.lessons import GAME_STOP, MOST_WORDS, Board, LessonError, Stop, path_of, read_path, stars
from korgool.training.questions import ASKS, Question, QuestionError, Way
from tests.conftest import SEED

BOARDS = [
    pytest.param(board, id=f"{game}-{stop.name}-{at}")
    for game in GAMES
    for stop in path_of(game)
    for at, board in enumerate(stop.boards, 1)
]
STOPS = [pytest.param(stop, id=f"{game}-{stop.name}") for game in GAMES for stop in path_of(game) if stop.boards]


def gained(position: Position, hole: int) -> int:
    """Stones that come into the mover's store by a move, as the game counts them."""
    after = position.sow(hole)
    stores = after.after.stores if after.outcome is None else after.outcome.stores
    return stores[position.to_move] - position.stores[position.to_move]


def best_reply(position: Position, hole: int) -> int:
    """The most that any answer to a move takes by its last stone, tuz included."""
    after = position.play(hole)
    if position.sow(hole).outcome is not None:
        return 0
    return max((after.sow(reply).taken for reply in after.legal_moves()), default=0)


def takes(position: Position, hole: int) -> bool:
    """Whether a hole is emptied into the mover's store, with no tuz won."""
    return bool(position.sow(hole).captured) and position.play(hole).tuz == position.tuz


HOLES: dict[str, Callable[[Position, int], bool]] = {
    "any": lambda position, hole: hole in position.legal_moves(),
    "single": lambda position, hole: position.holes[position.to_move][hole - 1] == 1,
    "corner": lambda position, hole: position.sow(hole).last.side is position.to_move.other,
    "capture": takes,
    "most": lambda position, hole: (
        position.sow(hole).taken == max(position.sow(one).taken for one in position.legal_moves())
    ),
    "tuz": lambda position, hole: position.play(hole).tuz != position.tuz,
    "feed": lambda position, hole: gained(position, hole) > position.sow(hole).taken,
    "again": lambda position, hole: position.play(hole).to_move is position.to_move,
    "opposite": lambda position, hole: len(position.sow(hole).captured) == 2,
    "win": lambda position, hole: (won := position.play(hole).outcome()) is not None and won.winner is position.to_move,
    "safe": lambda position, hole: best_reply(position, hole) == 0,
    "clean": lambda position, hole: position.sow(hole).taken > 0 and best_reply(position, hole) == 0,
}
"""The questions that are answered by a move, said once more in other words of the rules."""


@pytest.mark.parametrize("board", BOARDS)
def test_right_and_wrong_answers_are_played_by_the_rules(board: Board) -> None:
    question = board.question
    position, right = question.position, question.right
    assert set(right) <= set(question.answers)
    if question.way is Way.HOLE:
        assert question.answers == tuple(map(str, position.legal_moves()))
        for answer in question.answers:
            shown = question.shown(answer)
            assert shown == position.sow(int(answer))
            if question.ask == "land":
                last = shown.last
                holds = f"{'white' if last.side is Side.WHITE else 'black'} {last.hole}" == question.at
            else:
                holds = HOLES[question.ask](position, int(answer))
            assert holds == (answer in right), answer
        return
    assert len(right) == 1
    shown, after = position.sow(question.move), position.play(question.move)
    assert all(question.shown(answer) == shown for answer in question.answers)
    white = (after.outcome().stores if after.outcome() else after.stores)[0] - position.stores[0]  # type: ignore[union-attr]
    last = shown.last
    before = position.holes[last.side][last.hole - 1] if last.hole else 0
    once = sum((drop.side, drop.hole) == (last.side, last.hole) for drop in shown.drops)
    there = once if (last.side, last.hole) == (position.to_move, question.move) else before + once
    found: dict[str, Callable[[], str]] = {
        "landing": lambda: f"{'white' if last.side is Side.WHITE else 'black'} {last.hole}",
        "parity": lambda: "odd" if there % 2 else "even",
        "count": lambda: str(there),
        "taken": lambda: "yes" if shown.captured else "no",
        "made": lambda: "yes" if after.tuz != position.tuz else "no",
        "over": lambda: "yes" if after.outcome() else "no",
        "turn": lambda: "yes" if after.to_move is position.to_move else "no",
        "winner": lambda: {None: "nobody", Side.WHITE: "white", Side.BLACK: "black"}[after.outcome().winner],  # type: ignore[union-attr]
        "gain": lambda: str(white),
        "needed": lambda: str(position.rules.goal - position.stores[0]),
    }
    assert right[0] == found[question.ask]()


@pytest.mark.parametrize("stop", STOPS)
def test_a_stop_has_three_to_five_boards_and_three_stars_are_no_luck(stop: Stop) -> None:
    assert 3 <= len(stop.boards) <= 5
    chance = 1.0
    for board in stop.boards:
        chance *= len(board.question.right) / len(board.question.answers)
    assert chance <= 0.03


def test_who_answers_by_chance_gets_no_three_stars() -> None:
    """All stops together, a hundred times: three stars are luck, and rare."""
    dice, given, three = Random(SEED), 0, 0
    for stop in (stop for game in GAMES for stop in path_of(game) if stop.boards):
        for _ in range(100):
            given += 1
            three += all(dice.choice(board.question.answers) in board.question.right for board in stop.boards)
    assert three / given < 0.02


def test_stars_fall_with_mistakes() -> None:
    assert [stars(mistakes) for mistakes in range(6)] == [3, 2, 1, 0, 0, 0]


def told(language: str, game: str) -> Iterator[tuple[str, str]]:
    gettext = translations(language, game in STONE_GAMES).gettext
    for stop in path_of(game):
        for at, board in enumerate(stop.boards, 1):
            text = gettext(board.task)
            yield f"{game} {stop.name} {at}", text % {"hole": board.question.move} if board.question.move else text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_board_has_at_most_twelve_words(language: str) -> None:
    for where, text in ((where, text) for game in GAMES for where, text in told(language, game)):
        words = [word for word in text.split() if any(letter.isalnum() for letter in word)]
        assert 1 <= len(words) <= MOST_WORDS, f"{language} {where}: {text}"
        assert "%" not in text, f"{language} {where}: {text}"


def test_each_path_begins_with_sowing_and_ends_with_a_game() -> None:
    assert [len(path_of(game)) for game in GAMES] == [12, 6, 5, 5]
    for game in GAMES:
        path = path_of(game)
        assert (path[0].name, path[-1].name, path[-1].boards) == ("sow", GAME_STOP, ())
        assert path[0].boards[0].question.position == GAMES[game].start()
        assert all(board.question.position.outcome() is None for stop in path for board in stop.boards)


STOP = '[[stop]]\nname = "game"\ntitle = "Game"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[stop]", "line 1"),
        (STOP.replace("game", "sow"), "the last is 'game'"),
        (STOP + STOP, "names of their own"),
        ('[[stop]]\nname = "game"\n', "a stop has a name, a title and boards"),
        ('[[stop]]\nname = 3\ntitle = "Game"\n', "a stop has a name, a title and boards"),
        (STOP + "boards = 3\n[[stop.board]]\n", "game, board 1: 'ask' is missing"),
        (STOP + '[[stop.board]]\nask = "guess"\ntask = "?"\n', "there is no question 'guess'"),
        (STOP + '[[stop.board]]\nask = "any"\n', "'task' is missing"),
        (STOP + '[[stop.board]]\nask = "any"\ntask = "?"\nanswer = 3\n', "unknown answer"),
        (STOP + '[[stop.board]]\nask = "any"\nmove = 3\ntask = "?"\n', "names no move"),
        (STOP + '[[stop.board]]\nask = "landing"\ntask = "?"\n', "is about a move"),
        (STOP + '[[stop.board]]\nask = "landing"\nmove = 12\ntask = "?"\n', "there is no hole 12"),
        (STOP + '[[stop.board]]\nask = "capture"\nposition = "9/9 0 0 S 1"\ntask = "?"\n', "162"),
        (STOP + '[[stop.board]]\nask = "tuz"\ntask = "?"\n', "no answer is right"),
        (STOP + '[[stop.board]]\nask = "land"\ntask = "?"\n', "only the question `land` names a place"),
        (STOP + '[[stop.board]]\nask = "winner"\nmove = 3\ntask = "?"\n', "the game goes on"),
        (STOP + '[[stop.board]]\nask = "any"\nmove = "x"\ntask = "?"\n', "invalid literal"),
    ],
)
def test_lessons_that_do_not_hold_are_refused_with_the_board(text: str, said: str) -> None:
    with pytest.raises(LessonError) as refused:
        read_path(text, TOGUZ_KORGOOL)
    assert said in str(refused.value)


def test_every_question_is_asked_or_drilled_and_says_what_it_needs() -> None:
    asked = {board.question.ask for game in GAMES for stop in path_of(game) for board in stop.boards}
    assert set(ASKS) - asked <= {"taken", "home", "reach"}
    with pytest.raises(QuestionError, match="no answer is right"):
        Question("opposite", TOGUZ_KORGOOL.start())
