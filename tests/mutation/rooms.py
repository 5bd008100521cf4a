"""The rooms that mutants are drawn from, and the tests that must kill them: the only paths in this package."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
PACKAGE = SOURCE / "korgool"
STATE = ROOT / ".mutation"
"""Of git no concern: which line is reached by which tests, and the outcome of the last run."""
EDGE_DEAD = 0.75


@dataclass(frozen=True, slots=True)
class Room:
    """Code and its tests.

    Attributes:
        sources: patterns below the package.
        tests: folders or files below the root. A mutant may be killed by the tests of any room that is asked for.
        dead: share of the mutants that the tests must kill at least.
    """

    sources: tuple[str, ...]
    tests: tuple[str, ...]
    dead: float = 0.9


# A server's games by tests within one process, and those of guests and of owners, who need a server. What only a whole
# server would notice has no test of its own, and each start of one costs a trial seconds.
_INSIDE = (
    "answers asked_terms attendance blocks challenge_desk challenge_storage challenges commands competitions "
    "desk_people engine_room engine_seat event_doors event_transfer fixed_ratings followers following guests hall "
    "journal live messages moving new_game outages ownership people perfect phrases play player_doors proofs "
    "rated_ending rated_games reading records recount reviews schedules storage together told vacations versions "
    "watching wire work_desk"
)
# The pages and the API of people, events, analysis and the site: within one process but for analysis and bad input.
_PAGES = (
    "account_pages accounts analysis bad_input block_pages blocks children children_pages childrens_names competitions "
    "description desk_check_in desk_disputes desk_forms desk_hands desk_log desk_pages desk_pairing desk_papers "
    "desk_people desk_photos desk_tables desk_whole_event device_cookies event_doors event_pages following name_search "
    "pages_as_text passkey_accounts passkeys people player_doors reports reviews rights_of_doors sandbox security "
    "sign_ins wishes"
)
# Commands have their tests with what they are about.
_EVENT_COMMANDS = (
    "absentees by_hand cli_event cli_import cli_papers cli_rounds control lists_from_elsewhere photographs practice "
    "presets privacy prizes repair result_entry salvage slips tables_for_spreadsheets timetable undo workbook"
)
_COMMANDS = (
    "tests/arena/test_arena.py", "tests/notation/test_boards.py", "tests/openings/test_use.py",
    "tests/publishing/test_publish_command.py", "tests/server/test_recount.py", "tests/solving/test_command.py",
    "tests/tables/test_command.py",
)  # fmt: skip
# What turns an event into texts has its tests in several folders.
_TEXTS = ("tests/publishing", "tests/words", "tests/printing")
ROOMS = {
    "rules": Room(("rules/**/*.py",), ("tests/rules", "tests/docs/test_clause_examples.py")),
    "notation": Room(("notation/**/*.py",), ("tests/notation",)),
    "conduct": Room(("conduct/**/*.py",), ("tests/conduct",)),
    "accounts": Room(("accounts/*.py", "glicko.py"), ("tests/accounts", "tests/test_glicko.py")),
    "competition": Room(("competition/**/*.py",), ("tests/competition",)),
    "timing": Room(
        ("engine/timing.py", "engine/pace.py"), ("tests/engine/test_timing.py", "tests/engine/test_pace.py")
    ),
    "live": Room(("live/*.py",), ("tests/live",)),
    "training": Room(("training/*.py",), ("tests/training", "tests/cli/test_puzzles.py"), EDGE_DEAD),
    "server": Room(
        (
            *("app/server/play/*.py", "app/server/storage/*.py", "app/server/http/visitors.py"),
            *("app/server/people/person_repository.py", "app/server/people/profiles/p*_*.py"),
        ),
        tuple(f"tests/server/test_{name}.py" for name in _INSIDE.split()),
    ),
    "publishing": Room(("app/publishing/**/*.py",), _TEXTS, EDGE_DEAD),
    "words": Room(("app/words/**/*.py",), _TEXTS, EDGE_DEAD),
    "printing": Room(("app/printing/**/*.py",), ("tests/printing",), EDGE_DEAD),
    "cli": Room(
        ("app/cli/**/*.py",),
        ("tests/cli", *(f"tests/competition/test_{name}.py" for name in _EVENT_COMMANDS.split()), *_COMMANDS),
        EDGE_DEAD,
    ),
    "backup": Room(("app/backup/**/*.py",), ("tests/backup/test_backup.py", "tests/backup/test_places.py"), EDGE_DEAD),
    "doctor": Room(("app/doctor/**/*.py",), ("tests/doctor",), EDGE_DEAD),
    "pages": Room(
        tuple(f"app/server/{feature}/**/*.py" for feature in ("people", "events", "analysis", "site")),
        tuple(f"tests/server/test_{name}.py" for name in _PAGES.split()),
        EDGE_DEAD,
    ),
}
EDGE = ("publishing", "words", "printing", "cli", "backup", "doctor", "pages")
"""What turns the rules and the events into texts and pages, and reads what people type."""


def sources(room: str) -> list[Path]:
    """The files of a room.

    Raises:
        LookupError: a pattern fits no file; the file was moved or renamed.
    """
    found = []
    for pattern in ROOMS[room].sources:
        files = sorted(PACKAGE.glob(pattern))
        if not files:
            raise LookupError(f"no file of the room {room} is called {pattern}")
        found += files
    return found
