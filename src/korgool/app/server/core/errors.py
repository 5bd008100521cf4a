"""Errors of requests and their messages: English here, translated where they are shown."""

from __future__ import annotations

from typing import Any

from korgool.accounts import Refused
from korgool.accounts import RefusedKind as AccountRefusedKind
from korgool.competition.errors import CompetitionError
from korgool.conduct import Ruling
from korgool.conduct.sentences import sentence
from korgool.languages import N_, translations
from korgool.live import RefusedKind


class ApiError(Exception):
    """A request that is refused.

    Attributes:
        status: the HTTP status.
        message: the reason, an English message of the catalogues, with fields in braces.
        values: the values of the fields.
        clause: the clause of the rules that it rests on, or None.
        ruling: what the referee ruled, where that is the reason.
    """

    def __init__(
        self,
        status: int,
        message: str,
        *,
        clause: str | None = None,
        ruling: Ruling | None = None,
        **values: object,
    ) -> None:
        super().__init__(message.format(**values))
        self.clause = clause
        self.ruling = ruling
        self.status = status
        self.message = message
        self.values = values

    def said(self, language: str) -> str:
        """The reason in a language."""
        if self.ruling is not None:
            return sentence(self.ruling.kind, self.ruling.arguments, language)
        values = {
            name: value.said(language) if isinstance(value, CompetitionError) else value
            for name, value in self.values.items()
        }
        return translations(language).gettext(self.message).format(**values)


class RateLimitError(ApiError):
    """Refused by a limit: 429.

    Attributes:
        wait: the seconds after which the request can be repeated.
    """

    def __init__(self, message: str, wait: float, **values: object) -> None:
        super().__init__(429, message, clause=None, ruling=None, **values)
        self.wait = wait


