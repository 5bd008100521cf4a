"""`korgool tables` as people call it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from korgool.app.cli import main


def call(*words: str, status: int = 0) -> str:
    done = CliRunner().invoke(main, ["tables", *words])
    assert done.exit_code == status, done.output
    return done.output


def test_build_list_check(tmp_path: Path) -> None:
    where = ("--game", "bestemshe", "--folder", str(tmp_path))
    assert "there are no tables" in call("list", *where)
    assert "4 files, 27168 bytes" in call("build", "--stones", "8", *where)
    assert json.loads(call("build", "--stones", "8", "--json", *where)) == {
        "game": "bestemshe",
        "stones": 8,
        "files": 4,
        "bytes": 27168,
    }
    assert call("check", *where).count("good") == 4
    listed = [json.loads(line) for line in call("list", "--json", *where).splitlines()]
    assert [(line["stones"], line["tuz"]) for line in listed] == [(2, 0), (4, 0), (6, 0), (8, 0)]
    path = Path(listed[2]["file"])
    path.write_bytes(path.read_bytes()[:-1])
    told = call("check", *where, status=1)
    assert "cut short" in told
    assert "1 of 4 files cannot be used" in told
    told = call("check", "--json", *where, status=1)
    assert [json.loads(line)["error"] is None for line in told.splitlines()[:4]] == [True, True, False, True]


def test_the_shipped_tables_are_listed_and_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same files as `korgool doctor` reads, until somebody has built their own."""
    from korgool.engine.tables.files import SHIPPED, table_files

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    shipped = [str(path) for *_, path in table_files(SHIPPED / "bestemshe")]
    assert shipped
    where = ("--game", "bestemshe")
    listed = [json.loads(line) for line in call("list", "--json", *where).splitlines()]
    assert [one["file"] for one in listed if one["shipped"]] == shipped == [one["file"] for one in listed]
    assert call("list", *where).count("  shipped\n") == len(shipped)
    assert call("check", *where).count("good") == len(shipped)
    call("build", "--stones", "4", *where)
    listed = [json.loads(line) for line in call("list", "--json", *where).splitlines()]
    assert [one["shipped"] for one in listed] == [False] * 2 + [True] * len(shipped)
    assert "shipped, not used beside your own" in call("list", *where)
    assert call("check", *where).count("good") == len(shipped) + 2


@pytest.mark.parametrize(
    ("words", "message", "status"),
    [
        (("--stones", "0"), "1<=x<=64", 2),
        (("--stones", "65"), "1<=x<=64", 2),
        (("--stones", "30", "--memory", "100"), "are allowed", 1),
        (("--stones", "6", "--falling", "--rule", "tuz_takes=no"), "tuz_takes=no", 2),
    ],
)
def test_impossible_builds(words: tuple[str, ...], message: str, status: int, tmp_path: Path) -> None:
    assert message in call("build", *words, "--folder", str(tmp_path), status=status)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = CliRunner().invoke(main, ["tables", "build", "--stones", "1", "--folder", str(tmp_path / "file" / "x")])
    assert done.exit_code == 1
    assert "Traceback" not in done.output


def test_cycles_of_small_tables(tmp_path: Path) -> None:
    where = ("--game", "bestemshe", "--folder", str(tmp_path))
    assert "no table of Bestemshe with 4 stones" in call("cycles", "--stones", "4", *where, status=1)
    call("build", "--stones", "4", *where)
    assert call("cycles", "--stones", "4", *where).splitlines() == [
        "2 stones: endless play decides nothing",
        "4 stones: endless play decides nothing",
    ]


def test_endless_play_is_counted_and_listed(tmp_path: Path) -> None:
    where = ("--game", "bestemshe", "--folder", str(tmp_path))
    assert "build it first" in call("endless", "--stones", "4", *where, status=1)
    call("build", "--stones", "4", *where)
    assert call("endless", "--stones", "2", *where) == "2 stones, 0 tuz: 10 of 55 positions\n"
    assert json.loads(call("endless", "--stones", "4", "--json", *where))["unsettled"] == 440
    listed = call("endless", "--stones", "2", "--list", *where).splitlines()
    assert len(listed) == 10
    assert all(line.endswith(("  - to -2", "  2 to -")) for line in listed)
    told = [json.loads(line) for line in call("endless", "--stones", "4", "--list", "--json", *where).splitlines()]
    assert len(told) == 440
    assert all(line["lower"] != line["upper"] for line in told)
