"""The doors through which people ask to be told, on a server in a process of its own."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from korgool.installing import advice
from tests.patience import PATIENCE

from .own_python import refusals
from .push_service import Browser, PushService, push_service, written
from .support import Server, Visitor
from .test_mail import Post, links, smtp


@pytest.fixture
def service(tmp_path: Path) -> Iterator[PushService]:
    with push_service(tmp_path) as found:
        yield found


def push(visitor: Visitor, method: str, body: object) -> Any:
    headers = {"x-csrftoken": visitor.token}
    return visitor.client.request(method, "/api/push", json=body, headers=headers)


def test_the_doors_of_web_push(tmp_path: Path, service: PushService) -> None:
    server = Server(tmp_path / "games", None, "--push", "mailto:a@b.org", "--push-network", "127.0.0.0/8")
    try:
        visitor, browser = Visitor(server), Browser()
        key = visitor.client.get("/api/push").json()["key"]
        assert len(key) == 87
        told = browser.subscription(service.endpoint())
        body = {"endpoint": told.endpoint, "expirationTime": None, "keys": {"p256dh": told.p256dh, "auth": told.auth}}
        assert push(visitor, "POST", body).status_code == 204
        assert push(visitor, "DELETE", {"endpoint": told.endpoint}).status_code == 204
        for bad in ({}, {"endpoint": 1}, {**body, "keys": {}}, {**body, "endpoint": "x" * 2000}):
            assert push(visitor, "POST", bad).status_code == 400
        pressed = browser.key.public_key().public_bytes(Encoding.X962, PublicFormat.CompressedPoint)
        for point, auth in ((written(pressed), told.auth), (told.p256dh, written(b"short"))):
            assert push(visitor, "POST", {**body, "keys": {"p256dh": point, "auth": auth}}).status_code == 422, (
                "its browser could read nothing"
            )
        for endpoint in ("https://10.0.0.1/x", "http://127.0.0.1/x", "https://nobody.invalid/x", "file:///etc/passwd"):
            answer = push(visitor, "POST", {**body, "endpoint": endpoint})
            assert answer.status_code == 422
            assert answer.json()["detail"]
        assert visitor.client.post("/api/push", json=body).status_code == 403
        stranger = {"x-csrftoken": visitor.token, "sec-fetch-site": "cross-site"}
        assert visitor.client.post("/api/push", json=body, headers=stranger).status_code == 403
        # The key is that of the database: a server that starts again has subscribers still.
        server.stop()
        server = Server(tmp_path / "games", None, "--push", "mailto:a@b.org")
        assert Visitor(server).client.get("/api/push").json()["key"] == key
    finally:
        server.stop()


def test_a_server_without_notices_has_no_such_doors(tmp_path: Path) -> None:
    server = Server(tmp_path / "games")
    try:
        visitor = Visitor(server)
        assert visitor.client.get("/api/push").status_code == 404
        answer = push(visitor, "POST", {"endpoint": "https://a.example/", "keys": {"p256dh": "a", "auth": "b"}})
        assert answer.status_code == 404
        assert visitor.form("/mail", address="a@example.org").status_code == 404
    finally:
        server.stop()


def test_the_doors_of_e_mail(tmp_path: Path) -> None:
    """Opening a link does nothing, because programs open links; its button needs no cookie, because phones differ."""
    post = Post()
    with smtp(post) as settings:
        options = [
            "--smtp",
            f"localhost:{settings.port}",
            "--mail-from",
            "games@korgool.example",
            "--base-url",
            "http://korgool.example",
        ]
        server = Server(tmp_path / "games", None, *options)
        try:
            visitor = Visitor(server)
            visitor.client.headers["host"] = "korgool.example"
            assert visitor.form("/mail", address="no address").status_code == 422
            assert visitor.form("/mail", address="aigul@example.org").status_code == 200
            deadline = time.monotonic() + PATIENCE
            while not post.messages and time.monotonic() < deadline:
                time.sleep(0.02)
            [token] = links(post.messages[0].get_content(), "confirm")
            phone = Visitor(server)
            phone.client.cookies.clear()
            assert "<form" in phone.client.get(f"/mail/confirm/{token}").text
            assert "<form" in phone.client.get(f"/mail/stop/{token}").text
            assert phone.client.post(f"/mail/confirm/{'x' * 43}").status_code == 410
            assert phone.client.post(f"/mail/confirm/{token}").status_code == 200
            one_click = phone.client.post(f"/mail/stop/{token}", data={"List-Unsubscribe": "One-Click"})
            assert one_click.status_code == 200
            assert phone.client.post(f"/mail/confirm/{token}").status_code == 410
        finally:
            server.stop()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--push", "me"], "--push"),
        (["--push-network", "x", "--push", "mailto:a@b.org"], "--push-network"),
        (["--smtp", "localhost"], "HOST:PORT"),
        (["--smtp", "localhost:25"], "--mail-from"),
        (["--smtp", "localhost:25", "--mail-from", "a@b.org"], "--base-url"),
    ],
)
def test_settings_that_cannot_be(tmp_path: Path, options: list[str], said: str) -> None:
    with pytest.raises(RuntimeError, match=said):
        Server(tmp_path / "games", None, *options)


def test_a_package_that_is_missing_is_named_with_the_part_that_brings_it(tmp_path: Path) -> None:
    """Before anything begins. Without notices it is not needed, and only the data folder is wrong, which is a file."""
    (tmp_path / "cryptography.py").write_text("raise ModuleNotFoundError('not here', name='cryptography')")
    (tmp_path / "games").write_text("")
    serve = ["serve", "--port", "0", "--data", str(tmp_path / "games")]
    wrong_place, lacking = refusals(serve, [*serve, "--push", "mailto:a@b.org"], path=str(tmp_path))
    assert f"games cannot be stored in {tmp_path / 'games'}" in wrong_place
    assert advice("push") in lacking
