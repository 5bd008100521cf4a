"""Every field and every command that searches people finds them by what the keyboard of a phone can type.

The scripts of the pages are tried in `tests/page/test_name_search.py` with the same names.
"""

from __future__ import annotations

import html
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import quote

import click
import pytest
from click.testing import CliRunner

from korgool.accounts import name_key
from korgool.app.cli import main
from korgool.app.cli.event import command as event_command
from korgool.app.publishing import Circumstances, EventFigures, render_page
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.limits import OFF
from korgool.app.server.storage.database import Storage
from korgool.competition import EventFile, commands
from korgool.competition.model import Entry, Role, Settings, System
from korgool.competition.pairing import GacruxHere
from korgool.live import journal
from korgool.rules import Side
from tests.competition.program import call, lines, refused
from tests.name_pairs import NAMES, PAIRS, STRANGER
from tests.patience import PATIENCE
from tests.publishing.test_event_pages import SITE
from tests.slices import drawn

from .asked_inside import asked_inside
from .desk_events import AtDesk, at_desk, competitions_of
from .members import Site, on_site
from .rated import ANN, AT, open_account, rated, told

CUP = Settings(name="Cup", rounds=3)
EVERY = (*NAMES, STRANGER)


def entry_of(name: str) -> Entry:
    family, _, given = name.partition(", ")
    return Entry(family=family, given=given, sex="m", born=2001)


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An event file with everybody, and officials of the same names."""
    path = tmp_path_factory.mktemp("names") / "cup.korgool"
    with EventFile.create(path, CUP, by="Ann") as file:
        commands.enter_all(file, [(entry_of(name), None) for name in EVERY], by="Ann")
        for name in EVERY:
            commands.appoint(file, name, Role.REFEREE, by="Ann")
    return path


@pytest.fixture(scope="module")
def paired(cup: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = Path(shutil.copy(cup, tmp_path_factory.mktemp("paired")))
    with EventFile.open(path) as file:
        commands.pair(file, by="Ann", lot="a", engine=GacruxHere())
    return path


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A team event whose teams have these names, with a player each."""
    path = tmp_path_factory.mktemp("teams") / "league.korgool"
    with EventFile.create(
        path, Settings(name="League", rounds=1, system=System.TEAM_SWISS, boards=1), by="Ann"
    ) as file:
        people = [(Entry(family=f"Player {at}", team=name, board=1), None) for at, name in enumerate(EVERY)]
        commands.enter_all(file, people, by="Ann")
    return path


COMMANDS: dict[str, Callable[[str], Sequence[object]]] = {
    "amend PLAYER": lambda name: ("amend", name, "--club", "x"),
    "personal PLAYER": lambda name: ("personal", name),
    "photo PLAYER": lambda name: ("photo", name),
    "withdraw PLAYER": lambda name: ("withdraw", name),
    "miss PLAYER": lambda name: ("miss", name, 1),
    "warn PLAYER": lambda name: ("warn", name, "--reason", "x"),
    "penalise PLAYER": lambda name: ("penalise", name, "--reason", "x"),
    "exclude PLAYER": lambda name: ("exclude", name, "--reason", "x"),
    "official NAME": lambda name: ("official", name, "--dismiss", "--reason", "x"),
}
"""A call for every command of `korgool event` that takes the name of a person, except those that are
tried below one by one."""
WITHOUT_SEARCH = {
    "new --name", "change --name", "enter --name", "amend --name", "enter --coach", "amend --coach", "enter --guardian",
    "amend --guardian", "enter --group", "amend --group", "team --captain", "form --borrower",  # written down
    "stand-by --name", "take-over --name",  # of machines
    "new --preset", "new --zone", "change --zone", "import --encoding", "import --sheet",  # of other things
    "amend --ranked-group", "enter --ranked-group", "standings --ranked-group", "crosstable --ranked-group",
    "print --ranked-group", "group --first-group", "group --name", "group --preset", "group --zone",
    "change --group", "show --group", "personal --group", "photo --group", "import --group", "players --group",
    "withdraw --group", "readmit --group", "miss --group", "warn --group", "penalise --group", "exclude --group",
    "reinstate --group", "team --group", "pair --group", "unpair --group", "repair --group", "round --group",
    "explain --group", "result --group", "attach --group", "special --group", "form --group", "results --group",
    "undo --group", "standings --group", "teams --group", "crosstable --group", "publish --group", "prizes --group",
    "rate --group", "export --group", "print --group", "log --group", "check --group",
    # groups are named exactly
}  # fmt: skip
ELSEWHERE = {
    "readmit PLAYER",
    "reinstate PLAYER",
    "team NAME",
    "team --player",
    "repair --bye",
    "repair --swap",
    "standings --why",
}


