"""The files made from the registry of games are what it gives, and say to C what the records say in Python."""

from __future__ import annotations

import ctypes
import importlib.util
from dataclasses import fields, replace
from pathlib import Path
from types import ModuleType

import pytest

from korgool.engine.kernel import Kernel, rules_struct
from korgool.engine.kernel_layout import RulesStruct
from korgool.rules import GAMES, Rules
from korgool.rules.choices import CHOICES, FIRST_CHOICES

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "kernel" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_generated_file_is_what_the_registry_gives(generate: ModuleType) -> None:
    assert list(generate.outdated()) == []


def test_an_altered_file_is_noticed_and_written_anew(
    generate: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in generate.FILES:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text((ROOT / path).read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    (tmp_path / "kernel" / "games.h").unlink()
    (tmp_path / "kernel" / "weights.h").write_text("", encoding="utf-8")
    assert list(generate.outdated()) == ["kernel/games.h", "kernel/weights.h"]
    assert generate.write() == ["kernel/games.h", "kernel/weights.h"]
    assert not generate.outdated()


@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_numbers_of_a_record_stand_in_its_order(rules: Rules) -> None:
    struct = rules_struct(rules)
    names = [name for name, *_ in RulesStruct._fields_]
    assert ["name", "title", *names] == [field.name for field in fields(Rules)]
    assert tuple(getattr(struct, name) for name in names) == rules.numbers()
    for name, values in CHOICES.items():
        assert values[getattr(struct, name)] == getattr(rules, name)


def test_choices_that_came_later_leave_older_files_as_they_are() -> None:
    """Heads of files hold the first choices and four bits for each later one, all 0 for the older games."""
    later = fields(Rules)[2 + FIRST_CHOICES :]
    assert len(later) <= 8
    for field in later:
        value = CHOICES[field.name].index(str(field.default)) if field.name in CHOICES else field.default
        assert value == 0
        assert field.name not in Rules("x", "X", 6, 4).file_options()
    assert Rules("x", "X", 6, 4).file_options() == {
        name: value for name, value in Rules("x", "X", 6, 4).options().items() if name not in {f.name for f in later}
    }


@pytest.mark.parametrize("choice", [field.name for field in fields(Rules)[4:]])
def test_a_number_that_no_choice_has_is_refused(choice: str) -> None:
    kernel = Kernel(GAMES["toguz"])
    struct = rules_struct(replace(GAMES["toguz"], threefold=0))
    for value in (-1, len(CHOICES[choice]) if choice in CHOICES else 2):
        setattr(struct, choice, value)
        refused = kernel.library.kg_kernel_init(kernel.address, ctypes.byref(struct)) != 0
        assert refused == (value < 0 or choice not in ("goal", "threefold", "recurrence"))
