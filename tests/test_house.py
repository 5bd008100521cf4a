"""The house itself: arrows between rooms, what an import costs, types, style, and files that must not be there."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.smoke
"""It is what a change forgets most often."""


def tool(*command: str) -> subprocess.CompletedProcess[str]:
    """Run a development tool of this environment in the project's root."""
    program = Path(sys.executable).with_name(command[0])
    return subprocess.run([program, *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False)


def tracked() -> list[Path]:
    """The files that git knows; without git or a checkout, nothing can be said about them."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("this is no git checkout")
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in names.split("\0") if name and (ROOT / name).exists()]


def test_no_message_is_marked_inside_an_f_string() -> None:
    """Extraction does not see a message there, so that it would stay English for ever."""
    markers = {"_", "N_", "NN_", "gettext", "ngettext"}
    found = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path in sorted((ROOT / "src").rglob("*.py"))
        for text in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(text, ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call)
        and getattr(call.func, "id", getattr(call.func, "attr", "")) in markers
        and any(isinstance(argument, ast.Constant) for argument in call.args)
    ]
    assert found == []


def test_rooms_import_one_way() -> None:
    """The contract of docs/design.md, by import-linter."""
    done = tool("lint-imports", "--no-cache")
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Also not under TYPE_CHECKING or within functions: each of these modules can be read after those it imports."""
    rooms = ("korgool.rules", "korgool.notation", "korgool.conduct", "korgool.competition")
    graph = grimp.build_graph("korgool", cache_dir=None)
    arrows = {module: graph.find_modules_directly_imported_by(module) for module in sorted(graph.modules)}
    circles = [
        circle
        for circle in strongly_connected(arrows)
        if any(module == room or module.startswith(f"{room}.") for module in circle for room in rooms)
    ]
    assert circles == []


def test_no_module_of_competition_imports_from_a_package_that_it_is_in() -> None:
    """`from korgool.competition import actions` runs the facade, which imports all others: grimp misses that circle."""
    source = ROOT / "src"
    found = []
    for path in sorted((source / "korgool" / "competition").rglob("*.py")):
        inside = {
            ".".join(folder.relative_to(source).parts) for folder in path.parents if folder.is_relative_to(source)
        }
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module in inside or node.level):
                found.append(f"{path.relative_to(source)}:{node.lineno}")
    assert found == []


def strongly_connected(arrows: dict[str, set[str]]) -> list[list[str]]:
    """The sets of two and more nodes that reach each other: by walking from every node."""
    left = {node: {to for to in targets if to in arrows and to != node} for node, targets in arrows.items()}
    reach: dict[str, set[str]] = {}
    for node, targets in left.items():
        seen, waiting = set[str](), list(targets)
        while waiting:
            one = waiting.pop()
            if one not in seen:
                seen.add(one)
                waiting += left[one]
        reach[node] = seen
    groups = {frozenset(to for to in reach[node] if node in reach[to]) for node in left}
    return sorted(sorted(group) for group in groups if group)


def test_the_search_for_circles_finds_them() -> None:
    arrows = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e"}, "e": set(), "f": {"g"}, "g": {"f"}}
    assert strongly_connected(arrows) == [["a", "b", "c"], ["f", "g"]]


@pytest.mark.long
def test_types_are_strict() -> None:
    """Of every module, which takes a minute where mypy has seen none of them before."""
    done = tool("mypy")
    assert done.returncode == 0, done.stdout + done.stderr