def test_every_command_that_takes_a_name_is_here() -> None:
    found = set()
    context = click.Context(event_command)
    for name in event_command.list_commands(context):
        command = event_command.get_command(context, name)
        assert command is not None
        for one in command.params:
            word = (one.metavar or one.name or "").upper()
            if one.name == "name" or word in ("NAME", "PLAYER", "A B"):
                found.add(f"{name} {one.opts[0] if isinstance(one, click.Option) else word}")
    assert found == set(COMMANDS) | WITHOUT_SEARCH | ELSEWHERE


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("pair", drawn("names for commands", PAIRS, 4))
def test_a_command_takes_what_a_phone_can_type(cup: Path, tmp_path: Path, command: str, pair: tuple[str, str]) -> None:
    name, typed = pair
    path = Path(shutil.copy(cup, tmp_path))
    verb, *words = COMMANDS[command](typed)
    (line, *_) = lines(verb, path, *words)
    assert line["name"] == name


def test_names_where_two_are_given_or_an_option_takes_them(cup: Path, paired: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(cup, tmp_path / "before.korgool"))
    call("withdraw", path, "омурбеков")
    assert lines("readmit", path, "бакыт омурбеков")[0]["name"] == "Өмүрбеков, Бакыт"
    call("exclude", path, "semyonov", "--reason", "x")
    assert lines("reinstate", path, "петр семенов", "--reason", "x")[0]["name"] == "Семёнов, Пётр"
    path = Path(shutil.copy(paired, tmp_path))
    (why,) = lines("standings", path, "--why", "омурбеков", "ilker")
    with EventFile.open(path) as file:
        about = {file.state.player(one).name for one in (why["above"], why["below"])}
        assert about == {"Өмүрбеков, Бакыт", "İlker, Deniz"}
        ids = {file.state.player(name).id for name in ("Өмүрбеков, Бакыт", "Семёнов, Пётр")}
        before = file.state.rounds[0].games
        call("repair", path, "--swap", "омурбеков", "semyonov", "--reason", "x")
        after = file.refresh().rounds[0].games
    changed = [one for one in before if one not in after]
    assert changed
    assert all(ids & {one.white, one.black} for one in changed)


@pytest.mark.parametrize("pair", drawn("names of teams", PAIRS, 4))
def test_a_team_is_found(league: Path, pair: tuple[str, str]) -> None:
    name, typed = pair
    assert lines("team", league, typed)[0]["name"] == name


def test_who_may_be_meant_is_told_and_nothing_is_done(tmp_path: Path) -> None:
    path = tmp_path / "two.korgool"
    with EventFile.create(path, CUP, by="Ann") as file:
        for name in ("Өмүрбеков, Бакыт", "Омурбекова, Бакыт", "Омурбекова, Асел"):
            commands.enter(file, entry_of(name), by="Ann")
            commands.appoint(file, name, Role.REFEREE, by="Ann")
        before = file.state.actions
    said = refused("warn", path, "омурбек бакыт", "--reason", "x")
    assert "may be any of 1 Өмүрбеков, Бакыт, 2 Омурбекова, Бакыт; give the number" in said
    assert "Асел" not in said
    said = refused("official", path, "бакыт", "--dismiss", "--reason", "x")
    assert "may be any of Өмүрбеков, Бакыт; Омурбекова, Бакыт; give the whole name" in said
    with EventFile.open(path) as file:
        assert file.state.actions == before


