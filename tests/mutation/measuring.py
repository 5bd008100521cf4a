"""A plugin of pytest for `reach.py`: it measures what each test reaches and how long it takes."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest

from tests.mutation.reach import CONFIGURATION, FOLDER
from tests.mutation.rooms import PACKAGE

_CONTEXT = "KORGOOL_MUTATION_CONTEXT"


class _Measuring:
    def __init__(self) -> None:
        self.folder = Path(os.environ[FOLDER])
        self.coverage = coverage.Coverage(
            data_file=str(self.folder / f"tests.{os.getpid()}"), source=[str(PACKAGE)], config_file=False
        )
        self._shared: dict[str, float] = {}
        self._set_up = 0.0
        self.coverage.start()
        # The processes that tests start are measured too; coverage begins there when Python does.
        os.environ["COVERAGE_PROCESS_START"] = str(self.folder / CONFIGURATION)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.coverage.switch_context(item.nodeid)
        # What a fixture starts may live for the whole file.
        os.environ[_CONTEXT] = item.nodeid.partition("::")[0]
        begun, self._set_up = time.perf_counter(), 0.0
        yield
        own = time.perf_counter() - begun - self._set_up
        shared = sum(self._shared.get(name, 0.0) for name in getattr(item, "fixturenames", ()))
        with (self.folder / f"seconds.{os.getpid()}").open("a") as file:
            file.write(json.dumps([item.nodeid, round(own + shared, 3)]) + "\n")

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[object]) -> Iterator[None]:
        """What a file sets up once, as a server, costs each of its tests as much: a trial may run one of them alone."""
        begun = time.perf_counter()
        result = yield
        if fixturedef.scope != "function":
            self._shared[fixturedef.argname] = time.perf_counter() - begun
            self._set_up += self._shared[fixturedef.argname]
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        os.environ[_CONTEXT] = item.nodeid
        yield
        os.environ[_CONTEXT] = item.nodeid.partition("::")[0]

    def pytest_sessionfinish(self) -> None:
        self.coverage.stop()
        self.coverage.save()


def pytest_configure(config: pytest.Config) -> None:
    """Measure where tests run: in the workers and not in the process that hands them out."""
    if hasattr(config, "workerinput") or not config.option.numprocesses:
        config.pluginmanager.register(_Measuring())
