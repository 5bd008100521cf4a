"""Rates, fair queues, files of limits and the book of connections, each with the time that the test gives."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from korgool.app.cli import main
from korgool.app.server.core.logs import RepetitionFilter
from korgool.app.server.limits import (
    OFF,
    Caller,
    FairQueue,
    LimitsError,
    Rate,
    RateLimiter,
    ServiceLimits,
    address_key,
    parse_network,
    read_limits,
)
from korgool.app.server.limits.caller import trusted
from korgool.app.server.limits.service_limits import ABOUT, describe_limits
from korgool.app.server.transport.connection_limiter import RESERVED, ConnectionLimiter


@given(
    rate=st.builds(Rate, st.integers(1, 100), st.sampled_from(["s", "min", "h"]), st.integers(1, 50)),
    steps=st.lists(st.floats(0, 100), max_size=200),
)
def test_no_stretch_of_time_has_more_than_the_burst_and_what_came_back(rate: Rate, steps: list[float]) -> None:
    """And what is refused may be had after exactly the time that was told."""
    full_at, now = 0.0, 1000.0
    allowed: list[float] = []
    for step in steps:
        now += step
        full_at, wait = rate.spend(full_at, now)
        if wait:
            assert rate.spend(full_at, now + wait)[1] == 0
            assert rate.spend(full_at, now + 0.99 * wait)[1] > 0 or wait < 1e-6
        else:
            allowed.append(now)
    for first, began in enumerate(allowed):
        for last in range(first, len(allowed)):
            most = rate.burst + (allowed[last] - began) / rate.interval
            assert last - first + 1 <= most + 1e-3


def test_a_player_has_fifty_a_second_for_ten_seconds_and_then_ten() -> None:
    rate = ServiceLimits().player_messages
    assert rate is not None
    full_at, refused = 0.0, []
    for number in range(1000):
        full_at, wait = rate.spend(full_at, 100 + number / 50)
        refused += [number] if wait else []
    assert refused[0] >= 500
    later = [rate.spend(full_at, 120 + second)[1] for second in range(1, 2)]
    assert later == [0]


@given(st.text(max_size=30))
def test_what_is_no_rate_is_refused(text: str) -> None:
    try:
        rate = Rate.parse(text)
    except ValueError as error:
        assert "rate" in str(error) or "least" in str(error)
    else:
        assert Rate.parse(str(rate)) == rate


def test_full_buckets_are_forgotten() -> None:
    now = [0.0]
    rate_limiter = RateLimiter(ServiceLimits(address_requests=Rate(1, "s", 1)), lambda: now[0])
    for number in range(50_000):
        now[0] += 1.0
        assert rate_limiter.spend("address_requests", str(number)) == 0
    assert len(rate_limiter) <= 10_001
    assert rate_limiter.spend("address_requests", str(number)) > 0


def test_who_is_refused_by_the_session_costs_the_address_nothing() -> None:
    rate_limiter = RateLimiter(ServiceLimits(session_games=Rate(1, "h", 1), address_games=Rate(1, "h", 3)), lambda: 0.0)
    both = "session_games", "address_games"
    waits = [rate_limiter.spend_both(both, Caller("a", session)) for session in ("x", "x", "x", "y", "z", "w")]
    assert [wait > 0 for wait in waits] == [False, True, True, False, False, True]
    assert RateLimiter(OFF).spend_both(both, Caller("a", "x"), 1e9) == 0


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from("abc"), st.sampled_from("xyz")), max_size=60))
def test_a_fair_queue_loses_nothing_and_keeps_the_order_of_a_session(asked: list[tuple[int, str, str]]) -> None:
    queue: FairQueue[int] = FairQueue((8, 4, 2, 1))
    for number, (lane, address, session) in enumerate(asked):
        queue.push(number, Caller(address, session), lane)
    served: dict[object, list[int]] = {}
    for _ in asked:
        number, caller, lane = queue.pop()
        assert (lane, caller.address, caller.session) == asked[number]
        queue.charge(caller, lane, 1.0)
        served.setdefault((lane, caller), []).append(number)
    assert all(numbers == sorted(numbers) for numbers in served.values())
    assert not queue
    with pytest.raises(IndexError):
        queue.pop()


def test_addresses_share_alike_and_a_newcomer_is_next() -> None:
    queue: FairQueue[str] = FairQueue((1,))
    for number in range(100):
        queue.push(f"a{number}", Caller("a", f"fresh {number}"))
    for _ in range(10):
        _, caller, lane = queue.pop()
        queue.charge(caller, lane, 1.0)
    queue.push("b", Caller("b"))
    assert queue.pop()[0] == "b", "however many sessions wait at the other address"


def test_lanes_share_by_weight_and_none_starves() -> None:
    queue: FairQueue[int] = FairQueue((8, 4, 2, 1))
    for lane in range(4):
        for _ in range(200):
            queue.push(lane, Caller(str(lane)), lane)
    served = [0] * 4
    for _ in range(150):
        lane, caller, _ = queue.pop()
        queue.charge(caller, lane, 1.0)
        served[lane] += 1
    assert served == [80, 40, 20, 10]


@pytest.mark.parametrize(
    ("host", "key"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unix:" + "x" * 100, "unix:" + "x" * 59),
        ("", ""),
    ],
)
def test_what_counts_as_one_address(host: str, key: str) -> None:
    assert address_key(host) == key


def test_trusted_networks() -> None:
    networks = parse_network("10.0.0.0/8"), parse_network("fd00::/8")
    assert [trusted(host, networks) for host in ("10.1.2.3", "::ffff:10.1.2.3", "fd12::1", "11.0.0.1", "x", "")] == [
        True,
        True,
        True,
        False,
        False,
        False,
    ]


class Plug:
    """A connection in the book."""

    def __init__(self, address: str, *, idle: bool = False) -> None:
        self.address = address
        self.idle = idle
        self.dropped = False

    def drop(self) -> None:
        self.dropped = True


def test_the_book_of_connections() -> None:
    doors = ConnectionLimiter(ServiceLimits(address_connections=1000), descriptors=RESERVED + 200)
    assert (doors.most, doors.most_of_address) == (200, 100), "half of all for one address"
    first, *others = [Plug("a", idle=number < 2) for number in range(100)]
    assert all(doors.admit(plug) for plug in (first, *others))
    assert doors.admit(Plug("a"))
    assert doors.admit(Plug("a"))
    assert [first.dropped, *(plug.dropped for plug in others[:2])] == [True, True, False]
    assert not doors.admit(Plug("a")), "the others are all at work"
    assert all(doors.admit(Plug(f"b{number}")) for number in range(100))
    assert len(doors) == 200
    assert not doors.admit(Plug("c")), "no room, and nobody is idle"
    doors.forget(others[50])
    doors.forget(others[50])
    others[51].idle = True
    assert doors.admit(Plug("c"))
    assert doors.admit(Plug("d")), "the address that has most makes room"
    assert others[51].dropped
    assert all(ConnectionLimiter(OFF).admit(Plug("a")) for _ in range(5000))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("player_mesages = 1", "player_mesages: there is no such limit; did you mean player_messages?"),
        ("zzz = 1", "zzz: there is no such limit; the manual lists all"),
        ("player_messages = 5", "player_messages: a rate is wanted"),
        ('player_messages = "fast"', "player_messages: 'fast' is no rate"),
        ('player_messages = "0/s"', "player_messages: '0/s' allows nothing"),
        ("watchers = 0", "watchers: 0 cannot be"),
        ("watchers = -1", "watchers: -1 cannot be"),
        ("watchers = 1.5", "watchers: 1.5 is no whole number"),
        ("watchers = true", "watchers: a number is wanted"),
        ("ping_seconds = nan", "ping_seconds: nan cannot be"),
        ("ping_seconds = 1e300", "ping_seconds: 1e+300 cannot be"),
        ("[watchers]\nmost = 1", "watchers: a number is wanted"),
        ("watchers = ", "is no TOML"),
    ],
)
def test_a_bad_file_is_told_with_key_and_reason(tmp_path: Path, text: str, reason: str) -> None:
    file = tmp_path / "limits.toml"
    file.write_text(text)
    with pytest.raises(LimitsError) as refused:
        read_limits(file)
    assert str(refused.value).startswith(f"{file}: {reason}")
    done = CliRunner().invoke(main, ["serve", "--limits", str(file), "--data", str(tmp_path)])
    assert (done.exit_code, reason in done.output) == (1, True), done.output


def test_options_that_cannot_be(tmp_path: Path) -> None:
    missing = CliRunner().invoke(main, ["serve", "--limits", str(tmp_path / "nothing"), "--data", str(tmp_path)])
    assert (missing.exit_code, "cannot be read: No such file" in missing.output) == (1, True)
    (tmp_path / "binary").write_bytes(b"\xff\xfe\0")
    binary = CliRunner().invoke(main, ["serve", "--limits", str(tmp_path / "binary"), "--data", str(tmp_path)])
    assert (binary.exit_code, "is no TOML" in binary.output) == (1, True)
    for network in ("everybody", "10.0.0.1/8", "10.0.0.0/40", ""):
        done = CliRunner().invoke(main, ["serve", "--trusted-proxy", network, "--data", str(tmp_path)])
        assert (done.exit_code, "--trusted-proxy" in done.output) == (2, True), done.output


@given(st.binary(max_size=60))
def test_any_file_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    file = tmp_path_factory.getbasetemp() / "any.toml"
    file.write_bytes(content)
    try:
        assert isinstance(read_limits(file), ServiceLimits)
    except LimitsError as error:
        assert str(error).startswith(f"{file}: ")


def test_a_file_changes_what_it_names(tmp_path: Path) -> None:
    file = tmp_path / "limits.toml"
    file.write_text('watchers = 5\nplayer_messages = "off"\nping_seconds = 3\nsession_games = "1/min"\n')
    limits = read_limits(file)
    assert (limits.watchers, limits.player_messages, limits.ping_seconds) == (5, None, 3.0)
    assert limits.session_games == Rate(1, "min", 1)
    assert limits.address_games == ServiceLimits().address_games
    file.write_text("\n".join(f"{name} = {default}" for name, default, _ in describe_limits()))
    assert read_limits(file) == ServiceLimits(), "what the manual shows can be read"
    assert list(ABOUT) == [name for name, _, _ in describe_limits()]


def test_one_log_line_of_a_kind_a_second() -> None:
    now = [0.0]
    calm = RepetitionFilter(lambda: now[0])

    def told(name: str, message: str, *values: object) -> str | None:
        record = logging.LogRecord(name, logging.WARNING, "", 0, message, values, None)
        return record.getMessage() if calm.filter(record) else None

    assert [told("a", "no %s", number) for number in range(5)] == ["no 0", None, None, None, None]
    assert told("a", "another") == "another"
    assert told("b", "no %s", 1) == "no 1"
    now[0] = 1.0
    assert told("a", "no %s", 9) == "no 9 (and 4 more like it)"
