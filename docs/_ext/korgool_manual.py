"""What the manual adds to Sphinx: worked examples drawn by the library itself, and citations that are links.

An example is played while the manual is built; an example that does not hold stops the build.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Container
from typing import Any, ClassVar

import click
from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

from korgool import GAMES, Position, Sowing
from korgool.app.cli import main
from korgool.app.server.limits.service_limits import describe_limits
from korgool.languages import LANGUAGES
from korgool.notation.moves import format_move
from korgool.notation.svg import svg_board

CITATION = re.compile(r"\[((?:(?:WNG-TK|RU|WIKI|ARCHIVE|WNG-M) §[^\],]+|Rules\.[^\],]+)(?:, [^\]]+)?)\]")
OPTIONS = ("before", "move", "after", "ends", "rule")


class Example(SphinxDirective):
    """A position, one or more plies, and the position after them, with a caption.

    The argument is the game; `before` and `after` are position texts, `move` hole numbers, `ends` the result text of
    the ending that is reached, `rule` an option such as `sweep=owner`.
    """

    has_content = True
    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = dict.fromkeys(OPTIONS, directives.unchanged_required)

    def run(self) -> list[nodes.Node]:
        """The two boards side by side, then the caption."""
        rules = GAMES[self.arguments[0]]
        if "rule" in self.options:
            rules = rules.with_option(*self.options["rule"].split("="))
        before = position = Position.parse(self.options["before"], rules)
        sowing: Sowing | None = None
        moves: list[str] = []
        for number in self.options["move"].split(","):
            sowing = position.sow(int(number))
            position = sowing.after
            moves.append(format_move(sowing))
        if str(position) != self.options["after"]:
            raise self.error(f"after {self.options['move']} the board is {position}")
        outcome = position.outcome()
        if (outcome.result_text if outcome else None) != self.options.get("ends"):
            raise self.error(f"the game ends with {outcome}")
        trace = sowing if "," not in self.options["move"] else None
        caption = nodes.container(classes=["caption"])
        self.state.nested_parse(self.content, self.content_offset, caption)
        last = ", ".join(moves) + (f" · {self.options['ends']}" if "ends" in self.options else "")
        boards = (_figure(before, "", None), _figure(position, f"{last}<br>", trace))
        boards_html = nodes.raw("", f'<div class="boards">{"".join(boards)}</div>', format="html")
        return [nodes.container("", boards_html, caption, classes=["example"])]


class Board(SphinxDirective):
    """A board after these moves of a game, with the path of the last: `{board} toguz` and the hole numbers."""

    has_content = True
    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """The board by itself."""
        position, sowing = GAMES[self.arguments[0]].start(), None
        for number in " ".join(self.content).replace(",", " ").split():
            sowing = position.sow(int(number))
            position = sowing.after
        return [nodes.raw("", f'<div class="board">{_picture(position, sowing)}</div>', format="html")]


class Commands(SphinxDirective):
    """A section with the help text of every command, as the program prints it."""

    def run(self) -> list[nodes.Node]:
        """The sections, in the order of `korgool --help`; those of a group's commands stand in its section."""
        return self._sections(main, click.Context(main, info_name="korgool"))

    def _sections(self, group: click.Group, context: click.Context) -> list[nodes.Node]:
        sections: list[nodes.Node] = []
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            if command is None:
                raise self.error(f"there is no command {name}")
            inner = click.Context(command, info_name=name, parent=context, max_content_width=100)
            text, path = command.get_help(inner), inner.command_path
            section = nodes.section("", nodes.title("", path), ids=[path.replace(" ", "-")])
            section += nodes.literal_block(text, text, language="text")
            if isinstance(command, click.Group):
                section += self._sections(command, inner)
            sections.append(section)
        return sections


def _picture(position: Position, trace: Sowing | None) -> str:
    picture = base64.b64encode(svg_board(position, trace=trace).encode()).decode()
    return f'<img src="data:image/svg+xml;base64,{picture}" alt="{position}">'


def _figure(position: Position, title: str, trace: Sowing | None) -> str:
    return f"<figure>{_picture(position, trace)}<figcaption>{title}{position}</figcaption></figure>"