NO_GAME = N_("There is no such game.")
NO_PAGE = N_("There is no such page.")
NO_EVENT = N_("There is no such event.")
MANY_FOLLOWED = N_("An account follows at most {most} events.")
NO_STUDY = N_("There is no such study.")
NOT_YOUR_STUDY = N_("Only who made a study changes it. You can save it as a file, and make one of your own.")
STUDY_CHANGED = N_("The study was changed in another tab or on another device. Look at it again before you change it.")
CHAPTER_CHANGED = N_("This chapter was changed in another tab or on another device.")
MANY_STUDIES = N_("An account has at most {most} studies. Save one as a file and delete it here.")
MANY_CHAPTERS = N_("A study has at most {most} chapters.")
LONG_STUDY = N_("A study has at most {most} bytes of records. Begin another one.")
BAD_STUDY = N_("This cannot be a study: {reason}")
BAD_ORDER = N_("The order names other chapters than the study has.")
NOT_YOURS = N_("Only the players of this game may act in it.")
STALE = N_("The game has moved on; look at it again before you act.")
OVER = N_("The game is over.")
NOT_OVER = N_("The game is not over yet.")
NOT_YOUR_TURN = N_("It is not your turn.")
SERVER_PLAYS = N_("Only the server plays perfectly; no other device moves in its place.")
NOT_SOLVED = N_("Perfect play is for mangala only.")
NOT_ENGINES_TURN = N_("It is not the engine's turn.")
NO_HOLE = N_("There is no hole {hole}; holes are numbered 1 to {holes}.")
TUZ_HOLE = N_("Hole {hole} is a tuz; it cannot be sown.")
EMPTY_HOLE = N_("Hole {hole} is empty.")
NOTHING_TO_UNDO = N_("There is no move of yours to take back.")
NOTHING_TO_CLAIM = N_("There is no draw to claim in this position.")
TIME_OUT = N_("The time was up before this move.")
NO_DIALECT = N_("There is no such form of game record; there are {dialects}.")
NO_MOVES = N_("Nothing has been played yet; this form of record holds only moves.")
NO_LANGUAGE = N_("There is no such language here.")
BAD_FIELD = N_("The field {field} cannot be {value}; possible are {choices}.")
BAD_RATING = N_("The rating in this game is a whole number from {lowest} to {highest}, not {rating}.")
BAD_CLOCK = N_("The {field} cannot be {value}; give 1 to 999 minutes and 0 to 999 seconds for each turn.")
TWO_STARTS = N_("Choose a handicap or a position to begin with, not both.")
OVER_AT_START = N_("The game is already over in this position.")
NO_START = N_("This form of record cannot show where the game began; PGN can.")
NOBODY_LISTENS = N_("There is nobody here whom you could tell something.")
SAID_TOO_SOON = N_("Not so fast: wait a moment before you say something again.")
SAID_ENOUGH = N_("In one game you can say {count} phrases at most.")
NO_SLOW_GAMES = N_("A vacation is for correspondence games, and you have none.")
TOO_MANY_GAMES = N_("You have {count} unfinished games. Finish or resign one before you start another.")
TOO_MANY_SOCKETS = N_("Too many are watching this game already.")
TOO_MANY_STARTS = N_("You have started too many games in a short time. Wait a little before you start another.")
TOO_MANY_HERE = N_("Too many games were started from your network. Wait a little before you start another.")
TOO_MANY_VISITORS = N_("Too many new visitors came from your network. Wait a little.")
TOO_MANY_REQUESTS = N_("Too many requests came from your network. Try again in {seconds} s.")
TOO_MANY_BOARDS = N_("This board has sent the server too many requests in a short time. Wait a little.")
BUSY_DOOR = N_("Too many are signing in at the moment. Try again in a moment.")
TOO_MANY_GUESSES = N_("Too many wrong passwords. Wait a quarter of an hour, or use another way to sign in.")
TOO_MANY_ACCOUNTS = N_("Too many accounts were opened from here. Wait a little.")
TOO_MANY_ANSWERS = N_("Too many answers to puzzles came in a short time. Wait a little.")
TOO_MANY_CHANGES = N_("Too many changes in a short time. Wait a little.")
WRONG_PASSWORD = N_("The name or the password is wrong.")
WRONG_CODE = N_("The name or the recovery code is wrong, or the code was used before.")
PASSKEY_NAME = N_("Passkeys need a name of the site; {host} is an address.")
PASSKEY_LATE = N_("This took longer than five minutes, or was answered before. Begin again.")
PASSKEY_REFUSED = N_("The answer of the passkey cannot be verified: {reason}")
PASSKEY_UNKNOWN = N_("Nobody here has this passkey.")
PASSKEY_KNOWN = N_("This passkey is here already.")
NO_PASSKEY = N_("The account has no passkey.")
PASSKEY_LABEL = N_("A passkey has a label of 1 to {most} characters.")
PASSKEY_LAST = N_("This passkey is the only way into the account. Set a password first.")
MANY_PASSKEYS = N_("An account has at most {most} passkeys.")
MANY_BOTS = N_("An account has at most {most} bots.")
BLOCK_WHOM = N_("Give the name of a player or the address of a game, and not both.")
MANY_BLOCKS = N_("You can block at most {most} players.")
NO_OTHER = N_("There is no other player in this game.")
REPORT_LONG = N_("A report has at most {most} characters.")
REPORT_EMPTY = N_("Say in a few words what happened.")
TOO_MANY_REPORTS = N_("You have sent {most} reports within a day. The next can be sent later.")
MANY_TRUSTED = N_("A child's account knows at most {most} people.")
NOT_AGREED = N_("A child's account is opened only with your consent to the present text.")
NO_CHALLENGE = N_("There is no such invitation.")
NO_ROLE = N_("You have no role at this event that allows this.")
NO_STAND_BY = N_("This code of a second machine is wrong, or it was ended. The desk makes another one.")
OTHER_LOG = N_("What this machine holds is not the beginning of this event's log: line {line} differs.")
LED_ELSEWHERE = N_(
    "This machine does not lead the event any more: {machine} took over. Go to {address}. Nothing was stored."
)
NO_BOARD = N_("There is no game at this board.")
SHEET_CHANGED = N_("The scoresheet has changed meanwhile. Look again and confirm it.")
BOARD_OVER = N_("Round {round} is over, and its scoresheets are closed.")
NO_INVITATION = N_("This link or code is wrong, or it has ended. Ask the organiser for another.")
TOO_MANY_CODES = N_("Too many wrong codes. Wait a quarter of an hour, or use the link.")
NO_TABLE = N_("This code is wrong. Look at the card on your table again.")
TABLE_OVER = N_("This code was for round {round}, which is over. The card of the next round has another one.")
RESULT_STANDS = N_("Another result stands by now. Call a referee if it is wrong.")
NO_PHONES = N_("Results are not reported by phone here. Tell your result to a referee.")
MANY_TABLE_CODES = N_("Too many wrong codes came from here. Wait a minute and look at the card on your table again.")
NAME_YOURSELF = N_("Say your name: the log of the event needs it.")
NO_CLASS = N_("There is no such class, or you are not in it.")
WRONG_CLASS_CODE = N_("This code is wrong, or it has ended. Ask your trainer for another.")
TOO_MANY_CLASS_CODES = N_("Too many wrong codes. Wait a quarter of an hour.")
CLASS_OVER = N_("This class has ended.")
CLASS_NAME = N_("The name of a class has 1 to {most} letters.")
CLASS_END = N_("A class ends within a year from now.")
CLASS_FULL = N_("This class is full: it has {most} children.")
MANY_CLASSES = N_("A trainer has at most {most} classes at a time.")
MANY_TASKS = N_("A class has at most {most} tasks.")
NO_TASK = N_("There is no such task in this game.")
OTHER_ACCOUNT = N_("This belongs to somebody else.")
OTHER_MEMBER = N_("Somebody else is in the class on this device now.")
NICKNAME_LENGTH = N_("A nickname has {least} to {most} letters and digits.")
NICKNAME_TAKEN = N_("Somebody in this class is called so, or nearly so. Add a letter or a digit.")
NOTHING_DONE = N_("Nobody has done a task yet; there is nothing to print.")
NO_QUESTION = N_("This question is over.")
NO_PLAYER = N_("There is no player of that name.")
NOBODY = N_("Only players can do this. Open a page first, or become a guest and send the token.")
GUEST_RATED = N_("Guests play everything but rated games.")
LOCKED = N_("This account is locked.")
KEPT = N_(
    "You have left too many rated games. From {moment} on they are open to you again; all other games are open now."
)
RATED_CLOCK = N_("A rated game has a clock, or is played by correspondence.")
TWO_PEOPLE = N_("Rated games and games by the rules of a competition are for two people, each at their own device.")
CLOCK_NEEDED = N_("A game by the rules of a competition has a clock; it is not played by correspondence.")
BAD_TERMS = N_("These terms do not go together: {reason}")
RATED_START = N_("A rated game begins from the usual position, by the usual rules.")
BAD_CONTROL = N_("The clock cannot be {clock}; possible are none, minutes+seconds such as 10+5, and 1d to 14d.")
BAD_RULE = N_("The rules cannot have this option: {reason}")
BAD_DELAY = N_("Watchers see a game 0 to {most} seconds later, not {delay}.")
TOO_MANY_CHALLENGES = N_("You have {count} open invitations. Withdraw one before you make another.")
TOO_MANY_WAIT = N_("You are waiting for too many invitations at once. Close a page.")
NOT_STORED = N_("The server could not store this on disk, so it did not happen. Try again in a moment.")
NOTHING_PASTED = N_("There is no record and no position in this text.")
BAD_RECORD = (
    N_("The record cannot be read. Line {line}, move {number}, White: {reason}"),
    N_("The record cannot be read. Line {line}, move {number}, Black: {reason}"),
)
"""By the side to move at the fault."""
BAD_POSITION = N_("This is not a position of the game: {reason}")
BAD_MOVE = (N_("Move {number}, White: {reason}"), N_("Move {number}, Black: {reason}"))
"""By the side to move."""
OTHER_RULES = N_("This game of {game} was played with rules other than the usual ones.")
LONG_LINE = N_("The game is too long; up to {most} moves of both sides can be analysed here.")
BUSY = N_("The engine of the server has too much to do. Try again in a moment.")
NOT_UNDERSTOOD = N_("The request could not be understood.")
NO_SHEET = N_("These are no mistakes that can be printed: {reason}")
NO_PRINTING = N_('This server cannot print: its part "print" is not installed.')
NO_COMMAND = N_("This is not the JSON of a command: {reason}")
WRONG_METHOD = N_("This address cannot be used in that way.")
TOO_LARGE = N_("The request is too large.")
STRANGE_ORIGIN = N_("This request comes from a page of another site and was refused.")
STRANGE_HOST = N_(
    "This server does not answer under the name {host}. Its operator can allow the name with "
    "--allowed-host or --base-url."
)
NO_ADDRESS = N_("The proxy in front of this server does not tell where you come from. Its operator has to set it up.")
BAD_TOKEN = N_("This token was not made by this server.")
FORM_TOO_OLD = N_("This page is too old to be sent. Go back, reload it and try again.")
NOBODY_ASKS = N_(
    "The request does not say who sends it. A program sends the header Authorization: Bearer TOKEN; "
    "POST /api/guests gives a token."
)
BAD_ENDPOINT = N_("This browser's notices lead to an address to which this server sends nothing.")
BAD_ADDRESS = N_("This is not an e-mail address.")
NOT_REACHED = N_("The server cannot reach its stored games. Try again in a moment.")
DISK_FULL = N_("The server's disk is full: nothing can be stored.")
DATABASE_SILENT = N_("The server's database does not answer.")
DATABASE_LOST = N_("Another server has this server's database at present.")
OVERDUE = N_("This takes the server too long; it was given up. Try again later.")
STUCK = N_("Something hangs on this server ({pools}); it has to be started again.")
LEAVING = N_("The server is about to stop; another one takes over.")
BROKEN = N_("Something went wrong on the server. No move that was shown to you is lost.")

