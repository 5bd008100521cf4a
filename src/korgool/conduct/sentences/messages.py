"""The sentences of rulings in English, as the catalogues know them.

A sentence names its sides in full: other languages inflect them. Numbers and times are fields; a time is said in words
(`%(left)s`: 30 min 30 s) or as on a clock (`%(left_clock)s`: 30:30).
"""

from __future__ import annotations

from korgool.languages import N_, NN_

SENTENCES: dict[str, str | tuple[str, str]] = {
    "lots_drawn": N_("The lots are drawn: White is %(white)s, Black is %(black)s (draw number %(seed)s)."),
    "late white black": N_("White did not come within %(limit)s of the start and loses; Black wins."),
    "late black white": N_("Black did not come within %(limit)s of the start and loses; White wins."),
    "both_late": N_("Neither player came within %(limit)s of the start; both lose."),
    "not_late_yet white": N_("Claim denied: White may still come; %(left)s of the %(limit)s remain."),
    "not_late_yet black": N_("Claim denied: Black may still come; %(left)s of the %(limit)s remain."),
    "not_absent white": N_("Claim denied: White is here."),
    "not_absent black": N_("Claim denied: Black is here."),
    "majority white": NN_(
        "White has %(goal)s stone or more and wins: White %(white)s, Black %(black)s.",
        "White has %(goal)s stones or more and wins: White %(white)s, Black %(black)s.",
    ),
    "majority black": NN_(
        "Black has %(goal)s stone or more and wins: White %(white)s, Black %(black)s.",
        "Black has %(goal)s stones or more and wins: White %(white)s, Black %(black)s.",
    ),
    "no_move white white": N_("White has no stone left to move. White wins: White %(white)s, Black %(black)s."),
    "no_move white black": N_("White has no stone left to move. Black wins: White %(white)s, Black %(black)s."),
    "no_move black white": N_("Black has no stone left to move. White wins: White %(white)s, Black %(black)s."),
    "no_move black black": N_("Black has no stone left to move. Black wins: White %(white)s, Black %(black)s."),
    "no_move.draw white": N_("White has no stone left to move. The game is drawn: White %(white)s, Black %(black)s."),
    "no_move.draw black": N_("Black has no stone left to move. The game is drawn: White %(white)s, Black %(black)s."),
    "equal": N_("All stones are gathered, White %(white)s, Black %(black)s: the game is drawn."),
    "side_empty white white": N_(
        "White's side is empty and the set is over. White wins: White %(white)s, Black %(black)s."
    ),
    "side_empty white black": N_(
        "White's side is empty and the set is over. Black wins: White %(white)s, Black %(black)s."
    ),
    "side_empty black white": N_(
        "Black's side is empty and the set is over. White wins: White %(white)s, Black %(black)s."
    ),
    "side_empty black black": N_(
        "Black's side is empty and the set is over. Black wins: White %(white)s, Black %(black)s."
    ),
    "side_empty.draw white": N_(
        "White's side is empty and the set is over. The set is drawn: White %(white)s, Black %(black)s."
    ),
    "side_empty.draw black": N_(
        "Black's side is empty and the set is over. The set is drawn: White %(white)s, Black %(black)s."
    ),
    "extra_turn white": N_("The last stone fell into White's kazan: White moves again, on the same clock."),
    "extra_turn black": N_("The last stone fell into Black's kazan: Black moves again, on the same clock."),
    "time white black": N_("White's flag has fallen; Black wins on time: White %(white)s, Black %(black)s."),
    "time black white": N_("Black's flag has fallen; White wins on time: White %(white)s, Black %(black)s."),
    "move_first white": N_("White's flag was called during the move; White may complete the move first."),
    "move_first black": N_("Black's flag was called during the move; Black may complete the move first."),
    "no_flag white": N_("Claim denied: White's flag has not fallen; %(left_clock)s is left on that clock."),
    "no_flag black": N_("Claim denied: Black's flag has not fallen; %(left_clock)s is left on that clock."),
    "both_flags_draw": N_(
        "Both flags have fallen, and each kazan holds %(half)s or fewer: the game is drawn, White %(white)s, Black "
        "%(black)s."
    ),
    "both_flags_counted white": N_(
        "Both flags have fallen; the kazans are counted and White wins: White %(white)s, Black %(black)s."
    ),
    "both_flags_counted black": N_(
        "Both flags have fallen; the kazans are counted and Black wins: White %(white)s, Black %(black)s."
    ),
    "both_flags_counted.draw": N_(
        "Both flags have fallen; the kazans are counted and the game is drawn: White %(white)s, Black %(black)s."
    ),
    "pressed white": N_("The referee has pressed the clock for White."),
    "pressed black": N_("The referee has pressed the clock for Black."),
    "press_forgotten white": N_("White has not pressed; the opponent's move stands, and White's clock goes on."),
    "press_forgotten black": N_("Black has not pressed; the opponent's move stands, and Black's clock goes on."),
    "paused": N_("The referee has stopped both clocks."),
    "resumed white": N_("Play goes on; White's clock is running."),
    "resumed black": N_("Play goes on; Black's clock is running."),
    "stopped_for_flag white": N_("White stopped both clocks because a flag has fallen."),
    "stopped_for_flag black": N_("Black stopped both clocks because a flag has fallen."),
    "stop_forbidden white": N_("White may stop both clocks only when a flag has fallen; the clock goes on."),
    "stop_forbidden black": N_("Black may stop both clocks only when a flag has fallen; the clock goes on."),
    "clock_corrected white": N_(
        "White's clock is corrected, and the opponent is given %(made_good)s as well: White %(white_clock)s, Black "
        "%(black_clock)s."
    ),
    "clock_corrected black": N_(
        "Black's clock is corrected, and the opponent is given %(made_good)s as well: White %(white_clock)s, Black "
        "%(black_clock)s."
    ),
    "clock_corrected.plain white": N_("White's clock is corrected: White %(white_clock)s, Black %(black_clock)s."),
    "clock_corrected.plain black": N_("Black's clock is corrected: White %(white_clock)s, Black %(black_clock)s."),
    "clock_set": N_("The clock is replaced: White %(white_clock)s, Black %(black_clock)s."),
    "clock_divided": N_("The clock is replaced and the time left is divided equally: %(each_clock)s for each player."),
    "clock_after_flag white": N_("Claim denied: White's flag has fallen, and a faulty clock must be reported before."),
    "clock_after_flag black": N_("Claim denied: Black's flag has fallen, and a faulty clock must be reported before."),
    "clock_not_requested": N_("A clock is replaced only when a player asks for it."),
    "clock_installed": N_("A clock is set up %(elapsed)s after the start: %(each_clock)s for each player."),
    "agreed": N_("The players agree on a draw: White %(white)s, Black %(black)s."),
    "resigned white black": N_("White resigns; Black wins: White %(white)s, Black %(black)s."),
    "resigned black white": N_("Black resigns; White wins: White %(white)s, Black %(black)s."),
    "offer_untimely white": N_(
        "White's offer does not count: a draw is offered after making a move and before pressing the clock."
    ),
    "offer_untimely black": N_(
        "Black's offer does not count: a draw is offered after making a move and before pressing the clock."
    ),
    "offer_absent white": N_("There is no draw offer that White could answer."),
    "offer_absent black": N_("There is no draw offer that Black could answer."),
    "fourth_offer white black": NN_(
        "White has offered a draw %(number)s time, more than three; Black may demand the game.",
        "White has offered a draw %(number)s times, more than three; Black may demand the game.",
    ),
    "fourth_offer black white": NN_(
        "Black has offered a draw %(number)s time, more than three; White may demand the game.",
        "Black has offered a draw %(number)s times, more than three; White may demand the game.",
    ),
    "fourth_offer_lost white black": N_(
        "White offered a draw more than three times and loses; Black wins: White %(white)s, Black %(black)s."
    ),
    "fourth_offer_lost black white": N_(
        "Black offered a draw more than three times and loses; White wins: White %(white)s, Black %(black)s."
    ),
    "fourth_offer_denied white": NN_(
        "Claim denied: White has offered a draw %(number)s time; three are allowed.",
        "Claim denied: White has offered a draw %(number)s times; three are allowed.",
    ),
    "fourth_offer_denied black": NN_(
        "Claim denied: Black has offered a draw %(number)s time; three are allowed.",
        "Claim denied: Black has offered a draw %(number)s times; three are allowed.",
    ),
    "repetition.threefold": NN_(
        "Draw by repetition: the position has stood on the board %(times)s time.",
        "Draw by repetition: the position has stood on the board %(times)s times.",
    ),
    "repetition.73": NN_(
        "Draw: the position recurred within 73 moves; it has stood on the board %(times)s time.",
        "Draw: the position recurred within 73 moves; it has stood on the board %(times)s times.",
    ),
    "repetition_denied.threefold": NN_(
        "Claim denied: the position has stood on the board %(times)s time, which is not enough.",
        "Claim denied: the position has stood on the board %(times)s times, which is not enough.",
    ),
    "repetition_denied.73": NN_(
        "Claim denied: the position did not recur within 73 moves; it has stood on the board %(times)s time.",
        "Claim denied: the position did not recur within 73 moves; it has stood on the board %(times)s times.",
    ),
    "drawn_position": N_(
        "Draw: neither player can win this position, and one cannot end it: White %(white)s, Black %(black)s."
    ),
    "drawn_position_denied": N_("Claim denied: a player can win this position, or both can bring it to an end."),
    "drawn_position_off": N_("Claim denied: by the rules of this game, a drawn position cannot be claimed."),
    "drawn_position_many": N_("Claim denied: a drawn position can be claimed only with at most 4 stones on the board."),
    "draw_needs_both white": N_(
        "The record of a drawn game is accepted only with both players present; White is absent."
    ),
    "draw_needs_both black": N_(
        "The record of a drawn game is accepted only with both players present; Black is absent."
    ),
    "spilled white": N_("White puts the spilled stones back while White's clock runs, and then presses it."),
    "spilled black": N_("Black puts the spilled stones back while Black's clock runs, and then presses it."),
    "restored white": N_("The position is restored from the record, after %(ply)s moves of both; White is to move."),
    "restored black": N_("The position is restored from the record, after %(ply)s moves of both; Black is to move."),
    "restored.unknown white": N_("The referee has set up a corrected position; White is to move."),
    "restored.unknown black": N_("The referee has set up a corrected position; Black is to move."),
    "signed_stands": N_("The result %(result)s is signed by both players and stands."),
    "declared_stands": N_("The game has ended %(result)s and is not reopened."),
    "signed": N_("Both players have signed: %(result)s."),
    "accepted": N_("The referee has accepted the record of the game: %(result)s."),
    "record_exempt white": N_(
        "No warning: White has %(left_clock)s left, and with less than 5 minutes nobody need write."
    ),
    "record_exempt black": N_(
        "No warning: Black has %(left_clock)s left, and with less than 5 minutes nobody need write."
    ),
    "warning white": N_("White gets warning number %(number)s: %(reason)s."),
    "warning black": N_("Black gets warning number %(number)s: %(reason)s."),
    "warning_point white": N_("White gets warning number %(number)s: %(reason)s. It costs one point."),
    "warning_point black": N_("Black gets warning number %(number)s: %(reason)s. It costs one point."),
    "warning_exclusion white": N_(
        "White gets warning number %(number)s: %(reason)s. The player is excluded from the competition."
    ),
    "warning_exclusion black": N_(
        "Black gets warning number %(number)s: %(reason)s. The player is excluded from the competition."
    ),
    "set_started": N_("Set %(number)s of %(sets)s begins; the players have changed sides."),
}
"""By kind of ruling, after a point what changes its wording, and the sides in the order of the arguments."""

REASONS = {
    "conversation": N_("talking"),
    "record": N_("no complete record of the game"),
    "disrespect": N_("disrespect to the referees"),
    "obstruction": N_("obstructing the competition"),
    "rules": N_("breaking the rules"),
}
"""Reasons for a warning, by code."""

HOURS, MINUTES, SECONDS = N_("%(number)s h"), N_("%(number)s min"), N_("%(number)s s")
# TRANSLATORS: a half as a number, for the sign before the fraction
HALF = N_("0.5")
