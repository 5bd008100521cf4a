"""Results as they are typed: short forms, whole matches, lists, and a terminal that asks board by board."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool.competition import EventFile
from korgool.competition.errors import CompetitionError
from korgool.competition.model import Settings
from korgool.competition.result import Cause, Result, read_result
from korgool.competition.result_entry import ListError, entry_text, read_entry, read_list
from korgool.competition.result_words import LETTERS
from korgool.languages import translations
from korgool.rules import GAMES
from tests.competition.program import begin, call, korgool, lines, refused, usage
from tests.competition.test_apply import opened, paired
from tests.package import environment
from tests.patience import PATIENCE

TOGUZ = Settings(name="Cup")
SETS = Settings(name="Cup", game="mangala", sets=3)
POINTS = ((2, 0), (1, 1), (0, 2), (0, 0))
CAUSES: tuple[Cause, ...] = get_args(Cause)


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("82-60", "1 (82) - 0 (60)"),
        ("60 82", "0 (60) - 1 (82)"),
        ("60–102", "0 (60) - 1 (102)"),
        ("81-81", "0.5 (81) - 0.5 (81)"),
        ("70-60 agreement", "0.5 (70) - 0.5 (60) agreement"),
        ("1-0 60-70 resignation", "1 (60) - 0 (70) resignation"),
        ("0-1 60 70 time", "0 (60) - 1 (70) time"),
        ("= 70-60 repetition", "0.5 (70) - 0.5 (60) repetition"),
        ("1-0", "1-0"),
        ("0 1", "0-1"),
        ("=", "1/2-1/2"),
        ("1/2", "1/2-1/2"),
        ("+-", "+ - -"),
        ("-+", "- - +"),
        ("--", "- - -"),
        ("1 (82) - 0 (60)", "1 (82) - 0 (60)"),
        ("1-0 resignation", "1-0 resignation"),
        ("70-60 resignation", "1 (70) - 0 (60) resignation"),
        ("60-70r", "0 (60) - 1 (70) resignation"),
        ("70-60 <", "1 (70) - 0 (60) resignation"),
        ("70-60→", "0 (70) - 1 (60) resignation"),
        ("70-60 > time", "0 (70) - 1 (60) time"),
        ("> время", "0-1 time"),
        ("70-60 =", "0.5 (70) - 0.5 (60) agreement"),
        ("70-60 = повторение", "0.5 (70) - 0.5 (60) repetition"),
        ("70-60 сдался", "1 (70) - 0 (60) resignation"),
        ("0-1 70-60 УАКЫТ", "0 (70) - 1 (60) time"),
        ("1 (70) - 0 (60) süre", "1 (70) - 0 (60) time"),
        ("0-1 terk etti", "0-1 resignation"),
    ],
)
def test_short_forms(short: str, long: str) -> None:
    assert read_entry(short, TOGUZ) == read_result(long)


@pytest.mark.parametrize(
    "text", ["70-60", "70-60 time", "70-70 r", "70-60 к", "1-0 70-60 <", "82-60-3", "x", "", "9999999-3", "1-1-1"]
)
def test_what_tells_no_winner_is_refused(text: str) -> None:
    with pytest.raises(CompetitionError):
        read_entry(text, TOGUZ)


@pytest.mark.parametrize("cause", ["resignation", "time", "agreement", "repetition"])
@pytest.mark.parametrize(
    "text", ["70-60", "60 70", "70-60 =", "70-60 >", "1-0 70-60", "82-60", "0-1", "70-70", ">", "="]
)
def test_a_cause_beside_the_text_is_read_as_one_in_it(text: str, cause: Cause) -> None:
    def read(text: str, beside: Cause | None) -> Result | str:
        try:
            return read_entry(text, TOGUZ, cause=beside)
        except CompetitionError:
            return "refused"

    assert read(text, cause) == read(f"{text} {cause}", None)


@pytest.mark.parametrize("language", LETTERS)
def test_letters_and_words_of_every_language(language: str) -> None:
    """The catalogue's own words are read in every language; a letter is read in its own, and never as two things."""
    gettext = translations(language).gettext
    for cause in ("resignation", "time", "agreement", "repetition"):
        won = "= " if cause in ("agreement", "repetition") else "0-1 "
        expected = read_result(f"{'0.5' if won == '= ' else '0'} (70) - {'0.5' if won == '= ' else '1'} (60) {cause}")
        word = gettext(cause)
        for reader in LETTERS:
            for typed in (word, word.upper(), word[:-1]):
                assert read_entry(f"{won}70-60 {typed}", TOGUZ, language=reader) == expected, (reader, typed)
        if letter := LETTERS[language].get(cause):
            assert read_entry(f"{won}70-60{letter}", TOGUZ, language=language) == expected
    assert len(set(LETTERS[language].values())) == len(LETTERS[language])


