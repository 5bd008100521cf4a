"""Web push to a real push service, and the addresses to which nothing is ever sent."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from korgool.app.server.notices import push_endpoints, web_push
from korgool.app.server.notices.push_endpoints import EndpointError, is_public, resolve_endpoint, split
from korgool.app.server.notices.web_push import WebPush, new_key
from tests.patience import PATIENCE

from .push_service import CURVE, Browser, PushService, plain, push_service, sender_of
from .support import run_async

HERE = (ip_network("127.0.0.0/8"),)
CONTACT = "mailto:operator@example.org"


@pytest.fixture
def service(tmp_path: Path) -> Iterator[PushService]:
    with push_service(tmp_path, ("localhost", "push.example")) as found:
        yield found


def sender(service: PushService) -> WebPush:
    return WebPush(new_key(), CONTACT, HERE, service.trust())


def test_the_example_of_the_standard_is_read() -> None:
    """RFC 8291, appendix A: the reader of these tests reads what somebody else has written."""
    number = int.from_bytes(plain("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"), "big")
    browser = Browser(ec.derive_private_key(number, CURVE), plain("BTBZMqHH6r4Tts7J_aSIgg"))
    body = plain(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
        "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    assert browser.read(body) == b"When I grow up, I want to be a watermelon"


def test_a_message_reaches_its_reader_and_nobody_else_can_read_it(service: PushService) -> None:
    browser, push = Browser(), sender(service)
    message = "сиздин кезегиңиз".encode()
    answer = run_async(push.send(browser.subscription(service.endpoint()), message, 3600, "topic"))
    assert answer.done
    [received] = service.received
    assert received.path == "/push/one"
    assert browser.read(received.body) == message
    assert message not in received.body
    assert received.headers["content-encoding"] == "aes128gcm"
    assert received.headers["ttl"] == "3600"
    assert received.headers["topic"] == "topic"


def test_the_service_learns_who_sends(service: PushService) -> None:
    push = sender(service)
    run_async(push.send(Browser().subscription(service.endpoint()), b"hello", 60, "t"))
    claims, key = sender_of(service.received[0].headers["authorization"])
    assert key == push.public_key
    assert claims["aud"] == f"https://localhost:{service.port}"
    assert claims["sub"] == CONTACT
    assert 0 < claims["exp"] - time.time() <= 24 * 3600


def test_two_messages_share_no_key(service: PushService) -> None:
    browser, push = Browser(), sender(service)
    for _ in range(2):
        run_async(push.send(browser.subscription(service.endpoint()), b"hello", 60, "t"))
    one, other = service.received
    assert one.body[21:86] != other.body[21:86]
    assert one.body[:16] != other.body[:16]


@pytest.mark.parametrize(
    ("status", "headers", "gone", "later", "wait"),
    [
        (201, {}, False, False, None),
        (404, {}, True, False, None),
        (410, {}, True, False, None),
        (429, {"Retry-After": "7"}, False, True, 7.0),
        (503, {"retry-after": "90"}, False, True, 90.0),
        (503, {}, False, True, None),
        (400, {}, False, False, None),
    ],
)
def test_what_an_answer_means(
    service: PushService, status: int, headers: dict[str, str], gone: bool, later: bool, wait: float | None
) -> None:
    service.reply = lambda _: (status, headers)
    answer = run_async(sender(service).send(Browser().subscription(service.endpoint()), b"x", 60, "t"))
    assert (answer.status, answer.gone, answer.later, answer.wait) == (status, gone, later, wait)


def test_a_redirect_is_not_followed(service: PushService) -> None:
    service.reply = lambda _: (307, {"Location": service.endpoint("two")})
    answer = run_async(sender(service).send(Browser().subscription(service.endpoint()), b"x", 60, "t"))
    assert answer.status == 307
    assert not answer.done
    assert not answer.later
    assert [one.path for one in service.received] == ["/push/one"]


def test_a_service_with_a_wrong_certificate_gets_nothing(service: PushService) -> None:
    push = WebPush(new_key(), CONTACT, HERE)  # which trusts the certificates of the system only
    assert run_async(push.send(Browser().subscription(service.endpoint()), b"x", 60, "t")).status == 0
    assert service.received == []


def test_a_service_that_says_nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_push, "_SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        endpoint = f"https://127.0.0.1:{silent.getsockname()[1]}/x"
        push = WebPush(new_key(), CONTACT, HERE)
        began = time.monotonic()
        answer = run_async(push.send(Browser().subscription(endpoint), b"x", 60, "t"))
    assert answer.status == 0
    assert answer.later
    assert time.monotonic() - began < PATIENCE, "it would never answer"


PRIVATE = [
    "10.0.0.1", "127.0.0.1", "127.8.8.8", "0.0.0.0", "169.254.169.254", "172.16.0.1", "192.168.1.1", "100.64.0.1",
    "192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1", "fe80::1", "fc00::1",
    "fd12:3456::1", "ff02::1", "::ffff:10.0.0.1", "::ffff:127.0.0.1", "::10.0.0.1", "64:ff9b::a00:1",
    "64:ff9b:1::1", "2002:a00:1::1", "2001:0:53aa:64c::1", "2001:db8::1", "fec0::1", "100::1", "no address",
]  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_no_address_inside_a_network_is_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "142.250.1.1", "2607:f8b0:4004::1", "::ffff:8.8.8.8", "2a00:1450::8"])
def test_addresses_of_the_internet_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example/x",
        "ftp://push.example/x",
        "https:///x",
        "https://user@push.example/x",
        "https://push.example:99999/x",
        "https://push.example/x\r\nHost: inside",
        "https://push.example/ x",
        "https://push.example\\@inside/x",
        "https://[fe80::1%25eth0]/x",
        "https://[::1/x",
        "https://пуш.example/x",
        "https://push.example/" + "x" * 1000,
        "",
        "x",
    ],
)
def test_what_is_no_endpoint(endpoint: str) -> None:
    with pytest.raises(EndpointError):
        split(endpoint)


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "2130706433", "0x7f000001", "127.1", "0177.0.0.1", "[::1]", "[::ffff:127.0.0.1]",
     "10.0.0.1", "169.254.169.254", "[fd00::1]"],
)  # fmt: skip
def test_no_spelling_of_a_private_address_is_accepted(host: str) -> None:
    """The resolver of the system decides what a spelling means, and its answer is what is checked."""
    with pytest.raises(EndpointError):
        run_async(resolve_endpoint(f"https://{host}/x"))


def resolve_to(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Let each question to the resolver get the next answer, the last one for ever; the names that were asked."""
    asked: list[str] = []

    def answer(host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        asked.append(host)
        found = answers[min(len(asked), len(answers)) - 1]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in found]

    monkeypatch.setattr(socket, "getaddrinfo", answer)
    return asked


