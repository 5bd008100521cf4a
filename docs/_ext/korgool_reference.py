"""The reference of the library: every public module of a room, with what the page has not shown above.

Modules and names are found by reading the sources, so a new module needs no line in the manual.
"""

from __future__ import annotations

import ast
import json
import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from pydoc import locate
from tempfile import TemporaryDirectory
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import korgool
from korgool.app.server.application import create_app
from korgool.app.server.core.settings import ServerSettings

OPENAPI = "openapi.json"
PACKAGE = Path(korgool.__file__).parent
NOT_IMPORTED = ("migrations",)
"""Folders of scripts that another program runs."""
_SHARED = re.compile(r"( *):(ivar|param) (\S+(?:, \S+)+):")
"""A field of several names."""


@dataclass(frozen=True)
class Module:
    """A public module, read and not imported."""

    name: str
    path: Path

    @cached_property
    def tree(self) -> ast.Module:
        """What stands in it."""
        return ast.parse(self.path.read_text(encoding="utf-8"))

    @property
    def summary(self) -> str:
        """The first sentence of its docstring."""
        text = " ".join((ast.get_docstring(self.tree) or "").partition("\n\n")[0].split())
        return text.partition(". ")[0].removesuffix(".")

    @cached_property
    def names(self) -> list[str]:
        """The public classes, functions and described values that are made here, in their order."""
        found = []
        body = list(_flat(self.tree.body))
        for node, after in zip(body, [*body[1:], None], strict=True):
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                found.append(node.name)
            elif isinstance(node, ast.Assign | ast.AnnAssign) and _is_text(after):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                found += [target.id for target in targets if isinstance(target, ast.Name)]
        return [name for name in dict.fromkeys(found) if not name.startswith("_")]


def _flat(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module, with those that hang on a condition."""
    for node in body:
        yield from (*_flat(node.body), *_flat(node.orelse)) if isinstance(node, ast.If) else (node,)


def _is_text(node: ast.stmt | None) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def modules_of(name: str) -> Iterator[Module]:
    """The public modules of a package, itself first, or the module of that name alone."""
    place = PACKAGE.joinpath(*name.split(".")[1:])
    paths = sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]
    for path in paths:
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        inner = parts[:-1] if parts[-1] == "__init__" else parts
        if not any(part.startswith("_") or part in NOT_IMPORTED for part in inner):
            yield Module(".".join(inner), path)


class Modules(SphinxDirective):
    """A section for each module of a room, with the names that this page has not shown yet."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """The sections."""
        shown = self._shown()
        return [section for module in modules_of(self.arguments[0]) for section in self._section(module, shown)]

    def _shown(self) -> dict[tuple[str, str], str]:
        """The objects described on this page so far, by where they are made."""
        found = {}
        for name, entry in self.env.domaindata["py"]["objects"].items():
            if entry.docname == self.env.docname:
                made = locate(name)
                found[getattr(made, "__module__", ""), getattr(made, "__qualname__", "")] = name
        return found

    def _section(self, module: Module, shown: dict[tuple[str, str], str]) -> list[nodes.Node]:
        known = self.env.domaindata["py"]["objects"].get(module.name)
        if known is not None and known.docname == self.env.docname:
            return []
        above = [shown[module.name, name] for name in module.names if (module.name, name) in shown]
        new = [name for name in module.names if (module.name, name) not in shown]
        lines = ["```{eval-rst}", f".. automodule:: {module.name}"]
        lines += [f"   :members: {', '.join(new)}", ""] if new else [""]
        if above:
            lines += ["", "Above: " + ", ".join(f":py:obj:`~{name}`" for name in above) + "."]
        section = nodes.section("", nodes.title("", "", nodes.literal("", module.name)))
        section["ids"] = [f"in-{module.name}".replace(".", "-")]
        self.state.nested_parse(StringList([*lines, "```"], self.env.docname), self.content_offset, section)
        return [section]


class Packages(SphinxDirective):
    """A section for each package within one: what it is for, and a table of its modules and their public names."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """The sections, in the order of the names."""
        found: dict[str, list[Module]] = {}
        for module in modules_of(self.arguments[0]):
            package = module.name if module.path.name == "__init__.py" else module.name.rpartition(".")[0]
            found.setdefault(package, []).append(module)
        return [self._section(name, modules) for name, modules in sorted(found.items())]

    def _section(self, name: str, modules: list[Module]) -> nodes.Node:
        lines = [f"{one.summary}." for one in modules if one.name == name and one.summary]
        rest = [one for one in modules if one.name != name]
        if rest:
            lines += ["", "| module | what it is for | public names |", "|---|---|---|"]
        for one in rest:
            names = ", ".join(f"`{public}`" for public in one.names)
            lines.append(f"| `{one.name.rpartition('.')[2]}` | {one.summary} | {names} |")
        section = nodes.section("", nodes.title("", "", nodes.literal("", name)), classes=["modules"])
        section["ids"] = [f"in-{name}".replace(".", "-")]
        self.state.nested_parse(StringList(lines, self.env.docname), self.content_offset, section)
        return section


class OpenApi(SphinxDirective):
    """A link to the description of the HTTP API, which is written beside the pages."""

    def run(self) -> list[nodes.Node]:
        """A paragraph with the link."""
        place = "../" * self.env.docname.count("/") + OPENAPI
        link = nodes.reference("", OPENAPI, internal=True, refuri=place)
        return [nodes.paragraph("", "The description of this version: ", link, nodes.Text("."))]


def untyped(_app: Sphinx, what: str, _name: str, _it: object, _options: object, lines: list[str]) -> None:
    """Keep Napoleon from taking what stands before a colon in the description of a value for its type."""
    if lines and what in {"attribute", "data", "property"}:
        lines[:0] = ["..", ""]  # a comment without text


def names_apart(_app: Sphinx, _what: str, _name: str, _it: object, _options: object, lines: list[str]) -> None:
    """Give each of several names that share a description a field of its own; Sphinx takes the first for a type."""
    made: list[str] = []
    while lines:
        field = _SHARED.match(lines[0])
        if field is None:
            made.append(lines.pop(0))
            continue
        told = [lines.pop(0)[field.end() :]]
        while lines and (not lines[0] or lines[0].startswith(f"{field[1]} ")):
            told.append(lines.pop(0))
        for name in field[3].split(", "):
            made += [f"{field[1]}:{field[2]} {name}:{told[0]}", *told[1:]]
    lines.extend(made)


def write_openapi(app: Sphinx, exception: Exception | None) -> None:
    """Write the description of the HTTP API as the server of this version gives it."""
    if exception is None and app.builder.format == "html":
        logging.getLogger("alembic").setLevel(logging.WARNING)  # every step of the empty database is no news
        with TemporaryDirectory() as folder:
            schema = create_app(ServerSettings(data=Path(folder))).openapi_schema.to_schema()
        text = json.dumps(schema, ensure_ascii=False, sort_keys=True)
        (Path(app.outdir) / OPENAPI).write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives, and what mends the work of Napoleon."""
    app.add_directive("modules", Modules)
    app.add_directive("packages", Packages)
    app.add_directive("openapi", OpenApi)
    app.connect("autodoc-process-docstring", untyped, priority=400)  # Napoleon's is 500
    app.connect("autodoc-process-docstring", names_apart, priority=600)
    app.connect("build-finished", write_openapi)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