def test_a_letter_of_two_languages_is_read_in_the_readers_own() -> None:
    assert read_entry("70-60 t", TOGUZ, language="tr").cause == "resignation"
    assert read_entry("0-1 70-60 t", TOGUZ, language="ru").cause == "time"
    assert read_entry("70-60 к", TOGUZ, language="kk").cause == "agreement"
    assert read_entry("70-60 к", TOGUZ, language="ky").cause == "repetition"
    with pytest.raises(CompetitionError, match="can mean several things"):
        read_entry("70-60 к", TOGUZ, language="ru")


def test_a_long_text_costs_nothing() -> None:
    begun = time.process_time()
    for text in ("a" * 500_000, "70-60 " + "ж " * 250_000, "1" * 500_000, "70-60 <" + "x1" * 200_000):
        with pytest.raises(CompetitionError):
            read_entry(text, TOGUZ)
    assert time.process_time() - begun < 2


@given(st.text(alphabet="0123456789 -+=/().;,:agremnt½<>←→свбук", max_size=24))
def test_any_text_is_a_result_or_refused(text: str) -> None:
    for settings in (TOGUZ, SETS):
        try:
            read_entry(text, settings)
        except CompetitionError as error:
            assert str(error)


@given(
    st.sampled_from(list(GAMES)),
    st.tuples(*[st.integers(0, 162)] * 2),
    st.sampled_from(POINTS),
    st.sampled_from(CAUSES),
)
def test_every_result_is_written_as_it_is_typed(
    game: str, stones: tuple[int, int], points: tuple[int, int], cause: Cause
) -> None:
    settings = Settings(name="Cup", game=game)
    for stores in (stones, None):
        one = Result(*points, stores, cause)
        try:
            one.check(settings.rules())
        except CompetitionError:
            continue
        if stores is not None or cause != "board":  # without stones nobody can say that the board ended the game
            assert read_entry(entry_text(one, settings), settings) == one
            for language in LETTERS:
                assert read_entry(entry_text(one, settings, language), settings, language=language) == one


def test_the_shortest_text_is_written() -> None:
    for text in (
        "82-60",
        "81-81",
        "1-0 70-60 resignation",
        "70-60 agreement",
        "+-",
        "-+",
        "--",
        "=",
        "1-0",
        "0-1 time",
    ):
        assert entry_text(read_entry(text, TOGUZ), TOGUZ) == text
    for text in ("30-18; 20-28; 1-0 20-10 time", "30-18; =; +-", "1-0; 0-1; ="):
        assert entry_text(read_entry(text, SETS), SETS) == text


def test_a_match_is_whole_or_refused() -> None:
    whole = read_entry("30-18; 20-28; 1-0 20-10 time", SETS)
    whole.check(SETS.rules(), sets=3)
    assert (whole.white, whole.black, whole.stores, whole.set_score) == (2, 0, (70, 56), (4, 2))
    assert (whole.full_text, whole.sets[2].cause) == ("1 (70) - 0 (56) [2:1]", "time")
    ended = read_entry("30-18; =; +-", SETS)
    assert (ended.set_score, ended.stores) == ((5, 1), None)
    unplayed = read_entry("+-;+-;-+", SETS)
    assert not unplayed.played
    assert not read_entry("+ - -", SETS).played
    for text, told in (("30-18; 20-28", "2 are given"), ("1-0", "none is given"), ("24-24;24-24;24-24;24-24", "4 are")):
        with pytest.raises(CompetitionError, match=f"has 3 sets, {told}"):
            read_entry(text, SETS)


def test_a_list_is_read_whole() -> None:
    state = paired(opened(8))
    found = read_list(state, 1, "# round 1\n1 82-60\n\n2.\n3: =\n 4\t-+ \n1 1 (82) - 0 (60)\n")
    assert (found.entered, found.same) == ((1, 3, 4), ())
    with pytest.raises(ListError) as error:
        read_list(state, 1, "1 82-60\nx\n9 =\n2 70-60\n3 90-80\n1 =\n382-60")
    told = dict(error.value.faults)
    assert sorted(told) == [2, 3, 4, 5, 6, 7]
    assert "does not begin with the number of a board" in told[2]
    assert "has no board 9" in told[3]
    assert "does not tell who won" in told[4]
    assert "round 1, board 3: 1 (90) - 0 (80): the kazans hold 170" in told[5]
    assert "board 1 stands in the list with another result" in told[6]


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    path = tmp_path / "cup.korgool"
    begin(path, 8, 3)
    korgool("pair", path, "--lot", "1")
    return path


def actions(path: Path) -> int:
    with EventFile.open(path) as file:
        return file.state.actions


