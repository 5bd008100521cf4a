"""All limits of a server as one record, read from a TOML file; the manual's page on limits is generated from it."""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from korgool.app.server.limits.token_bucket import Rate


class LimitsError(ValueError):
    """An invalid limit; the message names the file, the key and the reason."""


@dataclass(frozen=True, slots=True)
class ServiceLimits:
    """Limits of one session, one address and all callers together; None for a limit that is switched off.

    If a name begins with `session` or `player`, each session is counted separately; with `address`, everybody behind
    one address together. The limits of an address allow for a school class of 100 who play at the same time. `ABOUT`
    describes each limit.
    """

    connections: int | None = 10_000
    address_connections: int | None = 1_000
    headers_seconds: float | None = 10.0
    body_seconds: float | None = 20.0
    idle_seconds: float | None = 10.0
    stalled_seconds: float | None = 20.0
    ping_seconds: float | None = 20.0

    address_requests: Rate | None = Rate(100, "s", 10_000)
    running_requests: int | None = 8

    address_handshakes: Rate | None = Rate(20, "s", 400)
    player_messages: Rate | None = Rate(10, "s", 420)
    watcher_messages: Rate | None = Rate(1, "s", 30)
    session_messages: Rate | None = Rate(20, "s", 800)
    address_messages: Rate | None = Rate(1_000, "s", 40_000)
    player_sockets: int | None = 8
    watchers: int | None = 250
    address_watchers: int | None = 120

    session_games: Rate | None = Rate(2, "min", 110)
    address_games: Rate | None = Rate(60, "min", 1_000)
    address_visitors: Rate | None = Rate(20, "min", 200)
    unfinished_games: int | None = 100
    open_challenges: int | None = 20
    session_news: int | None = 8
    address_news: int | None = 300
    attended_seconds: float | None = 30.0
    offered_seconds: float | None = 10.0

    name_guesses: int | None = 10
    address_guesses: int | None = 100
    address_accounts: Rate | None = Rate(20, "h", 120)
    session_accounts: Rate | None = Rate(2, "h", 5)
    address_sign_ins: Rate | None = Rate(20, "min", 200)
    session_changes: Rate | None = Rate(2, "min", 30)
    address_changes: Rate | None = Rate(20, "min", 300)

    session_official: Rate | None = Rate(20, "s", 10_000)
    address_official: Rate | None = Rate(100, "s", 50_000)

    address_applicants: Rate | None = Rate(5, "min", 300)
    address_table_codes: Rate | None = Rate(20, "min", 300)
    session_tables: Rate | None = Rate(20, "min", 60)
    address_tables: Rate | None = Rate(20, "s", 2_000)
    session_sheets: Rate | None = Rate(1, "s", 600)
    address_sheets: Rate | None = Rate(100, "s", 10_000)

    session_boards: Rate | None = Rate(5, "s", 200)
    address_boards: Rate | None = Rate(50, "s", 2_000)
    session_puzzles: Rate | None = Rate(30, "min", 300)
    address_puzzles: Rate | None = Rate(20, "s", 6_000)
    session_waiting: int | None = 4
    address_waiting: int | None = 100
    shortest_search: float | None = 0.2


