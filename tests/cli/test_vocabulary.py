"""One rule for the options of all commands: a word has one meaning, a thing has one word, files complete."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from korgool.app.cli.completion import PLACES
from korgool.app.cli.forms import FILLED, Form
from korgool.app.cli.vocabulary import WORDS, Takes, WordOption, option
from tests.cli.commands import ARGUMENTS, FILES, commands, needed, options

NAMES = sorted(commands())
ALL = [(name, word, parameter) for name in NAMES for word, parameter in options(commands()[name])]
FORMER = [(name, word, old) for name, word, parameter in ALL for old in getattr(parameter, "was", ())]


def test_every_option_is_a_word_of_the_table_and_takes_what_it_says() -> None:
    for name, word, parameter in ALL:
        assert isinstance(parameter, WordOption), f"{name} {word} is made without the table"
        found, takes = type(parameter.type).__name__, WORDS[word].takes
        right = {
            Takes.NOTHING: parameter.is_flag,
            Takes.TWO: parameter.nargs == 2,
            Takes.CHOICE: isinstance(parameter.type, click.Choice),
            Takes.NUMBER: isinstance(parameter.type, click.types.IntRange | click.types.FloatRange)
            or parameter.type in (click.INT, click.FLOAT),
            Takes.SEED: parameter.type in (click.INT, click.STRING),
            Takes.TEXT: parameter.type is click.STRING or getattr(parameter.type, "read", None) is FILLED.read,
            Takes.FORM: parameter.type is click.STRING or isinstance(parameter.type, Form),
        }.get(takes, found == "PathName")
        assert right, (name, word, takes, found)
        assert (takes is Takes.TWO) is (parameter.nargs == 2), (name, word)


def test_the_table_has_no_word_that_no_command_has() -> None:
    assert {word for _, word, _ in ALL} == set(WORDS)


def test_one_thing_has_one_word() -> None:
    meanings = Counter(word.meaning for word in WORDS.values())
    assert [meaning for meaning, times in meanings.items() if times > 1] == []


def test_a_word_that_is_not_in_the_table_is_refused() -> None:
    with pytest.raises(LookupError, match="--workers"):
        option("--workers")


@pytest.mark.parametrize(("name", "word", "old"), FORMER)
def test_former_words_do_the_same_and_are_not_shown(name: str, word: str, old: str) -> None:
    command = commands()[name]
    parameter = next(parameter for found, parameter in options(command) if found == word)
    value = {Takes.NUMBER: ["2"], Takes.TWO: ["1", "2"], Takes.NOTHING: []}.get(WORDS[word].takes, ["x"])
    if isinstance(parameter.type, click.Choice):
        value = [list(parameter.type.choices)[-1]]
    least = needed(command, without=word)
    told = [
        command.make_context(name, [*least, said, *value]).params for said in (word, old)
    ]  # fmt: skip
    assert told[0] == told[1]
    assert told[0] != command.make_context(name, least).params
    with click.Context(command) as ctx:
        assert old not in {part.strip("[],") for part in command.get_help(ctx).split()}


def test_words_that_users_know_stay() -> None:
    """What the interface of the project names."""
    heard = {name: {*(word for word, _ in options(command))} for name, command in commands().items()}
    for name, _, old in FORMER:
        heard[name].add(old)
    known = """
        serve --host --port --data --database --limits --trusted-proxy --allowed-host --base-url --lan --log
        play --level
        perft --position --divide
        replay --json
        analyse --position --record --seconds --depth --nodes --lines --threads --json
        solve --position --json
        arena --games --seconds --nodes --openings --concurrency --log
        event new --name --game --rounds
        event enter --name --sex --rating --federation --team
        event warn --reason
        event export --trf --xlsx --csv --delimiter --bom --data
        event upload --server --token
        event undo --reason
        tables build --game --stones --workers
        diagram --position --output
        convert --to
    """
    for line in known.split("\n"):
        name, *words = line.split(" --")
        assert not words or {f"--{word}" for word in words} <= heard[name.strip()], line


@pytest.mark.parametrize("name", NAMES)
def test_files_complete_in_the_shell(name: str) -> None:
    command = commands()[name]
    with click.Context(command) as ctx:
        for parameter in command.params:
            if isinstance(parameter, click.Argument):
                assert parameter.name in ARGUMENTS
                wanted = parameter.name in FILES
            else:
                word = next(name for name in parameter.opts if name.startswith("--"))
                wanted = WORDS[word].takes in (Takes.FILE, Takes.NEW_FILE, Takes.FOLDER)
            kinds = {one.type for one in parameter.shell_complete(ctx, "x")}
            assert (bool(kinds & {"file", "dir"})) is wanted, parameter.name


def test_papers_complete_in_the_shell() -> None:
    from korgool.app.printing import EVENT_PAPERS

    command = commands()["event print"]
    what = next(parameter for parameter in command.params if parameter.name == "what")
    with click.Context(command) as ctx:
        assert [one.value for one in what.shell_complete(ctx, "")] == list(EVENT_PAPERS)
        assert [one.value for one in what.shell_complete(ctx, "di")] == ["diplomas"]


@pytest.mark.parametrize("shell", PLACES)
def test_the_completion_script_goes_where_it_says(shell: str, invoke: Callable[..., Any]) -> None:
    done = invoke("completion", shell)
    assert done.exit_code == 0
    assert f"_KORGOOL_COMPLETE={shell}_complete" in done.stdout
    assert PLACES[shell].file in done.stderr


def test_json_wherever_something_is_printed(tmp_path: Path, invoke: Callable[..., Any]) -> None:
    """The engine alone has no JSON: it speaks UGI with another program."""
    without = {name for name, command in commands().items() if "--json" not in dict(options(command))}
    assert without == {"engine"}
    (tmp_path / "games.txt").write_text("796817\n799999\n")
    done = invoke("convert", str(tmp_path / "games.txt"), "--to", "pgn", "--json")
    good, bad = map(json.loads, done.stdout.splitlines())
    assert (done.exit_code, good["error"], bad["record"]) == (1, None, None)
    assert "[Event" in good["record"]
    board = tmp_path / "board.svg"
    told = json.loads(invoke("diagram", "-o", str(board), "--json").stdout)
    assert (told["output"], told["bytes"]) == (str(board), board.stat().st_size)
