"""A round for which the rules leave no pairing: the chief referee pairs it by hand (C.04.3 art. 1.9.3)."""

from __future__ import annotations

import hashlib
import sqlite3
from pathlib import Path

import pytest

from tests.competition.program import begin, call, korgool, lines, refused, usage


@pytest.fixture
def stuck(tmp_path: Path) -> Path:
    """Four began, and of the two who are left in round 2 everybody has met everybody."""
    cup = tmp_path / "cup.korgool"
    begin(cup, 4, 3)
    first, second = lines("pair", cup, "--lot", "1")
    for line in (first, second):
        korgool("result", cup, 1, line["board"], "1 (82) - 0 (60)")
    for side in ("white", "black"):
        korgool("withdraw", cup, second[side])
    return cup


def test_what_the_program_cannot_pair_is_paired_by_hand(stuck: Path) -> None:
    assert "repair --next" in refused("pair", stuck)
    one, other = (line["number"] for line in lines("players", stuck) if line["status"] == "plays")
    assert "--swap changes a round" in usage("repair", stuck, "--next", "--swap", one, other, "--reason", "x")
    gone = next(line["number"] for line in lines("players", stuck) if line["status"] != "plays")
    assert "does not play" in refused("repair", stuck, "--next", f"{one}-{gone}", "--reason", "x")
    assert "is paired 2 times" in refused("repair", stuck, "--next", f"{one}-{one}", "--reason", "x")
    done = call("repair", stuck, "--next", f"{one}-{other}", "--reason", "nobody else is left", "--json")
    assert done.exit_code == 0, done.output
    assert "met in round 1" in done.stderr
    assert [line["round"] for line in lines("round", stuck) if line["board"]] == [2]
    assert "paired by hand" in korgool("round", stuck)
    korgool("result", stuck, 2, 1, "0 (60) - 1 (82)")
    checked = lines("check", stuck)[0]
    assert checked["ok"]
    assert "round 2 was paired by hand" in checked["remarks"]
    assert "nobody else is left" in korgool("log", stuck)


def test_a_reason_is_asked_for(stuck: Path) -> None:
    assert "--reason" in usage("repair", stuck, "--next", "1-2")


def test_by_hand_without_a_reason_is_found(stuck: Path) -> None:
    """The pairing without the line that tells why, with a chain of hashes that fits."""
    one, other = (line["number"] for line in lines("players", stuck) if line["status"] == "plays")
    korgool("repair", stuck, "--next", f"{one}-{other}", "--reason", "nobody else is left")
    korgool("result", stuck, 2, 1, "0 (60) - 1 (82)")
    connection = sqlite3.connect(stuck)
    (at,) = connection.execute("SELECT max(at) FROM log WHERE action LIKE '%repair%'").fetchone()
    connection.execute("DELETE FROM log WHERE at = ?", (at,))
    connection.execute("UPDATE log SET at = at - 1 WHERE at > ?", (at,))
    chain = ""
    for line in connection.execute("SELECT at, time, by, reason, action FROM log ORDER BY at").fetchall():
        chain = hashlib.sha256("\x1f".join((chain, *line[1:])).encode()).hexdigest()
        connection.execute("UPDATE log SET chain = ? WHERE at = ?", (chain, line[0]))
    connection.commit()
    connection.close()
    done = call("check", stuck)
    assert done.exit_code == 1
    assert "round 2 was paired by hand, and nobody says why" in done.stderr
