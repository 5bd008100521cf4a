"""`korgool serve --lan`: the address in the local network, as text and as a code that a phone reads."""

from __future__ import annotations

import re
import signal
import urllib.request
from pathlib import Path

import click
import pytest

from korgool.app.cli.serve_report import lan_address, qr_lines
from tests.cli.conftest import Invoke
from tests.patience import PATIENCE
from tests.server.processes import Program

BLOCKS = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}


def read_code(lines: list[str]) -> str:
    """What a phone reads from the terminal: a half block is light where it is filled."""
    zxingcpp = pytest.importorskip("zxingcpp", reason="no QR scanner (zxing-cpp) is installed")
    image = pytest.importorskip("PIL.Image", reason="no pictures without Pillow")
    width = max(map(len, lines))
    picture = image.new("L", (width, 2 * len(lines)), 255)
    for row, line in enumerate(lines):
        for column, sign in enumerate(line):
            for half, light in enumerate(BLOCKS[sign]):
                picture.putpixel((column, 2 * row + half), 255 * light)
    (code,) = zxingcpp.read_barcodes(picture.resize((width * 8, len(lines) * 16), image.Resampling.NEAREST))
    text: str = code.text
    return text


@pytest.mark.parametrize("address", ["http://192.168.1.20:8000/", "http://10.0.0.7:65535/"])
def test_a_phone_reads_the_code(address: str) -> None:
    plain = qr_lines(address, coloured=False)
    assert read_code(plain) == address
    coloured = qr_lines(address, coloured=True)
    assert [re.sub("\x1b\\[[0-9;]*m", "", line) for line in coloured] == plain
    assert all(line.startswith("\x1b[97;40m") and line.endswith("\x1b[0m") for line in coloured)
    assert max(map(len, plain)) <= 40  # a phone's terminal is 40 columns wide


@pytest.fixture
def here() -> str:
    """The address of this machine in its network; a machine without one cannot be asked."""
    try:
        return lan_address()
    except click.ClickException as error:
        pytest.skip(str(error))


def test_it_answers_in_the_network_and_shows_how(tmp_path: Path, here: str) -> None:
    process = Program(["serve", "--lan", "--port", "0", "--data", str(tmp_path)])
    address = process.stdout.readline().strip()
    assert re.fullmatch(rf"http://{re.escape(here)}:\d+/", address)
    for known in (address, address.replace(here, "127.0.0.1")):
        with urllib.request.urlopen(known, timeout=PATIENCE) as page:
            assert page.status == 200
    said = ended(process)
    assert f"same network can open {address}" in said
    assert read_code([line for line in said.splitlines() if set(line) <= set(BLOCKS) and line.strip()]) == address


@pytest.mark.parametrize("other", [["--host", "127.0.0.1"], ["--base-url", "https://play.example/"]])
def test_it_finds_the_address_by_itself(tmp_path: Path, invoke: Invoke, other: list[str]) -> None:
    data = tmp_path / "data"
    data.mkdir()
    done = invoke("serve", "--lan", *other, "--data", str(data))
    assert done.exit_code == 2
    assert "leave out --host and --base-url" in done.stderr
    assert list(data.iterdir()) == []


@pytest.mark.usefixtures("here")
def test_a_terminal_without_blocks_gets_the_address_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    process = Program(["serve", "--lan", "--port", "0", "--data", str(tmp_path)])
    address = process.stdout.readline().strip()
    assert address.startswith("http://")
    said = ended(process)
    assert address in said
    assert "█" not in said
    assert "u2588" not in said


def ended(process: Program) -> str:
    """What a server has said that is told to end."""
    process.send_signal(signal.SIGINT)
    said = process.communicate(PATIENCE)[1]
    assert process.returncode in (0, 130)
    assert "Traceback" not in said
    return said
