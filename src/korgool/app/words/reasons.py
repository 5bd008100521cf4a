"""Reasons for and against moves; the pages get the same texts by `words_json`.

The subject of each text is the move, which is omitted: "captures 10 stones". `docs/reasons.md` defines each kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from gettext import NullTranslations
from typing import TYPE_CHECKING

from korgool.app.words.games import GAME_WORDS
from korgool.languages import N_, NN_

if TYPE_CHECKING:
    from korgool.engine.reasons import Reason

MOST = 3
"""The most reasons given for one move."""


REASON_WORDS: dict[str, str | tuple[str, str]] = {
    "goal": NN_("brings the kazan to %(n)s stone and wins", "brings the kazan to %(n)s stones and wins"),
    "wins": NN_("wins the game by %(n)s stone", "wins the game by %(n)s stones"),
    "draws": N_("ends the game in a draw"),
    "starves": N_("leaves the opponent without a move (atsyrau)"),
    "sweeps": NN_("gains %(n)s stone left on the board", "gains %(n)s stones left on the board"),
    "tuz": N_("makes a tuz in hole %(hole)s"),
    "tuz castle": N_("makes a castle in hole %(hole)s"),
    "captures": NN_("captures %(n)s stone", "captures %(n)s stones"),
    "opposite": NN_(
        "captures %(n)s stone by ending in an empty hole of its own",
        "captures %(n)s stones by ending in an empty hole of its own",
    ),
    "turn": N_("gets another turn"),
    "follows": NN_(
        "can then capture %(n)s stone with hole %(hole)s", "can then capture %(n)s stones with hole %(hole)s"
    ),
    "feeds": NN_("feeds its own tuz with %(n)s stone", "feeds its own tuz with %(n)s stones"),
    "feeds castle": NN_("feeds its own castle with %(n)s stone", "feeds its own castle with %(n)s stones"),
    "stops_win": N_("keeps the opponent from winning at once"),
    "stops_tuz": N_("prevents a tuz in hole %(hole)s"),
    "stops_tuz castle": N_("prevents a castle in hole %(hole)s"),
    "saves": NN_("saves %(n)s stone from capture", "saves %(n)s stones from capture"),
    "reduces": N_("cuts the opponent's largest capture from %(n)s to %(left)s"),
    "threatens_win": N_("threatens to win with hole %(hole)s"),
    "threatens_tuz": N_("threatens a tuz in hole %(hole)s"),
    "threatens_tuz castle": N_("threatens a castle in hole %(hole)s"),
    "threatens": NN_(
        "threatens to capture %(n)s stone with hole %(hole)s", "threatens to capture %(n)s stones with hole %(hole)s"
    ),
    "sure": NN_(
        "can capture at least %(n)s stone after any answer", "can capture at least %(n)s stones after any answer"
    ),
    "forces": N_("leaves the opponent one move, hole %(hole)s"),
    "home": N_("keeps all its stones at home"),
    "prepares": NN_(
        "captures %(n)s stone with hole %(hole)s after the expected answer",
        "captures %(n)s stones with hole %(hole)s after the expected answer",
    ),
    "prepares_tuz": N_("makes a tuz in hole %(hole)s after the expected answer"),
    "prepares_tuz castle": N_("makes a castle in hole %(hole)s after the expected answer"),
    "later": NN_(
        "captures %(n)s stone with hole %(hole)s after %(line)s",
        "captures %(n)s stones with hole %(hole)s after %(line)s",
    ),
    "later_tuz": N_("makes a tuz in hole %(hole)s after %(line)s"),
    "later_tuz castle": N_("makes a castle in hole %(hole)s after %(line)s"),
    "tempo": N_("the opponent runs out of moves at home first (%(left)s against %(n)s)"),
    "starving": N_("can leave the opponent without a move: at most %(left)s left, against %(n)s at home"),
    "avoids_win": N_("after %(line)s the opponent would win with hole %(hole)s"),
    "avoids_tuz": N_("after %(line)s the opponent would make a tuz in hole %(hole)s"),
    "avoids_tuz castle": N_("after %(line)s the opponent would make a castle in hole %(hole)s"),
    "avoids": NN_(
        "after %(line)s the opponent would capture %(n)s stone with hole %(hole)s",
        "after %(line)s the opponent would capture %(n)s stones with hole %(hole)s",
    ),
    "ahead": NN_(
        "in the expected play gets up to %(n)s stone more than hole %(hole)s",
        "in the expected play gets up to %(n)s stones more than hole %(hole)s",
    ),
    "loses": NN_("loses the game by %(n)s stone", "loses the game by %(n)s stones"),
    "allows_win": N_("lets the opponent win with hole %(hole)s"),
    "allows_tuz": N_("lets the opponent make a tuz in hole %(hole)s"),
    "allows_tuz castle": N_("lets the opponent make a castle in hole %(hole)s"),
    "allows": NN_(
        "lets the opponent capture %(n)s stone with hole %(hole)s",
        "lets the opponent capture %(n)s stones with hole %(hole)s",
    ),
    "feeds_other": NN_("feeds the opponent's tuz with %(n)s stone", "feeds the opponent's tuz with %(n)s stones"),
    "feeds_other castle": NN_(
        "feeds the opponent's castle with %(n)s stone", "feeds the opponent's castle with %(n)s stones"
    ),
    "misses_win": N_("misses a win at once"),
    "misses_tuz": N_("misses a tuz in hole %(hole)s"),
    "misses_tuz castle": N_("misses a castle in hole %(hole)s"),
    "misses": NN_("misses a capture of %(n)s stone", "misses a capture of %(n)s stones"),
    "misses_turn": N_("misses another turn"),
    "allows_later": NN_(
        "after %(line)s the opponent captures %(n)s stone with hole %(hole)s",
        "after %(line)s the opponent captures %(n)s stones with hole %(hole)s",
    ),
    "allows_tuz_later": N_("after %(line)s the opponent makes a tuz in hole %(hole)s"),
    "allows_tuz_later castle": N_("after %(line)s the opponent makes a castle in hole %(hole)s"),
    "misses_later": NN_(
        "misses %(n)s stone that hole %(hole)s captures after %(line)s",
        "misses %(n)s stones that hole %(hole)s captures after %(line)s",
    ),
    "misses_tuz_later": N_("misses a tuz in hole %(hole)s after %(line)s"),
    "misses_tuz_later castle": N_("misses a castle in hole %(hole)s after %(line)s"),
    "runs_out": N_("runs out of moves at home first (%(n)s against %(left)s)"),
    "gives_moves": NN_("gives the opponent %(n)s more move", "gives the opponent %(n)s more moves"),
    "starved": N_("may be left without a move: at most %(n)s left, against the opponent's %(left)s at home"),
    "behind": NN_(
        "in the expected play falls up to %(n)s stone behind", "in the expected play falls up to %(n)s stones behind"
    ),
    "only": N_("is the only move"),
    "sure_win": N_("surely wins"),
    "sure_draw": N_("surely draws"),
    "best_by": NN_("the next best move is %(n)s stone worse", "the next best move is %(n)s stones worse"),
    "as_good": N_("hole %(hole)s is as good"),
}
"""The texts by kind, followed by `castle` if a won hole is called that. A pair has the singular and the plural."""


def reason_text(catalogue: NullTranslations, reason: Reason, game: str) -> str:
    """The text of a reason.

    Args:
        catalogue: of the language.
        reason: the reason.
        game: the short name of the game.
    """
    message = REASON_WORDS[reason.kind]
    message = REASON_WORDS.get(f"{reason.kind} {GAME_WORDS[game].won_hole}", message)
    text = catalogue.gettext(message) if isinstance(message, str) else catalogue.ngettext(*message, reason.stones)
    line = ", ".join(map(str, reason.line))
    return text % {"n": reason.stones, "left": reason.left, "hole": reason.hole, "line": line}


def reasons_text(catalogue: NullTranslations, reasons: Sequence[Reason], game: str) -> str:
    """The reasons with the most weight, in one line; empty if there are none."""
    return "; ".join(reason_text(catalogue, reason, game) for reason in reasons[:MOST])
