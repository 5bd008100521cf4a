"""`korgool account`: what the operator of a server does for accounts, also beside a running server."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from korgool.app.cli.account_reports import follows_command, reports_command
from korgool.app.cli.group import InputError, NearGroup
from korgool.app.cli.language import spoken, tell
from korgool.app.cli.options import json_option
from korgool.app.cli.output import confirm, emit
from korgool.app.cli.server_options import ledger_at, place
from korgool.app.cli.vocabulary import option
from korgool.languages import N_

if TYPE_CHECKING:
    from korgool.accounts import Refused
    from korgool.app.server.people.account_repository import Account, AccountRepository
    from korgool.app.server.people.sign_in.session_repository import SessionRepository

_MOST_NEAR = 5
_SCOPES = ("read", "play", "challenge", "event")
_KINDS = {
    "visitor": N_("visitor"),
    "account": N_("account"),
    "child": N_("child"),
    "bot": N_("bot"),
    "operator": N_("operator"),
}
_Command = TypeVar("_Command", bound=Callable[..., Any])


@click.group("account", cls=NearGroup, epilog="\b\nExample:\n  korgool account add Aida --data ./games")
def command() -> None:
    """Look after the accounts of a web server, which may be running.

    Passwords are asked for on the terminal, or read from standard input with --password-stdin; without a terminal and
    that option, a recovery code is printed, by which the owner chooses one.
    """


def _password_options(work: _Command) -> _Command:
    return option("--password-stdin", is_flag=True, help="Read the password from standard input.")(work)


@contextmanager
def _tables(data: Path | None, database: str | None) -> Iterator[tuple[AccountRepository, SessionRepository]]:
    from korgool.app.server.people.account_repository import AccountRepository
    from korgool.app.server.people.sign_in.session_repository import SessionRepository

    with ledger_at(data, database) as ledger:
        yield AccountRepository(ledger), SessionRepository(ledger)


def _found(directory: AccountRepository, name: str) -> Account:
    """Account of exactly this name; a similar name is never guessed."""
    from korgool.languages.name_search import matches

    account = directory.by_name(name)
    if account is None:
        names = (one.person.name for some in _pages(directory) for one in some)
        near = matches(name, ((one, one) for one in names))
        if near:
            said = N_("there is no account {name}; did you mean {near}?")
            raise InputError(tell(said, name=repr(name), near=", ".join(near[:_MOST_NEAR])))
        raise InputError(tell(N_("there is no account {name}"), name=repr(name)))
    return account


def _pages(directory: AccountRepository) -> Iterator[list[Account]]:
    """All accounts by name, many at a time."""
    from korgool.accounts import name_key

    after = ""
    while found := directory.list(after):
        yield found
        after = name_key(found[-1].person.name)


def _password(name: str, from_stdin: bool) -> str | None:
    """A password that may be one; None where none is given."""
    from korgool.accounts import Refused, read_name, refused_password

    if from_stdin:
        password = sys.stdin.readline().rstrip("\n")
    elif sys.stdin.isatty():
        again = tell(N_("Repeat for confirmation"))
        password = click.prompt(tell(N_("Password")), hide_input=True, confirmation_prompt=again, err=True)
    else:
        return None
    read = read_name(name, reserved=True)
    problem = refused_password(password, None if isinstance(read, Refused) else read)
    if problem is not None:
        raise _refusal(problem)
    return password


def _refusal(refused: Refused) -> InputError:
    """Error for what is refused, in the language of the command."""
    from korgool.app.server.core.errors import refused_error

    return InputError(str(refused) if spoken() == "en" else refused_error(refused).said(spoken()))


def _hashed(password: str | None) -> str | None:
    from korgool.accounts import prepared
    from korgool.app.server.people.sign_in.password_hashing import hasher

    return None if password is None else hasher().hash(prepared(password))


@command.command("add", epilog="\b\nExample:\n  korgool account add Aida --data ./games")
@click.argument("name")
@place
@_password_options
@option("--operator", is_flag=True, help="Let this account run the site.")
@option("--reserved", is_flag=True, help="Allow a name that is kept for the site.")
@json_option
def add(
    name: str,
    data: Path | None,
    database: str | None,
    password_stdin: bool,
    operator: bool,
    reserved: bool,
    as_json: bool,
) -> None:
    """Open an account."""
    from korgool.accounts import PersonKind, Refused, read_name
    from korgool.app.server.core.wall_clock import now_ms

    read = read_name(name, reserved=reserved)
    if isinstance(read, Refused):
        raise _refusal(read)
    with _tables(data, database) as (directory, keys):
        password = _password(name, password_stdin)
        kind = PersonKind.OPERATOR if operator else PersonKind.ACCOUNT
        made = directory.new(read, now_ms(), kind=kind, password=_hashed(password))
        if isinstance(made, Refused):
            raise _refusal(made)
        _tell_new(keys, made.id, as_json, coded=password is None)


@command.command("reset", epilog="\b\nExample:\n  korgool account reset Aida --data ./games")
@click.argument("name")
@place
@_password_options
@json_option
def reset(name: str, data: Path | None, database: str | None, password_stdin: bool, as_json: bool) -> None:
    """Give an account another password, and end its sessions."""
    from korgool.app.server.core.wall_clock import now_ms

    with _tables(data, database) as (directory, keys):
        account = _found(directory, name)
        password = _password(name, password_stdin)
        directory.set_password(account.id, _hashed(password))
        keys.end(account.id, now_ms())
        _tell_new(keys, account.id, as_json, coded=password is None)


def _tell_new(keys: SessionRepository, identity: str, as_json: bool, *, coded: bool) -> None:
    """Print the one recovery code of an account without a password: only the owner ever knows the password."""
    from korgool.app.server.core.wall_clock import now_ms

    code = keys.new_codes(identity, now_ms(), 1)[0] if coded else None
    if as_json:
        emit({"id": identity, "code": code})
    elif code is not None:
        click.echo(code)


@command.command("lock", epilog="\b\nExample:\n  korgool account lock Aida --data ./games")
@click.argument("name")
@place
@json_option
def lock(name: str, data: Path | None, database: str | None, as_json: bool) -> None:
    """Lock an account and end its sessions: it can look, export and delete itself, and nothing else."""
    from korgool.app.server.core.wall_clock import now_ms

    with _tables(data, database) as (directory, _):
        account = _found(directory, name)
        directory.lock(account.id, now_ms())
    if as_json:
        emit({"id": account.id, "locked": True})


@command.command("unlock", epilog="\b\nExample:\n  korgool account unlock Aida --data ./games")
@click.argument("name")
@place
@json_option
def unlock(name: str, data: Path | None, database: str | None, as_json: bool) -> None:
    """Open a locked account again."""
    with _tables(data, database) as (directory, _):
        account = _found(directory, name)
        directory.lock(account.id, None)
    if as_json:
        emit({"id": account.id, "locked": False})


@command.command("list", epilog="\b\nExample:\n  korgool account list --data ./games --json")
@click.argument("name", required=False, default="")
@place
@json_option
def list_accounts(name: str, data: Path | None, database: str | None, as_json: bool) -> None:
    """List the accounts by name, or those that are found by NAME, on whatever keyboard it is typed."""
    from korgool.languages.name_search import finds, sought

    words = sought(name)
    with _tables(data, database) as (directory, _):
        for some in _pages(directory):
            found = [account for account in some if finds(words, account.person.name)]
            guardians = directory.persons([who for account in found for who in account.person.guardians])
            for account in found:
                _print_account(account, [guardians[who].name for who in sorted(account.person.guardians)], as_json)


def _print_account(account: Account, guardians: list[str], as_json: bool) -> None:
    person = account.person
    made = datetime.fromtimestamp(account.made / 1000, UTC).isoformat(timespec="seconds")
    if as_json:
        fields: dict[str, Any] = {"id": person.id, "name": person.name, "kind": person.kind.value}
        fields |= {"locked": person.locked, "made": made}
        emit(fields | ({"short": person.short, "guardian": guardians[0]} if guardians else {}))
    else:
        kind = tell(_KINDS[person.kind.value])
        if guardians:
            kind = tell(N_("{kind} of {guardian}"), kind=kind, guardian=guardians[0])
        if person.locked:
            kind = tell(N_("{kind}, locked"), kind=kind)
        click.echo(f"{person.name}  {kind}  {made}")


@command.command("delete", epilog="\b\nExample:\n  korgool account delete Aida --yes --data ./games")
@click.argument("name")
@place
@option("--yes", is_flag=True, help="Do not ask.")
@json_option
def delete(name: str, data: Path | None, database: str | None, yes: bool, as_json: bool) -> None:
    """Delete an account with its bots and children's accounts; games stay, under "deleted player"."""
    from korgool.app.server.core.wall_clock import now_ms
    from korgool.app.server.people.account.deletion import delete_account

    with _tables(data, database) as (directory, _):
        account = _found(directory, name)
        if not yes:
            confirm(tell(N_("Delete {name} for good?"), name=account.person.name))
        delete_account(directory.transactions, account.id, now_ms())
    if as_json:
        emit({"id": account.id, "deleted": True})


@command.command("token", epilog="\b\nExample:\n  korgool account token Aida --scope read --data ./games")
@click.argument("name")
@place
@option("--scope", "scopes", type=click.Choice(_SCOPES), multiple=True, help="What it may do; repeatable.")
@option("--label", default="made by the operator", show_default=True, help="What lists call it.")
@option("--days", type=click.IntRange(1, 365), default=90, show_default=True, help="How long it lasts.")
@json_option
def token(
    name: str, data: Path | None, database: str | None, scopes: tuple[str, ...], label: str, days: int, as_json: bool
) -> None:
    """Make a token for a program that acts in the name of an account, and print it."""
    from korgool.accounts import Refused, Scope
    from korgool.app.server.core.wall_clock import now_ms

    with _tables(data, database) as (directory, keys):
        account = _found(directory, name)
        made = keys.make_token(account.id, now_ms(), scopes=[Scope(one) for one in scopes], label=label, days=days)
    if isinstance(made, Refused):
        raise _refusal(made)
    if as_json:
        emit({"id": account.id, "token": made[1], "scopes": list(scopes), "days": days})
    else:
        click.echo(made[1])


command.add_command(reports_command)
command.add_command(follows_command)
