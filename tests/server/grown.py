"""A database as years of play leave it, made by SQL in seconds: for SQLite and for PostgreSQL.

Games and events are copies of a few that the program has written itself, so that pages can read them. One person, the
`hero`, has played a tenth of all games. Nothing is made by chance.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, Table, text

from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.storage.class_tables import class_members, class_results, class_tasks, classes
from korgool.app.server.storage.database import Storage
from korgool.app.server.storage.event_tables import (
    competition_log,
    competition_personal,
    competition_roles,
    competitions,
    followed_events,
)
from korgool.app.server.storage.schema import (
    accounts,
    blocks,
    ceremonies,
    challenges,
    consents,
    evaluations,
    events,
    games,
    guesses,
    mail_addresses,
    marks,
    outages,
    passkeys,
    push_subscriptions,
    rated_games,
    recovery_codes,
    reports,
    seats,
    sessions,
    sign_ins,
    standings,
    tokens,
    trusted,
    vacations,
)
from korgool.live import GameTerms, Seat, SeatKind, journal, read_clock
from korgool.rules import GAMES, Side

from .rated import AT, told

CLASS = "heroines"
"""The class of the hero."""
YEARS_MS = 2 * 365 * 86_400_000
DAY_MS = 86_400_000
_RATED, _ENGINE, _RUNNING = "template0001", "template0002", "template0003"


@dataclass(frozen=True)
class Size:
    """How much of everything; events of federations are copies of one that is there already."""

    games: int
    accounts: int


def account(number: str) -> str:
    """SQL for the identity of an account by its number."""
    return f"'acc' || (1000000000000000000 + {number})"


def game(number: str) -> str:
    """SQL for the address of a game by its number."""
    return f"'' || (100000000000 + {number})"


def grow(storage: Storage, hero: str, size: Size, event: str | None = None) -> None:
    """Fill the tables.

    Args:
        storage: with the account of the hero, and with an event.
        hero: who has played every tenth game.
        size: how much.
        event: what is copied.
    """
    people = (Seat(SeatKind.PERSON, hero), Seat(SeatKind.PERSON, "guest".ljust(22, "0")))
    rated = GameTerms(GAMES["toguz"], people, read_clock("3d"), rated=True)
    engine = GameTerms(GAMES["toguz"], (people[0], Seat(SeatKind.ENGINE, "", 3)), read_clock("none"))
    moved = (journal.Moved(1), journal.Moved(1))
    for address, terms, happens in (
        (_RATED, rated, (*moved, journal.Resigned(Side.WHITE))),
        (_ENGINE, engine, moved),
        (_RUNNING, rated, moved),
    ):
        storage.writer.submit(told(address, terms, happens)).result(60)
    with storage.engine.begin() as connection:
        _Growing(connection, hero, size, now_ms()).everything(event)


class _Growing:
    def __init__(self, connection: Connection, hero: str, size: Size, now: int) -> None:
        self.connection, self.hero, self.size, self.now = connection, hero, size, now

    def run(self, statement: str) -> None:
        self.connection.execute(text(statement))

    def copies(self, table: Table, source: str, which: str, **other: str) -> None:
        """Copy rows of a table, for each number of a source, with other columns."""
        names = [column.name for column in table.columns if column.name != "seq" or table is not rated_games]
        chosen = ", ".join(other.get(name, f't."{name}"') for name in names)
        listed = ", ".join(f'"{name}"' for name in names)
        self.run(f'INSERT INTO "{table.name}" ({listed}) SELECT {chosen} FROM "{table.name}" t, {source} WHERE {which}')

    def numbers(self, name: str, count: int) -> None:
        """A table of numbers from 0 on."""
        self.run(f"CREATE TEMPORARY TABLE {name} (n BIGINT PRIMARY KEY)")
        self.run(
            f"INSERT INTO {name} WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n < {count - 1}) "
            "SELECT n FROM c"
        )

    def everything(self, event: str | None) -> None:
        self.numbers("one_each", self.size.accounts)
        self.numbers("games_each", self.size.games)
        self.accounts()
        self.games()
        self.people()
        self.challenges()
        if event is not None:
            self.events(event)
        self.classes()
        for name in ("one_each", "games_each"):
            self.run(f"DROP TABLE {name}")

    def rows(self, table: Table, source: str, values: Mapping[str, str], where: str = "true") -> None:
        """Insert a row for each number of a source."""
        listed, chosen = ", ".join(f'"{name}"' for name in values), ", ".join(values.values())
        self.run(f'INSERT INTO "{table.name}" ({listed}) SELECT {chosen} FROM {source} WHERE {where}')

    def accounts(self) -> None:
        one = account("n")
        child = "n % 20 = 7"
        values = {
            "id": one,
            "kind": f"CASE WHEN {child} THEN 'child' ELSE 'account' END",
            "name": "'Grown' || n",
            "key": "'grown' || n",
            "look": "'grown' || n",
            "short": f"CASE WHEN {child} THEN 'Kid' || n END",
            "guardian": f"CASE WHEN {child} THEN {account('(n - 1)')} END",
            "made_ms": f"{AT} + n",
            "locked_ms": "CASE WHEN n % 997 = 3 THEN 5 END",
        }
        self.rows(accounts, "one_each", values, "n % 20 <> 7")
        self.rows(accounts, "one_each", values, "n % 20 = 7")
        self.run(f"UPDATE accounts SET guardian = '{self.hero}' WHERE id = ({account('7')})")

    def games(self) -> None:
        size, count = self.size, self.size.accounts
        step = YEARS_MS // size.games
        # the last twentieth of the games began within a day
        recent = size.games - size.games // 20
        started = (
            f"(CASE WHEN n < {recent} THEN {self.now - YEARS_MS} + n * CAST({step} AS BIGINT) "
            f"ELSE {self.now - DAY_MS} + (n - {recent}) * CAST({DAY_MS // (size.games // 20 + 1)} AS BIGINT) END)"
        )
        white = f"CASE WHEN n % 10 = 0 THEN '{self.hero}' ELSE {account(f'(n * 7919 % {count})')} END"
        black = account(f"((n * 104729 + n / 10) % {count})")
        won = "CASE WHEN n % 3 = 0 THEN '1 (82) - 0 (60)' ELSE '0 (0) - 1 (0)' END"
        for template, which, more in (
            (_RATED, "n % 10 < 7 AND n % 10 <> 5", {"result_text": won}),
            (_RATED, "n % 10 = 8", {"rated": "0"}),
            (_RATED, "n % 10 = 5", {"delay_s": "300"}),
            (_ENGINE, "n % 10 = 7", {}),
            (_RUNNING, "n % 10 = 9", {"due_ms": f"{self.now} + 1000 * CAST(n AS BIGINT) + 3600000"}),
        ):
            self.copies(
                games,
                "games_each",
                f"t.id = '{template}' AND {which}",
                id=game("n"),
                started_ms=started,
                ended_ms=f"CASE WHEN t.ended_ms IS NULL THEN NULL ELSE {started} + 60000 END",
                **more,
            )
            self.copies(
                seats,
                "games_each",
                f"t.game_id = '{template}' AND {which}",
                game_id=game("n"),
                who=f"CASE WHEN t.kind = 'engine' THEN '' WHEN t.side = 0 THEN {white} ELSE {black} END",
                started_ms=started,
            )
            self.copies(events, "games_each", f"t.game_id = '{template}' AND {which}", game_id=game("n"))
        called_off = "termination = 'aborted', result_text = NULL, due_ms = NULL, ended_ms = started_ms + 5"
        self.run(f"UPDATE games SET {called_off} WHERE termination IS NULL AND due_ms IS NOT NULL AND id LIKE '%19'")
        self.run("UPDATE seats SET running = 0 WHERE game_id IN (SELECT id FROM games WHERE termination = 'aborted')")
        self.rows(
            rated_games,
            "games_each",
            {
                "game_id": game("n"),
                "game": "CASE WHEN n % 4 = 0 THEN 'bestemshe' ELSE 'toguz' END",
                "speed": "CASE WHEN n % 3 = 0 THEN 'blitz' ELSE 'rapid' END",
                "at_ms": f"{started} + 60000",
                "seq": "n + 100",
                "plies": "2",
                "white": white,
                "black": black,
                "white_half_points": "0",
                "black_half_points": "2",
                **{
                    f"{side}{what}_{when}": str(value)
                    for side in ("white", "black")
                    for when in ("before", "after")
                    for what, value in (("", 1500), ("_deviation", 80))
                },
            },
            "n % 10 < 7",
        )
        for side, who in ((0, white), (1, black)):
            self.rows(
                marks,
                "games_each",
                {"game_id": game("n"), "account": who, "way": "'played'", "at_ms": f"{started} + 60000"},
                f"n % 10 < 7 AND n % 2 = {side}",
            )
        evaluated = ", ".join(f'{{"ply": {ply}, "evaluation": 0}}' for ply in range(3)).join("[]")
        self.rows(evaluations, "games_each", {"game_id": game("n"), "payload": f"'{evaluated}'"}, "n % 10 = 0")

    def people(self) -> None:
        one = account("n")
        for kind in ("toguz", "bestemshe"):
            for speed in ("blitz", "rapid"):
                self.rows(
                    standings,
                    "one_each",
                    {
                        "account": one,
                        "game": f"'{kind}'",
                        "speed": f"'{speed}'",
                        "rating": "1000 + n * 7919 % 1000 + n / 1000.0",
                        "deviation": "CASE WHEN n % 3 = 0 THEN 60 ELSE 200 END",
                        "volatility": "0.06",
                        "games": "10",
                        "at_ms": str(self.now - DAY_MS),
                        "seq": "1",
                        "fixed": "0",
                    },
                )
        at = f"{self.now} - 1000 * CAST(n AS BIGINT)"
        ended = f"CASE WHEN n % 2 = 0 THEN {at} - 86400000 END"
        other = account(f"((n + 1) % {self.size.accounts})")
        key = {"id": "'s' || n", "account": one, "digest": "'d' || n"}
        push = {"endpoint": "'https://push.example/' || n", "p256dh": "'p'", "auth": "'a'", "language": "'en'"}
        credential = {"credential": "'c'", "public_key": "'k'", "uses": "1", "label": "'l'"}
        rows: list[tuple[Table, dict[str, str]]] = [
            (sessions, {**key, "begun_ms": at, "seen_ms": at, "proved_ms": "0", "device": "''", "ended_ms": ended}),
            (
                tokens,
                {
                    **key,
                    "scopes": "'play'",
                    "label": "'t'",
                    "made_ms": at,
                    "expires_ms": f"{at} + 1000000000",
                    "ended_ms": ended,
                },
            ),
            (recovery_codes, {"digest": "'d' || n", "account": one, "made_ms": at}),
            (sign_ins, {"id": "'s' || n", "account": one, "at_ms": at, "way": "'password'", "device": "''"}),
            (guesses, {"subject": "'g' || n", "failed": "1", "began_ms": at}),
            (passkeys, {"digest": "'d' || n", "account": one, **credential, "made_ms": at}),
            (ceremonies, {"id": "'d' || n", "challenge": "'c'", "expires_ms": at}),
            (blocks, {"account": one, "blocked": other, "at_ms": at}),
            (
                reports,
                {
                    "id": "'r' || n",
                    "reporter": one,
                    "about": other,
                    "words": "'w'",
                    "at_ms": at,
                    "closed_ms": f"CASE WHEN n % 5 > 0 THEN {at} END",
                },
            ),
            (vacations, {"who": one, "began_ms": at, "until_ms": f"{at} + 86400000"}),
            (push_subscriptions, {"id": "'p' || n", "who": one, **push, "made_ms": at, "failures": "0"}),
            (
                mail_addresses,
                {
                    "who": one,
                    "address": "'a' || n || '@example.org'",
                    "language": "'en'",
                    "token": "'t' || n",
                    "asked_ms": at,
                    "confirmed_ms": at,
                },
            ),
        ]
        for table, values in rows:
            self.rows(table, "one_each", values)
        adult, child = account("(n - 1)"), "n % 20 = 7"
        consent = {"child": one, "guardian": adult, "at_ms": at, "wording": "'1'"}
        self.rows(consents, "one_each", consent, child)
        self.rows(trusted, "one_each", {"child": one, "who": adult, "at_ms": at}, child)
        self.rows(outages, "one_each", {"began_ms": f"{at} - 99", "ended_ms": at}, "n < 500")

    def challenges(self) -> None:
        at = f"{self.now} + 1000 * (CAST(n AS BIGINT) - {self.size.games // 2})"
        values = {
            "id": "'' || (200000000000 + n)",
            "maker": account(f"(n * 31 % {self.size.accounts})"),
            "game": "'toguz'",
            "clock": "'10+5'",
            "side": "'random'",
            "conduct": "'friendly'",
            "rated": "0",
            "delay_s": "0",
            "way": "CASE WHEN n % 4 = 0 THEN 'lobby' ELSE 'link' END",
            "addressee": "''",
            "expires_ms": at,
            "state": "CASE WHEN n % 7 = 0 THEN 'open' ELSE 'accepted' END",
            "by": "''",
            "result": f"CASE WHEN n % 7 <> 0 THEN {game('n')} END",
        }
        self.rows(challenges, "games_each", values)

    def events(self, event: str) -> None:
        """Copies of an event of its own."""
        source = f"(SELECT n FROM one_each WHERE n < {self.size.accounts // 10}) one_each"
        name = "'e' || (1000000 + n)"
        self.copies(competitions, source, f"t.id = '{event}'", id=name, public="n % 2", changed_ms="t.changed_ms - n")
        self.copies(competition_log, source, f"t.competition = '{event}'", competition=name)
        self.copies(competition_personal, source, f"t.competition = '{event}'", competition=name)
        self.copies(
            competition_roles,
            source,
            f"t.competition = '{event}'",
            id="'r' || n || t.id",
            competition=name,
            account=account("n"),
        )
        followed = {
            "id": "'f' || (1000000 + n)",
            "maker": account("n"),
            "address": "'https://example.org/' || n",
            "name": "'F' || n",
            "snapshot": "'{}'",
            **dict.fromkeys(("version", "validator", "problem"), "''"),
            **dict.fromkeys(("made_ms", "changed_ms", "confirmed_ms", "asked_ms"), f"{self.now} - n"),
        }
        self.rows(followed_events, "one_each", followed, f"n < {self.size.accounts // 100}")

    def classes(self) -> None:
        """A class of each account with two tasks, and one of the hero with many children, of whom the hero is one."""
        made = {"name": "'C'", "game": "'toguz'", "language": "'ky'", "shown": "0"}
        made |= {"made_ms": f"{self.now}", "code_until_ms": f"{self.now}", "ends_ms": f"{self.now + YEARS_MS}"}
        child = {"name": "'Kid' || n", "look": "'kid' || n", "joined_ms": f"{self.now}"}
        done = {"id": "'r'", "task": "1", "part": "0", "value": "3", "at_ms": f"{self.now}"}
        task = {"puzzles": "'[]'", "made_ms": f"{self.now - DAY_MS}"}
        each = "'c' || (1000000 + n)"
        for id_, trainer, where in ((each, account("n"), "true"), (f"'{CLASS}'", f"'{self.hero}'", "n = 0")):
            self.rows(classes, "one_each", {**made, "id": id_, "trainer": trainer}, where)
            for number, kind, what in ((1, "stop", "sow"), (2, "game", "1")):
                told = {"number": str(number), "kind": f"'{kind}'", "what": f"'{what}'"}
                self.rows(class_tasks, "one_each", {**task, **told, "class_id": id_}, where)
        for id_, who, where in (
            (each, account("n"), "true"),
            (f"'{CLASS}'", account("n"), "n < 300"),
            (f"'{CLASS}'", f"'{self.hero}'", "n = 300"),
        ):
            self.rows(class_members, "one_each", {**child, "class_id": id_, "number": "n + 1", "who": who}, where)
            self.rows(class_results, "one_each", {**done, "class_id": id_, "member": "n + 1"}, where)
