"""The public pages of an event as a folder of files for any host.

The folder holds one folder for each language, `static` with styles and scripts, the tables as JSON, all games as one
record file and a picture for previews of links. Of an event with many groups the pages of the first lie so, and those
of every other one in a folder of its own within, `groups/3`, with the same `static`. Every link in it is relative, so
that it works wherever it lies, also on a disk.
"""

from __future__ import annotations

import posixpath
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

import msgspec

from korgool.app.publishing.event_data import games_text, round_data, snapshot_data, standings_data
from korgool.app.publishing.event_figures import EventFigures
from korgool.app.publishing.group_pages import MEDALS_PAGE
from korgool.app.publishing.page_making import Circumstances
from korgool.app.publishing.places import FolderPlace, GroupLink
from korgool.app.publishing.rendering import page_names, render_entrance, render_page
from korgool.atomic_files import put_folder
from korgool.competition.event_state import EventState
from korgool.competition.photographs import file_name
from korgool.languages import LANGUAGES

MARK = ".korgool-event"
"""The file by which a folder is known as one of these, so that no other is ever replaced."""
REFRESH = 30
"""Seconds after which a page looks for changes."""
_STATIC = Path(__file__).parents[1] / "static"
_MODULES = ("js/site/search_letters.js", "js/site/name_search.js", "js/event.js")
"""The script of the pages behind the modules that it imports."""
_SCRIPT = "js/event.js"
_IMPORT_OR_EXPORT = re.compile(r"^import .*?;\n|^export ", re.M)
_STATICS = (
    *("css/page.css", "css/event.css", "css/wall.css", "css/noscript.css", "js/wall.js"),
    *("fonts/bitter-bold.woff2", "horns.svg", "icon.svg"),
)


class FolderError(ValueError):
    """The folder cannot be written, or holds something else."""


@dataclass(frozen=True, slots=True)
class WrittenFolder:
    """Counts of a written folder: pages in all languages, and all files."""

    pages: int
    files: int


def write_folder(
    state: EventState,
    folder: str | Path,
    *,
    base_url: str = "",
    languages: Sequence[str] = tuple(LANGUAGES),
    changed: str = "",
    photos: Mapping[int, bytes] = MappingProxyType({}),
    groups: Sequence[EventState] = (),
) -> WrittenFolder:
    """Write the pages into a folder, which is new, empty, or was written by this function before.

    Everything is written beside it first and then put in its place by two renames: readers see the old folder or the
    new one, and between the two for an instant none. If the program is killed just there, the old folder stands beside
    the place, with a name that begins with a dot and ends in `-old`.

    Args:
        state: the event.
        folder: where to.
        base_url: where people will find the folder, for previews of links; they need whole addresses.
        languages: the first one is for readers whose browser asks for none of them.
        changed: the time of the last change, such as `2026-09-14T10:05:00Z`.
        photos: photographs of players by id; of those only what the event shows is written.
        groups: all groups of the event, of which `state` is the first; empty for `state` alone.

    Raises:
        FolderError: the folder holds something else, or cannot be written; it is unchanged then.
    """
    target = Path(folder).resolve()
    _check(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f".{target.name[:40]}-", dir=target.parent))
    except OSError as error:
        raise FolderError(f"{folder}: cannot be written, {error.strerror}") from None
    try:
        files = dict(_files(tuple(groups) or (state,), base_url, tuple(languages), changed, photos))
        for name, content in files.items():
            path = scratch / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        put_folder(scratch, target)
    except OSError as error:
        raise FolderError(f"{folder}: cannot be written, {error.strerror}") from None
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return WrittenFolder(sum(name.endswith(".html") for name in files), len(files))


def _check(target: Path) -> None:
    """Raise FolderError if something else stands there."""
    if target.is_dir():
        try:
            strange = not (target / MARK).is_file() and any(target.iterdir())
        except OSError as error:
            raise FolderError(f"{target}: cannot be read, {error.strerror}") from None
        if strange:
            raise FolderError(f"{target}: the folder holds something else; name a new one")
    elif target.exists():
        raise FolderError(f"{target}: this is a file; name a folder")


def _files(
    groups: tuple[EventState, ...],
    base_url: str,
    languages: tuple[str, ...],
    changed: str,
    photos: Mapping[int, bytes],
) -> Iterable[tuple[str, bytes]]:
    """Every file with its path in the folder."""
    yield MARK, b"The public pages of an event, written by korgool. `korgool event publish` replaces this folder.\n"
    for name in _STATICS:
        yield f"static/{name}", (_STATIC / name).read_bytes()
    yield f"static/{_SCRIPT}", _script().encode()
    folders = {one.group: f"groups/{one.group}" if at else "" for at, one in enumerate(groups)}
    for state in groups:
        folder, whole = folders[state.group], groups if len(groups) > 1 else ()
        place = FolderPlace(
            languages[0],
            f"{base_url.rstrip('/')}/{folder}" if base_url and folder else base_url,
            groups=tuple(GroupLink(one.groups[one.group], folders[one.group], here=one is state) for one in whole),
            folder=folder,
        )
        for name, content in _group_files(EventFigures(state), place, whole, languages, changed, photos):
            yield posixpath.join(folder, name), content


def _group_files(
    figures: EventFigures,
    whole: FolderPlace,
    groups: tuple[EventState, ...],
    languages: tuple[str, ...],
    changed: str,
    photos: Mapping[int, bytes],
) -> Iterable[tuple[str, bytes]]:
    """Every file of a group, or of an event without groups, with its path in the folder of the group."""
    over_all = groups if not whole.folder else ()  # pages over all groups lie with the first
    names = [name for name in page_names(figures) if name != MEDALS_PAGE or over_all]
    for language in languages:
        place = replace(whole, language=language)
        circumstances = Circumstances(
            language=language,
            place=place,
            changed=changed,
            refresh=REFRESH,
            languages=languages,
            pictured=lambda player: player.id in photos,
            groups=over_all,
        )
        for name in names:
            yield place.path(name), render_page(figures, name, circumstances)
        if language == languages[0]:
            yield "index.html", render_entrance(figures, circumstances)
    for player in figures.by_number:
        if player.photo and player.id in photos:
            yield f"photos/{file_name(player.id, player.photo)}", photos[player.id]
    encode: Callable[[object], bytes] = msgspec.json.encode
    yield "standings.json", encode(standings_data(figures.state)) + b"\n"
    for one in figures.state.rounds:
        yield f"rounds/{one.number}.json", encode(round_data(figures.state, one.number)) + b"\n"
    yield "games.pgn", games_text(figures.state).encode()
    yield "event.json", snapshot_data(figures.state, changed)
    yield "picture.png", _picture(figures)


def _script() -> str:
    """The modules as one plain script: browsers load no modules from a disk."""
    texts = ((_STATIC / name).read_text(encoding="utf-8") for name in _MODULES)
    return f"(() => {{\n{''.join(_IMPORT_OR_EXPORT.sub('', text) for text in texts)}}})();\n"


def _picture(figures: EventFigures) -> bytes:
    from korgool.notation.png import png_board

    return png_board(figures.state.event.rules().start(), width=800)