REFUSALS = {
    RefusedKind.OVER: OVER,
    RefusedKind.NOT_OVER: NOT_OVER,
    RefusedKind.NOT_BEGUN: N_("The game begins when both players are there."),
    RefusedKind.NOT_YOUR_TURN: NOT_YOUR_TURN,
    RefusedKind.MOVED_ON: STALE,
    RefusedKind.NO_HOLE: NO_HOLE,
    RefusedKind.EMPTY_HOLE: EMPTY_HOLE,
    RefusedKind.TUZ_HOLE: TUZ_HOLE,
    RefusedKind.OFFER_ALONE: N_("In this game a draw is offered together with a move."),
    RefusedKind.OFFER_STANDS: N_("You have offered a draw already."),
    RefusedKind.OFFER_TOO_SOON: N_("You can offer a draw again after your next move."),
    RefusedKind.NO_OFFER: N_("No draw is on offer."),
    RefusedKind.NO_TAKEBACKS: N_("No move is taken back in this game."),
    RefusedKind.NOTHING_TO_TAKE_BACK: NOTHING_TO_UNDO,
    RefusedKind.TAKEBACK_STANDS: N_("You have asked to take back already."),
    RefusedKind.TAKEBACK_DECLINED: N_("The opponent does not let you take back; play on."),
    RefusedKind.NO_TAKEBACK: N_("Nobody asks to take back."),
    RefusedKind.NO_MORE_TIME: N_("No time can be given in this game."),
    RefusedKind.TIME_IS_FULL: N_("The opponent has as much time as a clock can show."),
    RefusedKind.NO_VACATION: N_("A vacation is for correspondence games between two people."),
    RefusedKind.VACATION_TOO_LONG: N_("A vacation is 1 to {days} whole days."),
    RefusedKind.ALREADY_AWAY: N_("You are away already; end this vacation before you take another."),
    RefusedKind.NO_DAYS_LEFT: N_("Days of vacation that you can take now: {days}."),
    RefusedKind.TOO_LATE_TO_ABORT: N_("The game can no longer be called off; it can be resigned."),
    RefusedKind.NOT_IN_COMPETITION: N_("This does not exist in a game by the rules of a competition."),
    RefusedKind.ONLY_IN_COMPETITION: N_("This exists only in a game by the rules of a competition."),
    RefusedKind.NOT_GONE: N_("The opponent was there {seconds} s ago; you can claim the game after {limit} s."),
    RefusedKind.NEVER_GONE: N_("In this game you cannot claim that the opponent has left."),
    RefusedKind.NO_CLOCK: N_("This game has no clock."),
    RefusedKind.NOT_THEIR_TURN: N_("It is your own turn."),
    RefusedKind.NOT_PROVEN: N_("The result of this position is not proven."),
    RefusedKind.PROVEN_LOST: N_("This position is proven to be lost for you."),
    RefusedKind.PLAYS_ON: N_(
        "The opponent plays on. A proven result can be claimed when the opponent has gone or lets the time run."
    ),
    RefusedKind.OWN_CHALLENGE: N_("This is your own invitation; send its link to somebody."),
    RefusedKind.NOT_FOR_YOU: N_("This invitation is meant for somebody else."),
    RefusedKind.NOT_DECLINED: N_("This invitation is open to everybody and cannot be declined."),
    RefusedKind.NOT_YOURS: N_("Only the player who made this invitation can withdraw it."),
    RefusedKind.TAKEN: N_("Somebody has accepted this invitation already."),
    RefusedKind.DECLINED: N_("This invitation was declined."),
    RefusedKind.WITHDRAWN: N_("This invitation was withdrawn."),
    RefusedKind.EXPIRED: N_("This invitation is too old."),
    RefusedKind.RULED: "{reason}",
}
"""Refusals of commands in live play; the referee's refusals have their own sentences."""


