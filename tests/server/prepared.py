"""What the process from which servers are forked has done before (`tests/server/processes.py`)."""

import gc
from contextlib import nullcontext, suppress
from importlib import import_module

from litestar.datastructures import State

import tests.server.processes  # noqa: F401
from korgool.app.server.http import responses
from tests.server.once import prepare_tables, registered

LATER = (
    *("korgool.app.cli.serve", "korgool.app.cli.serve_report", "korgool.app.server.run"),
    *("anyio._backends._asyncio", "encodings.idna", "uvicorn.lifespan.on", "uvicorn.supervisors"),
    "sqlalchemy.dialects.postgresql.psycopg",
    "psycopg",
)
"""What a server imports only when it starts, which is half of the processor time of its start."""

for name in LATER:
    with suppress(ImportError):
        import_module(name)
registered(lambda _: nullcontext(), State())
prepare_tables()
responses.prepare()
for work in responses.warm_up_tasks():
    work()

gc.collect()
gc.freeze()
