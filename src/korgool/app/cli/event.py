"""`korgool event`: a competition in one file, from the entry list to the final table."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from korgool.app.cli.group import NearGroup

EPILOG = """\b
Examples:
  korgool event new cup.korgool --name "Autumn Cup" --rounds 7
  korgool event import cup.korgool players.csv
  korgool event pair cup.korgool
  korgool event result cup.korgool 1 3 "1 (82) - 0 (60)"
  korgool event standings cup.korgool"""

_MODULES = (
    ("event_settings", {
        "new": "Create an event in a new file.",
        "change": "Change the regulations of an event.",
        "show": "Print the state of an event.",
    }),
    ("event_group", {
        "group": "Add, list, rename or remove groups of an event.",
    }),
    ("event_practice", {
        "practice": "Create a practice event of numbered players, or play it by chance.",
    }),
    ("event_entry", {
        "enter": "Enter a player.",
        "amend": "Change the entry of a player.",
        "personal": "Show or remove personal data.",
    }),
    ("event_photo", {
        "photo": "Give, fetch or remove the photograph of a player.",
    }),
    ("event_list", {
        "import": "Enter the players of a CSV or XLSX list, or import a TRF or JSON file.",
        "players": "List the players.",
    }),
    ("event_people", {
        "withdraw": "Take a player out of the coming rounds.",
        "readmit": "Let a withdrawn player come back.",
        "miss": "Give a player a bye in a coming round.",
        "warn": "Warn a player: the third warning costs a point, the fourth excludes.",
        "penalise": "Deduct points from a player.",
        "exclude": "Exclude a player.",
        "reinstate": "End an exclusion that was a mistake.",
        "team": "Enter or change a team, or show whether it may start.",
        "official": "Appoint or dismiss officials, or list them.",
    }),
    ("event_round", {
        "pair": "Pair and print the next round.",
        "unpair": "Take back the last round.",
        "repair": "Change the pairings of a round by hand.",
        "round": "Print a round with its results.",
        "explain": "Explain the pairing of a round in words.",
    }),
    ("event_game", {
        "result": "Enter or correct the result of a game.",
        "attach": "Attach the record of a game.",
        "special": "Choose a game for the special board.",
        "form": "Lend a record form, or take it back.",
    }),
    ("event_results", {
        "results": "Enter many results at once, or board by board.",
    }),
    ("event_log", {
        "undo": "Undo a line of the log on which nothing depends.",
    }),
    ("event_tables", {
        "standings": "Print the standings, or explain why one player stands above another.",
        "teams": "Print the standings of the teams.",
        "crosstable": "Print the cross table.",
    }),
    ("event_publish", {
        "publish": "Publish the standings, so that they can be checked later, or the public pages as files.",
    }),
    ("event_tables", {
        "prizes": "Print who gets which prize.",
    }),
    ("event_group", {
        "medals": "Print the medals and points of federations over all groups.",
    }),
    ("event_rate", {
        "rate": "Compute ratings over event files.",
    }),
    ("event_files", {
        "export": "Write TRF, CSV, JSON or the games of an event.",
        "print": "Print a paper of the event as PDF.",
    }),
    ("event_log", {
        "log": "Print what the officials did, or an earlier state.",
    }),
    ("event_publish", {
        "upload": "Make an event on a server from a file.",
        "download": "Write an event of a server to a file.",
        "follow": "Let a server show an event of another site.",
    }),
    ("event_stand_by", {
        "stand-by": "Keep an event of another machine here, line by line.",
    }),
    ("event_take_over", {
        "take-over": "Lead an event from the copy that is kept here.",
    }),
    ("event_log", {
        "check": "Pair and compute everything again, and report what differs.",
        "salvage": "Save the log of a damaged file up to the damage.",
    }),
)  # fmt: skip
SUMMARIES = {name: text for _, names in _MODULES for name, text in names.items()}
"""One-line help of every subcommand."""
_HOME = {name: module for module, names in _MODULES for name in names}


class EventCommands(NearGroup):
    """The subcommands, each imported when it is called; `NAME_command` in its module."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names, in the order of an event."""
        return list(SUMMARIES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, or None for an unknown one."""
        if cmd_name not in SUMMARIES:
            return None
        command: click.Command = getattr(
            import_module(f"korgool.app.cli.{_HOME[cmd_name]}"), f"{cmd_name.replace('-', '_')}_command"
        )
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of subcommands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(SUMMARIES.items()))

    def invoke(self, ctx: click.Context) -> Any:
        """Run a subcommand; if the event does not allow it, print a message and exit with status 1."""
        from korgool.app.cli.event_common import said
        from korgool.app.cli.group import InputError
        from korgool.competition.errors import CompetitionError

        try:
            return super().invoke(ctx)
        except CompetitionError as error:
            raise InputError(said(error)) from error
        except UnicodeEncodeError:
            raise InputError("a name or a reason is no text that could be kept; is it UTF-8?") from None


command = EventCommands(
    "event",
    help="""Run a competition: entries, pairings, results, standings, papers.

    An event is one file, which may be copied and mailed. Its log records every action with the time, the official
    (--by) and the reason. PLAYER is a number, or a name or its beginning. The game and its rules are chosen with
    --game and --rule when the event is created.
    """,
    epilog=EPILOG,
)
