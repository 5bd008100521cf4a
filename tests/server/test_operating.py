"""What stands in docs/operating.md is run: unit, sites of Caddy and nginx, alerts. A proxy that forges is refused."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from configparser import ConfigParser
from itertools import count
from pathlib import Path

import httpx
import pytest

from korgool.app.cli.serve import command as serve
from tests.patience import PATIENCE

from .fronts import NAME, PAGE, Browser, Front, blocks, placed
from .support import Server, running

BURST = 60
LAST = count(2)
"""The last parts of addresses of this machine that nobody has used yet."""


def unit() -> tuple[str, list[str]]:
    """The unit of the page, and the words of its ExecStart after `korgool serve`."""
    (text,) = blocks("ini")
    program, name, *words = shlex.split(text.partition("ExecStart=")[2].replace("\\\n", " ").partition("\n")[0])
    assert (program, name) == ("/opt/korgool/bin/korgool", "serve")
    return text, words


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server of the unit; its limits are low, so that a test reaches them."""
    folder = tmp_path_factory.mktemp("data")
    limits = folder / "limits.toml"
    limits.write_text(f'address_requests = "1/h, burst {BURST}"\n', encoding="utf-8")
    places = {"/var/lib/korgool": str(folder), "9101": "0", "--drain 10": "--drain 0"}
    words = shlex.split(placed(shlex.join(unit()[1]), places))
    with running(folder, None, *words, "--limits", str(limits)) as server:
        yield server


SITES = ["caddy", "caddy, several", "nginx", "nginx, several"]


def site(name: str) -> str:
    """A site of the page; that of several processes with nginx is a group beside the site."""
    program, _, several = name.partition(", ")
    one, group = blocks(program)
    if not several:
        return one
    return group if program == "caddy" else group + placed(one, {"http://127.0.0.1:8000": "http://korgool"})


@pytest.fixture(scope="module", params=SITES)
def front(request: pytest.FixtureRequest, server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    folder = tmp_path_factory.mktemp("front") / "files"
    front = Front(request.param.partition(",")[0], site(request.param), server.url, folder)
    try:
        yield front
    finally:
        front.close()


LIES = {
    "x-forwarded-proto": "http",
    "x-forwarded-host": "evil.example",
    "forwarded": "for=198.51.100.7;host=evil.example;proto=http",
}


def test_a_site_of_the_page_is_a_site(front: Front, server: Server) -> None:
    """TLS, cookies, a game over `wss`, one address for each visitor whatever they claim, and no other name."""
    guest, other = (Browser(front, f"127.0.1.{next(LAST)}") for _ in range(2))
    plain = httpx.get(f"http://127.0.0.1:{front.plain}/games", headers={"host": NAME}, timeout=PATIENCE)
    assert plain.status_code in {301, 308}
    assert re.fullmatch(rf"https://{NAME}(:\d+)?/games", plain.headers["location"])

    first = guest.ask("GET", "/", headers=LIES)
    assert first.status_code == 200
    assert first.headers["strict-transport-security"]
    assert "evil" not in first.text
    cookies = first.headers.get_list("set-cookie")
    assert cookies
    for cookie in cookies:
        assert cookie.startswith("__Host-")
        assert "; Secure" in cookie

    game = guest.new_game()
    with guest.live(game) as live:
        live.hear()
        assert "ack" in live.act("move", hole=7, version=1)
        assert [event["kind"] for event in live.until(2)][-1] == "move"

    stranger = guest.ask("GET", "/", headers={"host": "evil.example"})
    assert stranger.status_code == 421 or not stranger.content, "Caddy has no such site"

    status = 200
    for number in range(BURST):
        lie = {**LIES, "x-forwarded-for": f"198.51.100.{number}"}
        status = guest.ask("GET", "/healthz", headers=lie).status_code
        if status != 200:
            break
    assert status == 429, "each request claimed another address"
    assert other.ask("GET", "/healthz").status_code == 200


def test_a_proxy_that_tells_no_address_is_told_so(server: Server) -> None:
    """It passes on what clients write: they would choose whose limits count."""
    for line in ("nobody", "198.51.100.1, ::ffff:1.2.3.4.5", "198.51.100.1, evil example"):
        answer = httpx.get(server.url, timeout=PATIENCE, headers={"x-forwarded-for": line, "accept-language": "ru"})
        assert answer.status_code == 400, line
        assert answer.json()["detail"].startswith("Прокси"), line
    said = server.process.said()
    assert "a trusted proxy tells something else than the address of a client" in said
    assert "nobody" not in said
    for line in ("198.51.100.1:4711", "[2001:db8::1]:4711", "2001:db8::1", "fe80::1%eth0"):
        assert httpx.get(server.url, timeout=PATIENCE, headers={"x-forwarded-for": line}).status_code == 200, line


def test_the_units_are_understood(tmp_path: Path) -> None:
    """By the command line, with the lines for other sites, and by systemd where it is installed."""
    text, _ = unit()
    page = PAGE.read_text(encoding="utf-8").replace("\\\n", " ").replace("%i", "8001")
    starts = [shlex.split(start)[2:] for start in re.findall(r"^ExecStart=(.+)$", page, re.MULTILINE)]
    assert len(starts) == 3
    for start in starts:
        assert serve.make_context("serve", start).params["base_url"] == f"https://{NAME}/"
    reader = ConfigParser(strict=False, interpolation=None)
    reader.optionxform = str  # type: ignore[assignment,method-assign]
    reader.read_string(text)
    assert {"Unit", "Service", "Install"} == set(reader.sections())
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed")
    file = tmp_path / "korgool.service"
    file.write_text(placed(text, {"/opt/korgool/bin/korgool": sys.executable}), encoding="utf-8")
    for ask in (["verify"], ["security", "--offline=true", "--threshold=20", "--no-pager"]):
        done = subprocess.run(["systemd-analyze", *ask, file], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "korgool.service" not in done.stderr


def test_the_alerts_are_rules_of_metrics_that_there_are(tmp_path: Path) -> None:
    scrape, rules = blocks("yaml")
    table = set(re.findall(r"^\| `(korgool_\w+)`", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    named = {re.sub("_(bucket|count|sum)$", "", one) for one in re.findall(r"\bkorgool_\w+", rules)}
    assert named <= table | {"korgool_workers"}
    if shutil.which("promtool") is None:
        pytest.skip("promtool is not installed")
    (tmp_path / "korgool.rules.yml").write_text(rules, encoding="utf-8")
    (tmp_path / "prometheus.yml").write_text(scrape, encoding="utf-8")
    done = subprocess.run(
        ["promtool", "check", "config", tmp_path / "prometheus.yml"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
