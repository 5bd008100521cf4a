"""Waits of the command line for work in another thread."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from korgool.app.cli.output import interruptible
from tests.patience import PATIENCE, eventually


@pytest.fixture(autouse=True)
def _hear_interrupts() -> Iterator[None]:
    """Whoever was started in the background does not hear Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="the system sends no signals to threads")
def test_a_ctrl_c_that_does_not_wake_the_wait_is_heard() -> None:
    """It comes to another thread, as one that comes just before the wait: the system wakes nobody for it."""
    stop, heard = threading.Event(), list[bool]()
    main = threading.main_thread().ident
    assert main == threading.get_ident()

    def work() -> None:
        while "wait" not in sys._current_frames()[main].f_code.co_name:
            time.sleep(0.01)
        time.sleep(0.01)
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)
        heard.append(stop.wait(PATIENCE))

    with pytest.raises(KeyboardInterrupt):
        interruptible(work, stop.set)
    eventually(lambda: bool(heard), "the work ends")
    assert heard == [True]


def test_what_the_work_raises_is_raised() -> None:
    def work() -> None:
        raise LookupError("nothing there")

    with pytest.raises(LookupError, match="nothing there"):
        interruptible(work)
