"""`korgool analyse` on whole games and as a server for programs."""

from __future__ import annotations

import json
import time
import xml.etree.ElementTree as ET
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from korgool.app.cli import main
from korgool.engine.reasons import faults as faults_of
from korgool.engine.review import move_accuracy
from korgool.engine.solving import judging, solver
from korgool.rules import MANGALA, Game, Position
from tests.printing.reading import pages


def analyse(*arguments: str, given_in: str | None = None) -> Result:
    return CliRunner().invoke(main, ["analyse", *arguments], input=given_in)


def test_a_record_is_marked_and_summed_up(tmp_path: Path) -> None:
    record, graph = tmp_path / "game.txt", tmp_path / "graph.svg"
    record.write_text("7711\n", encoding="utf-8")
    told = analyse("--record", str(record), "--depth", "8", "--graph", str(graph))
    assert told.exit_code == 0, told.output
    assert "white: 2 moves" in told.output
    assert "black: 2 moves" in told.output
    record.write_text("771\n7711\n", encoding="utf-8")
    sums = [line for line in analyse("--record", str(record), "--depth", "2").output.splitlines() if "accuracy" in line]
    assert [line.split(",")[:2] for line in sums] == [
        ["game 0", " white: 2 moves"],
        ["game 0", " black: 1 move"],
        ["game 1", " white: 2 moves"],
        ["game 1", " black: 2 moves"],
    ]
    record.write_text("7711\n", encoding="utf-8")
    assert len(ET.parse(graph).getroot().findall(".//{*}polyline")) == 1
    lines = [
        json.loads(line) for line in analyse("--record", str(record), "--depth", "8", "--json").stdout.splitlines()
    ]
    assert [line["ply"] for line in lines] == [0, 1, 2, 3, 4]
    marked = [line for line in lines[:-1] if line["mark"]]
    assert marked, "1 is no good second move"
    for line in marked:
        assert line["lost"] >= 0.05
        assert line["better"]
        assert line["sign"] in ("?!", "?", "??")
        assert f"played {line['played']}{line['sign']}, lost about {line['lost_stones']:.1f} stones" in told.output
        assert line["accuracy"] == pytest.approx(move_accuracy(line["lost"]), abs=0.1)
        best, after = line["lines"][0], lines[line["ply"] + 1]["lines"]
        answer = after[0]["pv"] if after else ()
        faults = faults_of(Position.parse(line["position"]), line["played"], best["move"], answer, best["pv"][1:])
        assert [fault["kind"] for fault in line["faults"]] == [reason.kind for reason in faults]
    texts = [fault["text"] for line in marked for fault in line["faults"]]
    assert texts
    assert f"\n     {texts[0]}" in told.output
    for side, plies in (("white", lines[0:4:2]), ("black", lines[1:4:2])):
        percent = sum(line["weight"] * line["accuracy"] for line in plies) / sum(line["weight"] for line in plies)
        assert f"{side}: 2 moves, accuracy {percent:.0f} %" in told.output
    assert lines[-1]["played"] is None