ACCOUNT_REFUSALS = {
    AccountRefusedKind.NAME_LENGTH: N_("A name has {least} to {most} letters and digits."),
    AccountRefusedKind.NAME_CHARACTER: N_("A name cannot have {character}."),
    AccountRefusedKind.NAME_BEGINNING: N_("A name begins with a letter."),
    AccountRefusedKind.NAME_SEPARATORS: N_("In a name, - and _ stand alone between letters and digits."),
    AccountRefusedKind.NAME_SCRIPTS: N_("The letters of a name belong to one script."),
    AccountRefusedKind.NAME_RESERVED: N_("This name is kept for the site."),
    AccountRefusedKind.NAME_TAKEN: N_("This name, or one that looks like it, is taken."),
    AccountRefusedKind.PASSWORD_SHORT: N_("A password has at least {least} characters."),
    AccountRefusedKind.PASSWORD_LONG: N_("A password has at most {most} characters."),
    AccountRefusedKind.PASSWORD_COMMON: N_("This is one of the passwords that are tried first. Choose another."),
    AccountRefusedKind.PASSWORD_NAME: N_("The password is the name of the account. Choose another."),
    AccountRefusedKind.TOKEN_SCOPES: N_("A token is for something: choose at least one thing that it may do."),
    AccountRefusedKind.TOKEN_LABEL: N_("A token has a label of 1 to {most} characters."),
    AccountRefusedKind.TOKEN_DAYS: N_("A token lasts 1 to {most} days."),
    AccountRefusedKind.CODE_WRONG: N_("This is none of the unused recovery codes."),
    AccountRefusedKind.SIGN_IN: N_("Sign in first."),
    AccountRefusedKind.PROVE: N_("Give your password or passkey once more."),
    AccountRefusedKind.GUESTS: N_("This needs an account."),
    AccountRefusedKind.CHILDREN: N_("An adult does this for a child's account."),
    AccountRefusedKind.BOTS: N_("Bots do not do this."),
    AccountRefusedKind.OPERATORS: N_("The operator of the site does this."),
    AccountRefusedKind.LOCKED: N_("This account is locked."),
    AccountRefusedKind.NOT_BY_TOKEN: N_("This is not done with a token."),
    AccountRefusedKind.SCOPE: N_("This token is not for this; it lacks {scope}."),
    AccountRefusedKind.NOT_YOURS: N_("This belongs to somebody else."),
    AccountRefusedKind.YOURSELF: N_("This is done to others."),
    AccountRefusedKind.NOT_REACHABLE: N_("A game with this player is not possible."),
    AccountRefusedKind.NOT_FOUND: N_("There is no such player."),
    AccountRefusedKind.KEPT: N_("You have left too many games; rated games are open to you again later."),
    AccountRefusedKind.NO_ADULT: N_("An adult's account opens that of a child."),
    AccountRefusedKind.MANY_CHILDREN: N_("An account has at most {most} children's accounts."),
    AccountRefusedKind.SHORT_NAME: N_("The short name is the name itself; choose another that says less."),
    AccountRefusedKind.SHORT_DIGITS: N_("The short name of a child has no digits."),
}
"""Refusals that are about accounts."""


def refused_error(refused: Refused) -> ApiError:
    """A refusal that is about accounts, as the server answers it."""
    values: dict[str, Any] = dict(refused.arguments)
    return ApiError(refused.status, ACCOUNT_REFUSALS[refused.kind], **values)
