"""`python -m korgool.languages` brings the catalogues up to date with the sources.

It lists the messages without a translation, and the translations that use other words than `terms.toml`.
"""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from korgool.languages import LANGUAGES, catalogue_path
from korgool.languages.extraction import extracted
from korgool.languages.terms import catalogue_faults


def update(folder: Path) -> dict[str, list[str]]:
    """Bring the catalogues up to date with the sources; English is complete at once.

    A catalogue keeps its plural forms; a new one has those that Babel gives the language.

    Args:
        folder: where the catalogues are; one that is missing is created.

    Returns:
        For each language, the messages without a translation.
    """
    waiting: dict[str, list[str]] = {}
    wanted = extracted()
    for language, name_of_it in LANGUAGES.items():
        path = folder / catalogue_path(language).name
        old = Catalog(locale=language)
        if path.exists():
            with path.open("rb") as file:
                old = read_po(file, locale=language)
        title = f"# {name_of_it}: the words of the pages."
        new = Catalog(locale=language, project="korgool", charset="utf-8", fuzzy=False, header_comment=title)
        # Translations are made for the plural forms of their file; those that Babel gives a language change with its
        # releases (2.19 counts two in Turkish, where there was one).
        new.mime_headers = [("Plural-Forms", old.plural_forms)]
        waiting[language] = []
        for message in wanted:
            if not message.id:
                continue
            before = old.get(message.id)
            string = before.string if before is not None and not before.fuzzy else None
            if language == "en":
                string = message.id
            new.add(message.id, string, locations=[(name, 0) for name, _ in message.locations])
            if not string or not all([string] if isinstance(string, str) else string):
                waiting[language].append(message.id if isinstance(message.id, str) else message.id[0])
        file_text = BytesIO()
        write_po(file_text, new, width=110, omit_header=False, include_lineno=False, sort_output=True)
        dated = rb'"(Project-Id-Version|POT-|PO-|Last-T|Language-Team|Generated-By|Report-)[^\n]*\n'
        path.write_bytes(re.sub(dated, b"", file_text.getvalue()))
    return waiting


def main(folder: Path) -> None:
    """Bring the catalogues of a folder up to date, and print what waits for a translation or uses other words."""
    for code, messages in update(folder).items():
        print(f"{code}: {len(messages)} messages wait for a translation")
        for text in [*messages, *catalogue_faults(code, folder)]:
            print(f"  {text}")


if __name__ == "__main__":
    main(catalogue_path("en").parent)
