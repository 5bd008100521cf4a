"""Fixtures that all rooms share."""

from __future__ import annotations

import faulthandler
import gc
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.daily_run import again
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Three processes read the tests and hundreds are started by them. Where Python keeps nothing that it has compiled, each
# of them compiles all of it, and pytest rewrites every assertion three times.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

SHARED = Path(__file__).parents[2] / "shared"
_BROWSERS = "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"
CHROMIUM = os.environ.get("KORGOOL_TEST_CHROMIUM") or next(filter(None, map(shutil.which, _BROWSERS)), None)
"""The shell without a window is the same engine for two thirds of the processor time. The tests must pass with any."""
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

SEED = int(os.environ.get("KORGOOL_TEST_SEED", "1"))
"""Of what is left to chance where it must not be the same in every run by hand: kills, orders, long tests."""

# How long an example takes says something about the machine and nothing about the code. By default the examples are the
# same in every run; `--hypothesis-profile explore` tries others, and a failure then prints how to have it again.
settings.register_profile("steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("explore", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
# A trial of a mutant asks only whether anything fails; the smallest example is of no interest.
settings.register_profile("unshrunk", settings.get_profile("steady"), phases=[Phase.explicit, Phase.generate])
settings.load_profile("steady")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "smoke: in every `python3 run.py test`, however slow; see tests/daily_run.py")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests that take longest."""
    items.sort(key=lambda item: item.get_closest_marker("first") is None)


def pytest_collection_finish() -> None:
    """Keep what has been collected out of the search for garbage, which goes over half a million objects otherwise."""
    gc.collect()
    gc.freeze()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Lift the limit for tests that hang from those that may take hours."""
    if item.get_closest_marker("long"):
        faulthandler.cancel_dump_traceback_later()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say after a failure how to have the same chances, and the same order where it was random."""
    if not (terminalreporter.stats.get("failed") or terminalreporter.stats.get("error")):
        return
    options = terminalreporter.config.option
    usual = options.random_order_seed.startswith("default:") and not options.random_order_enabled
    order = "" if usual else f" --random-order-seed={options.random_order_seed.removeprefix('default:')}"
    chosen = again(terminalreporter.config)
    terminalreporter.write_line(f"To have it again: KORGOOL_TEST_SEED={SEED} python3 run.py test{chosen}{order}")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real games and rule texts beside the project; tests that need it are skipped where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("the folder ../shared with the real games is not here")
    return SHARED


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium without a window, one for all tests of a process: playwright runs but once in a thread."""
    api = pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright")
    if CHROMIUM is None:
        pytest.skip("the browser tests need Chromium, and none is on the path")
    with api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET, timeout=PATIENCE * 1000)
        api.expect.set_options(timeout=PATIENCE * 1000)
        yield chromium
        chromium.close()
