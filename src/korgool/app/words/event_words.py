"""The words of events: titles, labels, offices, why a copy of an event is missing, and reasons of pairings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from korgool.app.words.games import GAME_NAMES
from korgool.languages import N_, translations

_TITLES = {
    "start_list": N_("Start list"),
    "pairings": N_("Pairings"),
    "pairings_by_name": N_("Pairings by name"),
    "results": N_("Results"),
    "slips": N_("Result slips"),
    "record_forms": N_("Record forms"),
    "standings": N_("Standings"),
    "final_standings": N_("Final standings"),
    "cross_table": N_("Cross table"),
    "bracket": N_("Bracket"),
    "wall_chart": N_("Wall chart"),
    "team_sheet": N_("Team sheet"),
    "match_protocol": N_("Match protocol"),
    "team_standings": N_("Team standings"),
    "protocol": N_("Protocol of the event"),
    "place_cards": N_("Place cards"),
    "application": N_("Nominal application"),
    "special": N_("Games of the special board"),
    "prize_list": N_("Prize list"),
    "rating_changes": N_("Rating changes"),
    "table_cards": N_("Table cards"),
    "badges": N_("Badges"),
    "diploma": N_("Diploma"),
    "certificate": N_("Certificate of participation"),
}
_LABELS = {
    "page_of": N_("Page %(page)s of %(pages)s"),
    "log_head": N_("Log %(head)s"),
    "round_n": N_("Round %(round)s"),
    "board_n": N_("Board %(board)s"),
    "table_n": N_("Table %(table)s"),
    "set_n": N_("Set %(set)s"),
    "group_n": N_("Group %(group)s"),
    "after_round": N_("after round %(round)s"),
    "after_move": N_("after move %(move)s"),
    "from_to": N_("%(begins)s to %(ends)s"),
    "qr": N_("Address of the round as a QR code"),
    # columns
    "rank": N_("Rank"),
    "name": N_("Name"),
    "title": N_("Title"),
    "rating": N_("Rating"),
    "federation": N_("Federation"),
    "federation_short": N_("Fed."),
    "club": N_("Club"),
    "team": N_("Team"),
    "board": N_("Board"),
    "round": N_("Round"),
    "white": N_("White"),
    "black": N_("Black"),
    "colour": N_("Colour"),
    "opponent": N_("Opponent"),
    "result": N_("Result"),
    "points": N_("Points"),
    "total": N_("Total"),
    "penalty": N_("Penalty"),
    "score_players": N_("Players that count"),
    "captain": N_("Captain"),
    "reserve": N_("Reserve"),
    "reason": N_("Reason"),
    "player": N_("Player"),
    "kind": N_("Kind"),
    "office": N_("Office"),
    "category": N_("Category"),
    "set": N_("Set"),
    # byes and signs
    "bye": N_("Bye"),
    "full_bye": N_("Full-point bye"),
    "half_bye": N_("Half-point bye"),
    "absent": N_("Not playing"),
    "no_player": N_("nobody"),
    "no_opponent": N_("without an opponent"),
    "sign_cell": N_("12○ = White against number 12, 12● = Black"),
    "sign_place": N_("12○ = White against place 12, 12● = Black"),
    "sign_forfeit": N_("+ and − = won and lost without a game"),
    "sign_bye": N_("(1) = bye with its points"),
    "sign_running": N_("below: points so far"),
    "sign_board_points": N_("points won on the boards"),
    "manual": N_("changed by hand"),
    # the event
    "game": N_("Game"),
    "system": N_("System"),
    "rounds": N_("Rounds"),
    "rounds_played": N_("Rounds played"),
    "sets": N_("Sets of a match"),
    "control": N_("Time control"),
    "place": N_("Venue"),
    "dates": N_("Dates"),
    "organiser": N_("Organiser"),
    "players": N_("Players"),
    "teams": N_("Teams"),
    "tiebreaks": N_("Order of places"),
    "officials": N_("Officials"),
    "excluded_officials": N_("Officials excluded"),
    "warnings": N_("Warnings"),
    "penalties": N_("Points deducted"),
    "left": N_("Players who left"),
    "third_warning": N_("third warning"),
    "warning_cancelled": N_("warning cancelled"),
    "withdrawn": N_("withdrawn"),
    "excluded": N_("excluded"),
    "last_round": N_("Last round"),
    "forms": N_("Record forms lost or spoiled"),
    "lost": N_("lost"),
    "spoiled": N_("spoiled"),
    "borrower": N_("Lent to"),
    "none": N_("None."),
    "line_up": N_("Line-up"),
    # prizes and ratings
    "prize": N_("Prize"),
    "signature": N_("Signature"),
    "prize_fund": N_("Prize fund: %(sum)s"),
    "remainder": N_("Left over from rounding: %(sum)s"),
    "games": N_("Games"),
    "change": N_("Change"),
    "new_rating": N_("New rating"),
    # signatures
    "captain_signature": N_("Captain's signature"),
    "stamp": N_("Place for a stamp"),
    "referee": N_("Referee"),
    "representative": N_("Representative of the team"),
    # the application
    "family": N_("Family name"),
    "given": N_("Given name, patronymic"),
    "born": N_("Date of birth"),
    "grade": N_("Sports grade or title"),
    "passport": N_("Passport, series and number"),
    "coaches": N_("Coaches, full names"),
    "doctor": N_("Doctor's admission, signature"),
    "application_to": N_("Application for taking part in the event"),
    "admitted": N_("Players admitted in total: ______"),
    "doctor_signature": N_("Doctor, signature and seal"),
    "head_signature": N_("Head of the sending organisation, signature and seal"),
    "date": N_("Date"),
    "confidential": N_("Personal data: for officials only, not for the notice board."),
}
SYSTEM_TITLES = {
    "swiss": N_("Swiss system"),
    "round-robin": N_("Round robin"),
    "double-round-robin": N_("Double round robin"),
    "knockout": N_("Knock-out"),
    "team-swiss": N_("Team event, Swiss system"),
    "team-round-robin": N_("Team event, round robin"),
}
OFFICES = {
    "chief-referee": N_("Chief referee"),
    "deputy-chief-referee": N_("Deputy chief referee"),
    "chief-secretary": N_("Chief secretary"),
    "referee": N_("Referee"),
    "secretary": N_("Secretary"),
}
CAUSES = {
    "resignation": N_("resignation"),
    "time": N_("time"),
    "agreement": N_("agreement"),
    "repetition": N_("repetition"),
    "no_move": N_("no move left"),
}


def event_words(language: str) -> dict[str, str]:
    """All labels of event papers in a language, also `title …`, `system …`, `role …`, `cause …` and `game …`.

    Raises:
        ValueError: there is no such language.
    """
    gettext: Callable[[str], str] = translations(language).gettext
    words = {name: gettext(label) for name, label in _LABELS.items()}
    tables = {"title": _TITLES, "system": SYSTEM_TITLES, "role": OFFICES, "cause": CAUSES, "game": GAME_NAMES}
    for kind, table in tables.items():
        words |= {f"{kind} {name}": gettext(label) for name, label in table.items()}
    return words


_PROBLEMS = {
    "place": N_("This is no address of a public site."),
    "silent": N_("The site does not answer."),
    "redirect": N_("The address leads to another one; enter that one."),
    "status": N_("The site answers with {status}."),
    "long": N_("What the site sends is too long."),
    "no_event": N_("What the site sends is no event of Korgool that can be shown."),
    "foreign": N_("What is there does not go on from the event that is followed here: its log is another one."),
    "not_leading": N_("This machine leads the event no more; enter the address of the one that does."),
}


def problem_text(kind: str, status: str | int, language: str) -> str:
    """A problem of `events/remote_fetch.py` as a sentence; `status` is that of HTTP where it is the reason."""
    return translations(language).gettext(_PROBLEMS[kind]).format(status=status)


PAIRING_SENTENCES: Final[Mapping[str, str]] = {
    "pairing.group": N_("Both have {points}."),
    "pairing.float": N_("{upper} has {upper_points} and floats down to {lower}, who has {lower_points}."),
    "pairing.again": N_("{name} floated the same way in round {round}."),
    "colour.due": N_("{name} is due {colour} ({strength}: {history})."),
    "colour.free": N_("{name} is due no colour yet."),
    "colour.5.2.1": N_("Each gets the colour they are due (5.2.1)."),
    "colour.5.2.2": N_("The stronger wish is granted, or the wider difference (5.2.2)."),
    "colour.5.2.3": N_(
        "The colours are those of the latest round in which they differed, the other way round (5.2.3)."
    ),
    "colour.5.2.4": N_("The wish of the higher ranked is granted (5.2.4)."),
    "colour.5.2.5": N_("The lot for the first round decides (5.2.5)."),
    "colour.hand": N_("The colours were set by hand: by the rules {name} has White."),
    "bye.allocated": N_("{name} has {points} and gets the pairing-allocated bye."),
    "bye.least": N_("Nobody with fewer points may get it."),
    "bye.barred": N_("{name} cannot get it: {why} in round {round}."),
    "bye.asked": N_("{name} does not play this round ({kind})."),
    "word.white": N_("White"),
    "word.black": N_("Black"),
    "word.mild": N_("mildly"),
    "word.strong": N_("strongly"),
    "word.absolute": N_("absolutely"),
    "word.bye": N_("a bye"),
    "word.walkover": N_("a win without a game"),
    "word.half": N_("half-point bye"),
    "word.full": N_("full-point bye"),
    "word.zero": N_("zero-point bye"),
}
"""The same texts as `explanation.SENTENCES`, which a test compares: that room knows no languages."""


def pairing_sentences(language: str) -> Mapping[str, str]:
    """The sentences in a language, for `PairingReason.in_words`."""
    gettext = translations(language).gettext
    return {key: gettext(text) for key, text in PAIRING_SENTENCES.items()}
