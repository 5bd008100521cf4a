"""Limits of challenges, and challenges after a crash: each on a real server of its own."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from korgool.app.server.core import errors
from tests.patience import PATIENCE, eventually

from .guests import Guest
from .support import Server, running
from .test_challenges import refused


def test_limits_of_challenges(tmp_path: Path) -> None:
    limits = tmp_path / "limits.toml"
    limits.write_text('open_challenges = 2\nsession_news = 1\nsession_games = "1/h, burst 5"\n')
    with running(tmp_path / "data", None, "--limits", str(limits)) as server:
        ann, bob = Guest(server), Guest(server)
        first, second = ann.challenge(), ann.challenge()
        full = ann.ask()
        refused(full, 429, errors.TOO_MANY_CHALLENGES)
        assert int(full.headers["retry-after"]) >= 1
        with ThreadPoolExecutor(1) as threads:
            waiting = threads.submit(ann.look, first["id"], wait=20)
            time.sleep(0.3)
            refused(ann.client.get(f"/challenges/{second['id']}?wait=20"), 429, errors.TOO_MANY_WAIT)
            assert ann.look(second["id"])["state"] == "open", "looking without waiting is no matter of this limit"
            ann.withdraw(first["id"]).raise_for_status()
            assert waiting.result(PATIENCE)["state"] == "withdrawn"
        assert ann.look(second["id"], wait=1)["state"] == "open"
        third = ann.challenge()
        for made in (second, third):
            assert bob.accept(made["id"]).status_code == 200
        for _ in range(2):
            ann.withdraw(ann.challenge()["id"]).raise_for_status()
        refused(ann.ask(), 429, errors.TOO_MANY_STARTS)


def test_whoever_is_gone_waits_no_more(tmp_path: Path) -> None:
    """A reader who leafs through pages leaves a request at each, which would keep its place for 20 seconds."""
    limits = tmp_path / "limits.toml"
    limits.write_text("session_news = 1\n")
    with running(tmp_path / "data", None, "--limits", str(limits)) as server:
        ann = Guest(server)
        challenge = f"/challenges/{ann.challenge()['id']}?wait=20"
        tag = ann.client.get("/waiting").json()["tag"]
        for left in (challenge, f"/waiting?wait=20&known={tag}"):
            with pytest.raises(httpx.ReadTimeout):
                ann.client.get(left, timeout=1)
            at = time.monotonic()
            eventually(lambda: ann.client.get(f"/waiting?wait=1&known={tag}").status_code == 200, "a place")
            assert time.monotonic() - at < 10, left


def test_whoever_waits_is_answered_when_the_server_stops(tmp_path: Path) -> None:
    limits = tmp_path / "limits.toml"
    limits.write_text("session_news = 1\n")
    with running(tmp_path / "data", None, "--limits", str(limits)) as server, ThreadPoolExecutor(1) as threads:
        ann = Guest(server)
        path = f"/challenges/{ann.challenge()['id']}"

        def wait() -> httpx.Response:
            while (answer := ann.client.get(path, params={"wait": 20})).status_code == 429:
                pass  # whoever asks below was quicker
            return answer

        waiting = threads.submit(wait)
        eventually(lambda: ann.client.get(path, params={"wait": 1}).status_code == 429, "somebody waits")
        said = server.stop()
        assert waiting.result(PATIENCE).json()["state"] == "open"
        assert "Traceback" not in said
        assert "exceeded" not in said


def test_challenges_are_there_after_a_crash(tmp_path: Path) -> None:
    server = Server(tmp_path)
    ann, bob = Guest(server), Guest(server)
    open_, taken = ann.challenge(clock="3+2"), ann.challenge(clock="1d")
    game = bob.accept(taken["id"]).json()["game"]
    server.kill()
    with running(tmp_path) as again:
        for guest in (ann, bob):
            guest.client.base_url = httpx.URL(f"{again.url}/api/")
        assert ann.look(open_["id"])["state"] == "open"
        assert ann.look(taken["id"])["game"] == game
        assert bob.accept(open_["id"]).status_code == 200
        assert bob.accept(taken["id"]).json()["game"] == game
