"""The advice how to install a part, carried out in the environments in which it is given."""

from __future__ import annotations

import base64
import hashlib
import os
import platform
import re
import shlex
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from korgool import installing

ROOT = Path(__file__).parents[1]
BACKEND = """
import zipfile

def build_editable(folder, settings=None, metadata=None):
    name = "korgool-1-py3-none-any.whl"
    with zipfile.ZipFile(f"{folder}/{name}", "w") as pack:
        pack.writestr("korgool-1.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        pack.writestr("korgool-1.dist-info/METADATA", METADATA)
        pack.writestr("korgool-1.dist-info/RECORD", "")
    return name

METADATA = '''Metadata-Version: 2.1
Name: korgool
Version: 1
Provides-Extra: metrics
Requires-Dist: small-thing>=2; extra == "metrics"
'''
"""
METADATA = BACKEND.split("'''")[1]


def wheel(folder: Path, name: str, metadata: str, files: Mapping[str, str]) -> Path:
    """A small wheel, as pip takes it."""
    info = f"{name}-{'2' if name != 'korgool' else '1'}.dist-info"
    held = {
        **files,
        f"{info}/METADATA": metadata,
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    path = folder / f"{info.removesuffix('.dist-info')}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as pack:
        record = ""
        for place, text in held.items():
            pack.writestr(place, text)
            digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
            record += f"{place},sha256={digest},{len(text.encode())}\n"
        pack.writestr(f"{info}/RECORD", record + f"{info}/RECORD,,\n")
    return path


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A folder of wheels with what the part needs."""
    folder = tmp_path / "wheels of others"
    folder.mkdir()
    wheel(
        folder, "small_thing", "Metadata-Version: 2.1\nName: small-thing\nVersion: 2\n", {"small_thing.py": "found = 7"}
    )
    return folder


def run(words: list[str], shop: Path) -> str:
    """The output of a command that finds packages in the folder alone."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PIP_", "VIRTUAL_ENV"))}
    env |= {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": shop.as_uri(), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run(words, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def environment(tmp_path: Path, shop: Path) -> Path:
    """The Python of a new environment without pip, as `run.py` makes it."""
    run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "of its own")], shop)
    return tmp_path / "of its own" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


SOURCE = Path(installing.__file__).read_text(encoding="utf-8")
ASK = "from korgool.installing import advice; print(advice('metrics'))"
USE = "import small_thing; print(small_thing.found)"


@pytest.mark.parametrize(("kept", "with_pip"), [(True, False), (True, True), (False, False), (False, True)])
def test_what_came_from_a_wheel_is_told_what_works(kept: bool, with_pip: bool, tmp_path: Path, shop: Path) -> None:
    """With the wheel still there, and where it was removed: the packages of the part are named then."""
    python = environment(tmp_path, shop)
    if with_pip:
        # What ensurepip would do in seconds: the pip of the Python that made the environment.
        base = getattr(sys, "_base_executable", sys.executable)
        where = run([base, "-c", "import pip; print(pip.__path__[0])"], shop).strip()
        [site] = python.parents[1].rglob("site-packages")
        (site / "pip").symlink_to(where, target_is_directory=True)
    made = wheel(tmp_path, "korgool", METADATA, {"korgool/__init__.py": "", "korgool/installing.py": SOURCE})
    base = getattr(sys, "_base_executable", sys.executable)
    prefix = str(python.parents[1])
    run([base, "-m", "pip", "--python", prefix, "install", "-q", str(made)], shop)
    if not kept:
        made.unlink()
    typed = run([str(python), "-c", ASK], shop).strip()
    assert ("small-thing>=2" in typed) is not kept
    assert typed.startswith(f"{shlex.quote(str(python))} -m pip ") is with_pip
    run(shlex.split(typed), shop)
    assert run([str(python), "-c", USE], shop) == "7\n"


