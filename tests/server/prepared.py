"""What the process from which servers are forked has done before (`tests/server/processes.py`)."""

import tests.server.processes  # noqa: F401
from korgool.app.server.web import answers
from korgool.app.server.web.release import release

answers.prepare()
release().pack()
