"""Checks of Python, the kernel, the optional parts, the endgame tables, and the limit of open files."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from importlib.util import find_spec

from korgool import __version__
from korgool.app.doctor.diagnosis import Diagnosis, good, note, wrong
from korgool.installing import advice, advice_again
from korgool.rules import GAMES, TOGUZ_KORGOOL

_PERFT = 6, 360_035
"""Plies, and the number of ways to play them from the start of toguz korgool."""
_DESCRIPTORS = 4096
"""Open files that a server of a club needs; a live connection takes one."""


def python() -> Iterator[Diagnosis]:
    """Report the versions of the interpreter and the package."""
    said = f"{platform.python_version()} on {platform.system()} {platform.machine()}, korgool {__version__}"
    yield good("python", said)


def kernel() -> Iterator[Diagnosis]:
    """Check that the native kernel is loaded and counts positions correctly."""
    from korgool.engine.kernel import Kernel, KernelMissingError

    plies, expected = _PERFT
    try:
        count = Kernel(TOGUZ_KORGOOL).perft(TOGUZ_KORGOOL.start(), plies)
    except KernelMissingError as error:
        yield wrong("kernel", str(error), advice_again())
        return
    if count == expected:
        yield good("kernel", f"{count} ways to play {plies} plies, as it must be")
    else:
        yield wrong(
            "kernel",
            f"it counts {count} ways to play {plies} plies, and there are {expected}",
            f"{advice_again()}, and report this",
        )


def parts(known: Mapping[str, tuple[str, ...]], needed: frozenset[str]) -> Iterator[Diagnosis]:
    """List the installed parts with their versions.

    Args:
        known: the modules of each part.
        needed: parts without which the site that is examined cannot run.
    """
    owners = packages_distributions()
    for part, modules in known.items():
        missing = [name for name in modules if find_spec(name) is None]
        typed = advice(part)
        if missing:
            said = f"not installed ({', '.join(missing)} missing)"
            yield wrong(f"part {part}", said, typed) if part in needed else note(f"part {part}", said, typed)
            continue
        broken = [f"{name}: {error}" for name in modules if (error := _load_error(name))]
        if broken:
            yield wrong(f"part {part}", f"cannot be loaded: {'; '.join(broken)}", advice(part, again=True))
        else:
            yield good(f"part {part}", ", ".join(_with_version(name, owners) for name in modules))


def tables() -> Iterator[Diagnosis]:
    """Check the checksums of all endgame tables, the package's own and those of the user."""
    from korgool.engine.tables import TableError, Tables, game_folder, table_files
    from korgool.engine.tables.files import SHIPPED, default_folder

    count = 0
    for rules in GAMES.values():
        for folder in (SHIPPED, default_folder()):
            game_tables = Tables(rules)
            for layer, tuz, path in table_files(game_folder(rules, folder)):
                count += 1
                try:
                    game_tables.attach(path, layer, tuz)
                except TableError as error:
                    yield wrong(
                        "tables", str(error), f"remove the file {path}, or build it again: korgool tables build"
                    )
    yield good("tables", f"{count} files were read")


def descriptors() -> Iterator[Diagnosis]:
    """Check the number of files that a server may have open."""
    try:
        import resource
    except ImportError:
        return  # Windows has no such limit
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY or hard >= _DESCRIPTORS:
        yield good("open files", "without limit" if hard == resource.RLIM_INFINITY else f"{hard} at most")
    else:
        yield wrong(
            "open files",
            f"{hard} at most, and each visitor needs one",
            f"LimitNOFILE=65536 in the unit of systemd, or ulimit -n {_DESCRIPTORS}",
        )


def _load_error(module: str) -> str:
    """Reason why a module cannot be loaded; empty if it can."""
    try:
        import_module(module)
    except Exception as error:  # a broken package may raise anything
        return str(error) or type(error).__name__
    return ""


def _with_version(module: str, owners: Mapping[str, list[str]]) -> str:
    names = owners.get(module, [module])
    try:
        return f"{names[0]} {version(names[0])}"
    except PackageNotFoundError:
        return names[0]
