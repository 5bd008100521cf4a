"""The language of what is printed: that of the environment or of `--language`; JSON is the same in all of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from korgool.app.cli.language import HEADINGS, VALUES, headings
from korgool.languages import LANGUAGES, translations
from tests.cli.commands import commands, options
from tests.cli.terminal import terminal

SPOKEN = sorted(name for name, command in commands().items() if "--language" in dict(options(command)))
TABLES = [
    "players", "round 1", "round 2", "explain 1", "standings", "standings --why 1 2", "crosstable", "teams", "team",
    "prizes", "form", "log", "rate", "show",
]  # fmt: skip
"""What prints a table, or sentences, of an event."""


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A practice event with what tables can show."""
    from click.testing import CliRunner

    from korgool.app.cli import main

    path = tmp_path_factory.mktemp("language") / "cup.korgool"
    for line in (
        f"practice {path} --language en", f"practice {path} --play 2", f"withdraw {path} 3 --reason illness",
        f"form {path} --lend 1 1 --borrower Coach", f"change {path} --prize 1=cup",
        f"pair {path}",
    ):  # fmt: skip
        done = CliRunner().invoke(main, ["event", *line.split()])
        assert done.exit_code == 0, done.output
    return path


def test_whatever_prints_an_event_takes_the_language() -> None:
    printed = {f"event {line.split()[0]}" for line in TABLES} | {"event print", "event practice", "event pair"}
    assert printed | {"play", "sheet", "referee"} <= set(SPOKEN)
    for name in SPOKEN:
        language = dict(options(commands()[name]))["--language"]
        assert tuple(getattr(language.type, "choices", ())) == tuple(LANGUAGES), name
        assert language.default is None or not isinstance(language.default, str), f"{name} has a language of its own"


