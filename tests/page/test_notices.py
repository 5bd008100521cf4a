"""Notices in the browser: the service worker shows them and opens the game, the button switches them on and off."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from korgool.app.server.notices.notice_texts import over_text, push_text
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
  self.displayed = [];
  ServiceWorkerRegistration.prototype.showNotification = async (title, {body, tag, data, lang, silent}) => {
    self.shown.push({title, body, tag, data, lang});
    const notice = {tag, silent, close() { self.displayed = self.displayed.filter((one) => one !== notice); }};
    self.displayed = [...self.displayed.filter((one) => one.tag !== tag), notice];
  };
  const shown = (tag) => self.displayed.filter((one) => one.tag === tag);
  ServiceWorkerRegistration.prototype.getNotifications = async ({tag}) => shown(tag);
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


DELIVER = """async (message) => {
  const push = new PushEvent("push", {data: message}), waits = [];
  push.waitUntil = (work) => waits.push(work);
  self.dispatchEvent(push);
  await Promise.all(waits);
  return self.displayed.map((one) => one.tag);
}"""
OPEN = "() => self.displayed.map((one) => one.tag)"


def test_a_notice_ends_with_its_turn_and_when_its_page_opens(telling: str, table: NewTable) -> None:
    page = table(address=telling, service_workers="allow", expected="404").page
    page.goto(f"{telling}/")
    worker = worker_of(page)
    for path in ("/games/abc", "/games/other"):
        worker.evaluate(DELIVER, push_text("ky", "Guest 4540", path, DUE).decode())
    said = worker.evaluate("() => self.shown[0]")
    assert said["body"].startswith("Конок 4540")
    assert "M03" not in said["body"], "in digits, where a browser does not know the months"
    # The move was made elsewhere: something is shown for the message, in silence, and closed.
    assert worker.evaluate(DELIVER, over_text("ky", "/games/abc").decode()) == ["/games/other"]
    assert worker.evaluate("() => self.shown.at(-1).tag") == "/games/abc"
    assert worker.evaluate(DELIVER, over_text("ky", "/games/abc").decode()) == ["/games/other"]
    # The page of the game opens, however its visitor came to it.
    worker.evaluate(DELIVER, push_text("ky", "", "/games/abc", DUE).decode())
    page.goto(f"{telling}/games/other")
    assert worker.evaluate(OPEN) == ["/games/abc"]


def test_a_notice_ends_when_the_page_of_its_game_is_seen_again(telling: str, table: NewTable) -> None:
    pair = [table(PHONE, address=telling, service_workers="allow") for _ in range(2)]
    url = seated((Phone(pair[0], "en"), Phone(pair[1], "en")), clock="3d")
    page = pair[0].page
    page.add_init_script("""
      window.ended = [];
      ServiceWorkerRegistration.prototype.getNotifications = async ({tag}) => [{close: () => ended.push(tag)}];
    """)
    page.goto(url)
    page.wait_for_function("() => ended.length")
    page.evaluate("() => { ended.length = 0; document.dispatchEvent(new Event('visibilitychange')); }")
    page.wait_for_function("() => ended.length === 1")
    assert page.evaluate("() => ended[0] === location.pathname")


def test_the_form_of_an_e_mail_says_the_zone_of_its_reader(tmp_path: Path, table: NewTable) -> None:
    options = "--smtp", "localhost:9", "--mail-from", "games@korgool.example", "--base-url", "http://korgool.example"
    process, address = start_server(tmp_path / "games", 0, *options)
    try:
        gone = "ERR_CONNECTION"  # pages look for what waits when their server has ended
        pair = [table(PHONE, address=address, timezone_id="Asia/Bishkek", expected=gone) for _ in range(2)]
        url = seated((Phone(pair[0], "en"), Phone(pair[1], "en")), clock="3d")
        pair[0].page.goto(url)
        expect(pair[0].page.locator("input[name=zone]")).to_have_value("Asia/Bishkek")
    finally:
        process.terminate()
        process.wait(PATIENCE)


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
        r"""async ([given, texts]) => {
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
          Object.assign(button.dataset, texts);
          button.hidden = true;
          document.querySelector("main").append(button);
          const { src } = document.querySelector("script[src*='service_worker_registration.js']");
          await import(src.replace(/site\/service_worker_registration.js$/, "play/push_notifications.js"));
        }""",
        [given, {"tell": on, "tellNot": off}],
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
