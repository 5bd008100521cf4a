"""`korgool completion`: the script by which a shell completes commands, options, files and papers."""

from __future__ import annotations

from typing import NamedTuple

import click
from click.shell_completion import get_completion_class

from korgool.app.cli.group import InputError
from korgool.app.cli.language import tell
from korgool.app.cli.options import json_option
from korgool.app.cli.output import emit
from korgool.languages import N_

VARIABLE = "_KORGOOL_COMPLETE"


class Place(NamedTuple):
    """Place where a shell looks for the script.

    Attributes:
        file: the file, in the home of the user.
        profile: the file that the shell reads at its start.
        line: what has to stand there, empty for nothing.
    """

    file: str
    profile: str = ""
    line: str = ""


PLACES = {
    "bash": Place("~/.local/share/bash-completion/completions/korgool"),
    "zsh": Place("~/.zfunc/_korgool", "~/.zshrc", "fpath+=~/.zfunc; autoload -Uz compinit; compinit"),
    "fish": Place("~/.config/fish/completions/korgool.fish"),
}


_MENDED = (
    # fish: a comma cut descriptions and names of files.
    ('string split ","', 'string split --max 1 ","'),
    # zsh: the second Tab of a shell did nothing, for which the function is not loaded any more.
    ("zsh_eval_context[-1] == loadautofunc", "zsh_eval_context[-1] == (loadautofunc|shfunc)"),
)
"""Faults of click's scripts, each with its replacement."""


@click.command(
    "completion",
    epilog="\b\nExample:\n  mkdir -p ~/.local/share/bash-completion/completions\n"
    "  korgool completion bash > ~/.local/share/bash-completion/completions/korgool",
)
@click.argument("shell", type=click.Choice(tuple(PLACES)))
@json_option
@click.pass_context
def command(ctx: click.Context, shell: str, as_json: bool) -> None:
    """Print the completion script of a shell, and on standard error where it goes.

    A new shell then completes commands, options, their values, files, and the papers of an event.
    """
    kind = get_completion_class(shell)
    if kind is None:
        raise InputError(tell(N_("this version of click has no completion for {shell}"), shell=shell))
    script, place = kind(ctx.find_root().command, {}, "korgool", VARIABLE).source(), PLACES[shell]
    for theirs, ours in _MENDED:
        script = script.replace(theirs, ours)
    if as_json:
        more = f"{place.profile} needs the line: {place.line}" if place.line else None
        emit({"shell": shell, "file": place.file, "more": more, "script": script})
        return
    click.echo(script)
    said = tell(N_("write this into {file}"), file=place.file)
    if place.line:
        said = tell(N_("write this into {file}; {profile} needs the line: {line}"), **place._asdict())
    click.echo(f"korgool: {said}", err=True)