ABOUT = {
    "connections": "connections at once; never more than the process may open files, less 128",
    "address_connections": "connections of one address at once, never more than half of all; "
    "idle ones make room for new ones",
    "headers_seconds": "seconds in which the head of a request must have come",
    "body_seconds": "seconds until a body is whole; a longer one must bring 500 bytes a second",
    "idle_seconds": "seconds that a connection waits for its next request",
    "stalled_seconds": "seconds until an answer is taken whole; a longer one must be taken at 500 bytes a second",
    "ping_seconds": "seconds between two pings on a live connection, and those in which each must be answered",
    "address_requests": "requests of any kind",
    "running_requests": "requests worked on at once; the others wait, and in that queue addresses take turns",
    "address_handshakes": "live connections begun",
    "player_messages": "frames on one live connection of a player to their game: "
    "50 a second for 10 seconds, then 10 a second",
    "watcher_messages": "frames on one live connection of somebody who watches",
    "session_messages": "frames on all live connections of one session",
    "address_messages": "frames on all live connections of one address",
    "player_sockets": "live connections of a player to one game; one more closes the oldest of these",
    "watchers": "live connections of those who watch one game",
    "address_watchers": "of these, from one address",
    "session_games": "games started, rematches included, and challenges made and accepted",
    "address_games": "the same",
    "address_visitors": "first games of sessions that have started none yet, and guests that programs become",
    "unfinished_games": "games that one visitor may have going at once",
    "open_challenges": "challenges that one visitor may have open at once",
    "session_news": "requests that wait at once for news of a challenge",
    "address_news": "the same",
    "attended_seconds": "seconds after a look at a game in which the engine thinks there; "
    "where nobody looks or follows and no clock runs, it waits",
    "offered_seconds": "seconds after a look of its maker at their own offer in the lobby for which others see it, "
    "if the game has a clock for both or none; the time for which the maker asks to wait counts too",
    "name_guesses": "wrong passwords, and wrong recovery codes, for one name in a quarter of an hour, from wherever",
    "address_guesses": "the same for any names; and wrong codes of classes",
    "address_accounts": "accounts opened",
    "session_accounts": "the same",
    "address_sign_ins": "attempts to sign in, wrong or right",
    "session_changes": "tokens, recovery codes, bots, passwords and children's accounts made, passkeys added, players "
    "blocked, reports sent",
    "address_changes": "the same",
    "session_official": "what officials of events, and trainers of classes, send: forms and requests; each 300 bytes "
    "of officials count as one more",
    "address_official": "the same",
    "address_applicants": "people who apply for events, each of a coach's list",
    "address_table_codes": "wrong codes of tables; codes that are right go on",
    "session_tables": "what players send from a table of an event: results, photos of sheets, calls",
    "address_tables": "the same, of a whole hall",
    "session_sheets": "what a phone writes to the scoresheet of a board: sowings, corrections, confirmations",
    "address_sheets": "the same, of a whole hall",
    "session_boards": "requests of an analysis board, and of mistakes that come back, and studies, booklets and "
    "certificates; each 250 plies, each 20 cards and answers, each 2,000 letters of a study, each 10 certificates, and "
    "each 2 plies of an animated picture count as one more; a timed run of puzzles is ten, a sheet of mistakes eleven",
    "address_boards": "the same",
    "session_puzzles": "answers to puzzles that an account has counted, and reports of a device to a class; "
    "a timed run is one more",
    "address_puzzles": "the same",
    "session_waiting": "requests of an analysis board that wait for the engine at once",
    "address_waiting": "the same",
    "shortest_search": "seconds that a search of level 8 or of a board has, at least, while others wait for the engine",
}
"""Descriptions of the limits."""
OFF = ServiceLimits(**dict.fromkeys(ABOUT))
"""No limits at all, as load tests need it."""


def describe_limits() -> list[tuple[str, str, str]]:
    """Every limit: its name, its default as written in a file, and what it counts."""
    return [(one.name, _written(one.default), ABOUT[one.name]) for one in fields(ServiceLimits)]


def _written(default: object) -> str:
    return f'"{default}"' if isinstance(default, Rate) else str(default)


_DEFAULTS = {one.name: one.default for one in fields(ServiceLimits)}
_MOST = 1_000_000_000


def read_limits(path: Path) -> ServiceLimits:
    """The limits with the changes in a file; the others keep their defaults, and `"off"` switches one off.

    Raises:
        LimitsError: the file cannot be read or has invalid contents; the message names file, key and reason.
    """
    try:
        found = tomllib.loads(path.read_bytes().decode())
    except OSError as error:
        raise LimitsError(f"{path}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise LimitsError(f"{path}: is no TOML: {error}") from None
    values: dict[str, Any] = {}
    for key, value in found.items():
        if key not in _DEFAULTS:
            near = get_close_matches(key, _DEFAULTS, 1)
            advice = f"did you mean {near[0]}?" if near else "the manual lists all under 'Limits'"
            raise LimitsError(f"{path}: {key[:60]}: there is no such limit; {advice}")
        try:
            values[key] = None if value == "off" else _value(value, _DEFAULTS[key])
        except ValueError as error:
            raise LimitsError(f"{path}: {key}: {error}") from None
    return ServiceLimits(**values)


def _value(value: object, default: object) -> object:
    if isinstance(default, Rate):
        if not isinstance(value, str):
            raise ValueError("a rate is wanted, like '10/s, burst 400', or 'off'")
        return Rate.parse(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("a number is wanted, or 'off'")
    if not math.isfinite(value) or not 0 < value <= _MOST:
        raise ValueError(f"{value} cannot be; numbers go from above 0 to {_MOST:,}")
    if isinstance(default, int):
        if value != int(value):
            raise ValueError(f"{value} is no whole number")
        return int(value)
    return float(value)
