"""Metrics: at an address of their own, each one in the manual, and counting what happens."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from korgool.app.server.core.counters import Histogram
from korgool.app.server.core.settings import SettingsError, read_metrics
from tests.patience import PATIENCE, eventually

from .support import Server, Visitor, running

MANUAL = Path(__file__).parents[2] / "docs/operating.md"
Samples = dict[tuple[str, tuple[str, ...]], float]


def scraped(server: Server) -> Samples:
    """What Prometheus reads: by name, and the values of the labels in the order of their names."""
    said = re.search(r"^Metrics are at (http://127\.0\.0\.1:\d+/metrics)$", server.process.said(), re.M)
    assert said is not None
    answer = httpx.get(said[1], timeout=PATIENCE)
    assert answer.status_code == 200
    return {
        (sample.name, tuple(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def test_what_happens_is_counted(tmp_path: Path) -> None:
    limits = tmp_path / "limits.toml"
    limits.write_text('watcher_messages = "1/h"\n')
    with running(tmp_path, None, "--metrics", "0", "--limits", str(limits)) as server:
        visitor = Visitor(server)
        game = visitor.new_game(level=8)
        visitor.send(game, "move", hole=7, version=1).raise_for_status()
        assert visitor.client.get("/metrics").status_code == 404, "never at the public door"
        stranger = Visitor(server)
        with visitor.live(game) as live, stranger.live(game) as watching:
            live.hear()
            watching.hear()
            now = scraped(server)
            assert now["korgool_live_connections", ()] == 2
            watching.say("ping")
            watching.say("ping")
            eventually(lambda: bool(scraped(server).get(("korgool_refused_total", ("watcher_messages",)))), "a refusal")
        eventually(lambda: scraped(server)["korgool_live_connections", ()] == 0, "both connections to end")
        now = scraped(server)
    assert now["korgool_requests_total", ("POST", "/api/games/{game_id}/{command}", "200")] == 1
    assert now["korgool_requests_total", ("GET", "unmatched", "404")] == 1
    assert now["korgool_request_seconds_count", ("/api/games/{game_id}/{command}",)] == 1
    assert now["korgool_events_stored_total", ("move",)] >= 1
    assert now["korgool_commit_size_count", ()] == now["korgool_commit_seconds_count", ()] >= 2
    assert now["korgool_commit_size_bucket", ("+Inf",)] == now["korgool_commit_size_count", ()]
    assert (now["korgool_games_in_memory", ()], now["korgool_games_running", ()]) == (1, 1)
    assert {labels for name, labels in now if name == "korgool_searches_waiting"} == {
        ("long",),
        ("short",),
        ("perfect",),
        ("exact",),
        ("proof",),
    }
    named = set(re.findall(r"^\| `(korgool_\w+)`", MANUAL.read_text(encoding="utf-8"), re.M))
    assert named == {re.sub("_(bucket|count|sum)$", "", name) for name, _ in now if name.startswith("korgool_")}
    assert now["process_resident_memory_bytes", ()] > 0


def test_a_place_for_metrics_is_said_with_or_without_a_host() -> None:
    assert read_metrics("9100") == ("127.0.0.1", 9100)
    assert read_metrics("0.0.0.0:9100") == ("0.0.0.0", 9100)
    assert read_metrics("[::1]:9100") == ("::1", 9100)
    for text in ("", ":9100", "x", "9100:", "65536", "-1", "localhost", "٣"):
        with pytest.raises(SettingsError, match="--metrics"):
            read_metrics(text)


def test_a_spread_counts_up_to_its_bounds() -> None:
    spread = Histogram((1, 10))
    for value in (0, 1, 1.5, 10, 11):
        spread.add(value)
    assert (spread.counts, spread.total) == ([2, 2, 1], 23.5)
