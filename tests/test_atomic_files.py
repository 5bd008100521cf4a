"""Files and folders that appear complete or not at all, on real disks: permissions, links, full disks, lost races."""

from __future__ import annotations

import ast
import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from korgool.atomic_files import WriteError, hidden_file, put_folder, put_new, put_over, replacing

SOURCE = Path(__file__).parents[1] / "src" / "korgool"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def write(path: Path, content: bytes) -> None:
    with replacing(path) as put:
        put(content)


def test_a_new_file_has_the_permissions_of_the_process_and_a_replaced_one_keeps_its_own(tmp_path: Path) -> None:
    path, before = tmp_path / "file", os.umask(0o027)
    try:
        write(path, b"new")
        assert path.stat().st_mode & 0o777 == 0o640
        path.chmod(0o200)  # such a file is replaced too, though it cannot be read
        write(path, b"other")
        assert path.stat().st_mode & 0o777 == 0o200
        assert os.umask(0o027) == 0o027
    finally:
        os.umask(before)
    path.chmod(0o600)
    assert path.read_bytes() == b"other"


def test_the_file_behind_a_link_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    path, link = tmp_path / "folder" / "file", tmp_path / "link"
    path.write_bytes(b"old")
    link.symlink_to(path)
    write(link, b"new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"
    assert names(tmp_path / "folder") == ["file"]


def test_a_block_that_fails_changes_nothing_and_its_error_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def fail(error: BaseException) -> None:
        with replacing(path) as put:
            put(b"half of")
            assert path.read_bytes() == b"old"
            raise error

    for error in (KeyError("there"), FileNotFoundError(errno.ENOENT, "none", "another"), KeyboardInterrupt()):
        with pytest.raises(type(error)) as raised:
            fail(error)
        assert raised.value is error
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["file"]


def test_a_folder_that_is_missing_is_told_by_the_name_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "none" / "file"
    with pytest.raises(WriteError) as raised:
        write(path, b"new")
    assert (raised.value.errno, raised.value.filename) == (errno.ENOENT, str(path))


FULL = """
import resource, sys
from pathlib import Path
from korgool.atomic_files import WriteError, replacing
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    with replacing(Path(sys.argv[1])) as put:
        put(bytes(int(sys.argv[2])))
except WriteError as error:
    print(error.errno, error.filename)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of the size of a file")
@pytest.mark.parametrize("size", [1001, 100_000], ids=["seen at the end", "seen at once"])
def test_a_full_disk_leaves_the_old_file_and_is_told_by_its_name(tmp_path: Path, size: int) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    done = subprocess.run(
        [sys.executable, "-c", FULL, path, str(size)], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == f"{errno.EFBIG} {path}\n"
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["file"]


@pytest.mark.parametrize("links", [True, False])
def test_a_new_name_replaces_no_file(tmp_path: Path, links: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also on a file system that knows no second name of a file, such as that of a memory card."""

    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    if not links:
        monkeypatch.setattr(os, "link", refuse)
    first, second, target = hidden_file(tmp_path / "file"), hidden_file(tmp_path / "file"), tmp_path / "file"
    first.write_bytes(b"first")
    second.write_bytes(b"second")
    assert first.stat().st_mode & 0o777 == 0o600
    put_new(first, target)
    assert names(tmp_path) == sorted([second.name, "file"])
    with pytest.raises(FileExistsError):
        put_new(second, target)
    assert (target.read_bytes(), second.read_bytes()) == (b"first", b"second")
    put_over(second, target)
    assert target.read_bytes() == b"second"
    assert names(tmp_path) == ["file"]


def test_a_folder_takes_the_place_of_another_one_which_comes_back_when_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "pages"
    for text in ("first", "second"):
        made = tmp_path / ".made"
        made.mkdir(0o700)
        (made / "page").write_text(text)
        put_folder(made, target)
        assert (target / "page").read_text() == text
        assert names(tmp_path) == ["pages"]
    made = tmp_path / ".made"
    made.mkdir()
    rename = Path.rename

    def refuse(self: Path, to: Path) -> Path:
        if self == made:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return rename(self, to)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(OSError, match="error"):
        put_folder(made, target)
    assert (target / "page").read_text() == "second"
    assert names(tmp_path) == [".made", "pages"]


def test_no_other_module_puts_files_in_place_by_itself() -> None:
    own = {"replace", "umask", "fsync", "mkstemp", "NamedTemporaryFile"}
    found = {
        (str(path.relative_to(SOURCE)), node.attr)
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("os", "tempfile")
        if node.attr in own and path.name != "atomic_files.py"
    }
    # What is unpacked from a backup lies in a folder of its own until it is checked.
    assert found == {("app/backup/archive.py", "fsync")}
