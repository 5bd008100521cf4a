"""The options of all commands: each word with its one meaning, and what it takes.

Commands make their options here with `option`, which refuses a word that is not in the table. A word that was renamed
goes on working as a hidden one: `was` names it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from click.parser import _OptionParser as OptionParser


Decorated = TypeVar("Decorated", bound=Callable[..., Any])


class Takes(Enum):
    """Kind of value that an option takes."""

    NOTHING = "nothing"
    TEXT = "text"
    FORM = "text of a form"
    NUMBER = "number"
    CHOICE = "choice"
    SEED = "seed"
    TWO = "two values"
    FILE = "file"
    NEW_FILE = "new file"
    FOLDER = "folder"


class Word(NamedTuple):
    """A word of the command line.

    Attributes:
        takes: what follows it.
        meaning: what it says, in every command that has it.
    """

    takes: Takes
    meaning: str


class PathName(click.ParamType):  # type: ignore[type-arg]  # no older click knows a type there
    """The name of a file or folder, which the shell completes. Whether it can be used, the command finds out: a file
    that is wrong is wrong input (exit status 1) and no wrong usage.

    Args:
        what: FILE, NEW_FILE or FOLDER.
        as_path: give the command a `Path` and not the text.
    """

    name = "path"

    def __init__(self, what: Takes = Takes.FILE, *, as_path: bool = False) -> None:
        self.what, self.as_path = what, as_path

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name as text or `Path`."""
        if "\0" in str(value):
            self.fail("a name of a file has no NUL in it.", param, ctx)
        return Path(value) if self.as_path else value

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Leave it to the shell to complete files or folders."""
        return [CompletionItem(incomplete, type="dir" if self.what is Takes.FOLDER else "file")]


class WordOption(click.Option):
    """Option with former spellings, which neither its help nor the shell shows.

    Args:
        was: the former words.
        settings: as of `click.Option`.
    """

    def __init__(self, *declarations: Any, was: Sequence[str] = (), **settings: Any) -> None:
        super().__init__(*declarations, **settings)
        self.was = tuple(was)

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        """The value in its type. No option takes `nan` or `inf`, which are within every range or beyond comparison, and
        none a text in another encoding."""
        made = super().type_cast_value(ctx, value)
        for one in made if isinstance(made, tuple) else (made,):
            if isinstance(one, float) and not math.isfinite(one):
                raise click.BadParameter(f"{one} is not a number that can be used.", ctx=ctx, param=self)
            if isinstance(one, str) and self.type.name != PathName.name and not _encodable(one):
                raise click.BadParameter("it is no text in the encoding of the terminal; is it UTF-8?", ctx, self)
        return made

    def add_to_parser(self, parser: OptionParser, ctx: click.Context) -> None:
        """Let the parser know the former words too."""
        shown = self.opts
        self.opts = [*shown, *self.was]
        try:
            super().add_to_parser(parser, ctx)
        finally:
            self.opts = shown


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def option(*declarations: str, was: Sequence[str] = (), **settings: Any) -> Callable[[Decorated], Decorated]:
    """An option of a command, as `click.option` makes it, with what the table says of its word.

    Args:
        declarations: its words, and the name of the command's parameter.
        was: former words for the same.
        settings: as of `click.option`.

    Raises:
        LookupError: the table does not have the word.
    """
    word = next(name for name in declarations if name.startswith("--")).partition("/")[0]
    if word not in WORDS:
        raise LookupError(f"{word} is not in the table of options, korgool.app.cli.vocabulary")
    takes = WORDS[word].takes
    if takes is Takes.NOTHING and not any("/" in name for name in declarations):
        settings.setdefault("is_flag", True)
    elif takes in _PATHS:
        settings.setdefault("type", PathName(takes))
    return click.option(*declarations, cls=WordOption, was=was, **settings)


_PATHS = (Takes.FILE, Takes.NEW_FILE, Takes.FOLDER)
_TABLE = {
    Takes.NOTHING: {
        "--workings": "what a total is made of",
        "--accept-lost-letters": "names whose letters seem to be lost are accepted",
        "--adjudicate": "games end as soon as endgame tables know who wins",
        "--all": "everybody is meant",
        "--all-groups": "every group of an event is meant",
        "--bom": "a CSV begins with the mark of UTF-8",
        "--book": "the opening book that is shipped is used",
        "--changes": "what the last file changes is printed",
        "--check": "nothing is changed: it is tried whether it could be done",
        "--close": "a report has been dealt with",
        "--comes": "a player who was to miss a round comes after all",
        "--correct": "what was entered before is replaced",
        "--dismiss": "an official is dismissed",
        "--divide": "a count is split by the first move",
        "--dry-run": "a list is read, and nothing is entered",
        "--end": "an event is followed no more",
        "--engine-queue": "workers search for the server",
        "--even-so": "the command does it although something speaks against it",
        "--falling": "tables with three stones less for each tuz",
        "--from-log": "the record is the log of a referee",
        "--json": "JSON is printed, which is the same in every language",
        "--lan": "everybody in the local network can play",
        "--lenient": "positions whose stones do not add up are accepted",
        "--list": "every position is printed, and not their number",
        "--names": "names are removed too",
        "--namesake": "another person of the same name is meant",
        "--new": "a new game begins without a question",
        "--next": "the coming round is meant",
        "--no-emblem": "the event has no emblem from now on",
        "--no-names": "names are left out",
        "--odd": "odd numbers of stones too",
        "--once": "what there is is fetched, and the command ends",
        "--online": "flags and third repetitions need no call",
        "--open": "the page is opened in the browser",
        "--operator": "the account runs the site",
        "--password-stdin": "the password is read from standard input",
        "--penalised-progress": "third warnings lower Progress too",
        "--phones": "players report results by phone at their tables",
        "--players": "the players of a team event are ranked",
        "--reasons": "the reasons are written too",
        "--remove": "what was given before is removed",
        "--replace": "what is there makes room",
        "--reserved": "a name that is kept for the site may be used",
        "--resume": "an unfinished game goes on without a question",
        "--serve": "requests are read from standard input",
        "--set-points": "points of the sets count",
        "--several-prizes": "somebody may win several prizes of money",
        "--skip-bad": "the good lines of a list are entered, though others are bad",
        "--state": "the state of the game is printed after every line",
        "--tables": "endgame tables are used",
        "--with-personal": "personal data is included",
        "--yes": "no question is asked",
    },
    Takes.NUMBER: {
        "--at": "a line of the log: the event as it was after it",
        "--boards": "boards of a team match",
        "--cancel": "a warning that was a mistake",
        "--colours": "a board on which colours are exchanged",
        "--days": "days that something lasts",
        "--depth": "plies to search",
        "--drain": "seconds in which a server ends",
        "--exact": "seconds for comparing with perfect play",
        "--from": "the smallest number",
        "--from-year": "the first year of birth that is admitted",
        "--games": "games of a match",
        "--k": "the factor K of Elo",
        "--keep": "backups to keep",
        "--lag": "milliseconds deducted for each move",
        "--late": "seconds that a player may be late",
        "--lines": "moves to show",
        "--live-boards": "the first boards of a round that readers follow while they are played",
        "--live-delay": "seconds until readers see a move of a live board",
        "--lost": "a record form that was lost",
        "--memory": "the most memory, in MiB",
        "--most": "the most positions that are looked at",
        "--nodes": "positions to visit",
        "--play": "rounds to play by chance",
        "--points": "points of a penalty",
        "--port": "the port of the server",
        "--prizes": "places with a prize",
        "--puzzles": "puzzles of a set",
        "--rating": "a rating, of a player or of the engine",
        "--returned": "a record form that was returned",
        "--round": "a round of the event",
        "--rounds": "rounds of the event",
        "--seconds": "the most time for one piece of work",
        "--self-play": "games that the engine plays with itself",
        "--sets": "sets of a match",
        "--spoiled": "a record form that was returned spoiled",
        "--stones": "stones on the board",
        "--tau": "the constant tau of Glicko-2",
        "--team-best": "players who count for a team",
        "--team-board": "the board of a player in the team",
        "--threads": "what is done at the same time: searches, games or parts of a table",
        "--to-year": "the last year of birth that is admitted",
    },
    Takes.CHOICE: {
        "--rank-by": "what ranks federations first",
        "--admits": "who may enter an event",
        "--both-flags": "what two fallen flags mean",
        "--bye-points": "points of a bye that the pairing gives",
        "--cause": "why a game ended",
        "--edition": "the edition of the tie-break rules",
        "--game": "the game",
        "--language": "the language of what is printed; by default, that of the environment",
        "--level": "the strength of the engine",
        "--log-format": "the form of the log on standard error",
        "--log-level": "the least level of the log",
        "--method": "how ratings are computed",
        "--only-language": "public pages in this language alone",
        "--paper": "the size of the paper",
        "--resigned-korgools": "what a game not ended on the board counts for korgools in lost games",
        "--role": "the office of an official",
        "--scope": "what a token may do",
        "--sex": "the sex of a player",
        "--sharing": "how those with equal points share money",
        "--side": "the side of the person",
        "--sort": "the order of the lines",
        "--system": "how rounds are paired",
        "--table": "a table of the event",
        "--theme": "a theme of puzzles",
        "--to": "the dialect that is written",
        "--trf-edition": "the edition of the TRF",
        "--worth": "what a bye is worth",
    },
    Takes.SEED: {"--seed": "makes what chance decides repeatable"},
    Takes.TWO: {
        "--board": "a round and a board",
        "--fill": "a board and the player for its empty seat",
        "--lend": "a round and a board, whose record form is lent",
        "--only-boards": "the first and the last board that are printed",
        "--sprt": "the two hypotheses of the sequential test, in Elo",
        "--swap": "two players who are exchanged",
        "--why": "two players, one of whom stands above the other",
    },
    Takes.FILE: {
        "--before": "the previous rating list",
        "--limits": "the limits of a server, or off",
        "--openings": "openings for a match",
        "--emblem": "the picture of an organiser",
        "--record": "game records to read",
        "--referee-log": "the log of a referee",
        "--template": "the text of diplomas",
    },
    Takes.NEW_FILE: {
        "--csv": "where CSV is written",
        "--graph": "where the course of a game is drawn",
        "--log": "where the games of a match are noted, one JSON object a line",
        "--output": "where the result is written",
        "--records": "where game records are written",
        "--trf": "where the tournament report file is written",
        "--whole": "where all of the event is written as JSON",
        "--worst": "where the sheet of the worst moves is written",
        "--xlsx": "where the workbook is written",
    },
    Takes.FOLDER: {
        "--copies": "the folder into which events are copied",
        "--data": "the folder in which a server keeps its games, or a second machine its event",
        "--folder": "the folder in which the command keeps its files",
        "--prove": "the folder for a proof",
    },
    Takes.FORM: {
        "--arrow": "an arrow on the board",
        "--base-url": "the address under which people find it",
        "--born": "year or day of birth",
        "--bus": "how servers tell each other news",
        "--clock": "seconds on the clock of an engine, and those added by a turn",
        "--cluster": "the machines that do the work",
        "--consent-day": "when a guardian consented",
        "--control": "the time control of the event",
        "--database": "the database of a server by URL",
        "--delimiter": "what separates the cells of CSV",
        "--encoding": "the encoding of a list",
        "--follow-network": "a network in which events may be followed",
        "--forbid": "who is kept apart",
        "--head": "a head of the log",
        "--mail-from": "the address that e-mails come from",
        "--map": "what a column of a list holds",
        "--mark": "a hole that is marked",
        "--metrics": "the address of the figures for Prometheus",
        "--personal": "what the application asks for",
        "--preset": "named regulations",
        "--prize": "the prizes of the event",
        "--push": "the contact of web push",
        "--push-network": "a network to which web push is sent",
        "--rule": "a choice within the rules",
        "--seat": "two players for one more board",
        "--server": "a server by its address",
        "--shown": "what public pages show of a player",
        "--smtp": "the server for e-mails",
        "--tag": "a part of a record's head",
        "--tiebreaks": "tie-breaks in their order",
        "--timetable": "when rounds begin",
        "--trusted-proxy": "a proxy that is trusted",
        "--zone": "the time zone of the timetable",
    },
    Takes.TEXT: {
        "--allowed-host": "a name under which people reach the server",
        "--begins": "the first day of the event",
        "--borrower": "who borrows a record form",
        "--by": "the official who does it",
        "--bye": "a player without an opponent",
        "--captain": "the captain of a team",
        "--category": "the category of a judge",
        "--check-program": "a program that is tried, whether it speaks UGI",
        "--club": "the club of a player",
        "--coach": "a coach of a player",
        "--consent-how": "how a guardian consented",
        "--date": "a date that is printed",
        "--doctor": "who admitted a player",
        "--ends": "the last day of the event",
        "--external": "the number of a player in a federation",
        "--federation": "a federation",
        "--first-group": "the name of the group that was the whole event so far",
        "--group": "a group of an event, or where it has none one that is ranked by itself",
        "--guardian": "who consents for a minor",
        "--host": "the address on which a server listens",
        "--label": "what lists call a token",
        "--name": "the name of an event, of a player or of a machine",
        "--organiser": "the organiser of the event",
        "--passport": "series and number of a passport",
        "--place": "where the event is held",
        "--player": "a player of a team",
        "--position": "a position as text",
        "--ranked-group": "a group that is ranked by itself",
        "--reason": "the reason, for the log",
        "--rename": "a new name",
        "--sheet": "a sheet of a workbook",
        "--short": "the name on public pages",
        "--team": "the team of a player",
        "--title": "grade or title of a player",
        "--token": "the token of an account",
    },
}
WORDS = {word: Word(takes, meaning) for takes, words in _TABLE.items() for word, meaning in words.items()}
"""Every word, with what it takes and means. A word that can be negated stands here by its first form."""
