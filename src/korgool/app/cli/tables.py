"""`korgool tables`: build, list and check endgame tables, and look for endless play in them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from korgool.app.cli.group import InputError
from korgool.app.cli.language import counts, spoken, tell
from korgool.app.cli.options import GameChoice, game_options, json_option
from korgool.app.cli.output import counted, emit, lines_are_seen, progress
from korgool.app.cli.vocabulary import PathName, Takes, option
from korgool.app.cli.work_places import cluster_option, work_place
from korgool.languages import N_

if TYPE_CHECKING:
    from korgool.engine.tables import Cycle

folder_option = option(
    "--folder",
    type=PathName(Takes.FOLDER, as_path=True),
    help="The folder of the tables; by default, your own data folder.",
)


@click.group(
    "tables",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\b\nExample:\n  korgool tables build --game mangala --stones 10",
)
def command() -> None:
    """Exact values of all positions with few stones on the board."""


@command.command("build", epilog="\b\nExample:\n  korgool tables build --game mangala --stones 10")
@option("--stones", type=click.IntRange(1, 64), required=True, help="The largest number of stones on the board.")
@option(
    "--threads",
    "workers",
    was=("--workers",),
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="Number of threads.",
)
@cluster_option
@option(
    "--memory",
    type=click.IntRange(1, 1 << 24),
    default=2048,
    show_default=True,
    help="MiB for the layer being built; finished tables are on disk.",
)
@option("--odd", is_flag=True, help="Bestemshe: odd numbers of stones too, which no game from the start reaches.")
@option("--falling", is_flag=True, help="Three stones less for each tuz: enough for what has no tuz.")
@folder_option
@game_options
@json_option
def build_command(
    stones: int,
    workers: int,
    cluster: str | None,
    memory: int,
    odd: bool,
    falling: bool,
    folder: Path | None,
    game: GameChoice,
    as_json: bool,
) -> None:
    """Build the missing tables up to a number of stones.

    A build that was interrupted at any moment continues when the same command is run again. The workers of a --cluster
    need the same folder; they build what has a tuz, and the rest is built here, by --threads.
    """
    from korgool.engine.surroundings import EngineSurroundings
    from korgool.engine.tables import TableError, build, plan

    try:
        steps = plan(game.rules, stones, odd=odd, falling=falling)
    except TableError as error:
        raise click.UsageError(str(error)) from None
    try:
        with (
            work_place(workers, cluster, EngineSurroundings()) as place,
            progress(tell(N_("building")), sum(step.positions for step in steps)) as done,
        ):
            tables = build(
                game.rules,
                stones,
                folder=folder,
                workers=workers,
                memory=memory << 20,
                odd=odd,
                falling=falling,
                cluster=place,
                progress=done,
                say=lambda line: None if as_json else click.echo(line),
            )
    except TableError as error:
        raise InputError(str(error)) from None
    size = sum(size for _, _, size in tables.files)
    if as_json:
        emit({"game": game.rules.name, "stones": stones, "files": len(tables.files), "bytes": size})
    elif spoken() == "en":
        click.echo(
            f"{game.rules.title} to {counted(stones, 'stone')}: {counted(len(tables.files), 'file')}, {size} bytes"
        )
    else:
        said = N_("{game}, stones up to {stones}: files {files}, {size} bytes")
        click.echo(tell(said, game=_title(game), stones=stones, files=len(tables.files), size=size))


@command.command("list", epilog="\b\nExample:\n  korgool tables list --game bestemshe")
@folder_option
@game_options
@json_option
def list_command(folder: Path | None, game: GameChoice, as_json: bool) -> None:
    """The table files of a game, without reading them: your own, and those that are shipped."""
    from korgool.engine.tables import game_folder

    files = _files(game, folder)
    own = any(not shipped for *_, shipped in files)
    for layer, tuz, path, shipped in files:
        size = path.stat().st_size
        if as_json:
            emit({"stones": layer, "tuz": tuz, "bytes": size, "file": str(path), "shipped": shipped})
        else:
            mark = tell(N_("shipped, not used beside your own") if own else N_("shipped")) if shipped else ""
            line = N_("{stones} stones, {tuz} tuz  {size} bytes")
            text = tell(line, stones=f"{layer:>2}", tuz=tuz, size=f"{size:>13}")
            click.echo(f"{path.name}  {text}" + (f"  {mark}" if mark else ""))
    if not files and not as_json:
        said = N_("there are no tables of {game} in {folder}")
        click.echo(tell(said, game=_title(game), folder=game_folder(game.rules, folder)))


def _title(game: GameChoice) -> str:
    """Name of the game in the language of the command."""
    from korgool.app.words.games import GAME_NAMES

    return game.rules.title if spoken() == "en" else tell(GAME_NAMES[game.rules.name])


def _files(game: GameChoice, folder: Path | None) -> list[tuple[int, int, Path, bool]]:
    """The tables of a folder, or else your own and the shipped ones: stones, tuz, file, and whether it is shipped."""
    from korgool.engine.tables import game_folder, table_files
    from korgool.engine.tables.files import SHIPPED

    own = [(*one, False) for one in table_files(game_folder(game.rules, folder))]
    if folder is not None:
        return own
    return own + [(*one, True) for one in table_files(game_folder(game.rules, SHIPPED))]


@command.command("check", epilog="\b\nExample:\n  korgool tables check --game bestemshe")
@folder_option
@game_options
@json_option
def check_command(folder: Path | None, game: GameChoice, as_json: bool) -> None:
    """Test every checksum; the exit status is 1 if a file cannot be used."""
    from korgool.engine.tables import TableError, Tables

    tables, bad = {shipped: Tables(game.rules) for shipped in (False, True)}, 0
    files = _files(game, folder)
    with progress(tell(N_("checking")), len(files), hidden=lines_are_seen()) as done:
        for number, (layer, tuz, path, shipped) in enumerate(files, 1):
            wrong: str | None = None
            try:
                tables[shipped].attach(path, layer, tuz)
            except TableError as error:
                wrong, bad = str(error), bad + 1
            if as_json:
                emit({"file": str(path), "stones": layer, "tuz": tuz, "error": wrong})
            elif wrong is None:
                click.echo(f"{path.name}  " + tell(N_("good")))
            else:
                click.echo(wrong)
            done(number)
    if bad:
        raise InputError(tell(N_("{bad} of {files} files cannot be used"), bad=bad, files=len(files)))


@command.command("cycles", epilog="\b\nExample:\n  korgool tables cycles --game bestemshe --stones 8")
@option("--stones", type=click.IntRange(1, 64), required=True, help="The largest number of stones on the board.")
@option("--from", "least", type=click.IntRange(1, 64), default=1, show_default=True, help="The smallest number.")
@option(
    "--most",
    type=click.IntRange(1),
    default=20000,
    show_default=True,
    help="Look for cycles among at most this many positions.",
)
@folder_option
@game_options
@json_option
def cycles_command(stones: int, least: int, most: int, folder: Path | None, game: GameChoice, as_json: bool) -> None:
    """Look for positions without tuz in which best play by both sides repeats for ever.

    The tables must exist: `korgool tables build --falling` builds what is needed.
    """
    from korgool.engine.tables import TableError, Tables, find_drawn

    try:
        tables = Tables.open(game.rules, folder, stones)
        for layer in range(least, stones + 1):
            if not tables.has(layer, 0) and layer < stones:
                continue
            seen = False
            stones_said = counts((layer, "stone", N_("Stones")))
            with progress(stones_said, 1, hidden=lines_are_seen()) as done:
                for drawn in find_drawn(tables, layer, most=most, progress=done):
                    seen = True
                    cycles = drawn.cycles or ()
                    if as_json:
                        emit(
                            {
                                "stones": layer,
                                "stores": drawn.stores,
                                "positions": drawn.positions,
                                "cycles": None if drawn.cycles is None else [_cycle_fields(cycle) for cycle in cycles],
                            }
                        )
                        continue
                    own, other = drawn.stores
                    said = tell(
                        N_("kazans {own} and {other}: {positions} positions without end"),
                        own=own, other=other, positions=drawn.positions,
                    )  # fmt: skip
                    click.echo(f"{stones_said}, {said}")
                    if drawn.cycles is None:
                        click.echo("  " + tell(N_("too many to look for ways round, see --most")))
                    for recurrence in sorted({cycle.recurrence for cycle in cycles}):
                        ways = [cycle for cycle in cycles if cycle.recurrence == recurrence]
                        forced = sum(cycle.forced for cycle in ways)
                        said = N_("recurs in {moves} moves: {ways} ways, {forced} forced")
                        click.echo("  " + tell(said, moves=recurrence, ways=len(ways), forced=forced))
                        click.echo(f"    {ways[0].position}: {' '.join(map(str, ways[0].moves))}")
            if not seen and not as_json:
                click.echo(f"{stones_said}: " + tell(N_("endless play decides nothing")))
    except TableError as error:
        raise InputError(str(error)) from None


@command.command("endless", epilog="\b\nExample:\n  korgool tables endless --game bestemshe --stones 8")
@option("--stones", type=click.IntRange(1, 64), required=True, help="Stones on the board.")
@option("--list", "listed", is_flag=True, help="Every position with its bounds, not only their number.")
@folder_option
@game_options
@json_option
def endless_command(stones: int, listed: bool, folder: Path | None, game: GameChoice, as_json: bool) -> None:
    """Count or list the positions whose value depends on what endless play is worth.

    The list gives the bounds of what the side to move will still gain; `-` means that a side can go on for ever.
    """
    from korgool.engine import TableError, Tables

    try:
        tables = Tables.open(game.rules, folder, stones)
    except TableError as error:
        raise InputError(str(error)) from None
    there = [tuz for tuz in range(3) if tables.boards[tuz] and (stones, tuz) in tables]
    if not there:
        said = N_("there is no table of {game} with {stones} stones; build it first")
        raise InputError(tell(said, game=_title(game), stones=stones))
    for tuz in there:
        if not listed:
            count, among = tables.count_unsettled(stones, tuz), tables.count(stones, tuz)
            if as_json:
                emit({"stones": stones, "tuz": tuz, "positions": among, "unsettled": count})
            else:
                said = tell(N_("{tuz} tuz: {count} of {among} positions"), tuz=tuz, count=count, among=among)
                number = counts((stones, "stone", N_("Stones")))
                click.echo(f"{number}, {said}")
            continue
        for position, bounds in tables.unsettled(stones, tuz):
            if as_json:
                emit({"position": str(position), "lower": bounds.lower, "upper": bounds.upper})
            else:
                low, high = ("-" if bound is None else bound for bound in (bounds.lower, bounds.upper))
                click.echo(f"{position}  " + tell(N_("{low} to {high}"), low=low, high=high))


@command.command("drawn", epilog="\b\nExample:\n  korgool tables drawn --stones 6")
@option("--stones", type=click.IntRange(1, 64), required=True, help="The largest number of stones on the board.")
@option("--from", "least", type=click.IntRange(1, 64), default=1, show_default=True, help="The smallest number.")
@option("--list", "listed", is_flag=True, help="Every drawn position that a side cannot bring to an end.")
@option(
    "--open",
    "open_only",
    is_flag=True,
    help="List only those in which neither side has half of all stones in its store.",
)
@option("--threads", "workers", type=click.IntRange(1, 256), default=1, show_default=True, help="Number of threads.")
@folder_option
@game_options
@json_option
def drawn_command(
    stones: int,
    least: int,
    listed: bool,
    open_only: bool,
    workers: int,
    folder: Path | None,
    game: GameChoice,
    as_json: bool,
) -> None:
    """Count or list drawn positions, and those that a side cannot bring to an end.

    The tables must exist: `korgool tables build --falling` builds what is needed. The answers are kept beside them.
    """
    from dataclasses import asdict

    from korgool.engine.tables import Draws, TableError, Tables

    try:
        tables = Tables.open(game.rules, folder, stones)
        with progress(tell(N_("counting")), sum(tables.count(n, 0) for n in range(1, stones + 1))) as done:
            draws = Draws.build(tables, stones, folder=folder, workers=workers, progress=done)
    except TableError as error:
        raise InputError(str(error)) from None
    for layer in draws.layers(stones):
        if layer < least:
            continue
        if listed:
            for position in draws.positions(layer, open_only=open_only):
                emit({"position": str(position)}) if as_json else click.echo(str(position))
            continue
        found = draws.counts(layer)
        if as_json:
            emit(asdict(found))
            continue
        said = tell(
            N_("{drawn} of {positions} positions drawn, {decided} of them by endless play alone"),
            drawn=found.drawn, positions=found.positions, decided=found.decided,
        )  # fmt: skip
        click.echo(counts((layer, "stone", N_("Stones"))) + f": {said}")
        said = tell(
            N_("one side cannot end {one_sided}, neither side {neither}; nobody has half yet in {open}"),
            one_sided=found.one_sided, neither=found.neither, open=found.open,
        )  # fmt: skip
        click.echo(f"  {said}")


def _cycle_fields(cycle: Cycle) -> dict[str, Any]:
    return {
        "position": str(cycle.position),
        "recurrence": cycle.recurrence,
        "moves": cycle.moves,
        "forced": cycle.forced,
    }
