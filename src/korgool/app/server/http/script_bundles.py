"""The modules that a page needs as one file, so that a new visitor waits for one answer instead of fifty.

A bundle is made when the server starts, of the modules as they are: a function for each, line for line, and what a
module imports is the value of another function. So no name meets another, modules run in the order in which a browser
would run them, each once on a page even if two bundles hold it, and those that are imported later run only then.
Comments go and lines stay; a source map leads a debugger to the modules themselves, which are served as well.

Modules are read line by line, as they are written here: an import or export is a line of its own, and names a
declaration. Everything else is refused, and the tests make every bundle.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import msgspec

FOLDER = "bundles/"
"""Folder of the bundles: that of `js/NAME` is `bundles/NAME`."""
ENTRY = re.compile(r'(<script type="module" src=")/static/(js/[\w/-]+\.js)"')
"""The form in which a template names a script of its page."""

_COMMENT = re.compile(r"^[ \t]*/\*\*?(?:(?!\*/).)*\*/[ \t]*$|^[ \t]*//[^\n]*$|/\*\*(?:(?!\*/)[^\n])*\*/ ?", re.M | re.S)
_IMPORT = re.compile(r'^import (?:\{ ([\w, ]+) \} from )?"(\.[\w./-]+\.js)";$', re.M)
_PASSED_ON = re.compile(r'^export \{ ([\w, ]+) \} from "(\.[\w./-]+\.js)";$', re.M)
_EXPORT = re.compile(r"^export (?=(?:const|class|function|async function) (\w+)\b)", re.M)
_LATER = re.compile(r'\bimport\("(\.[\w./-]+\.js)"\)')
_WORKER = re.compile(r'\bnew Worker\(new URL\("([\w./-]+\.js)", import\.meta\.url\)')
_LEFT = re.compile(r"^(?:import|export)\b.*|\bimport\.meta\b(?!\.url)|__\w*modules?\b", re.M)
_HEAD = """\
const __modules = (globalThis.__korgool ??= {});
const __module = (name, make, made) => { __modules[name] ??= () => (made ??= make()); };
const __later = (name) => Promise.resolve().then(() => __modules[name]());
"""


class BundleError(ValueError):
    """A module that cannot be read line by line; the message names it and the line."""


@dataclass(frozen=True, slots=True)
class Module:
    """A module without its comments.

    Attributes:
        name: its path below the folder of the static files.
        text: as many lines as the file has.
        needs: the modules it imports, and those it passes on, in their order.
        later: the modules it may import later.
        workers: the scripts of its workers.
        exports: the names it declares for others.
    """

    name: str
    text: str
    needs: tuple[str, ...]
    later: tuple[str, ...]
    workers: tuple[str, ...]
    exports: tuple[str, ...]


def read(name: str, source: str) -> Module:
    """Read a module.

    Raises:
        BundleError: it has an import or export of another form.
    """
    text = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), source)
    needs = [at[2] for at in sorted([*_IMPORT.finditer(text), *_PASSED_ON.finditer(text)], key=re.Match.start)]
    exports = [*_EXPORT.findall(text), *(one for at in _PASSED_ON.finditer(text) for one in at[1].split(", "))]
    rest = _EXPORT.sub("", _PASSED_ON.sub("", _IMPORT.sub("", text)))
    if found := _LEFT.search(rest):
        raise BundleError(f"{name}, line {rest.count(chr(10), 0, found.start()) + 1}: {found[0]} cannot be bundled")
    paths = needs, _LATER.findall(text), _WORKER.findall(text)
    ways = [tuple(_beside(name, path) for path in some) for some in paths]
    return Module(name, text, ways[0], ways[1], ways[2], tuple(exports))


def bundles(sources: Mapping[str, str], entries: Iterable[str]) -> dict[str, str]:
    """The bundles of some scripts and of their workers, and the map of each, by their names.

    Args:
        sources: the texts of all modules, by their paths below the folder of the static files.
        entries: names in `sources`.

    Raises:
        BundleError: a module is missing, cannot be read, or needs itself.
    """
    modules: dict[str, Module] = {}
    made: dict[str, str] = {}
    waiting = sorted(set(entries))
    while waiting:
        entry = waiting.pop()
        name = bundle_name(entry)
        if name in made:
            continue
        order = list(_order(sources, modules, entry))
        made[name], made[f"{name}.map"] = _bundle(order, name)
        waiting += [worker for module in order for worker in module.workers]
    return made


def bundle_name(entry: str) -> str:
    """The name of the bundle of a script."""
    return FOLDER + entry.removeprefix("js/")


def _beside(name: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def _check_names(modules: Mapping[str, Module], module: Module) -> None:
    """Raise BundleError if it imports a name that the other module does not export; a bundle would not tell."""
    for found in (*_IMPORT.finditer(module.text), *_PASSED_ON.finditer(module.text)):
        other = modules[_beside(module.name, found[2])]
        names = [one.partition(" as ")[0] for one in (found[1] or "").split(", ") if one]
        if lacking := [one for one in names if one not in other.exports]:
            raise BundleError(f"{module.name} imports {', '.join(lacking)}, which {other.name} does not export")


def _order(sources: Mapping[str, str], modules: dict[str, Module], entry: str) -> Iterator[Module]:
    """Everything that an entry reaches, each module after those it needs; the entry is the last."""
    done: set[str] = set()
    begun: list[str] = []

    def visit(name: str) -> Iterator[Module]:
        if name in done:
            return
        if name in begun or name not in sources:
            reason = "need each other" if name in begun else "name a file that is missing"
            raise BundleError(f"these modules {reason}: {', '.join([*begun, name])}")
        if name not in modules:
            modules[name] = read(name, sources[name])
        begun.append(name)
        for other in modules[name].needs:
            yield from visit(other)
        _check_names(modules, modules[name])
        begun.pop()
        done.add(name)
        later.extend(modules[name].later)
        yield modules[name]

    later: list[str] = []
    first = list(visit(entry))
    while later:
        yield from visit(later.pop(0))
    yield from first


def _bundle(order: list[Module], name: str) -> tuple[str, str]:
    """The text of a bundle and its map."""
    parts, sections, at = [_HEAD], [], _HEAD.count("\n")
    for module in order:
        text = _within(module, name)
        lines = text.count("\n")
        if module is order[-1] and not module.exports:
            # A script that nobody imports may wait at its top, which a function may not.
            head, tail = "{", "}"
        else:
            head, tail = f'__module("{module.name}", () => {{', f"return {{ {', '.join(module.exports)} }};\n}});"
        parts.append(f"{head}\n{text}{tail}\n")
        source = {"version": 3, "sources": [_way(name, module.name)], "names": [], "mappings": _lines(lines)}
        sections.append({"offset": {"line": at + 1, "column": 0}, "map": source})
        at += parts[-1].count("\n")
    if order[-1].exports:
        parts.append(f'__modules["{order[-1].name}"]();\n')
    parts.append(f"//# sourceMappingURL={posixpath.basename(name)}.map\n")
    return "".join(parts), msgspec.json.encode({"version": 3, "sections": sections}).decode()


def _within(module: Module, bundle: str) -> str:
    """The text of a module inside a function of a bundle."""

    def taken(found: re.Match[str]) -> str:
        value = f'__modules["{_beside(module.name, found[2])}"]();'
        return value if found[1] is None else f"const {{ {found[1].replace(' as ', ': ')} }} = {value}"

    def worker(found: re.Match[str]) -> str:
        path = _way(bundle, bundle_name(_beside(module.name, found[1])))
        return f'new Worker(new URL("{path}", __here)'

    text = _PASSED_ON.sub(taken, _IMPORT.sub(taken, module.text))
    text = _EXPORT.sub("", text)
    text = _LATER.sub(lambda found: f'__later("{_beside(module.name, found[1])}")', text)
    text = _WORKER.sub(worker, text).replace(
        "import.meta.url", f'new URL("{_way(bundle, module.name)}", import.meta.url)'
    )
    return text.replace("__here", "import.meta.url").rstrip("\n") + "\n"


def _way(start: str, to: str) -> str:
    """The relative address of a file as seen from another."""
    return posixpath.relpath(to, posixpath.dirname(start))


def _lines(count: int) -> str:
    """The mappings of a text that has the same lines as its source: the next line of it each time."""
    return ";".join(["AAAA", *["AACA"] * (count - 1)])