def test_style() -> None:
    done = tool("ruff", "check", ".")
    assert done.returncode == 0, done.stdout + done.stderr
    done = tool("ruff", "format", "--check", ".")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_rules_need_the_standard_library_only() -> None:
    """`import korgool` in a Python that sees no installed package."""
    code = (
        "import sys; before = set(sys.modules); sys.path.insert(0, sys.argv[1]); import korgool;"
        "new = {name.partition('.')[0] for name in set(sys.modules) - before};"
        "print(sorted(new - sys.stdlib_module_names - {'korgool'}))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-I", "-c", code, str(ROOT / "src")], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_docstrings_begin_with_a_verb_or_a_noun() -> None:
    """A reader who looks a name up wants to know the thing; a question for an answer is read twice.

    Those of messages and routes are texts of the description of the API, which stays as it is.
    """
    question = re.compile(r"(What|Whether|How|Who|Whom|Whose|Where|When|Which|Why)\b")
    found = []
    for path in sorted((ROOT / "src").rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        tree, bodies = ast.parse(source), set(re.findall(r"takes\((\w+)\)", source))
        described = {
            node.body[0]
            for node in ast.walk(tree)
            if (
                isinstance(node, ast.ClassDef)
                and (
                    node.name in bodies or any(ast.unparse(base).endswith(("Struct", "StrEnum")) for base in node.bases)
                )
            )
            or (
                isinstance(node, ast.AsyncFunctionDef)
                and any(re.match(r"(get|post|put|patch|delete)\(", ast.unparse(one)) for one in node.decorator_list)
            )
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node not in described:
                text = node.value.value
                if isinstance(text, str) and question.match(text.strip()):
                    found.append(f"{path.relative_to(ROOT)}:{node.lineno}: {text.strip().splitlines()[0]}")
    assert found == []


def test_import_brings_no_heavy_module() -> None:
    """What makes imports slow stays out; benchmarks/start.py measures the time itself."""
    code = "import sys, korgool; print(*sorted(sys.modules))"
    loaded = set(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    )
    assert not loaded & {"asyncio", "ctypes", "decimal", "email", "http", "json", "logging", "sqlite3", "ssl", "xml"}


def test_no_binary_but_the_named_ones() -> None:
    """Generated files stay out of git, but what a test or a command rebuilds, pictures, and events of old versions."""
    allowed = {".png", ".wasm", ".woff2", ".kgn", ".table", ".korgool", ".puzzles"}
    binaries = [path for path in tracked() if b"\0" in path.read_bytes()[:8000] and path.suffix not in allowed]
    assert binaries == []


def test_no_file_grows_beyond_500_lines() -> None:
    long = [
        f"{path.relative_to(ROOT)}: {lines}"
        for path in tracked()
        if path.suffix in {".py", ".c", ".h", ".js", ".css"}
        and (lines := len(path.read_text(encoding="utf-8").splitlines())) > 500
    ]
    assert long == []


def test_loops_of_tests_have_a_thread_of_their_own() -> None:
    """In the thread of the browser `asyncio.run` refuses, and the order in which tests come is left to chance; see
    `run_async` in `tests/server/support.py`."""
    own = {
        f"tests/{name}.py"
        for name in ("server/support", "server/asked_inside", "server/fronts", "attacks/attackers", "test_house")
    }
    sources = [
        path
        for path in tracked()
        if path.suffix == ".py" and path.is_relative_to(ROOT / "tests") and str(path.relative_to(ROOT)) not in own
    ]
    refused = re.compile(r"asyncio\.(run|Runner)\(|run_until_complete\(")
    assert [str(path) for path in sources if refused.search(path.read_text(encoding="utf-8"))] == []


def test_tests_wait_for_functions() -> None:
    """A bare expression passes only when it is true at once: for the second look the pages' policy forbids `eval`."""
    waits = re.compile(r"""wait_for_function\(\s*f?["']{1,3}+(?!\(?[\w\s,\[\]]*\)? =>|async )""")
    found = [
        str(path.relative_to(ROOT))
        for path in tracked()
        if path.suffix == ".py" and waits.search(path.read_text()) and path != Path(__file__)
    ]
    assert found == []


def test_routes_of_browsers_stay() -> None:
    """A request that is on its way when its route is taken away is never answered."""
    files = [path for path in tracked() if path.suffix == ".py" and path != Path(__file__)]
    assert [str(path.relative_to(ROOT)) for path in files if ".unroute" in path.read_text()] == []
