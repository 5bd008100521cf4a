"""What the process from which servers are forked has done before (`tests/server/processes.py`)."""

import gc
from contextlib import nullcontext

from litestar.datastructures import State

import tests.server.processes  # noqa: F401
from korgool.app.server.web import answers
from korgool.app.server.web.release import release
from tests.server.once import prepare_tables, registered

registered(lambda _: nullcontext(), State())
prepare_tables()
answers.prepare()
release().pack()

gc.collect()
gc.freeze()
