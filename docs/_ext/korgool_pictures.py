"""Pictures of the program in the manual, if `docs/pictures.py` has taken them; without them the text stands alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from docutils import nodes
from program_pages import GROUPS, Shown
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

FOLDER = Path(__file__).parents[1] / "_pictures"
SHOWN = {one.name: one for group in GROUPS.values() for one in group}


def figure(shown: Shown, docname: str) -> list[nodes.Node]:
    """The picture of a page with its address below, or nothing while it has not been taken."""
    if not (FOLDER / f"{shown.name}.webp").is_file():
        return []
    image = nodes.image("", uri=f"/{FOLDER.name}/{shown.name}.webp", alt=f"The page to {shown.what}", loading="lazy")
    return [nodes.figure("", image, nodes.caption("", "", nodes.literal("", shown.door)), classes=["program"])]


class Picture(SphinxDirective):
    """The picture of one page of the program, by its name."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """The figure, if there is one."""
        if self.arguments[0] not in SHOWN:
            raise self.error(f"there is no page called {self.arguments[0]}")
        return figure(SHOWN[self.arguments[0]], self.env.docname)


class Pages(SphinxDirective):
    """A section for each group of pages: what one does on each of them, its address, and its picture."""

    def run(self) -> list[nodes.Node]:
        """The sections."""
        return [self._section(title, group) for title, group in GROUPS.items()]

    def _section(self, title: str, group: tuple[Shown, ...]) -> nodes.Node:
        section = nodes.section("", nodes.title("", title), ids=[nodes.make_id(title)])
        for shown in group:
            text = f"{shown.what[0].upper()}{shown.what[1:]}: "
            section += nodes.paragraph("", text, nodes.literal("", shown.door))
            section += figure(shown, self.env.docname)
        return section


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives."""
    app.add_directive("picture", Picture)
    app.add_directive("pages-of-the-program", Pages)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