def test_the_graph_belongs_to_a_record_and_must_be_writable(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    record.write_text("77\n", encoding="utf-8")
    assert analyse("--graph", "x.svg", "--position", "x").exit_code == 2
    refused = analyse("--record", str(record), "--depth", "2", "--graph", str(tmp_path / "no" / "x.svg"))
    assert refused.exit_code == 1
    assert "No such file" in refused.output


def test_requests_are_answered_in_their_order() -> None:
    requests = [
        {"id": "a", "moves": [7, 7], "depth": 4, "lines": 2},
        {"id": "b", "game": "mangala", "moves": [1], "nodes": 2000},
        {"id": "c", "position": "4S,4S,4S,4S,4S,4S/1S,5S,5S,5S,4S,4S 0 0 N 1", "depth": 3, "progress": True},
    ]
    ran = analyse("--serve", given_in="".join(json.dumps(request) + "\n" for request in requests))
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [answer["id"] for answer in answers if not answer.get("progress")] == ["a", "b", "c"]
    assert len(answers[0]["lines"]) == 2
    assert answers[1]["game"] == "mangala"
    assert [answer["lines"][0]["depth"] for answer in answers if answer.get("progress")] == [1, 2]


def test_what_cannot_be_done_is_said_and_the_server_goes_on() -> None:
    bad = [
        "rubbish",
        "[]",
        "{}",
        '{"moves": [6, 6, 7, 99]}',
        '{"moves": "77"}',
        '{"position": 3}',
        '{"moves": [], "seconds": 0}',
        '{"moves": [], "depth": 1.5}',
        '{"moves": [], "lines": 99}',
        '{"moves": [], "game": "go"}',
        '{"moves": [], "x": 1}',
    ]
    ran = analyse("--serve", given_in="\n".join([*bad, '{"id": 7, "moves": [], "depth": 2}', ""]))
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    assert ran.exit_code == 0
    assert len([answer for answer in answers if "error" in answer]) == len(bad)
    assert answers[-1]["id"] == 7


def test_a_long_search_is_stopped() -> None:
    ran = analyse("--serve", given_in='{"moves": [], "seconds": 30}\n' + "\n" * 3 + '{"stop": true}\n')
    answer = json.loads(ran.stdout.splitlines()[-1])
    assert "lines" in answer
    assert answer["seconds"] < 20


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(max_size=30).filter(lambda text: "stop" not in text), max_size=5))
def test_any_request_is_answered(lines: list[str]) -> None:
    ran = analyse("--serve", "--depth", "1", given_in="\n".join(lines) + "\n")
    assert ran.exit_code == 0
    for line in ran.stdout.splitlines():
        assert json.loads(line)


def test_moves_of_mangala_are_held_against_perfect_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first move gives away what the solved start says; the last ones are exact from small tables."""
    for module in (judging, solver):  # its seconds are the processor's, so that a busy machine judges as much
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=time.process_time))
    record = tmp_path / "game.txt"
    game, random = Game(MANGALA, (4,)), Random(4)
    while game.outcome() is None:
        game.play(random.choice(game.position.legal_moves()))
    record.write_text("".join(map(str, game.moves)) + "\n", encoding="utf-8")
    told = analyse("--record", str(record), "--game", "mangala", "--depth", "2", "--exact", "1", "--json")
    lines = [json.loads(line) for line in told.stdout.splitlines()]
    assert (lines[0]["difference"], lines[0]["given"]) == (0, 2)
    assert all(line["given"] is not None and line["given"] >= 0 for line in lines[-12:-1])
    plain = analyse("--record", str(record), "--game", "mangala", "--depth", "2", "--exact", "0", "--json")
    assert "given" not in json.loads(plain.stdout.splitlines()[0])
    shown = analyse("--record", str(record), "--game", "mangala", "--depth", "2", "--exact", "1")
    assert "exact: +0 before it, 4 gave away 2 stones" in shown.stdout
    assert "kept everything" in shown.stdout


def test_the_worst_moves_of_records_are_printed(tmp_path: Path) -> None:
    record, paper = tmp_path / "games.txt", tmp_path / "worst.pdf"
    record.write_text("7711\n7711\n", encoding="utf-8")
    told = analyse("--record", str(record), "--depth", "7", "--lines", "3", "--worst", str(paper))
    assert told.exit_code == 0, told.output
    (text,) = pages(paper.read_bytes())
    assert text.count("You played 1") == 1, "once, though both games have it"
    assert "White to move" in text
    paper.unlink()
    told = analyse("--record", str(record), "--depth", "7", "--worst", str(paper), "--side", "black")
    assert "there are no mistakes to print" in told.output
    assert not paper.exists()


def test_what_has_no_worst_move_is_not_printed(tmp_path: Path) -> None:
    record, paper = tmp_path / "game.txt", tmp_path / "worst.pdf"
    record.write_text("77\n", encoding="utf-8")
    told = analyse("--record", str(record), "--depth", "2", "--worst", str(paper))
    assert told.exit_code == 0
    assert "there are no mistakes to print" in told.output
    assert not paper.exists()
    assert analyse("--position", "x", "--worst", str(paper)).exit_code == 2
    assert analyse("--record", str(record), "--side", "white").exit_code == 2
    far = analyse("--record", str(record), "--depth", "2", "--worst", str(tmp_path / "no" / "worst.pdf"))
    assert far.exit_code == 0, "without a mistake nothing is written"