class Citations(SphinxPostTransform):
    """Turns `[WNG-TK §IV:4, Rules.goal = 82]` into links to the clauses and the options."""

    default_priority = 500

    def run(self, **kwargs: Any) -> None:
        """Replace the citations in all text outside of code."""
        for text in list(self.document.findall(nodes.Text)):
            if isinstance(text.parent, nodes.literal | nodes.literal_block | nodes.reference | nodes.raw):
                continue
            parts = self._parts(str(text))
            if len(parts) > 1:
                text.parent.replace(text, parts)

    def _parts(self, text: str) -> list[nodes.Node]:
        parts: list[nodes.Node] = []
        end = 0
        for found in CITATION.finditer(text):
            parts.append(nodes.Text(text[end : found.start()] + "["))
            for index, citation in enumerate(re.split(r",\s+", found[1])):
                parts += [nodes.Text(", ")] * bool(index)
                parts.append(
                    nodes.reference("", citation, internal=True, refuri=self._target(citation), classes=["clause"])
                )
            parts.append(nodes.Text("]"))
            end = found.end()
        parts.append(nodes.Text(text[end:]))
        return parts

    def _target(self, citation: str) -> str:
        here = self.env.docname
        if citation.startswith("Rules."):
            return str(self.app.builder.get_relative_uri(here, "rules/options"))
        document, _, rest = citation.partition(" §")
        anchor = f"{document}-{rest.partition(':')[0]}".lower().replace(".", "-")
        return str(self.app.builder.get_relative_uri(here, "clauses")) + "#" + anchor


class Limits(SphinxDirective):
    """The table of all limits with their defaults, as the server has them."""

    def run(self) -> list[nodes.Node]:
        """One row each."""
        rows = [f"| `{name}` | `{default}` | {about} |" for name, default, about in describe_limits()]
        lines = ["| key | by default | what is counted |", "|---|---|---|", *rows]
        table = nodes.container()
        self.state.nested_parse(StringList(lines), self.content_offset, table)
        return table.children


def _language(page: str) -> str:
    """The language of a page: the one in its path, as `rules/ky/mangala` or `guide/ky`."""
    return next((part for part in page.split("/")[1:] if part in LANGUAGES), "en")


def _in_languages(page: str, pages: Container[str]) -> dict[str, str]:
    """The page in every language in which it is there, by language; nothing if it is there in one."""
    english = re.sub(rf"/(?:{'|'.join(LANGUAGES)})(?=/|$)", "", page)
    folder, _, name = english.rpartition("/")
    others = {tag: [f"{folder}/{tag}/{name}", f"{english}/{tag}"] for tag in LANGUAGES if tag != "en"}
    found = {tag: next((one for one in ways if one in pages), "") for tag, ways in others.items()}
    there = {tag: one for tag, one in {"en": english, **found}.items() if one in pages}
    return there if len(there) > 1 else {}


def _speak(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: object) -> None:
    """Say in its markup which language a page is in, and give the menu the same page in the other languages."""
    context["language"] = _language(pagename)
    context["in_languages"] = [
        (tag, LANGUAGES[tag], "" if page == pagename else app.builder.get_relative_uri(pagename, page))
        for tag, page in _in_languages(pagename, app.env.found_docs).items()
    ]


def _leave_to_the_menu(app: Sphinx, doctree: nodes.document) -> None:
    """Take away the line that links the languages with each other in the sources: the page has a menu of them."""
    page = app.env.docname
    languages = set(_in_languages(page, app.env.found_docs).values()) - {page}
    for line in list(doctree.findall(nodes.paragraph)) if languages else []:
        if {link["reftarget"] for link in line.findall(addnodes.pending_xref)} == languages:
            line.parent.remove(line)


def _level(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: object) -> None:
    """Say of the captions in the margin on what level they stand, as a heading has to."""
    tree = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = tree.replace('role="heading"', 'role="heading" aria-level="2"')


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives, the transform, the languages of pages and the level of captions."""
    app.add_directive("board", Board)
    app.add_directive("example", Example)
    app.add_directive("commands", Commands)
    app.add_directive("limits", Limits)
    app.add_post_transform(Citations)
    app.connect("doctree-read", _leave_to_the_menu)
    app.connect("html-page-context", _speak)
    app.connect("html-page-context", _level, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
