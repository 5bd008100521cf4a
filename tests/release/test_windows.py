"""The folder for Windows, with a stand-in for the interpreter that its maker brings."""

from __future__ import annotations

import shutil
import struct
import subprocess
import zipfile
from pathlib import Path

import pytest

from korgool import __version__
from release import windows
from release.windows import Interpreter

EMBEDDED = "python313.zip\r\n.\r\n\r\n# Uncomment to run site.main() automatically\r\n#import site\r\n"


def program(machine: int) -> bytes:
    """The head of a Windows program for a processor."""
    return b"MZ" + bytes(58) + struct.pack("<I", 64) + b"PE\0\0" + struct.pack("<H", machine)


def stand_in(path: Path, machine: int = 0x8664, paths: str = "python313._pth", more: str = "LICENSE.txt") -> Path:
    """An archive laid out like the embeddable package of Python."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("python.exe", program(machine))
        archive.writestr(paths, EMBEDDED)
        archive.writestr(more, "The licence of Python")
    return path


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Path, Interpreter]]:
    """Packages and launcher that cost no time; the wheels and interpreters that packages were asked for."""
    asked: list[tuple[Path, Interpreter]] = []

    def packages(wheel: Path, interpreter: Interpreter, folder: Path) -> None:
        asked.append((wheel, interpreter))
        folder.mkdir()
        (folder / "_korgool_kernel.pyd").write_bytes(wheel.read_bytes())

    def launcher(target: str, path: Path) -> None:
        path.write_text(target, encoding="utf-8")

    monkeypatch.setattr(windows, "add_packages", packages)
    monkeypatch.setattr(windows, "add_launcher", launcher)
    return asked


def test_the_folder_holds_interpreter_packages_launcher_and_a_note(
    tmp_path: Path, parts: list[tuple[Path, Interpreter]], capsys: pytest.CaptureFixture[str]
) -> None:
    wheel = tmp_path / "korgool.whl"
    wheel.write_bytes(b"wheel")
    archives = []
    for at, (machine, target) in enumerate(
        ((0x8664, "windows-x86_64"), (0x8664, "windows-x86_64"), (0xAA64, "windows-arm64"))
    ):
        embedded = stand_in(tmp_path / "embed.zip", machine)
        to = tmp_path / f"to{at}"
        assert windows.main([str(embedded), "--wheel", str(wheel), "--to", str(to)]) == 0
        assert "with Python 3.13" in capsys.readouterr().out
        assert parts[at] == (wheel, Interpreter(target, (3, 13), "python313._pth"))
        archives.append(to / f"korgool-{__version__}-{target}.zip")
    with zipfile.ZipFile(archives[0]) as made:
        assert made.namelist() == [
            "Korgool/Korgool.exe", "Korgool/README.txt", "Korgool/packages/_korgool_kernel.pyd",
            "Korgool/python/LICENSE.txt", "Korgool/python/python.exe", "Korgool/python/python313._pth",
        ]  # fmt: skip
        lines = made.read("Korgool/python/python313._pth").decode().split("\r\n")
        assert [line for line in lines if line and not line.startswith("#")] == ["python313.zip", ".", "..\\packages"]
        assert f"korgool-{__version__}.dist-info\\licenses".encode() in made.read("Korgool/README.txt")
    assert archives[0].read_bytes() == archives[1].read_bytes()


def test_what_is_no_embeddable_python_is_refused_before_anything_is_written(
    tmp_path: Path, parts: list[tuple[Path, Interpreter]], capsys: pytest.CaptureFixture[str]
) -> None:
    wheel = tmp_path / "korgool.whl"
    wheel.write_bytes(b"wheel")
    torn = tmp_path / "torn.zip"
    torn.write_bytes(stand_in(tmp_path / "a.zip").read_bytes()[:100])
    cases = {
        tmp_path / "none.zip": "cannot be read",
        torn: "cannot be read",
        stand_in(tmp_path / "b.zip", paths="python310._pth"): "3.11 or newer, this is 3.10",
        stand_in(tmp_path / "c.zip", machine=0x014C): "for no processor",
        stand_in(tmp_path / "d.zip", paths="python3.txt"): "not the embeddable package",
        stand_in(tmp_path / "e.zip", more="../evil.txt"): "lead out of its folder",
        stand_in(tmp_path / "f.zip", more="C:/evil.txt"): "lead out of its folder",
    }
    for embedded, reason in cases.items():
        assert windows.main([str(embedded), "--wheel", str(wheel), "--to", str(tmp_path / "to")]) == 1
        assert reason in capsys.readouterr().err
    assert parts == []
    assert not (tmp_path / "to").exists()


@pytest.mark.long
def test_the_launcher_starts_the_interpreter_beside_it_under_wine(tmp_path: Path) -> None:
    """In place of the interpreter Wine's own shell, renamed: it says which words it was given."""
    wine = shutil.which("wine")
    if wine is None:
        pytest.skip("no Wine here; release/runners.sh installs it")
    windows.add_launcher("windows-x86_64", tmp_path / "Korgool.exe")
    assert (tmp_path / "Korgool.exe").stat().st_size < 10_000
    done = subprocess.run(
        [wine, str(tmp_path / "Korgool.exe"), "perft", "3"],
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "WINEPREFIX": str(tmp_path / "wine"), "WINEDEBUG": "-all"},
        input=b"", capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 111  # no interpreter lies there, and words were given: it ends at once
