"""Places for the long work of commands: threads of this machine, or with `--cluster` the workers of a Dask cluster."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from korgool.app.cli.forms import Form
from korgool.app.cli.group import InputError
from korgool.app.cli.vocabulary import option

if TYPE_CHECKING:
    from korgool.clusters import Pool, Surroundings

_ADDRESS = re.compile(r"(tcp|tls|ws|wss)://(\[[0-9A-Fa-f:.]+\]|[\w.-]+)(:\d{1,5})/?", re.ASCII)


def _address(text: str) -> str:
    if text != "local" and not _ADDRESS.fullmatch(text):
        raise ValueError(f"{text!r} is not local, and no address of a Dask scheduler, such as tcp://HOST:8786")
    return text


cluster_option = option(
    "--cluster",
    type=Form("address", _address),
    metavar="ADDRESS",
    help="Work there instead: a Dask scheduler (tcp://HOST:PORT), or local for processes on this machine.",
)


@contextmanager
def work_place(threads: int, cluster: str | None, surroundings: Surroundings) -> Iterator[Pool]:
    """The pool for a command's work. Without `--threads`, a local cluster has a process for each processor.

    Args:
        threads: the value of the command's `--threads`.
        cluster: that of `--cluster`.
        surroundings: what a cluster's workers must have in common with this machine.

    Raises:
        InputError: the cluster cannot be reached, differs, or is lost.
    """
    from korgool.clusters import ClusterError, pool

    try:
        with pool(threads if cluster is None or _asked_for_threads() else None, cluster, surroundings) as place:
            yield place
    except ClusterError as error:
        raise InputError(f"--cluster: {error}") from None


def _asked_for_threads() -> bool:
    context = click.get_current_context()
    names = [one.name for one in context.command.params if "--threads" in one.opts]
    return any(context.get_parameter_source(str(name)) is not ParameterSource.DEFAULT for name in names)