@pytest.mark.parametrize("line", TABLES)
def test_tables_follow_the_environment_and_json_does_not(
    line: str, event: Path, invoke: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    name, *words = line.split()
    texts, data = {}, set()
    for language in LANGUAGES:
        monkeypatch.setenv("LC_ALL", f"{language}_XX.UTF-8")
        done = invoke("event", name, str(event), *words)
        assert done.exit_code == 0, done.output
        texts[language] = done.stdout
        data.add(re.sub(r'"told_at":"[^"]*"', "", invoke("event", name, str(event), *words, "--json").stdout))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert len(data) == 1, "JSON is in the language"
    assert invoke("event", name, str(event), *words).stdout == texts["en"]
    assert len(set(texts.values())) == len(LANGUAGES)
    for language in LANGUAGES:
        assert invoke("event", name, str(event), *words, "--language", language).stdout == texts[language]


def test_every_heading_is_known(event: Path, invoke: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """No English word is left among the headings of a table."""
    shown: list[str] = []

    def seen(words: Any) -> list[str]:
        shown.extend(words)
        return headings(words)

    monkeypatch.setattr("korgool.app.cli.event_common.headings", seen)
    monkeypatch.setenv("LC_ALL", "ru_RU.UTF-8")
    for line in [*TABLES, "rate --method glicko2", "rate --changes"]:
        name, *words = line.split()
        invoke("event", name, str(event), *words)
    codes = re.compile(r"[A-Z]{2,4}(-[A-Z]\d)?|\d+")
    assert [word for word in shown if word.lower() not in HEADINGS and not codes.fullmatch(word)] == []
    assert len(set(shown)) > 30


def test_the_words_of_tables_are_those_of_the_catalogues() -> None:
    for language in LANGUAGES:
        if language != "en":
            gettext = translations(language).gettext
            for word in (*HEADINGS.values(), *VALUES.values()):
                assert gettext(word) != word or language == "tr", (language, word)


def test_a_ruling_follows_the_environment(
    tmp_path: Path, invoke: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.cli.test_referee import GAME, text_of

    (tmp_path / "game.jsonl").write_text(text_of(GAME))
    ask = ("referee", str(tmp_path / "game.jsonl"))
    data = invoke(*ask, "--json").stdout
    assert "қостаушы" in invoke(*ask, "--json", "--language", "kk").stdout.casefold()
    monkeypatch.setenv("LC_ALL", "kk_KZ.UTF-8")
    assert invoke(*ask, "--json").stdout == data
    with terminal(*ask, LC_ALL="kk_KZ.UTF-8", columns=200) as shown:
        shown.wait_for("Қостаушы")


SAID = [
    ("withdraw 4 --reason ill", 0), ("withdraw 99", 1), ("warn 2 --reason talk", 0), ("warn 2 --reason talk", 0),
    ("warn 2 --reason talk", 0), ("penalise 5 --points 0.5 --reason form", 0), ("miss 6 4", 0), ("results 3 {list}", 0),
    ("results 3 {bad}", 1), ("unpair 3 --reason late", 1), ("prizes", 0), ("import {players}", 0), ("pair", 1),
    ("repair 1-2 --reason x", 1), ("personal 5 --remove --reason x", 0), ("undo 1 --reason x", 1), ("round 9", 1),
]  # fmt: skip
"""What an arbiter types, which confirms, warns or refuses; with its exit status."""


def test_what_an_arbiter_is_told_follows_the_environment(
    event: Path, tmp_path: Path, invoke: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Confirmations, warnings and refusals of an event; `--json` and the exit status are the same in every language."""
    files = {"list": "1 1-0\n", "bad": "77 1-0\n", "players": "Name;Rating\nBolotov Bolot;1500\n;;\n"}
    for name, text in files.items():
        (tmp_path / f"{name}.csv").write_text(text)
    told: dict[str, list[str]] = {}
    for language in LANGUAGES:
        monkeypatch.setenv("LC_ALL", f"{language}_XX.UTF-8")
        copy = tmp_path / f"{language}.korgool"
        copy.write_bytes(event.read_bytes())
        told[language] = []
        for line, status in SAID:
            name, *words = [word.format(**{one: tmp_path / f"{one}.csv" for one in files}) for word in line.split()]
            done = invoke("event", name, str(copy), *words)
            assert done.exit_code == status, (line, done.output)
            told[language].append(done.output.replace(str(copy), "FILE"))
    for at, (line, _) in enumerate(SAID):
        if line not in ("withdraw 4 --reason ill",):
            assert len({told[language][at] for language in LANGUAGES}) >= 4, (
                line,
                [told[one][at] for one in LANGUAGES],
            )
    english = re.compile(r"\b(warning|entered|round|player|there is|complete|penalty|point is)\b")
    for language in set(LANGUAGES) - {"en"}:
        for text in told[language]:
            assert not english.search(text), (language, text)


POSITION = "1,2S,1,1S,1,1S/1S,2,1S,1S,1_20_21_S_30"
ELSEWHERE = [
    ("account add Aida --data {data}", 0), ("account add 7 --data {data}", 1), ("account list --data {data}", 0),
    ("account reset Aidaa --data {data}", 1), ("account lock Aida --data {data}", 0), ("account list --data {data}", 0),
    ("account add Bolot --password-stdin --data {data}", 1), ("account reports r1 --data {data}", 1),
    ("account follows e1 --data {data}", 1), ("account delete Aida --data {data}", 130),
    ("backup {folder}/none/ --data {data}", 1), ("backup {folder}/copy.zip --data {data}", 0),
    ("restore {folder}/copy.zip --check --data {data}", 0), ("restore {folder}/copy.zip --replace --data {data}", 0),
    ("ratings check --data {data}", 0),
    ("event practice {event}", 1), ("event publish {event}", 0), ("event publish {event} --folder {folder}/pages", 0),
    ("event publish {event} --folder {folder}", 1), ("event photo {event} 1", 0), ("event photo {event} 1 --remove", 1),
    ("event rate {event} --before {bad}", 1), ("event rate {event} --before {folder}/none.jsonl", 1),
    ("event upload {event} --server http://127.0.0.1:9 --token t", 1), ("event undo {event} 1 --reason x", 1),
    ("event log {event} --at 30", 0), ("event attach {event} 1 1 {bad}", 1),
    ("tables list --game mangala --folder {folder}/none", 0),
    ("tables build --game bestemshe --stones 2 --folder {tables}", 0),
    ("tables list --game bestemshe --folder {tables}", 0), ("tables check --game bestemshe --folder {tables}", 0),
    ("solve --game mangala --no-book --seconds 0.01", 3), ("solve --position POSITION", 0),
    ("analyse --position POSITION --nodes 50", 0), ("analyse --record {game} --nodes 50", 0), ("replay {game}", 0),
    ("replay {folder}", 1),
    ("convert {folder} --to pgn", 1), ("sheet {bad} -o {folder}/x.pdf", 1), ("bench --depth 1", 0),
    ("completion zsh", 0), ("play --resume", 1),
]  # fmt: skip
"""What is typed at the other commands, with its exit status."""


def test_what_an_operator_is_told_follows_the_environment(
    event: Path, tmp_path: Path, invoke: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Confirmations, prompts, warnings and refusals of the commands beside those for arbiters."""
    from tests.backup.sites import site

    told: dict[str, list[str]] = {}
    for language in LANGUAGES:
        monkeypatch.setenv("LC_ALL", f"{language}_XX.UTF-8")
        folder = tmp_path / language
        folder.mkdir()
        names = {name: folder / name for name in ("data", "tables", "event", "bad", "game")} | {"folder": folder}
        site(folder / "data")
        names["event"].write_bytes(event.read_bytes())
        names["bad"].write_text("{}\n")
        names["game"].write_text("5\n\n7 7 1 2 3\n")
        told[language] = []
        for line, status in ELSEWHERE:
            words = [word.format(**names) for word in line.replace("POSITION", POSITION).split()]
            words = [word.replace("_", " ") if "S_" in word else word for word in words]
            done = invoke(*words, text="n\n" if "delete" in line else "123\n")
            assert done.exit_code == status, (line, done.output)
            text = done.stderr if "completion" in line else done.output
            told[language].append(text.replace(str(folder), "FOLDER"))
    silent = ("account add Aida", "account lock", "event undo")
    english = re.compile(
        r"\b(there|this|cannot|warning|games?|bytes|processor|nodes|stones|positions?|round|lines?|file|folder|account|"
        r"photograph|standings|good|exact|book|by|ply|plies|published|taken|password|letters)\b"
    )
    for at, (line, _) in enumerate(ELSEWHERE):
        texts = [told[language][at] for language in LANGUAGES]
        assert line.startswith(silent) or len(set(texts)) == len(LANGUAGES), (line, texts)
        for text in texts[1:]:
            # The solver and the builder of tables have one language.
            assert line.startswith(("tables build", "solve --game")) or not english.search(
                text.replace("No such file", "")
            ), (
                line,
                text,
            )
