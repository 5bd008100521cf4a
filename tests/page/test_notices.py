"""Notices in the browser: the service worker shows them and opens the game, the button switches them on and off."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from korgool.app.server.notices.texts import push_text
from tests.page.conftest import PHONE, NewTable, start_server
from tests.page.phones import Phone, seated
from tests.page.table import expect
from tests.page.test_axe import violations_here
from tests.patience import PATIENCE
from tests.server.push_service import Browser

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Worker

DUE = 1_900_000_000_000
RECORD = """() => {
  self.shown = [];
  // A browser without a window shows no notifications, and remembers none.
  ServiceWorkerRegistration.prototype.showNotification = async (title, {body, tag, data, lang}) => {
    self.shown.push({title, body, tag, data, lang});
  };
}"""
SHOWN = """async () => {
  for (let tries = 0; tries < 1000 && !self.shown.length; tries++) await new Promise((done) => setTimeout(done, 20));
  return self.shown;
}"""
CLICK = """async (url) => {
  const opened = [];
  // A browser lets only a real tap open a window.
  self.clients.openWindow = async (to) => { opened.push(to); };
  const notification = {data: url, close() { opened.push("closed"); }};
  const click = new ExtendableEvent("notificationclick");
  Object.defineProperty(click, "notification", {value: notification});
  const waits = [];
  click.waitUntil = (work) => waits.push(work);
  self.dispatchEvent(click);
  await Promise.all(waits);
  return opened;
}"""


@pytest.fixture
def telling(tmp_path: Path) -> Iterator[str]:
    """The address of a server that tells browsers."""
    options = "--push", "mailto:a@b.org", "--push-network", "127.0.0.0/8"
    process, address = start_server(tmp_path / "games", 0, *options)
    yield address
    process.terminate()
    process.wait(PATIENCE)


def worker_of(page: Page) -> Worker:
    page.evaluate("() => navigator.serviceWorker.ready.then(() => undefined)")
    context: BrowserContext = page.context
    [worker] = context.service_workers
    worker.evaluate(RECORD)
    return worker


def test_the_worker_shows_a_notice_and_opens_the_game(telling: str, table: NewTable) -> None:
    page = table(address=telling, service_workers="allow", permissions=["notifications"]).page
    page.goto(f"{telling}/")
    worker = worker_of(page)
    session = page.context.new_cdp_session(page)
    found: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda said: found.extend(one["registrationId"] for one in said["registrations"]),
    )
    session.send("ServiceWorker.enable")
    while not found:
        page.wait_for_timeout(50)
    message = push_text("ru", "Айгүл", "/games/abc", DUE).decode()
    session.send("ServiceWorker.deliverPushMessage", {"origin": telling, "registrationId": found[0], "data": message})
    [shown] = worker.evaluate(SHOWN)
    assert shown["title"] == "Ваш ход"
    assert shown["body"].startswith("Айгүл")
    assert "{due}" not in shown["body"]
    assert "2030" in shown["body"]
    assert shown["tag"] == shown["data"] == "/games/abc"
    assert worker.evaluate(CLICK, "/games/abc") == ["closed", f"{telling}/games/abc"]
    assert worker.evaluate(CLICK, "https://elsewhere.example/") == ["closed"]


def test_a_message_of_somebody_else_breaks_nothing(telling: str, table: NewTable) -> None:
    page = table(address=telling, service_workers="allow", permissions=["notifications"]).page
    page.goto(f"{telling}/")
    worker = worker_of(page)
    worker.evaluate("() => { self.dispatchEvent(new PushEvent('push', {data: 'no JSON'})); }")
    [shown] = worker.evaluate(SHOWN)
    assert shown["title"] == "Korgool"


@pytest.mark.parametrize(("language", "on", "off"), [
    ("en", "Tell me when it is my turn", "Do not tell me when it is my turn"),
    pytest.param("tr", "Sıram gelince haber ver", "Sıram gelince haber verme", marks=pytest.mark.long),
])  # fmt: skip
def test_the_button_switches_notices_on_and_off(
    telling: str, table: NewTable, language: str, on: str, off: str
) -> None:
    """A browser without a window has no push service and asks nobody, so their answers are given; the rest is real."""
    told = Browser().subscription("https://127.0.0.1:9/push")
    given = {"endpoint": told.endpoint, "keys": {"p256dh": told.p256dh, "auth": told.auth}}
    page = table(address=telling, locale=language, service_workers="allow", permissions=["notifications"]).page
    page.goto(f"{telling}/analysis")  # with the words of the scripts
    worker_of(page)
    answers: list[tuple[str, int]] = []
    page.on(
        "response", lambda one: answers.append((one.request.method, one.status)) if "/api/push" in one.url else None
    )
    page.evaluate(
        """async (given) => {
          let known = null;
          Object.defineProperty(Notification, "permission", {get: () => "default"});
          Notification.requestPermission = async () => "granted";
          const made = {endpoint: given.endpoint, toJSON: () => given, unsubscribe: async () => { known = null; }};
          PushManager.prototype.getSubscription = async () => known;
          PushManager.prototype.subscribe = async ({applicationServerKey}) => {
            if (applicationServerKey.length !== 87) throw new Error("this is no key");
            return (known = made);
          };
          const button = document.createElement("button");
          button.id = "notices";
          button.hidden = true;
          document.querySelector("main").append(button);
          await import(document.querySelector("script[src*='register.js']").src.replace("register.js", "notices.js"));
        }""",
        given,
    )
    button = page.locator("#notices")
    expect(button).to_have_text(on)
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(button).to_have_text(off)
    expect(button).to_have_attribute("aria-pressed", "true")
    assert answers == [("GET", 200), ("POST", 204)], json.dumps(answers)
    button.click()
    expect(button).to_have_text(on)
    assert answers[2:] == [("DELETE", 204)]


def test_a_browser_that_refuses_is_told_of(telling: str, table: NewTable) -> None:
    """A private window takes no subscription; only the permission, which no browser without a window has, is played."""
    pair = [table(PHONE, address=telling, service_workers="allow", expected="Push API") for _ in range(2)]
    url = seated((Phone(pair[0], "en"), Phone(pair[1], "en")), clock="3d")
    page = pair[0].page
    page.add_init_script(
        "Object.defineProperty(Notification, 'permission', {get: () => 'default'});"
        "Notification.requestPermission = async () => 'granted';"
    )
    page.goto(url)
    button = page.get_by_role("button", name="Tell me when it is my turn", exact=True)
    button.tap()
    expect(page.locator("#notices-told")).to_have_text("This browser does not allow it.")
    expect(page.locator("#notices-told")).to_be_visible()
    expect(button).to_be_enabled()
    assert violations_here(page) == []
