"""All that the engine's answers depend on beside the questions, so that two machines can be compared."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from hashlib import blake2b

from korgool import __version__
from korgool.engine.limits import Limits
from korgool.engine.search import Engine
from korgool.engine.tables.files import SHIPPED, game_folder, table_files
from korgool.rules import GAMES, Rules

_DEPTH = 8
_ENDS = 64


@dataclass(frozen=True)
class EngineSurroundings:
    """Says what answers depend on, for `korgool.clusters`.

    Attributes:
        rules: the games whose tables of endings are looked up.
    """

    rules: tuple[Rules, ...] = ()

    def __call__(self) -> dict[str, str]:
        """Version, fingerprint of the kernel with its networks, and those of the tables in use."""
        tables = {f"the fingerprint of the tables {game_folder(one).name}": _of_tables(one) for one in self.rules}
        return {"the version of Korgool": __version__, "the fingerprint of the kernel": of_kernel(), **tables}


@cache
def of_kernel() -> str:
    """Twelve hexadecimal digits made of what some fixed searches of all games find, and of how they find it."""
    digest = blake2b(digest_size=6)
    for rules in GAMES.values():
        found = Engine(rules, table_mib=1, tables=None).analyse(rules.start(), Limits(depth=_DEPTH))
        digest.update(repr((found.nodes, found.lines)).encode())
    return digest.hexdigest()


def _of_tables(rules: Rules) -> str:
    """Twelve digits made of the files in use: their layers, sizes, and the ends of each, which hold digests."""
    found = table_files(game_folder(rules)) or table_files(game_folder(rules, SHIPPED))
    digest = blake2b(digest_size=6)
    for layer, tuz, path in found:
        with path.open("rb") as file:
            head = file.read(_ENDS)
            size = file.seek(0, 2)
            file.seek(max(0, size - _ENDS))
            digest.update(b"%d %d %d" % (layer, tuz, size) + head + file.read())
    return digest.hexdigest()
