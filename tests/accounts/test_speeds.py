"""Speeds: which games share a rating."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median

import pytest

from korgool.accounts.speeds import Speed, speed_of, usual_ms
from korgool.conduct.control import HOUR, QUARTER, ControlKind, TimeControl
from korgool.conduct.control_text import read_control
from korgool.live import read_clock
from korgool.rules.games import VARIANTS


@pytest.mark.parametrize(
    ("clock", "speed"),
    [
        ("1+0", Speed.BULLET),
        ("2+0", Speed.BULLET),
        ("0.5+2", Speed.BULLET),
        ("1+2", Speed.BLITZ),
        ("3+0", Speed.BLITZ),
        ("5+3", Speed.BLITZ),
        ("10+0", Speed.BLITZ),
        ("5+5", Speed.BLITZ),
        ("10+5", Speed.RAPID),
        ("15+10", Speed.RAPID),
        ("59+0", Speed.RAPID),
        ("60+0", Speed.SLOW),
        ("30+30", Speed.SLOW),
        ("10+0 bronstein 5", Speed.RAPID),
        ("5+0 delay 2", Speed.BLITZ),
        ("0+0 byoyomi 1x10", Speed.BLITZ),
        ("10+0 byoyomi 3x30", Speed.RAPID),
        ("10+0 byoyomi 3x30/30", Speed.RAPID),
        ("9+0 byoyomi 3x30/30", Speed.BLITZ),
        ("5+0 40 moves", Speed.BLITZ),
        ("5+0 20 moves", Speed.RAPID),
        ("5+0 20 moves x2", Speed.BLITZ),
        ("1440+0", Speed.SLOW),
        ("1d", Speed.DAYS),
        ("14d", Speed.DAYS),
    ],
)
def test_speeds_of_toguz_korgool(clock: str, speed: Speed) -> None:
    """By sixty turns for each player, which is also what FIDE counts."""
    assert speed_of("toguz", read_clock(clock)) is speed


def test_the_clocks_of_the_rule_texts() -> None:
    """WNG-TK §XI gives an hour, WNG-M §II a quarter of one."""
    assert speed_of("toguz", HOUR) is Speed.SLOW
    assert speed_of("mangala", QUARTER) is Speed.RAPID
    for name, variant in VARIANTS.items():
        assert speed_of(name, read_control(variant.control)) in (Speed.RAPID, Speed.SLOW)
        assert all(speed_of(name, read_clock(f"{days}d")) is Speed.DAYS for days in range(2, 15))


def test_a_shorter_game_is_faster_by_the_same_clock() -> None:
    assert speed_of("mangala", read_clock("1+5")) is Speed.BULLET
    assert speed_of("toguz", read_clock("1+5")) is Speed.BLITZ
    assert speed_of("toguz", None) is None
    with pytest.raises(KeyError):
        speed_of("chess", None)


def test_more_time_never_makes_a_faster_game() -> None:
    order = list(Speed)
    for game in VARIANTS:
        speeds = [
            speed_of(game, TimeControl(1_000 * seconds))
            for seconds in (*range(1, 4_000, 29), *range(4_000, 100_000, 997))
        ]
        assert [order.index(one) for one in speeds if one] == sorted(order.index(one) for one in speeds if one)
        assert set(speeds) == set(order)
    assert usual_ms(TimeControl(0, kind=ControlKind.BYOYOMI, delay_ms=1_000, periods=1), 60) == 30_000


def test_the_turns_of_toguz_korgool_are_those_of_people(shared: Path) -> None:
    """Games of fewer than 20 plies were left; the others have two plies for a turn of each."""
    text = (shared / "data" / "games_online.jsonl").read_text(encoding="utf-8")
    plies = [count for line in text.splitlines() if (count := len(json.loads(line)["moves"])) >= 20]
    assert len(plies) == 469
    assert round(median(plies) / 2) == VARIANTS["toguz"].turns
