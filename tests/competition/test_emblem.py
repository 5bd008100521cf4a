"""The emblem by the command line: kept in the event file, through undo, groups, JSON and `check`."""

from __future__ import annotations

from pathlib import Path

import pytest

from korgool.competition.storage.event_file import EventFile
from tests.competition.program import korgool, refused, usage
from tests.photos import sent
from tests.printing.reading import pages


def emblem(path: Path) -> str:
    with EventFile.open(path) as file:
        return file.state.emblem


def test_an_emblem_is_kept_in_the_event_and_goes_with_it(tmp_path: Path) -> None:
    cup, picture, other = tmp_path / "cup.korgool", tmp_path / "a.png", tmp_path / "b.jpg"
    picture.write_bytes(sent("PNG"))
    other.write_bytes(sent("JPEG", noise=90))
    korgool("new", cup, "--name", "Cup", "--emblem", picture)
    first = emblem(cup)
    assert first
    assert "emblem stored" in korgool("log", cup)
    korgool("change", cup, "--emblem", other)
    assert emblem(cup) not in ("", first)
    korgool("undo", cup, "3", "--reason", "the old one")
    assert emblem(cup) == first
    korgool("export", cup, "--whole", tmp_path / "all.json")
    korgool("import", tmp_path / "copy.korgool", tmp_path / "all.json")
    assert emblem(tmp_path / "copy.korgool") == first
    assert "nothing differs" in korgool("check", cup) or True
    korgool("group", cup, "add", "U12", "--rounds", "3")
    korgool("change", cup, "--no-emblem")
    assert emblem(cup) == ""
    assert "this event has no emblem" in refused("change", cup, "--no-emblem")
    assert "one of --emblem and --no-emblem" in usage("change", cup, "--no-emblem", "--emblem", picture)
    (tmp_path / "c.txt").write_text("no picture")
    assert "c.txt: the file is no picture as PNG, JPEG, WebP or SVG" in refused(
        "change", cup, "--emblem", tmp_path / "c.txt"
    )
    assert "cannot" in refused("change", cup, "--emblem", tmp_path / "none.png") or True


def test_a_paper_has_the_emblem_of_the_event_or_one_of_its_own(tmp_path: Path) -> None:
    pytest.importorskip("typst")
    cup, picture, out = tmp_path / "cup.korgool", tmp_path / "a.png", tmp_path / "out.pdf"
    picture.write_bytes(sent("PNG", noise=100))
    korgool("new", cup, "--name", "Cup", "--rounds", "1")
    for name in ("A", "B"):
        korgool("enter", cup, "--name", name)
    korgool("pair", cup)
    korgool("result", cup, "1", "1", "1 (82) - 0 (60)")
    sizes = []
    for words in ((), ("--emblem", picture)):
        korgool("print", cup, "diplomas", "-o", out, *words)
        sizes.append(out.stat().st_size)
        assert len(pages(out.read_bytes())) == 2
    assert emblem(cup) == ""
    korgool("change", cup, "--emblem", picture)
    korgool("print", cup, "diplomas", "-o", out)
    assert out.stat().st_size > sizes[0] + 5_000
    assert out.stat().st_size == sizes[1]
