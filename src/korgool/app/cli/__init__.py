"""The command line: `korgool COMMAND`. The module of a command is loaded when it is called."""

from korgool.app.cli.group import Commands

main = Commands(
    "korgool",
    help="Toguz korgool, mangala and bestemshe: play, analyse, replay and draw.",
    homes={
        "backup": "backup",
        "restore": "backup",
        "replay": "records",
        "convert": "records",
        "perft": "perft",
        "bench": "perft",
    },
    epilog="`korgool COMMAND --help` explains a command and gives an example.",
    commands={
        "serve": "Run the web server on this machine.",
        "backup": "Copy everything that a web server keeps into one file, while it runs.",
        "restore": "Put a backup back, or see that it could be.",
        "doctor": "Say what is wrong with an installation, and what to type.",
        "account": "Look after the accounts of a web server: add, reset, lock, list.",
        "ratings": "Check the ratings of a server's players, or compute them anew.",
        "worker": "Search for servers that share a PostgreSQL database.",
        "play": "Play a game against the engine in the terminal.",
        "analyse": "Ask the engine for its best moves.",
        "solve": "Print the exact value of a position and of every move.",
        "replay": "Check game records and print how the games ended.",
        "convert": "Convert game records to another dialect.",
        "explorer": "Say what has been played in a position, in any number of games.",
        "diagram": "Draw a position as SVG or PNG.",
        "sheet": "Print the record form of a game as PDF, blank or filled.",
        "study": "Check a study, and print it as a booklet.",
        "referee": "Rule on the log of a competition game.",
        "event": "Run a competition in one file, from the entry list to the final table.",
        "engine": "Run the engine for other programs (UGI on standard input and output).",
        "arena": "Play a match between two engines or levels.",
        "perft": "Count move sequences of a given length.",
        "tables": "Build endgame tables, list and check them.",
        "puzzles": "Make puzzles of games, check and list them.",
        "bench": "Measure the speed of the engine.",
        "completion": "Print what lets the Tab key complete commands, options and files.",
    },
)
"""The `korgool` program, a click group that can be called without arguments."""

__all__ = ["main"]
