"""The words of the printed form, in the languages of the catalogues."""

from __future__ import annotations

from collections.abc import Callable

from korgool.app.words.games import GAME_NAMES, GAME_WORDS, REASONS
from korgool.languages import LANGUAGES, N_, translations
from korgool.rules import Outcome, Rules

__all__ = ["LANGUAGES", "form_words", "game_name", "reason_of"]

_LABELS = {
    "title": N_("Record of the game"),
    "sheet": N_("Sheet"),
    "event": N_("Event"),
    "site": N_("Place"),
    "date": N_("Date"),
    "round": N_("Round"),
    "board": N_("Board"),
    "set": N_("Set"),
    "control": N_("Time control"),
    "clock": N_("Clock number"),
    "started": N_("Started"),
    "ended": N_("Ended"),
    "white": N_("White"),
    "black": N_("Black"),
    "arbiter": N_("Referee"),
    "player_title": N_("Title"),
    "rating": N_("Rating"),
    "team": N_("Country, team"),
    "start": N_("Start position"),
    "qr": N_("The game as a QR code"),
    "move": N_("Move"),
    "result": N_("Result"),
    "kazan": N_("Kazan"),
    "stones": N_("Stones in the kazan"),
    "result_like": N_("Result, such as %(example)s"),
    "points": N_("Points"),
    "time_used": N_("Time used"),
    "offers": N_("Draw offers"),
    "warnings": N_("Warnings"),
    "white_signature": N_("White's signature"),
    "black_signature": N_("Black's signature"),
    "arbiter_signature": N_("Referee's signature"),
}

_WON = {"tuz": N_("X = tuz"), "castle": N_("X = castle")}
_STORE = N_("(34) = mover's kazan after a capture")
_OFFER = N_("“=” is a draw offer, marked by both players")
_TURN = N_("the moves of one turn are joined by a comma")
_DUTY = N_(
    "Each player writes the moves of both players until the end of the game, or until they have less "
    "than 5 minutes left. Missing moves may be filled in only after the end. The form belongs to the "
    "organisers."
)


def form_words(rules: Rules, language: str) -> dict[str, str]:
    """The labels of a form for one game, with `legend`, which explains the signs (WNG-TK §IV, §VIII, §X).

    Raises:
        ValueError: there is no such language.
    """
    game = GAME_WORDS[rules.name]
    gettext: Callable[[str], str] = translations(language, not game.korgools).gettext
    words = {name: gettext(label) for name, label in _LABELS.items()}
    signs = [_OFFER]
    if rules.extra_turn:
        signs.insert(0, _TURN)
    if game.korgools:
        signs.insert(0, _STORE)
    if rules.tuz:
        signs.insert(0, _WON[game.won_hole])
    legend = " · ".join(map(gettext, signs))
    words["legend"] = legend[0].upper() + legend[1:] + ". " + gettext(_DUTY)
    return words


def game_name(rules: Rules, language: str) -> str:
    """The name of the game."""
    return translations(language).gettext(GAME_NAMES.get(rules.name, rules.title))


def reason_of(outcome: Outcome, language: str) -> str:
    """Termination of a game in words, or empty if the record does not say."""
    winner = "draw" if outcome.winner is None else outcome.winner.name.lower()
    reason = REASONS.get(f"{outcome.termination} {winner}")
    return "" if reason is None else translations(language).gettext(reason)
