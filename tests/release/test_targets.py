"""The build hook: which platform a wheel is for, what its name says, and which compiler makes its library."""

from __future__ import annotations

import ctypes
import platform
import subprocess
import sys
import sysconfig
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager
from packaging.utils import parse_wheel_filename

import hatch_build
from hatch_build import TARGETS, KernelBuildHook

ROOT = Path(__file__).parents[2]


def hook() -> KernelBuildHook:
    """As hatchling makes it for a wheel; it asks for the root and the name only."""
    made = KernelBuildHook.__new__(KernelBuildHook)
    vars(made).update({"_BuildHookInterface__root": str(ROOT), "_BuildHookInterface__target_name": "wheel"})
    return made


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that make a library; compilers only write an empty one."""
    commands: list[list[str]] = []

    def run(command: list[str], **_: Any) -> SimpleNamespace:
        if "-o" in command:
            if "-c" not in command:
                commands.append(command)
            Path(command[command.index("-o") + 1]).write_bytes(b"")
        return SimpleNamespace(returncode=0, stdout="", stderr="")

    monkeypatch.setattr(subprocess, "run", run)
    return commands


def built() -> dict[str, Any]:
    """What the hook tells the builder."""
    data: dict[str, Any] = {"force_include": {}}
    one = hook()
    one.initialize("standard", data)
    one.finalize("standard", data, "")
    return data


def machine(monkeypatch: pytest.MonkeyPatch, system: str, processor: str, triple: str = "x86_64-pc-linux-gnu") -> None:
    """Pretend to be another machine."""
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(platform, "machine", lambda: processor)
    monkeypatch.setattr(sysconfig, "get_config_var", lambda name: triple if name == "HOST_GNU_TYPE" else None)


def test_a_tag_promises_what_the_compiler_is_told() -> None:
    for name, target in TARGETS.items():
        _, _, _, tags = parse_wheel_filename(f"korgool-0.1.0-{target.tag}.whl")
        assert {(tag.interpreter, tag.abi) for tag in tags} == {("py3", "none")}
        platforms = {tag.platform for tag in tags}
        processor = target.triple.partition("-")[0]
        if name.startswith("linux"):
            assert platforms == {f"manylinux_2_17_{processor}", f"manylinux2014_{processor}"}
            assert target.triple.endswith("-gnu.2.17")
        elif name.startswith("musl"):
            assert platforms == {f"musllinux_1_2_{processor}"}
        elif name.startswith("macos"):
            oldest = target.triple.partition("macos.")[2].replace(".", "_")
            assert platforms == {f"macosx_{oldest}_{name.partition('-')[2]}"}
        else:
            assert platforms == {{"x86_64": "win_amd64", "aarch64": "win_arm64"}[processor]}


def test_a_target_is_built_by_zig_with_the_name_that_python_finds(
    compiled: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, target in TARGETS.items():
        monkeypatch.setenv("KORGOOL_TARGET", name)
        assert hook().dependencies() == [hatch_build.ZIG]
        data = built()
        assert data["tag"] == target.tag
        assert data["pure_python"] is False
        assert list(data["force_include"].values()) == [
            "_korgool_kernel.pyd" if "windows" in name else "_korgool_kernel.so"
        ]
        command = compiled.pop()
        assert command[1:4] == ["-m", "ziglang", "cc"]
        assert command[command.index("-target") + 1] == target.triple
        assert "-s" in command
        assert [word for word in command if word.startswith("/") and word.endswith(".c")] == []


def test_an_unknown_target_is_refused_with_the_known_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KORGOOL_TARGET", "amiga")
    with pytest.raises(ValueError, match=r"one of linux-x86_64, .*, not 'amiga'"):
        hook().dependencies()


def test_a_local_build_promises_this_machine_and_no_more(
    compiled: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KORGOOL_TARGET", raising=False)
    monkeypatch.setattr(sysconfig, "get_platform", lambda: "linux-x86_64")
    machine(monkeypatch, "linux", "x86_64")
    monkeypatch.setattr(hatch_build, "system_compiler", lambda: ["cc"])
    assert hook().dependencies() == []
    assert built()["tag"] == "py3-none-linux_x86_64"
    linked = compiled.pop()
    assert linked[0] == "cc"
    assert {Path(word).name for word in linked if word.endswith(".o") and word != linked[linked.index("-o") + 1]} == {
        f"{path.stem}.o" for path in (ROOT / "kernel").glob("*.c")
    }
    # Without a compiler zig makes what is published, for glibc or musl, and what it can for other machines.
    monkeypatch.setattr(hatch_build, "system_compiler", lambda: None)
    assert hook().dependencies() == [hatch_build.ZIG]
    assert built()["tag"] == TARGETS["linux-x86_64"].tag
    machine(monkeypatch, "linux", "aarch64", "aarch64-alpine-linux-musl")
    assert built()["tag"] == TARGETS["musl-aarch64"].tag
    machine(monkeypatch, "linux", "riscv64", "riscv64-linux-gnu")
    monkeypatch.setattr(sysconfig, "get_platform", lambda: "linux-riscv64")
    assert built()["tag"] == "py3-none-linux_riscv64"
    assert "-target" not in compiled.pop()


def test_on_macos_the_tag_names_the_processor_and_the_deployment_target(
    compiled: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KORGOOL_TARGET", raising=False)
    monkeypatch.setattr(hatch_build, "system_compiler", lambda: ["clang"])
    for processor, deployment, tag, oldest in (
        ("arm64", None, "macosx_11_0_arm64", "11.0"),
        ("x86_64", None, "macosx_10_13_x86_64", "10.13"),
        ("x86_64", "10.15.2", "macosx_10_15_x86_64", "10.15"),
        ("arm64", "13.4", "macosx_13_0_arm64", "13.0"),
        ("arm64", "14", "macosx_14_0_arm64", "14.0"),
    ):
        machine(monkeypatch, "darwin", processor)
        if deployment:
            monkeypatch.setenv("MACOSX_DEPLOYMENT_TARGET", deployment)
        assert built()["tag"] == f"py3-none-{tag}"
        command = compiled.pop()
        assert f"-mmacosx-version-min={oldest}" in command
        assert command[command.index("-arch") + 1] == processor


def test_every_interpreter_and_licence_is_named_in_the_metadata() -> None:
    core = ProjectMetadata(str(ROOT), PluginManager()).core
    assert core.requires_python == ">=3.11"
    texts = {path.relative_to(ROOT).as_posix() for path in (ROOT / "licenses").iterdir()}
    assert set(core.license_files) == {"LICENSE", *texts}
    table = (ROOT / "licenses" / "README.md").read_text(encoding="utf-8")
    assert [name for name in texts if name != "licenses/README.md" and Path(name).name not in table] == []


def test_a_file_that_does_not_compile_is_named_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the real compiler, in a folder of its own: every file by itself, and the message is the compiler's."""
    compiler = hatch_build.system_compiler()
    if compiler is None:
        pytest.skip("no compiler here")
    (tmp_path / "good.c").write_text("int kg_good(void) { return 7; }\n")
    (tmp_path / "perft.c").write_text(
        'int kg_good(void);\n__attribute__((visibility("default"))) int kg_more(void) { return kg_good() + 1; }\n'
    )
    one = hook()
    vars(one).update({"_BuildHookInterface__root": str(tmp_path)})
    one.scratch = tmp_path / "scratch"
    one.scratch.mkdir()
    library = tmp_path / "made.so"
    one.compile_apart(compiler, ["good.c", "perft.c"], library)
    assert ctypes.CDLL(str(library)).kg_more() == 8
    (tmp_path / "good.c").write_text("int kg_good(void) { return 7 }\n")
    with pytest.raises(RuntimeError, match=r"did not compile:\n.*good\.c\n(.|\n)*expected"):
        one.compile_apart(compiler, ["good.c", "perft.c"], library)


def test_every_file_with_a_level_of_its_own_is_there() -> None:
    assert set(hatch_build.LEVELS) <= {path.name for path in (ROOT / "kernel").glob("*.c")}


def test_the_metadata_has_the_addresses_that_a_release_fills_in_and_no_empty_ones(tmp_path: Path) -> None:
    assert ProjectMetadata(str(ROOT), PluginManager()).core.authors_data["name"] == ["The Korgool contributors"]
    for urls, expected in (
        ({}, {}),
        ({"Source": "", "Issues": "https://example.org/i"}, {"Issues": "https://example.org/i"}),
    ):
        lines = "".join(f"{name} = '{address}'\n" for name, address in urls.items())
        (tmp_path / "pyproject.toml").write_text(f"[tool.korgool.release.urls]\n{lines}", encoding="utf-8")
        found: dict[str, Any] = {}
        hatch_build.ReleaseMetadataHook(str(tmp_path), {}).update(found)
        assert found == {"urls": expected}
