"""Cards of mistakes for tests, made by the rules alone."""

from __future__ import annotations

from korgool.rules import GAMES
from korgool.training.mistakes import Mistake, mistake_id


def mistake(game: str = "toguz", plies: int = 6, **other: object) -> Mistake:
    """A card of White: the first legal move was played, the last one is accepted."""
    position = GAMES[game].start()
    while plies > 0 or position.to_move:
        position = position.play(position.legal_moves()[plies % len(position.legal_moves())])
        plies -= 1
    legal = position.legal_moves()
    values: dict[str, object] = {
        "id": mistake_id(game, str(position)),
        "game": game,
        "position": str(position),
        "played": legal[0],
        "right": (legal[-1],),
        "lines": {str(hole): (hole, *position.play(hole).legal_moves()[:1]) for hole in legal},
        "lost": 0.25,
        "stones": 12.0,
        "made": 1_790_000_000_000,
        "source": "AbCdEfGhIjKl",
        "ply": 7,
    }
    return Mistake(**{**values, **other})  # type: ignore[arg-type]
