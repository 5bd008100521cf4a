"""Making a book: the search values all moves of one position after the other; a journal lets a killed build go on."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from korgool.engine.limits import Limits
from korgool.engine.openings.book import Known, OpeningBook
from korgool.engine.openings.tree import Leaf, Node, Tree
from korgool.engine.search import UNIT, Engine
from korgool.rules import GAMES

FORMAT = "korgool-openings-journal-1"
TABLE_MIB = 64


class JournalError(ValueError):
    """A journal that the build cannot go on with: of another plan, or altered."""


@dataclass(frozen=True, slots=True)
class BookPlan:
    """Parameters of a book. With one plan, more positions only add to fewer.

    Attributes:
        game: name of the game in `korgool.rules.GAMES`.
        nodes: search effort for each position, all its moves together.
        seed: of the games that the book plays with itself.
        every: each so many-th position comes from such a game; 0 for none.
        weight: plies that a stone lost on the way counts for when the next position is chosen.

    Raises:
        ValueError: a number that cannot be, or no such game.
    """

    game: str
    nodes: int
    seed: int = 1
    every: int = 4
    weight: float = 3.0

    def __post_init__(self) -> None:
        if self.game not in GAMES:
            raise ValueError(f"the game is one of {', '.join(GAMES)}, not {self.game!r}")
        if self.nodes < 1:
            raise ValueError(f"a position takes at least 1 node, not {self.nodes}")
        if self.every < 0:
            raise ValueError(f"self-play finds each so many-th position, 0 for none, not {self.every}")
        if not 0 <= self.weight <= 1000:
            raise ValueError(f"a lost stone counts for 0 to 1000 plies, not {self.weight}")


def build(
    plan: BookPlan, positions: int, journal: Path | None = None, on_position: Callable[[int, Node], None] | None = None
) -> OpeningBook:
    """Grow a book; the same plan and number of positions give the same book, whether in one go or in several.

    Args:
        plan: how.
        positions: how many positions the book shall have; fewer where nothing is left to look at.
        journal: file that keeps what is done; a build that was killed goes on with it, and so does one to more
            positions.
        on_position: called with the number of positions so far and the newest, for those that were searched now.

    Raises:
        JournalError: the journal is of another plan or damaged.
        OSError: the journal cannot be read or written.
    """
    if positions < 1:
        raise ValueError(f"a book has at least 1 position, not {positions}")
    rules = GAMES[plan.game]
    tree = Tree(rules, seed=plan.seed, every=plan.every, weight=plan.weight)
    if journal is not None:
        _go_on(tree, plan, journal, positions)
    if len(tree.nodes) < positions:
        engine = Engine(rules, table_mib=TABLE_MIB, tables=None)
        file = None if journal is None else journal.open("a", encoding="ascii", newline="\n")
        try:
            while len(tree.nodes) < positions and (leaf := tree.next()) is not None:
                # What the search before left in the table would make values depend on where a build was broken off.
                engine.clear()
                lines = len(leaf.position.legal_moves())
                found = engine.analyse(leaf.position, Limits(nodes=plan.nodes), lines=lines).lines
                node = tree.grow(leaf, found)
                if file is not None:
                    said = " ".join(f"{line.move}:{round(line.evaluation * UNIT)}{'=' * line.exact}" for line in found)
                    file.write(f"{_place(leaf)} {said}\n")
                    file.flush()
                if on_position is not None:
                    on_position(len(tree.nodes), node)
        finally:
            if file is not None:
                file.close()
    return _book(tree, plan)


def _place(leaf: Leaf) -> str:
    return "start" if leaf.node is None else f"{leaf.node.index}.{leaf.move}"


def _go_on(tree: Tree, plan: BookPlan, journal: Path, positions: int) -> None:
    """Take what the journal holds, up to so many positions; a last line that was cut by a kill is taken away."""
    head = json.dumps({"format": FORMAT, **asdict(plan)})
    data = journal.read_bytes() if journal.exists() else b""
    whole = data[: data.rfind(b"\n") + 1]
    if not whole:
        journal.write_bytes(head.encode("ascii") + b"\n")
        return
    first, *lines = whole.decode("ascii", errors="replace").removesuffix("\n").split("\n")
    if first != head:
        raise JournalError(f"{journal} is not of this plan, or of another version; give another file, or remove it")
    if whole != data:
        journal.write_bytes(whole)
    for number, line in enumerate(lines[:positions], 2):
        leaf = tree.next()
        place, _, rest = line.partition(" ")
        try:
            if leaf is None or place != _place(leaf):
                raise ValueError("another position stands there than comes next")
            values = [_read_value(word) for word in rest.split()]
            if tuple(sorted(move for move, _, _ in values)) != leaf.position.legal_moves():
                raise ValueError("its moves are not those of the position")
        except ValueError as error:
            raise JournalError(f"{journal}, line {number}: {error}") from None
        tree.grow_values(leaf, values)


def _read_value(word: str) -> tuple[int, int, bool]:
    move, colon, value = word.removesuffix("=").partition(":")
    if not colon:
        raise ValueError(f"{word[:20]!a} is no move with a value")
    return int(move), int(value), not word.endswith("=")


def _book(tree: Tree, plan: BookPlan) -> OpeningBook:
    behind = tree.behind()
    children: dict[int, list[Node]] = {}
    for node in tree.nodes[1:]:
        assert node.parent is not None, "only the start has no node before it"
        children.setdefault(node.parent.index, []).append(node)
    entries: list[tuple[int, int, tuple[Known, ...]]] = []
    waiting = [tree.nodes[0]]
    while waiting:
        node = waiting.pop()
        known = tuple(
            Known(move.number, round(move.value * 10 / UNIT), behind[move.child.index] if move.child else 0)
            for move in node.moves
        )
        entries.append((node.ply, node.via, known))
        waiting += sorted(children.get(node.index, ()), key=lambda child: -child.via)
    made = {name: value for name, value in asdict(plan).items() if name != "game"}
    return OpeningBook(tree.rules, made, entries)