def test_installing_again_works_from_a_wheel_and_says_so_where_it_cannot(tmp_path: Path, shop: Path) -> None:
    """No index has Korgool: where the wheel is gone, no command is invented."""
    python = environment(tmp_path, shop)
    made = wheel(tmp_path, "korgool", METADATA, {"korgool/__init__.py": "", "korgool/installing.py": SOURCE})
    base = getattr(sys, "_base_executable", sys.executable)
    run([base, "-m", "pip", "--python", str(python.parents[1]), "install", "-q", str(made)], shop)
    [broken] = python.parents[1].rglob("korgool/__init__.py")
    broken.write_text("broken = True\n")
    ask = "from korgool import installing; print(installing.advice_again())"
    run(shlex.split(run([str(python), "-c", ask], shop)), shop)
    assert broken.read_text() == ""
    made.unlink()
    assert run([str(python), "-c", ask], shop).strip() == installing._FROM_WHERE_IT_CAME


def test_the_folder_for_windows_is_told_to_put_packages_beside_the_others(tmp_path: Path, shop: Path) -> None:
    """Another Python does it, here the one that runs the test in place of Windows' launcher `py`."""
    packages = tmp_path / "Korgool" / "packages"
    (tmp_path / "Korgool" / "python").mkdir(parents=True)
    (tmp_path / "Korgool" / "python" / "python313._pth").touch()
    with zipfile.ZipFile(
        wheel(tmp_path, "korgool", METADATA, {"korgool/__init__.py": "", "korgool/installing.py": SOURCE})
    ) as pack:
        pack.extractall(packages)
    ask = f"import sys; sys.path.insert(0, {str(packages)!r}); {ASK}"
    python = environment(tmp_path, shop)
    typed = shlex.split(run([str(python), "-c", ask], shop))
    assert typed[:4] == ["py", "-m", "pip", "install"]
    run([getattr(sys, "_base_executable", sys.executable), *typed[1:]], shop)
    assert run([str(python), "-c", f"import sys; sys.path.insert(0, {str(packages)!r}); {USE}"], shop) == "7\n"
    again = ask.replace("import advice; print(advice('metrics'))", "import advice_again; print(advice_again())")
    assert run([str(python), "-c", again], shop) == "unpack the folder of Korgool again\n"


def test_what_runs_from_a_source_tree_is_told_what_works(tmp_path: Path, shop: Path) -> None:
    python, tree = environment(tmp_path, shop), tmp_path / "source tree"
    (tree / "src" / "korgool").mkdir(parents=True)
    (tree / "src" / "korgool" / "__init__.py").touch()
    (tree / "src" / "korgool" / "installing.py").write_text(SOURCE, encoding="utf-8")
    (tree / "run.py").touch()
    (tree / "backend.py").write_text(BACKEND, encoding="utf-8")
    (tree / "pyproject.toml").write_text(
        '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
        '[project]\nname = "korgool"\nversion = "1"\n[project.optional-dependencies]\nmetrics = ["small-thing>=2"]\n',
        encoding="utf-8",
    )
    ask = f"import sys; sys.path.insert(0, {str(tree / 'src')!r}); {ASK}"
    typed = run([str(python), "-c", ask], shop).strip()
    assert "[metrics]" in typed
    run(shlex.split(typed), shop)
    assert run([str(python), "-c", USE], shop) == "7\n"