@pytest.mark.parametrize("page", ["entries", "rounds/1", "rounds/1/names", "standings"])
def test_the_public_pages_are_searched(paired: Path, page: str) -> None:
    with EventFile.open(paired) as file:
        figures = EventFigures(file.state)
        (met,) = (
            game for game in file.state.rounds[0].games if file.state.player(STRANGER).id in (game.white, game.black)
        )
        strangers = {file.state.players[id_].name for id_ in (met.white, met.black)}
    for name, typed in PAIRS:
        made = render_page(figures, page, Circumstances(language="en", place=SITE, query=typed)).decode()
        found = html.unescape(made.partition('id="nobody"')[2])
        assert name in found, typed
        assert STRANGER not in found or (page.startswith("rounds") and name in strangers), typed


FIELDS = {"players": "/players?q=", "players of earlier events": "/players?known=", "log": "/log?q="}
"""The fields of the desk by the beginnings of their addresses."""


@pytest.mark.parametrize("part", drawn("names at the desk", range(5)))
def test_every_field_of_the_desk(tmp_path: Path, part: int) -> None:
    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", CUP)
        entries = [entry_of(name) for name in EVERY]
        await ann.do(*({"do": "enter", "entry": {"family": one.family, "given": one.given}} for one in entries))
        later = AtDesk(ann.browser, await competitions_of(site).make(ann.officer, CUP), ann.officer)
        wrong = []
        for field, path in FIELDS.items():
            for name, typed in PAIRS[part::5]:
                page = await (later if "known" in path else ann).look(path + quote(typed))
                found = page.partition('role="search"')[2]
                wrong += [(field, typed)] if name not in found or STRANGER in found else []
        assert wrong == []

    on_site(tmp_path, test)


PEOPLE = {"i": "İlker", "o": "Өмүрбеков", "s": "Семёнов", "k": "Kuböoğlu", "z": "Жээнбеков"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A server's data: Ann has played a game with each of these accounts, whose first letter is its address."""
    path = tmp_path_factory.mktemp("accounts")
    storage = Storage.open(ServerSettings(data=path))
    open_account(storage.engine, ANN)
    for letter, name in PEOPLE.items():
        open_account(storage.engine, letter * 22, name=name, key=name_key(name), look=name)
        game = told(letter * 12, rated(ANN, letter * 22), (journal.Resigned(Side.WHITE),), AT)
        storage.writer.submit(game).result(PATIENCE)
    storage.close()
    return path


ACCOUNTS = (
    ("ilker", "i"), ("омурбеков", "o"), ("omurbekov", "o"), ("семенов", "s"), ("semyonov", "s"), ("kubooglu", "k"),
    ("kubo", "k"), ("кубоглу", "k"),
)  # fmt: skip


def test_ones_own_games_are_searched_by_opponent(folder: Path) -> None:
    with asked_inside(ServerSettings(data=folder, limits=OFF)) as inside:
        ann = inside.reader(ANN)
        for typed, letter in (*ACCOUNTS, ("мурбек", ""), ("аскар", "")):
            found = ann.json("/api/account/games", opponent=typed)["games"]
            assert [one["id"] for one in found] == [letter * 12] * bool(letter), typed
            page = ann.get("/games", opponent=typed).text
            assert [one for one in PEOPLE if f"/games/{one * 12}" in page] == list(letter), typed


def test_accounts_are_searched_in_their_list_and_never_guessed(folder: Path) -> None:
    for typed, letter in ACCOUNTS:
        listed = CliRunner().invoke(main, ["account", "list", typed, "--data", str(folder)])
        assert [line.split()[0] for line in listed.stdout.splitlines()] == [PEOPLE[letter]], typed
        exact = name_key(typed) == name_key(PEOPLE[letter])
        locked = CliRunner().invoke(main, ["account", "lock", typed, "--data", str(folder)])
        assert locked.exit_code == (0 if exact else 1), typed
        assert exact or locked.stderr == f"korgool: there is no account {typed!r}; did you mean {PEOPLE[letter]}?\n"
    assert len(CliRunner().invoke(main, ["account", "list", "--data", str(folder)]).stdout.splitlines()) == 6
