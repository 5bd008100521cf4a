"""Pictures of the program in the manual: `docs/pictures.py` takes those that are missing, where there is a browser.

Without one the text stands alone, and the build ends with a sentence that says so.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from docutils import nodes
from program_pages import GROUPS, Shown
from sphinx.application import Sphinx
from sphinx.util.console import bold
from sphinx.util.docutils import SphinxDirective
from sphinx.util.logging import getLogger

FOLDER = Path(__file__).parents[1] / "_pictures"
SHOWN = {one.name: one for group in GROUPS.values() for one in group}


LOG = getLogger(__name__)


def missing() -> list[str]:
    """The names of the pages of which there is no picture."""
    return [name for name in SHOWN if not (FOLDER / f"{name}.webp").is_file()]


def _take(app: Sphinx) -> None:
    """Have the missing pictures taken, unless the build is told to do without."""
    names = missing()
    if not names or app.builder.format != "html" or not app.config.korgool_take_pictures:
        return
    LOG.info(bold("taking %d of %d pictures of the program, a minute or two for all..."), len(names), len(SHOWN))
    command = [sys.executable, str(FOLDER.with_name("pictures.py")), *names]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        LOG.info("no pictures: %s", (done.stderr.strip().splitlines() or ["the program said nothing"])[-1])


def _say(app: Sphinx, exception: Exception | None) -> None:
    """End with a sentence about the pictures that the manual lacks."""
    lacking = len(missing())
    if exception is None and lacking and app.builder.format == "html" and app.config.korgool_take_pictures:
        LOG.info(
            "The manual lacks %d of its %d pictures, because no browser could take them. Install Chromium (on Debian: "
            "apt install chromium; anywhere: .venv/bin/playwright install chromium) and build it again.",
            lacking,
            len(SHOWN),
        )


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
    """Register the directives, and what is done before and after a build."""
    app.add_config_value("korgool_take_pictures", True, "")
    app.add_directive("picture", Picture)
    app.add_directive("pages-of-the-program", Pages)
    app.connect("builder-inited", _take)
    app.connect("build-finished", _say, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