def test_pipx_and_uv_are_told_by_what_they_leave(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    (tmp_path / "pyvenv.cfg").write_text("home = /usr/bin\nuv = 0.9.1\n")
    monkeypatch.setattr(installing, "find_spec", lambda name: None)
    assert installing.advice("metrics").startswith("uv pip install --python ")
    (tmp_path / "pipx_metadata.json").write_text("{}")
    assert installing.advice("metrics") == "pipx inject korgool 'prometheus-client<1,>=0.21'"


def test_packages_for_another_system_are_not_advised(monkeypatch: pytest.MonkeyPatch) -> None:
    """`serve` asks for other releases on Macs with Intel's processors, where newer ones have no wheels."""
    monkeypatch.setattr(installing, "_origin", lambda: None)
    here = installing.advice("serve")
    assert "webauthn<4,>=3" in here
    assert "webauthn<3" not in here
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    mac = installing.advice("serve")
    assert "webauthn<3,>=2.8" in mac
    assert "cryptography<49,>=44" in mac
    with pytest.raises(ValueError, match="is not understood"):
        installing._holds("python_version < '3'", {})


def test_no_index_is_asked_for_korgool_before_it_is_published(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installing, "_origin", lambda: None)
    monkeypatch.setattr(installing, "_packages", lambda part: [])
    assert installing.advice("serve") == installing.advice_again() == installing._FROM_WHERE_IT_CAME
    monkeypatch.setattr(installing, "PUBLISHED", True)
    assert installing.advice("serve").endswith("install 'korgool[serve]'")
    assert installing.advice_again().endswith("--force-reinstall --no-deps korgool")


INDEX = re.compile(r"(?:pip|pipx|uv)[a-z -]* (?:install|inject|upgrade)[a-z -]* [\"']?korgool\b(?!-)")


def test_pages_ask_no_index_for_korgool_before_it_is_published() -> None:
    assert INDEX.search('pip install --upgrade "korgool[all]"')
    assert INDEX.search("pipx install korgool")
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "src").rglob("*.html"), ROOT / "run.py"]
    named = [path for path in pages if INDEX.search(path.read_text(encoding="utf-8")) and "_build" not in path.parts]
    allowed = {"releasing.md", "CHANGELOG.md"}  # after publishing, and what was true once
    assert installing.PUBLISHED or {path.name for path in named} <= allowed, named


def test_no_other_place_advises_how_to_install() -> None:
    """Every message takes the advice from here."""
    for path in (ROOT / "src" / "korgool").rglob("*.py"):
        if path.name != "installing.py":
            assert "pip install" not in path.read_text(encoding="utf-8"), path


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with uv and pipx, and Korgool's wheel of this tree."""
    folder = tmp_path_factory.mktemp("tools")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    pip = [getattr(sys, "_base_executable", sys.executable), "-m", "pip"]
    subprocess.run([*pip, "--python", str(folder), "install", "-q", "uv", "pipx"], check=True)
    subprocess.run([*pip, "wheel", "-q", "--no-deps", "-w", str(folder), str(ROOT)], check=True)
    return folder


@pytest.mark.long
@pytest.mark.parametrize("way", ["pip", "uv venv", "uv tool", "pipx"])
def test_the_advice_works_with_the_real_tools_and_the_real_wheel(way: str, tools: Path, tmp_path: Path) -> None:
    """Packages come from wherever this machine's tools are told to fetch them."""
    if os.name == "nt":
        pytest.skip("the folders of these tools are those of other systems")
    [built] = tools.glob("korgool-*.whl")
    home = {"HOME": str(tmp_path), "PIPX_HOME": str(tmp_path / "pipx"), "PIPX_BIN_DIR": str(tmp_path / "bin")}
    home |= {"UV_TOOL_DIR": str(tmp_path / "uv"), "UV_TOOL_BIN_DIR": str(tmp_path / "bin")}
    path = os.pathsep.join([str(tools / "bin"), os.environ["PATH"]])
    env = {**os.environ, **home, "PATH": path}

    def typed(command: str) -> str:
        done = subprocess.run(command, shell=True, env=env, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        return done.stdout

    places = {"pip": "of its own", "uv venv": "of its own", "uv tool": "uv/korgool", "pipx": "pipx/venvs/korgool"}
    python = shlex.quote(str(tmp_path / places[way] / "bin" / "python"))
    wheel_path = shlex.quote(str(built))
    steps = {
        "pip": ["python3 -m venv 'of its own'", f"{python} -m pip install -q {wheel_path}"],
        "uv venv": ["uv venv -q 'of its own'", f"uv pip install -q --python {python} {wheel_path}"],
        "uv tool": [f"uv tool install -q {wheel_path}"],
        "pipx": [f"pipx install -q {wheel_path}"],
    }
    for step in steps[way]:
        typed(step)
    ask = "from korgool import installing; print(installing.{})"
    metrics = "advice('metrics')"
    typed(typed(f'{python} -c "{ask.format(metrics)}"'))
    typed(f"{python} -c 'import prometheus_client'")
    again = "advice_again()"
    typed(typed(f'{python} -c "{ask.format(again)}"'))
    typed(f"{python} -c 'from korgool.engine.kernel import library; library()'")
