"""What counts as a fault of a page: real messages of the browser that is here, and of scripts that speak like it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

from tests.page.consoles import watch
from tests.page.table import expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

BLANK = b"""<!doctype html><meta http-equiv="content-security-policy" content="img-src 'none'"><p>"""


class Blank(BaseHTTPRequestHandler):
    """A page at `/`, and nothing else."""

    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/" else 404)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(BLANK)

    def log_message(self, *said: object) -> None:
        pass


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that is not one of ours, so that nothing but what a test does is said."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Blank) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,)).start()
        context = browser.new_context()
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{server.server_address[1]}/")
        yield page
        context.close()
        server.shutdown()


def complaints_about(page: Page, script: str) -> list[str]:
    """What is complained about while a script runs, and until a line it has printed after that has arrived."""
    complaints: list[str] = []
    watch(page, complaints.append)
    with page.expect_console_message(lambda said: said.text == "over"):
        page.evaluate(f"async () => {{ {script}; await new Promise(done => setTimeout(done)); console.log('over'); }}")
    return complaints


def test_a_socket_that_is_given_up_before_it_is_open_is_no_fault(page: Page) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"ws://127.0.0.1:{silent.getsockname()[1]}/"
        with page.expect_console_message(lambda said: "before the connection is established" in said.text):
            assert complaints_about(page, f"new WebSocket('{address}').close()") == []


def test_a_page_that_is_left_while_it_connects_is_no_fault(page: Page) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        complaints: list[str] = []
        watch(page, complaints.append)
        page.evaluate(
            """address => {
                 const socket = new WebSocket(address);
                 addEventListener("pagehide", () => socket.close());
               }""",
            f"ws://127.0.0.1:{silent.getsockname()[1]}/",
        )
        page.reload()
        expect(page.locator("p")).to_be_attached()
        assert complaints == []


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("console.error('lost')", "lost"),
        ("console.warn('WebSocket connection to %s failed', 'WebSocket')", "WebSocket connection to"),
        ("console.warn('[Deprecation] our own words')", "[Deprecation] our own words"),
        ("await fetch('/missing')", "404"),
        ("const it = new Image(); it.src = '/picture.png'; document.body.append(it)", "Content Security Policy"),
        ("setTimeout(() => { throw new Error('nobody catches it') })", "nobody catches it"),
        ("const it = new WebSocket('/'); await new Promise(done => it.onclose = done)", "response code: 200"),
    ],
    ids=["error", "warning", "quoted", "missing", "policy", "uncaught", "refused"],
)
def test_these_are_faults(page: Page, script: str, complaint: str) -> None:
    found = complaints_about(page, script)
    assert any(complaint in one for one in found), found


def test_what_is_only_printed_is_none(page: Page) -> None:
    assert complaints_about(page, "console.log('one'); console.info('two'); console.debug('three')") == []
