"""The mutation run itself: what is changed, that a change stays in its trial, and that most changes are noticed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.conftest import SEED
from tests.mutation.__main__ import draw, equivalents
from tests.mutation.operators import Mutant, compiles, mutants
from tests.mutation.rooms import EDGE, PACKAGE, ROOMS, ROOT, sources
from tests.mutation.trial import lay, stages


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a < b", ["a <= b", "a >= b"]),
        ("a <= b <= c", ["a < b <= c", "a > b <= c", "a <= b < c", "a <= b > c"]),
        ("a == (b)", ["a != (b)"]),
        ("a not in b", ["a in b"]),
        ("a is  not b", ["a is b"]),
        ("a and b or c", ["a and b and c", "a or b or c"]),
        ("not a", ["(a)"]),
        ("a + b // 2", ["a - b // 2", "a + b * 2", "a + b // 3"]),
        ("a -= 0.5", ["a += 0.5", "a -= 1.5"]),
        ("a = True", ["a = False"]),
        ("a = min(b, c)", ["a = max(b, c)"]),
        ("a(b)", ["pass"]),
        ("a = sorted(b, key=c)", ["a = list(b)"]),
        ("a = sorted(b for b in c)", ["a = list((b for b in c))"]),
        ("a = replace(b, c=d, **e)", ["a = replace(b, **e)", "a = replace(b, c=d, )"]),
        ("x = a if b else c", ["x = a if not (b) else c"]),
        ("def a():\n    return False", ["def a():\n    return True"]),
        ("for a in b:\n    break", ["for a in b:\n    continue"]),
        ("raise ValueError(1)", ["pass"]),
        (
            "def a(b: int = 1) -> int:\n    return b",
            ["def a(b: int = 2) -> int:\n    return b", "def a(b: int = 1) -> int:\n    return None"],
        ),
        ('a = f"{b + 1}"', []),
        ('"""A text that stands alone."""', []),
        ("_LOG.info(a)", []),
        ("a: Literal[1] = b", []),
        ("a: TypeAlias = b | c", []),
        ("@cache(maxsize=1)\ndef a(): ...", []),
        ("a = (1, 2, 3, 4, 5, 6, 7, 8, 9)", []),
        ("a = 'ü' * (b)  # *", ["a = 'ü' // (b)  # *"]),
    ],
)
def test_what_is_changed(tmp_path: Path, before: str, after: list[str]) -> None:
    file = tmp_path / "code.py"
    file.write_text(before, encoding="utf-8")
    found = [mutant.apply(before) for mutant in mutants(file)]
    assert sorted(found) == sorted(after)
    assert all(map(compiles, mutants(file)))


def test_what_does_not_compile_is_no_mutant(tmp_path: Path) -> None:
    file = tmp_path / "code.py"
    file.write_text("for a in b:\n    break\n")
    start = file.read_text().index("for")
    assert not compiles(Mutant(file, 1, start, start + 15, "continue"))


def test_a_seed_draws_the_same_mutants_and_another_seed_others() -> None:
    names = [[drawn.name for drawn in draw(seed, 20, ["timing"])] for seed in (1, 1, 2)]
    assert names[0] == names[1] != names[2]
    assert len(set(names[0])) == 20


def test_an_overlay_differs_in_one_file(tmp_path: Path) -> None:
    mutant = mutants(PACKAGE / "rules" / "match.py")[0]
    lay(mutant, tmp_path)
    changed = tmp_path / "korgool" / "rules" / "match.py"
    source = mutant.file.read_text(encoding="utf-8")
    assert changed.read_text(encoding="utf-8") == mutant.apply(source) != source
    for path in PACKAGE.rglob("*.py"):
        copy = tmp_path / "korgool" / path.relative_to(PACKAGE)
        assert copy.samefile(path) or copy == changed
    assert not list((changed.parent / "__pycache__").glob("match.*"))


def test_a_mutant_dies_in_its_trial_and_nowhere_else() -> None:
    """A real trial: in a process of its own, since the package must not be loaded in the one that forks."""
    script = """if True:
        import json, sys
        from tests.mutation.operators import mutants
        from tests.mutation.rooms import PACKAGE
        from tests.mutation.trial import failing, prepare

        prepare()
        file = PACKAGE / "rules" / "match.py"
        source = file.read_text()
        tests = sys.argv[1:]
        wrong = next(it for it in mutants(file) if it.change(source)[1] == "points = [1, 0]")
        print(json.dumps([failing(it, tests, seconds=60) for it in (wrong, None)]))
    """
    test = "tests/rules/test_game.py::test_a_match_of_sets_counts_by_player"
    done = subprocess.run([sys.executable, "-c", script, test], cwd=ROOT, capture_output=True, text=True, check=True)
    killed, whole = json.loads(done.stdout.splitlines()[-1])
    assert killed == [test]
    assert whole == []


def test_fast_tests_come_first_and_a_budget_ends_them() -> None:
    tests = [(f"tests/a.py::{number}", number / 10) for number in range(40)]
    first, rest = stages(tests, budget=20)
    assert first == [f"tests/a.py::{number}" for number in range(12)]
    assert rest == [f"tests/a.py::{number}" for number in range(12, 20)]


def test_the_patterns_of_every_room_fit_files() -> None:
    assert all(sources(room) for room in ROOMS)
    assert all((ROOT / path).exists() for room in ROOMS.values() for path in room.tests)


def test_listed_equivalents_are_mutants_of_the_code_as_it_is() -> None:
    """An entry whose line was changed must go."""
    for name, why in equivalents().items():
        file, was, now = name.split("\n", 2)
        path = PACKAGE / file
        source = path.read_text(encoding="utf-8")
        assert f"{was}\n{now}" in {"- {}\n+ {}".format(*mutant.change(source)) for mutant in mutants(path)}, name
        assert why


@pytest.mark.long
@pytest.mark.parametrize(("rooms", "count"), [(set(ROOMS) - set(EDGE), 500), (EDGE, 300)])
def test_nine_in_ten_of_the_core_and_most_of_the_edge_die(rooms: Iterable[str], count: int) -> None:
    command = [sys.executable, "-m", "tests.mutation", "--seed", str(SEED), "--count", str(count)]
    command += [word for room in ROOMS if room in rooms for word in ("--room", room)]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == 0
