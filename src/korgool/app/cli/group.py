"""The `korgool` group: it imports commands on demand, suggests similar names, and reports errors as plain messages."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click

from korgool import __version__

INTERRUPTED = 130
"""Exit status after Ctrl-C, as in shells."""


class InputError(click.ClickException):
    """The input is wrong: exit status 1. The message names the file, line, ply and reason as far as known."""

    exit_code = 1

    def show(self, file: Any = None) -> None:
        """Print the message on standard error."""
        click.echo(f"korgool: {self.format_message()}", file=file, err=file is None)


class ReaderGoneError(Exception):
    """The reader of the output has closed it, as in `korgool replay … | head`: exit status 0."""


@contextmanager
def _for_a_reader() -> Iterator[None]:
    """Tell that the reader of the standard output has gone before click sees it, which would exit with 1.

    Another pipe or connection may break too; that is an error.
    """
    try:
        yield
    except BrokenPipeError:
        if not _reader_gone():
            raise InputError("a connection was broken by the other side") from None
        raise ReaderGoneError from None


def _reader_gone() -> bool:
    """Return whether the reader of the standard output has gone."""
    try:
        import select

        watch = select.poll()
        watch.register(1, 0)
        return any(what & select.POLLERR for _, what in watch.poll(0))
    except (AttributeError, OSError):  # not on Windows
        return True


class NearGroup(click.Group):
    """A group that suggests commands with similar names.

    click does this for options, but for commands only in groups that have imported them all.
    """

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The named command, or a usage error with the nearest names."""
        name = args[0]
        if not ctx.resilient_parsing and name[:1] != "-" and self.get_command(ctx, name) is None:
            near = get_close_matches(name.lower(), self.list_commands(ctx))
            advice = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
            ctx.fail(f"No such command {name[:40]!r}.{advice}")
        return super().resolve_command(ctx, args)


class Commands(NearGroup):
    """A group that knows the one-line help of its commands, so that `korgool --help` loads none of them.

    Args:
        name: the program's name.
        commands: one-line help by command name. Command `x` is `command` in `korgool.app.cli.x`.
        homes: the modules of commands that share one, by command name. Command `x` is `x_command` there.
        settings: passed on to `click.Group`.
    """

    def __init__(self, name: str, commands: Mapping[str, str], homes: Mapping[str, str], **settings: Any) -> None:
        super().__init__(name, context_settings={"help_option_names": ["-h", "--help"]}, **settings)
        self.summaries, self.homes = dict(commands), homes
        self.params.append(
            click.Option(
                ["--version"],
                is_flag=True,
                expose_value=False,
                is_eager=True,
                callback=_version,
                help="Print the version.",
            )
        )

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The command names, most used first."""
        return list(self.summaries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command and return the command, or None for an unknown name."""
        if cmd_name not in self.summaries:
            return None
        module = import_module(f"korgool.app.cli.{self.homes.get(cmd_name, cmd_name)}")
        command: click.Command = getattr(module, f"{cmd_name}_command" if cmd_name in self.homes else "command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing their modules."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.summaries.items()))

    def make_context(self, *words: Any, **settings: Any) -> click.Context:
        """Read the command line; `--help` prints already here."""
        with _for_a_reader():
            return super().make_context(*words, **settings)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; turn errors into messages and exit statuses."""
        with _for_a_reader():
            return super().invoke(ctx)

    def main(self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any) -> Any:  # type: ignore[override]
        """Run the program and exit with 0 (done, or as much as the reader of a pipe wanted), 1 (wrong input), 2 (wrong
        usage) or 130 (interrupted), never a traceback."""
        standalone = extra.pop("standalone_mode", True)
        if not standalone:
            return super().main(args, prog_name or self.name, standalone_mode=False, **extra)
        _forgive_encodings()
        try:
            status = super().main(args, prog_name or self.name, standalone_mode=False, **extra)
            with _for_a_reader():
                _flush()
        except ReaderGoneError:
            # Python would complain at exit about the output still buffered.
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            sys.exit(0)
        except click.ClickException as error:
            error.show()
            sys.exit(error.exit_code)
        except (click.Abort, KeyboardInterrupt):
            sys.exit(INTERRUPTED)
        except OSError as error:
            _os_error(error)
        except ImportError as error:
            # A part is not built or not installed.
            if os.environ.get("KORGOOL_DEBUG"):
                raise
            from korgool.app.cli.parts import advice

            click.echo(f"korgool: {advice(error)}", err=True)
            sys.exit(1)
        except MemoryError:
            click.echo("korgool: there is not enough memory for this input", err=True)
            sys.exit(1)
        except Exception as error:
            if os.environ.get("KORGOOL_DEBUG"):
                raise
            what = f"{type(error).__name__}: {error}"
            click.echo(f"korgool: this is a fault of the program, please report it ({what})", err=True)
            click.echo("korgool: KORGOOL_DEBUG=1 in the environment shows where it happened", err=True)
            sys.exit(1)
        sys.exit(status if isinstance(status, int) else 0)


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        click.echo(f"korgool {__version__}")
        ctx.exit()


def _forgive_encodings() -> None:
    """Show `?` for a letter that the terminal cannot encode, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def _flush() -> None:
    if sys.stdout is not None:
        sys.stdout.flush()


def _os_error(error: OSError) -> None:
    where = f"{error.filename}: " if error.filename is not None else ""
    click.echo(f"korgool: {where}{error.strerror or error}", err=True)
    sys.exit(1)
