"""Catalogues as they are read at run time, against Babel, which reads and writes them for translators."""

from __future__ import annotations

import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from hypothesis import given
from hypothesis import strategies as st

from korgool.languages import LANGUAGES, CatalogueError, catalogue_path, translations
from korgool.languages.catalogues import read_catalogue, script_messages
from tests.messages import messages


def told_by_babel(file: BytesIO) -> dict[str, str]:
    """The same dictionary by Babel."""
    found = {}
    for message in read_po(file, abort_invalid=True):
        key, said = (value if isinstance(value, tuple) else (str(value),) for value in (message.id, message.string))
        if all(said) and not message.fuzzy:
            found["\0".join(key)] = "\0".join(said)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_catalogue_reads_as_babel_reads_it(language: str) -> None:
    path = catalogue_path(language)
    ours, theirs = (
        read_catalogue(path.read_text(encoding="utf-8"), path.name),
        told_by_babel(BytesIO(path.read_bytes())),
    )
    del ours[""], theirs[""]  # Babel rewrites the header
    assert ours == theirs
    assert len(ours) > 500


def test_there_is_no_catalogue_without_its_line() -> None:
    assert {path.stem for path in catalogue_path("en").parent.glob("*.po")} == set(LANGUAGES)


TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from('\n\t"\\#%'), min_size=1)


@given(st.dictionaries(TEXT, TEXT | st.just(""), max_size=8), st.booleans())
def test_whatever_babel_writes_is_read(messages: dict[str, str], fuzzy: bool) -> None:
    catalogue = Catalog(locale="en", fuzzy=False)
    for key, said in messages.items():
        catalogue.add(key, said, flags={"fuzzy"} if fuzzy else (), auto_comments=["msgid"], locations=[("a.py", 1)])
    file = BytesIO()
    write_po(file, catalogue, width=40)
    ours = read_catalogue(file.getvalue().decode(), "some.po")
    del ours[""]
    assert ours == ({} if fuzzy else {key: said for key, said in messages.items() if said})


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('msgid "a"\n', "line 1: this is no message with its translation"),
        ('msgstr "a"\n', "line 1: this is no message with its translation"),
        ('# a\n\nmsgid "a"\nmsgstr "b\n', 'line 4: this cannot be read: msgstr "b'),
        ('msgid "a"\nmsgstr "\\q"\n', "line 2: this cannot be read"),
        ('msgid "a"\nmsgstr "b"\nmsgstr "c"\n', "line 3: this cannot be read"),
        ('"a"\n', "line 1: this cannot be read"),
        ('msgid "a"\nmsgid_plural "b"\nmsgstr[1] "c"\nmsgstr[0] "c"\n', "line 1: this is no message"),
        ('msgid "a"\nmsgstr "b"\n\nmsgid "a"\nmsgstr "c"\n', "line 4: this message stands here twice"),
        ('msgctxt "m"\nmsgid "a"\nmsgstr "b"\n', "line 1: this cannot be read"),
    ],
)
def test_a_slip_is_found_where_it_was_made(text: str, complaint: str) -> None:
    with pytest.raises(CatalogueError) as caught:
        read_catalogue(text, "xx.po")
    assert str(caught.value).startswith(f"xx.po, {complaint}")


@given(st.text() | st.text('msgidstr_plural[01] "\\\n#, fuzzy'))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        read_catalogue(text, "xx.po")
    except CatalogueError as error:
        assert "line " in str(error)


def test_languages_need_the_standard_library_only() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from korgool.languages import translations;"
        "print(translations('ru').ngettext('%(n)s stone', '%(n)s stones', 3))"
    )
    source = Path(__file__).parents[2] / "src"
    done = subprocess.run([sys.executable, "-S", "-I", "-c", code, str(source)], capture_output=True, check=True)
    assert done.stdout.decode().strip() == "%(n)s коргоола"


def test_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no language 'de'"):
        translations("de")


def test_the_messages_of_the_scripts_are_known_without_reading_the_scripts() -> None:
    """Babel reads them, which takes as long as all else that a first page needs."""
    of_scripts = {
        message.id if isinstance(message.id, str) else tuple(message.id)
        for message in messages()
        if message.id and any(name.startswith("static/js/") for name, _ in message.locations)
    }
    assert set(script_messages()) == of_scripts
    assert {type(message) for message in of_scripts} == {str, tuple}
