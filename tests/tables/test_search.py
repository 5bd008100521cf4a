"""The search with endgame tables: it knows at once what they know, and says nothing else than a search to the end."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from korgool.engine.limits import Limits
from korgool.engine.search import Engine
from korgool.engine.tables import Tables, build
from korgool.engine.ugi import Ugi
from korgool.rules import BESTEMSHE, MANGALA, TOGUZ_KORGOOL, Position, Rules, Setup


def _few(rules: Rules, random: Random, most: int) -> Position:
    """A playable position with a few stones and a goal in reach of both."""
    while True:
        rows = [[0] * rules.holes, [0] * rules.holes]
        tuz = (1 + random.randrange(rules.holes - 1), None) if rules.tuz and random.random() < 0.5 else (None, None)
        for _ in range(random.randint(2, most)):
            side, hole = random.randrange(2), random.randrange(rules.holes)
            if tuz[1 - side] != hole + 1:
                rows[side][hole] += 1
        rest = rules.total - sum(map(sum, rows))
        own = rest // 2 + random.randint(-2, 2)
        position = Setup(rules, (rows[0], rows[1]), (own, rest - own), tuz).position(lenient=True)
        if position.outcome() is None:
            return position


@pytest.mark.parametrize(
    ("rules", "most"), [(TOGUZ_KORGOOL, 4), (MANGALA, 6), (BESTEMSHE, 6)], ids=["toguz", "mangala", "bestemshe"]
)
def test_tables_say_what_a_search_to_the_end_says(rules: Rules, most: int, tmp_path: Path) -> None:
    tables = build(rules, most, folder=tmp_path, odd=True)
    with_tables, without = Engine(rules, tables=None), Engine(rules, tables=None)
    with_tables.use_tables(tables)
    random, proven = Random(f"tables {rules.name}"), 0
    for _ in range(60):
        position = _few(rules, random, most)
        exact = tables.value(position)
        line = with_tables.analyse(position, Limits(depth=3, nodes=20_000)).lines[0]
        if exact is not None and line.exact:
            assert line.evaluation == exact, repr(position)
            proven += 1
        slow = without.analyse(position, Limits(nodes=100_000)).lines[0]
        if slow.exact and line.exact:
            assert slow.evaluation == line.evaluation, repr(position)
        assert not (slow.win == 1 and line.loss == 1), repr(position)
        assert not (slow.loss == 1 and line.win == 1), repr(position)
    assert proven > 20


def test_tables_of_another_game_are_refused() -> None:
    engine = Engine(TOGUZ_KORGOOL)
    for rules in (MANGALA, replace(TOGUZ_KORGOOL, tuz=False)):
        with pytest.raises(ValueError, match="other rules than the engine's"):
            engine.use_tables(Tables(rules))
    engine.use_tables(Tables(TOGUZ_KORGOOL))
    engine.use_tables(None)


def test_a_session_uses_the_tables_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`isready` opens them; a damaged file is told and left out, and the session lives on."""
    monkeypatch.setattr("korgool.engine.tables.files.default_folder", lambda: tmp_path)
    build(BESTEMSHE, 6, folder=tmp_path)
    position = "4,1S/2,2S,1,1S 22 24 S 1"

    def session() -> str:
        sink = io.StringIO()
        lines = f"setoption name game value bestemshe\nisready\nposition fen {position}\ngo depth 2\n"
        Ugi(io.StringIO(lines), sink).run()
        return sink.getvalue()

    used = session()
    assert "no endgame tables" not in used
    assert "bestmove" in used
    path = max((path for path in tmp_path.rglob("*") if path.is_file()), key=lambda path: path.stat().st_size)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))
    refused = session()
    assert "no endgame tables are used" in refused
    assert "readyok" in refused
    assert "bestmove" in refused
