"""The catalogues are brought up to date in a folder of their own: what is translated stays, what is missing is told."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from korgool.languages import LANGUAGES, catalogue_path
from korgool.languages.__main__ import main, update
from tests.messages import messages

SHIPPED = catalogue_path("en").parent


@pytest.fixture(autouse=True)
def extracted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands in the sources is the same for all of these tests."""
    monkeypatch.setattr("korgool.languages.__main__.extracted", messages)


def test_the_shipped_catalogues_are_up_to_date(tmp_path: Path) -> None:
    for language in LANGUAGES:
        shutil.copy(catalogue_path(language), tmp_path)
    assert update(tmp_path) == {language: [] for language in LANGUAGES}
    for language in LANGUAGES:
        name = catalogue_path(language).name
        assert (tmp_path / name).read_bytes() == (SHIPPED / name).read_bytes()


def test_a_catalogue_keeps_its_plural_forms(tmp_path: Path) -> None:
    """Whatever Babel counts in its language today."""
    path = tmp_path / "ky.po"
    text = catalogue_path("ky").read_text(encoding="utf-8").replace("plural=(n != 1);", "plural=(n > 1);")
    assert "plural=(n > 1);" in text
    path.write_text(text, encoding="utf-8")
    update(tmp_path)
    assert path.read_text(encoding="utf-8") == text


def test_new_catalogues_wait_for_every_translation_but_the_english_ones(tmp_path: Path) -> None:
    waiting = update(tmp_path)
    assert list(waiting) == list(LANGUAGES)
    assert waiting["en"] == []
    assert (tmp_path / "en.po").read_bytes() == (SHIPPED / "en.po").read_bytes()
    with (SHIPPED / "ru.po").open("rb") as file:
        known = {message.id if isinstance(message.id, str) else message.id[0] for message in read_po(file)} - {""}
    assert set(waiting["ru"]) == known
    assert len(waiting["ru"]) == len(known) > 500


def test_a_guess_and_a_missing_plural_wait_for_a_translation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for language in LANGUAGES:
        shutil.copy(catalogue_path(language), tmp_path)
    path = tmp_path / "ru.po"
    with path.open("rb") as file:
        messages = [message for message in read_po(file) if message.id]
    single = next(str(message.id) for message in messages if isinstance(message.id, str) and message.id.isalpha())
    plural = next(message.id[0] for message in messages if isinstance(message.id, tuple))
    text = path.read_text(encoding="utf-8")
    text = text.replace(f'msgid "{single}"\n', f'#, fuzzy\nmsgid "{single}"\n')
    before, at, after = text.partition(f'msgid "{plural}"\n')
    assert at
    translated, first, rest = after.partition("msgstr[0] ")
    path.write_text(f'{before}{at}{translated}{first}""\n' + rest[rest.index("msgstr[1]") :], encoding="utf-8")
    main(tmp_path)
    lines = capsys.readouterr().out.splitlines()
    assert "en: 0 messages wait for a translation" in lines
    at_ru = lines.index("ru: 2 messages wait for a translation")
    assert set(lines[at_ru + 1 : at_ru + 3]) == {f"  {single}", f"  {plural}"}
    with path.open("rb") as file:
        again = read_po(file)
    emptied = again.get(single)
    assert emptied is not None
    assert not emptied.string
    assert not emptied.fuzzy
