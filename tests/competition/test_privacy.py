"""What others see of a player: short names, years of birth if the event says so, numbers for removed names."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from korgool.app.printing.event_papers import event_paper
from korgool.competition import CompetitionError, Entry, EventFile, Personal, Settings, commands, ratings
from korgool.competition import actions as do
from korgool.competition.audit import check, lost_details
from korgool.competition.csv_export import csv_text, start_list
from korgool.competition.entry_lists.reading import read_entries
from korgool.competition.json_export import read_json, restore, write_json
from korgool.competition.model import Consent
from korgool.competition.privacy import shown_born, shown_name
from korgool.competition.standings import standings
from korgool.competition.storage import sqlite_database
from korgool.competition.trf import read_trf, write_trf
from tests.competition.program import call, korgool, lines, refused, usage
from tests.printing.reading import pages

CONSENT = Consent(guardian="Асанова Гүлнара", day="2026-09-14", how="signed form")


@pytest.fixture
def cup(tmp_path: Path) -> EventFile:
    """Six players after a round; the first is a minor under a short name."""
    path = tmp_path / "cup.korgool"
    file = EventFile.create(path, Settings(name="Cup", rounds=3, begins="2026-09-14"), by="Chief")
    for at in range(1, 7):
        entry = Entry(family=f"Family{at}", given=f"Given{at}", born=2010 + at, rating=2000 - at)
        if at == 1:
            entry = Entry(family="Family1", given="Given1", born=2011, rating=1999, short="Given1 F.", consent=CONSENT)
        commands.enter(file, entry, by="Secretary")
    commands.pair(file, by="Chief", lot="1")
    for game in file.state.rounds[0].games:
        commands.record(file, 1, game.board, "1 (82) - 0 (60)", by="Secretary")
    return file


def test_what_is_shown(cup: EventFile) -> None:
    one, other = cup.state.players[1], cup.state.players[2]
    assert (shown_name(one), shown_name(other)) == ("Given1 F.", "Family2, Given2")
    assert (one.name, shown_born(cup.state, one)) == ("Family1, Given1", 0)
    commands.change(cup, Settings(name="Cup", rounds=3, begins="2026-09-14", shown=("born",)), by="Chief")
    assert shown_born(cup.state, one) == 2011
    commands.forget(cup, 1, by="Chief")
    one = cup.state.players[1]
    assert (shown_name(one), one.name, shown_born(cup.state, one)) == ("№ 1", "№ 1", 0)
    with pytest.raises(CompetitionError, match="there is no player 'Family1'"):
        cup.state.player("Family1")


def test_papers_have_the_short_name_and_the_application_the_whole(cup: EventFile) -> None:
    def text(what: str) -> str:
        held = dict.fromkeys(cup.state.players, Personal()) if what == "application" else None
        return " ".join(pages(event_paper(cup.state, what, personal=held)))

    for what in ("pairings", "standings", "start-list", "place-cards"):
        found = text(what)
        assert "Given1 F." in found, what
        assert "Family1" not in found, what
    assert "Family1" in text("application")
    cup.forget(1, by="Chief")
    assert "№ 1" in text("pairings")


def test_reports_tell_no_consent_and_number_the_removed(cup: EventFile) -> None:
    assert "Family1" in write_trf(cup.state)
    cup.forget(1, by="Chief")
    cup.forget(3, by="Chief")
    commands.amend(cup, 2, Entry(family="Second", consent=CONSENT, rating=1998), by="Chief")
    report = write_trf(cup.state)
    assert "№ 1" in report
    assert "Асанова" not in report
    assert standings(read_trf(report).state) == standings(cup.state)
    assert [one.entry.removed for one in read_trf(report).state.players.values()][:3] == [True, False, True]
    records = "".join(line for line in report.splitlines(keepends=True) if not line.startswith("###"))
    assert [one.name for one in read_trf(records).state.players.values()][:3] == ["№ 1", "Second", "№ 3"]


def test_ratings_of_the_others_count_games_with_the_removed(cup: EventFile) -> None:
    before = ratings.elo({}, cup.state)
    cup.forget(1, by="Chief")
    cup.forget(2, by="Chief")
    after = ratings.elo({}, cup.state)
    assert after == {key: before[key] for key in before if not key.startswith(("family1", "family2"))}
    assert len(after) == len(ratings.glicko({}, cup.state)) == 4


def test_a_copy_without_names_has_the_same_chain(cup: EventFile, tmp_path: Path) -> None:
    data = write_json(cup, details=False)
    assert b"Given" not in data
    with restore(tmp_path / "copy", read_json(data)) as copy:
        assert [line._replace(details="") for line in cup.lines()] == copy.lines()
        assert standings(copy.state) == standings(cup.state)
        assert check(copy) == ()
        assert lost_details(copy) == (
            "details of 6 lines of the log are not there, and no official removed them: 2, 3, 4, 5, 6, 7",
        )
    everything = json.loads(write_json(cup))
    everything["details"]["2"]["entry"][1]["family"] = "Other"
    with pytest.raises(CompetitionError, match="line 2 of the log: its details were changed"):
        read_json(json.dumps(everything).encode())
    everything["details"] = {"99": {}}
    with pytest.raises(CompetitionError, match="details of a line '99'"):
        read_json(json.dumps(everything).encode())


def test_lists_bring_short_names_and_consents(cup: EventFile) -> None:
    heading = "Фамилия,Имя,Краткое имя,Законный представитель,Дата согласия,Согласие"
    text = f"{heading}\nА,Б,Б А.,В Г,14.09.2026,форма\nД,Е,,,,\n"
    found = read_entries(text.encode(), cup.state)
    assert found.faults == ()
    first, second = (entry for _, entry, _ in found.entries)
    assert (first.short, first.consent) == ("Б А.", Consent(guardian="В Г", day="2026-09-14", how="форма"))
    assert (second.short, second.consent) == ("", None)
    wrong = read_entries(b"family,guardian,consent date\nA,,2026-09-14\nB,C,soon\nD,E,2026\n", cup.state)
    assert [one.reason for one in wrong.faults] == [
        "a consent needs the name of the guardian",
        "'soon' is no date; write 2001, 2001-05-31 or 31.05.2001",
        "'2026' is no day; write 2026-05-31 or 31.05.2026",
    ]
    cup.forget(2, by="Chief")
    rows = list(csv.DictReader(io.StringIO(csv_text(start_list(cup.state)))))
    assert [(row["family"], row["short"]) for row in rows[:2]] == [("Family1", "Given1 F."), ("№ 2", "")]


def test_officials_enter_amend_and_forget(tmp_path: Path) -> None:
    path = tmp_path / "cup.korgool"
    korgool("new", path, "--name", "Cup", "--rounds", 3, "--shown", "born,photo")
    assert lines("show", path)[0]["shown"] == ["born", "photo"]
    consent = ("--guardian", "Asanova, G.", "--consent-day", "14.09.2026", "--consent-how", "form")
    (found,) = lines("enter", path, "--name", "Asanova, Aida", "--short", "Aida A.", *consent)
    assert (found["short"], found["removed"]) == ("Aida A.", False)
    assert found["consent"] == {"guardian": "Asanova, G.", "day": "2026-09-14", "how": "form"}
    assert lines("amend", path, 1, "--consent-how", "telephone")[0]["consent"]["how"] == "telephone"
    assert lines("amend", path, 1, "--guardian", "")[0]["consent"] is None
    assert "needs the name of the guardian" in refused("amend", path, 1, "--consent-how", "telephone")
    assert "--names belongs to --remove" in usage("personal", path, 1, "--names")
    korgool("enter", path, "--name", "Bekov, Bek")
    assert lines("personal", path, 1, "--remove", "--names", "--reason", "Asanova asked") == [{"removed": 1}]
    assert [one["name"] for one in lines("players", path)] == ["№ 1", "Bekov, Bek"]
    last = lines("log", path)[-1]
    assert (last["text"], last["reason"]) == ("names and personal data removed: 1 № 1", "")
    assert b"Asanova" not in path.read_bytes()
    assert "gone for good" in refused("undo", path, last["at"], "--reason", "sorry")
    assert lines("amend", path, 1, "--name", "Asanova, Aida")[0]["name"] == "Asanova, Aida"
    assert "Bekov" not in korgool("export", path, "--json", "--no-names")
    assert "exclude each other" in usage("export", path, "--json", "--no-names", "--personal")
    assert call("check", path).exit_code == 0


def test_a_migration_that_fails_leaves_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "old.korgool"
    path.write_bytes((Path(__file__).parent / "files" / "swiss-2026-11.korgool").read_bytes())
    before = path.read_bytes()

    def fail(*_: object) -> None:
        raise CompetitionError("the power failed")

    with EventFile.open(path) as file, monkeypatch.context() as patched:
        patched.setattr(sqlite_database, "add_lines", fail)
        with pytest.raises(CompetitionError, match="power"):
            file.do(do.Withdraw(1), by="Chief")
        assert path.read_bytes() == before
        patched.undo()
        assert len(file.log()) == file.state.actions
        assert file.broken_links() == ()
