"""The front of the package: the names it offers, and the command line behind `python -m korgool`."""

from __future__ import annotations

import runpy
import sys

import pytest

import korgool
from korgool import notation


def test_every_name_of_the_front_is_there() -> None:
    for name in korgool.__all__:
        assert getattr(korgool, name) is not None
    assert korgool.read_records is notation.read_records


def test_a_name_that_is_not_there_is_refused() -> None:
    name = "gobblet"
    with pytest.raises(AttributeError, match="module 'korgool' has no attribute 'gobblet'"):
        getattr(korgool, name)


def test_a_position_is_drawn_by_the_notation() -> None:
    start = korgool.TOGUZ_KORGOOL.start()
    assert start._repr_svg_() == notation.svg_board(start)


def test_the_package_runs_as_a_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["korgool", "--version"])
    with pytest.raises(SystemExit) as left:
        runpy.run_module("korgool", run_name="__main__")
    assert left.value.code == 0
    assert korgool.__version__ in capsys.readouterr().out
