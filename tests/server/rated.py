"""Accounts and rated games in a database, as briefly as a test needs them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from sqlalchemy import Engine

from korgool import live
from korgool.accounts import Way, name_key
from korgool.app.server.play.ratings import ways_of
from korgool.app.server.storage.journal import JournalEntry
from korgool.app.server.storage.schema import accounts
from korgool.app.server.storage.writer import Commit
from korgool.live import GameTerms, OnlineGame, Seat, SeatKind, journal, read_clock
from korgool.live.journal import Happening, happen
from korgool.rules import GAMES, Side

ANN, BOB, EVE = (name.ljust(22, name[0]) for name in ("ann", "bob", "eve"))
AT = 1_790_000_000_000
CLOCKS = ("2+0", "5+3", "10+5", "60+0", "3d")


def open_account(engine: Engine, *people: str, kind: str = "account", **more: object) -> None:
    """Accounts whose names are the beginnings of their identities."""
    with engine.begin() as connection:
        for who in people:
            name = who.rstrip(who[-1]) + who[-1]
            row = {"id": who, "kind": kind, "name": name, "key": name_key(name), "look": name, "made_ms": AT, **more}
            connection.execute(accounts.insert().values(row))


def rated(white: str = ANN, black: str = BOB, game: str = "toguz", clock: str = "10+5") -> GameTerms:
    """The terms of a rated game."""
    seats = Seat(SeatKind.PERSON, white), Seat(SeatKind.PERSON, black)
    return GameTerms(GAMES[game], seats, read_clock(clock), rated=True)


def told(address: str, terms: GameTerms, events: Sequence[Happening], at: int = AT) -> Commit:
    """A whole game as one commit: both come, and then happens what is given, a second each."""
    game, entries = OnlineGame.open(terms, at), list[JournalEntry]()
    ways: tuple[Way | None, Way | None] | None = None
    waits = terms.live and terms.friendly
    begin = (journal.Joined(Side.WHITE), journal.Joined(Side.BLACK), journal.Begun())
    for number, event in enumerate((*(begin if waits else begin[2:]), *events)):
        moment = at + 1000 * number
        after, _ = happen(game, event, moment)
        if after.over and not game.over and terms.rated:
            ways = ways_of(game, event, after, live.Facts())
        entries.append(JournalEntry(after.version, after.at, event))
        game = after
    return Commit(address, tuple(entries), game, new=True, ways=ways)


def random_events(terms: GameTerms, random: Random) -> list[Happening]:
    """A few moves and an ending: a loss, a draw, or a game that does not count."""
    position, events = terms.position(), list[Happening]()
    for _ in range(random.choice((0, 1, 2, 3, 4, 6))):
        hole = random.choice(position.legal_moves())
        events.append(journal.Moved(hole))
        position = position.play(hole)
    side = random.choice(list(Side))
    lost: tuple[Happening, ...] = (journal.Resigned(side),)
    draw: tuple[Happening, ...] = (journal.DrawOffered(side), journal.DrawAgreed(side.other))
    none: tuple[Happening, ...] = (journal.Aborted(side),)
    return [*events, *random.choice((lost, lost, draw, none if len(events) < 2 else draw))]


def random_games(seed: int, number: int, players: int = 20) -> list[Commit]:
    """So many finished games of a few people in all games and speeds; days pass between some of them."""
    random, at, found = Random(seed), AT, list[Commit]()
    names = [f"player{one:02}".ljust(22, "x") for one in range(players)]
    for one in range(number):
        at += random.choice((5_000, 60_000, 3_600_000, 40_000_000))
        white, black = random.sample(names, 2)
        terms = rated(white, black, random.choice(("toguz", "bestemshe")), random.choice(CLOCKS))
        found.append(told(f"{one:012}", terms, random_events(terms, random), at))
    return found
