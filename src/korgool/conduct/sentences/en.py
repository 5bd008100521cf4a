"""Rulings in English."""

from __future__ import annotations

from korgool.conduct.sentences.words import Language, Name

_STAND = "White {white}, Black {black}."

LANGUAGE = Language(
    sides={"white": Name("White", "White's"), "black": Name("Black", "Black's")},
    reasons={
        "conversation": "talking",
        "record": "no complete record of the game",
        "disrespect": "disrespect to the referees",
        "obstruction": "obstructing the competition",
        "rules": "breaking the rules",
    },
    units=("h", "min", "s"),
    decimal=".",
    plural=lambda number: int(number != 1),
    sentences={
        "lots_drawn": "The lots are drawn: White is {white}, Black is {black} (draw number {seed}).",
        "late": "{player} did not come within {limit_ms} of the start and loses; {winner} wins.",
        "both_late": "Neither player came within {limit_ms} of the start; both lose.",
        "not_late_yet": "Claim denied: {player} may still come; {left_ms} of the {limit_ms} remain.",
        "not_absent": "Claim denied: {player} is here.",
        "majority": "{winner} has {goal:korgool|korgools} or more and wins: " + _STAND,
        "no_move": "{player} has no stone left to move. {winner} wins: " + _STAND,
        "no_move.draw": "{player} has no stone left to move. The game is drawn: " + _STAND,
        "equal": "All korgools are gathered, White {white}, Black {black}: the game is drawn.",
        "side_empty": "{player.gen} side is empty and the set is over. {winner} wins: " + _STAND,
        "side_empty.draw": "{player.gen} side is empty and the set is over. The set is drawn: " + _STAND,
        "extra_turn": "The last stone fell into {player.gen} store: {player} moves again, on the same clock.",
        "time": "{player.gen} flag has fallen; {winner} wins on time: " + _STAND,
        "move_first": "{player.gen} flag was called during the move; {player} may complete the move first.",
        "no_flag": "Claim denied: {player.gen} flag has not fallen; {left_ms:clock} is left on that clock.",
        "both_flags_draw": "Both flags have fallen, and each kazan holds {half} or fewer: the game is drawn, " + _STAND,
        "both_flags_counted": "Both flags have fallen; the kazans are counted and {winner} wins: " + _STAND,
        "both_flags_counted.draw": "Both flags have fallen; the kazans are counted and the game is drawn: " + _STAND,
        "pressed": "The referee has pressed the clock for {player}.",
        "press_forgotten": "{player} has not pressed; the opponent's move stands, and {player.gen} clock goes on.",
        "paused": "The referee has stopped both clocks.",
        "resumed": "Play goes on; {player.gen} clock is running.",
        "stopped_for_flag": "{player} stopped both clocks because a flag has fallen.",
        "stop_forbidden": "{player} may stop both clocks only when a flag has fallen; the clock goes on.",
        "clock_corrected": "{player.gen} clock is corrected, and the opponent is given {made_good_ms} as well: "
        "White {white_ms:clock}, Black {black_ms:clock}.",
        "clock_corrected.plain": "{player.gen} clock is corrected: White {white_ms:clock}, Black {black_ms:clock}.",
        "clock_set": "The clock is replaced: White {white_ms:clock}, Black {black_ms:clock}.",
        "clock_divided": "The clock is replaced and the time left is divided equally: {each_ms:clock} for each player.",
        "clock_after_flag": "Claim denied: {player.gen} flag has fallen, and a faulty clock must be reported before.",
        "clock_not_requested": "A clock is replaced only when a player asks for it.",
        "clock_installed": "A clock is set up {elapsed_ms} after the start: {each_ms:clock} for each player.",
        "agreed": "The players agree on a draw: " + _STAND,
        "resigned": "{player} resigns; {winner} wins: " + _STAND,
        "offer_untimely": "{player.gen} offer does not count: a draw is offered after making a move and before "
        "pressing the clock.",
        "offer_absent": "There is no draw offer that {player} could answer.",
        "fourth_offer": "{player} has offered a draw {number:time|times}, more than three; "
        "{opponent} may demand the game.",
        "fourth_offer_lost": "{player} offered a draw more than three times and loses; {winner} wins: " + _STAND,
        "fourth_offer_denied": "Claim denied: {player} has offered a draw {number:time|times}; three are allowed.",
        "repetition.threefold": "Draw by repetition: the position has stood on the board {times:time|times}.",
        "repetition.73": "Draw: the position recurred within 73 moves; it has stood on the board {times:time|times}.",
        "repetition_denied.threefold": "Claim denied: the position has stood on the board {times:time|times}, "
        "which is not enough.",
        "repetition_denied.73": "Claim denied: the position did not recur within 73 moves; it has stood on the board "
        "{times:time|times}.",
        "draw_needs_both": "The record of a drawn game is accepted only with both players present; {player} is absent.",
        "spilled": "{player} puts the spilled stones back while {player.gen} clock runs, and then presses it.",
        "restored": "The position after ply {ply} is restored from the record; {player} is to move.",
        "restored.unknown": "The referee has set up a corrected position; {player} is to move.",
        "signed_stands": "The result {result} is signed by both players and stands.",
        "declared_stands": "The game has ended {result} and is not reopened.",
        "signed": "Both players have signed: {result}.",
        "accepted": "The referee has accepted the record of the game: {result}.",
        "record_exempt": "No warning: {player} has {left_ms:clock} left, and with less than 5 minutes nobody need "
        "write.",
        "warning": "{player} gets warning number {number}: {reason}.",
        "warning_point": "{player} gets warning number {number}: {reason}. It costs one point.",
        "warning_exclusion": "{player} gets warning number {number}: {reason}. The player is excluded from the "
        "competition.",
        "set_started": "Set {number} of {sets} begins; the players have changed sides.",
    },
)
"""English."""