def test_a_name_with_public_and_private_addresses_leads_to_the_public_one(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve_to(monkeypatch, ["10.0.0.1", "8.8.8.8"])
    assert run_async(resolve_endpoint("https://push.example/x")).address == "8.8.8.8"


def test_other_ports_than_that_of_https_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve_to(monkeypatch, ["8.8.8.8"])
    with pytest.raises(EndpointError):
        run_async(resolve_endpoint("https://push.example:22/x"))
    assert run_async(resolve_endpoint("https://push.example:443/x")).port == 443


def test_a_name_that_changes_leads_nowhere_else(service: PushService, monkeypatch: pytest.MonkeyPatch) -> None:
    """DNS rebinding: the first answer is checked, and the connection goes there; the name is not asked again."""
    asked = resolve_to(monkeypatch, ["127.0.0.1"], ["10.0.0.1"])
    subscription = Browser().subscription(service.endpoint(host="push.example"))
    answer = run_async(sender(service).send(subscription, b"x", 60, "t"))
    assert answer.done
    assert asked.count("push.example") == 1
    assert service.received[0].headers["host"] == f"push.example:{service.port}"


def test_a_name_that_was_public_and_is_private_now_gets_nothing(
    service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolve_to(monkeypatch, ["8.8.8.8"], ["127.0.0.1"])
    push = WebPush(new_key(), CONTACT, (), service.trust())
    subscription = Browser().subscription("https://push.example/x")
    run_async(push.check(subscription))
    with pytest.raises(EndpointError):
        run_async(push.send(subscription, b"x", 60, "t"))
    assert service.received == []


def test_a_resolver_that_hangs_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(push_endpoints, "_SECONDS", 0.2)
    left = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: left.wait(PATIENCE))

    async def ask() -> None:
        try:
            with pytest.raises(EndpointError):
                await resolve_endpoint("https://push.example/x")
        finally:
            left.set()  # the end of the event loop awaits its threads

    run_async(ask())


def test_keys_that_are_none_are_refused(service: PushService) -> None:
    push, good = sender(service), Browser().subscription(service.endpoint())
    run_async(push.check(good))
    bad = [
        replace(good, p256dh="AAAA"),
        replace(good, p256dh="B" * 87),
        replace(good, p256dh="not base64!"),
        replace(good, p256dh="ключ"),
        replace(good, auth="AAAA"),
        replace(good, auth=""),
        replace(good, auth="A" * 1000),
    ]
    for subscription in bad:
        with pytest.raises(EndpointError):
            run_async(push.check(subscription))


def test_a_message_is_json_with_words_of_the_readers_language() -> None:
    from korgool.app.server.notices.notice_texts import push_text

    told = json.loads(push_text("ky", "Айгүл{due}\n", "/games/abc", 1_900_000_000_000))
    assert told == {
        "title": "Сиздин кезегиңиз",
        "body": "Айгүлdue жүрдү. Убактыңыз бүтөт: {due}.",
        "url": "/games/abc",
        "due": 1_900_000_000_000,
        "language": "ky",
    }
    assert "Атаандашыңыз жүрдү" in json.loads(push_text("ky", "", "/games/abc", 0))["body"]
