"""The manual's examples give what they say, its links lead somewhere, and it builds without a warning."""

from __future__ import annotations

import doctest
import io
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from korgool.app.printing import EVENT_PAPERS
from korgool.app.server.application import create_app
from korgool.app.server.core.settings import ServerSettings
from korgool.competition.standings import TIEBREAKS
from korgool.engine.ugi import Ugi
from tests.docs import commands
from tests.docs.commands import DOCS, FENCE, PAGES, ROOT


def blocks(kind: str) -> Iterator[tuple[Path, str]]:
    for path in PAGES:
        for block in commands.blocks(path, kind):
            yield path, block.body


@pytest.mark.parametrize("path", sorted({path for path, _ in blocks("pycon")}), ids=lambda path: path.stem)
def test_library_examples_give_what_they_say(path: Path) -> None:
    """The blocks of one page share their names, as a reader types them one after the other."""
    text = "\n".join(body for page, body in blocks("pycon") if page == path)
    example = doctest.DocTestParser().get_doctest(text, {}, path.stem, str(path), 0)
    said: list[str] = []
    with ThreadPoolExecutor(1) as thread:  # an open browser has an event loop in the main one
        result = thread.submit(doctest.DocTestRunner().run, example, out=said.append).result()
    assert result.attempted > 2
    assert result.failed == 0, "".join(said)


def test_there_is_no_python_that_nobody_tries() -> None:
    assert list(blocks("python")) == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_links_lead_to_pages(path: Path) -> None:
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        assert not target.startswith("http"), "the manual asks no network"
        page = target.partition("#")[0]
        assert not page or (path.parent / page).is_file(), target


def test_the_files_of_the_development_page_exist() -> None:
    text = (DOCS / "development.md").read_text(encoding="utf-8")
    named = re.findall(r"`(?:\.venv/bin/python )?((?:src|kernel|tests|docs|benchmarks|\.ci)/[\w./-]*|\w+\.py)`", text)
    assert len(named) > 10
    assert [name for name in named if "_build" not in name and not (ROOT / name).exists()] == []


def test_the_arbiters_page_names_every_tiebreak_and_paper() -> None:
    text = (DOCS / "competitions.md").read_text(encoding="utf-8")
    table = re.findall(r"^\| ((?:`[A-Z0-9-]+`(?:, )?)+) \| (.+) \| (.+) \| (\w+) \|$", text, re.MULTILINE)
    named = {code: (name, whom) for codes, name, _, whom in table for code in re.findall(r"`([^`]+)`", codes)}
    assert list(named) == list(TIEBREAKS)
    for code, (name, whom) in named.items():
        assert TIEBREAKS[code].name.startswith(name), code
        assert TIEBREAKS[code].whom == whom, code
    papers = text.partition("\n## Papers\n")[2].partition("\n## ")[0]
    assert set(re.findall(r"`([a-z-]+)`", papers)) - {"--with-personal"} == set(EVENT_PAPERS)


def test_the_design_knows_which_rooms_are_built() -> None:
    text = (DOCS / "design.md").read_text(encoding="utf-8")
    rooms = re.findall(r"^\| `(\w+)/` \|.*\| (built|planned) \|$", text, re.MULTILINE)
    package = ROOT / "src" / "korgool"
    for room, state in rooms:
        assert (package / room).is_dir() is (state != "planned"), room
    assert {room for room, state in rooms if state == "built"} == {
        path.parent.name for path in package.glob("*/__init__.py")
    }
    assert set(re.findall(r"^\| `app/(\w+)/` \|", text, re.MULTILINE)) == {
        path.parent.name for path in (package / "app").glob("*/__init__.py")
    }


def test_the_session_of_the_protocol_page_goes_so() -> None:
    """Line by line; which hole the search likes best may change with the search."""
    (session,) = [body for path, body in blocks("text") if path.stem == "protocol"]
    said = [line.removeprefix("> ") for line in session.splitlines() if line.startswith("> ")]
    expected = [line for line in session.splitlines() if not line.startswith("> ")]
    sink = io.StringIO()
    Ugi(io.StringIO("\n".join(said) + "\n"), sink).run()
    answered = [line for line in sink.getvalue().splitlines() if not line.startswith("info depth")]
    assert answered[:-1] == expected[:-1]
    assert re.fullmatch(r"bestmove [1-9]", answered[-1])
    assert re.fullmatch(r"bestmove [1-9]", expected[-1])


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_addresses_of_the_protocol_page_exist(tmp_path: Path) -> None:
    text = (DOCS / "protocol.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(?:(?:GET|POST) )?(/(?:api|games|healthz|openapi)[\w/.-]*)", text))
    routes = {route.path for route in create_app(ServerSettings(data=tmp_path)).routes}
    words = {
        "game_id": "ID",
        "challenge_id": "ID",
        "event_id": "ID",
        "class_id": "ID",
        "command": "COMMAND",
        "dialect": "pgn",
        "number": "N",
        "player_id": "PLAYER",
        "code": "CODE",
        "board": "BOARD",
    }
    words |= {name: name.upper() for name in ("name", "game", "speed")}
    known = {re.sub(r"\{(\w+)[^}]*\}", lambda found: words.get(found[1], found[1]), route) for route in routes}
    assert len(named) > 8
    assert named - known == set()