def test_the_command_enters_all_or_none(cup: Path, tmp_path: Path) -> None:
    source = tmp_path / "round.txt"
    before = actions(cup)
    source.write_text("1 82-60\n2 70-60\n7 =\n", encoding="utf-8")
    told = refused("results", cup, 1, source)
    assert f"{source}: line 2: '70-60' does not tell who won" in told
    assert f"{source}: line 3: round 1 has no board 7" in told
    assert "2 bad lines, nothing was entered" in told
    assert actions(cup) == before
    source.write_text("1 82-60\n2\n3 -+\n", encoding="utf-8")
    (done,) = lines("results", cup, 1, source)
    assert (done["entered"], done["same"], [one["board"] for one in done["missing"]]) == ([1, 3], [], [2, 4])
    (again,) = lines("results", cup, 1, source)
    assert (again["entered"], again["same"], actions(cup)) == ([], [1, 3], before + 2)
    source.write_text("1 60-82\n4 =\n", encoding="utf-8")
    assert "has the result 1 (82) - 0 (60) already" in refused("results", cup, 1, source)
    assert "--correct needs --reason" in usage("results", cup, 1, source, "--correct")
    text = korgool("results", cup, 1, source, "--correct", "--reason", "slips mixed up")
    assert text.splitlines()[0] == "round 1: 1 entered, 1 corrected"
    assert text.splitlines()[1].startswith("still playing: 2 Player")
    source.write_bytes(b"2 82-60\n\xff")
    assert "line 2 is not UTF-8" in refused("results", cup, 1, source)
    source.write_text("2 82-60\n", encoding="utf-8")
    assert "round 2 is not paired" in refused("results", cup, 2, source)
    assert call("result", cup, 1, 2, "10-70", "--cause", "resignation").exit_code == 0
    assert lines("check", cup)[0]["ok"]


def test_a_match_that_lacks_a_set_is_refused_and_its_score_shown(tmp_path: Path) -> None:
    path = tmp_path / "cup.korgool"
    begin(path, 4, 3, "--game", "mangala", "--sets", "3")
    korgool("pair", path)
    assert "has 3 sets, 2 are given" in refused("result", path, 1, 1, "30-18; 20-28")
    (board,) = lines("result", path, 1, 1, "30-18; 20-28; 25-23")
    assert (board["result_text"], board["set_score"]) == ("1 (75) - 0 (69)", {"white": 2.0, "black": 1.0})
    assert [one["result"] for one in board["sets"]] == ["1-0", "0-1", "1-0"]
    assert "1 (75) - 0 (69) [2:1]" in korgool("round", path)
    assert "1 (75) - 0 (69) [2:1]" in korgool("export", path, "--csv", "-", "--table", "pairings")
    text = "30-18; 20-28"
    assert "has 3 sets" in refused("result", path, 1, 1, text, "--correct", "--reason", "x")
    assert json.loads(korgool("result", path, 1, 2, "+-", "--json"))["result"] == "1-0"


@pytest.mark.skipif(os.name == "nt", reason="a terminal of POSIX")
def test_a_terminal_asks_board_by_board(cup: Path) -> None:
    """A real program on a real terminal: a wrong line is asked again, Enter goes on, u takes back."""
    import pty

    own, its = pty.openpty()
    command = [sys.executable, "-m", "korgool", "event", "results", str(cup), "1"]
    with subprocess.Popen(command, stdin=its, stdout=its, stderr=its, env=environment(TERM="dumb")) as process:
        os.close(its)
        shown = ""

        def wait_for(text: str) -> None:
            nonlocal shown
            until = time.monotonic() + PATIENCE
            while text not in shown:
                assert time.monotonic() < until, shown
                if select.select([own], [], [], 1)[0]:
                    shown += os.read(own, 4096).decode(errors="replace")
            shown = shown[shown.index(text) + len(text) :]

        for asked, said in (
            ("  1  Player", "82-60"),
            ("  2  Player", "70-60"),
            ("does not tell who won", ""),
            ("  3  Player", "-+"),
            ("  4  Player", "1"),
            ("  1  Player", "60-82"),
            ("has the result 1 (82) - 0 (60) already", "2"),
            ("  2  Player", "0-1"),
            ("  4  Player", "u"),
            ("  2  Player", "=="),
            ("is no result", "="),
            ("  4  Player", ""),
        ):
            wait_for(asked)
            os.write(own, f"{said}\n".encode())
        wait_for("round 1: 3 entered")
        wait_for("still playing: 4 Player")
        process.wait(PATIENCE)
    os.close(own)
    assert process.returncode == 0
    assert [line["result_text"] for line in lines("round", cup)] == ["1 (82) - 0 (60)", "0.5 - 0.5", "- - +", None]
    assert lines("check", cup)[0]["ok"]
