"""Files of tables: a folder for each game and option set, a file for each layer and number of tuz."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

from korgool.rules import GAMES, Rules

SHIPPED = Path(__file__).parent / "shipped"
"""The package's own tables of few stones, for those who have built none."""

_NAME = re.compile(r"(?P<layer>[0-9]{2})-(?P<tuz>[0-2])\.table")
_OF_NO_MATTER = {"goal", "threefold", "recurrence", "drawn_position"}


def default_folder() -> Path:
    """The user's folder for tables, whether it exists or not."""
    from platformdirs import user_data_path

    return user_data_path("korgool", appauthor=False) / "tables"


def game_folder(rules: Rules, folder: Path | None = None) -> Path:
    """The folder of one game's tables inside `folder` (the user's own without it).

    It bears the game's name; other options than the usual ones that change the play add a number made from them. Of a
    goal it matters only whether there is one.
    """
    usual = GAMES.get(rules.name)
    name, kept = rules.name, _kept(rules)
    if usual is not None and bool(usual.goal) != bool(rules.goal):
        kept.append(("goal", bool(rules.goal)))
    if usual is None or _kept(usual) != kept:
        name += f"-{zlib.crc32(repr(kept).encode()):08x}"
    return (default_folder() if folder is None else folder) / name


def _kept(rules: Rules) -> list[tuple[str, object]]:
    options = {"holes": rules.holes, **rules.file_options()}
    return [(name, value) for name, value in options.items() if name not in _OF_NO_MATTER]


def file_name(layer: int, tuz: int) -> str:
    """The name of the file for the positions of `layer` stones with `tuz` tuz, 0 to 2."""
    return f"{layer:02}-{tuz}.table"


def draws_file(layer: int) -> str:
    """The name of the file that says who can bring drawn positions of `layer` stones to an end."""
    return f"{layer:02}.draws"


def partial_name(layer: int, tuz: int) -> str:
    """The name of the same file while it is made."""
    return f"{layer:02}-{tuz}.partial"


def table_files(folder: Path) -> list[tuple[int, int, Path]]:
    """The finished files of a game's folder as (layer, tuz, path), small layers first; none without a folder."""
    if not folder.is_dir():
        return []
    found = [(_NAME.fullmatch(path.name), path) for path in folder.iterdir()]
    return sorted((int(name["layer"]), int(name["tuz"]), path) for name, path in found if name)
