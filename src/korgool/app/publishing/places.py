"""Addresses of the pages of an event: on a server, or in a folder for any host.

A page is named as in `rendering.page_names`, the overview is empty; `at` is the page on which a link stands. `live` is
true if a server answers: the search works without scripts, and a game opens on the analysis board.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import quote


@dataclass(frozen=True, slots=True)
class GroupLink:
    """A group of an event as its pages lead to it.

    Attributes:
        name: of the group.
        root: the path of its overview on a server; in a folder, where its pages lie in the whole.
        here: whether the page is of it.
    """

    name: str
    root: str
    here: bool


@dataclass(frozen=True, slots=True)
class SitePlace:
    """The pages on a server.

    Attributes:
        root: the path of the event, such as `/events/ID`.
        files: the path of its data, such as `/api/events/ID`.
        statics: the path of styles and scripts, with a slash at the end.
        origin: scheme and host; empty if it is not known.
        picture: the path of the picture for previews.
        groups: those of the event; empty where it has none.
    """

    root: str
    files: str
    statics: str
    origin: str = ""
    picture: str = ""
    live: bool = True
    groups: tuple[GroupLink, ...] = ()

    def page(self, name: str, at: str) -> str:
        """Absolute path of a page."""
        return f"{self.root}/{quote(name)}" if name else self.root

    def group(self, one: GroupLink, name: str, at: str) -> str:
        """Absolute path of a page of a group."""
        return f"{one.root}/{quote(name)}" if name else one.root

    def other(self, language: str, at: str) -> str:
        """Path of the page `at` in another language; the server keeps the language that it names."""
        return f"{self.page(at, at)}?language={language}"

    def static(self, at: str) -> str:
        """Path of the folder of styles and scripts, the same for all pages."""
        return self.statics

    def file(self, name: str, at: str) -> str:
        """Path of a data file such as `rounds/3.json` or `games.pgn`; on the server JSON has no ending."""
        return f"{self.files}/{name.removesuffix('.json')}"

    def absolute(self, name: str) -> str:
        """Path with the server's origin."""
        return f"{self.origin}{self.page(name, '')}" if self.origin else ""

    def absolute_picture(self) -> str:
        """Path of a picture with the server's origin."""
        return f"{self.origin}{self.picture}" if self.origin and self.picture else ""


@dataclass(frozen=True, slots=True)
class FolderPlace:
    """The pages as files: a folder for each language, and beside them `static`, data and the picture.

    Attributes:
        language: of these pages, the name of their folder.
        base_url: where the folder will be found; empty if that is not known.
        groups: those of the event; empty where it has none.
        folder: where the pages of this group lie in the whole; empty for the first one.
    """

    language: str
    base_url: str = ""
    live: bool = False
    groups: tuple[GroupLink, ...] = ()
    folder: str = ""

    def path(self, name: str) -> str:
        """The path of a page's file in the whole folder."""
        return f"{self.language}/{name or 'index'}.html"

    def page(self, name: str, at: str) -> str:
        """Relative path of a page."""
        return self._from(at, self.path(name))

    def group(self, one: GroupLink, name: str, at: str) -> str:
        """Relative path of a page of a group."""
        return posixpath.relpath(posixpath.join(one.root, self.path(name)), self._own(at))

    def other(self, language: str, at: str) -> str:
        """The same page in the folder of the other language."""
        return self._from(at, FolderPlace(language).path(at))

    def static(self, at: str) -> str:
        """Relative path of a static file."""
        return posixpath.relpath("static", self._own(at)) + "/"

    def file(self, name: str, at: str) -> str:
        """Relative path of a file."""
        return self._from(at, name)

    def absolute(self, name: str) -> str:
        """Address below the base address."""
        return f"{self.base_url.rstrip('/')}/{self.path(name)}" if self.base_url else ""

    def absolute_picture(self) -> str:
        """Address of a picture below the base address."""
        return f"{self.base_url.rstrip('/')}/picture.png" if self.base_url else ""

    def _own(self, at: str) -> str:
        """The path of the folder of a page in the whole."""
        return posixpath.join(self.folder, posixpath.dirname(self.path(at)))

    def _from(self, at: str, target: str) -> str:
        return posixpath.relpath(target, posixpath.dirname(self.path(at)))


Place: TypeAlias = SitePlace | FolderPlace
"""Addresses of the pages of an event, wherever they lie."""
