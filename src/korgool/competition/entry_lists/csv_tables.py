"""CSV tables: encoding and delimiter are detected, quotation marks checked."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from korgool.competition.entry_lists.list_layout import MOST_ABOVE, headings_at
from korgool.competition.errors import CompetitionError
from korgool.competition.text_cleaning import utf16_name
from korgool.languages import N_

LARGEST = 16_000_000
"""Most bytes of a table."""
_DELIMITERS = (";", ",", "\t", "|")
_HEAD = 20_000
"""Letters in which the headings are sought."""
_SIGNS = "«»‘’“”–—\u00a0".encode("cp1254")
"""Quotation marks, dashes and the no-break space, which the two Windows encodings have at the same places."""
_WORD, _BEYOND = re.compile(rb"[A-Za-z\x80-\xff]+"), re.compile(rb"[\x80-\xff]")


def decode_table(data: bytes, encoding: str | None) -> tuple[str, str]:
    """The text of a table and its encoding: the one given, else UTF-8, UTF-16, or that of a Windows program.

    Raises:
        CompetitionError: it is too large, or no text in that encoding.
    """
    if len(data) > LARGEST:
        raise CompetitionError(
            N_("the list has {count:,} bytes, at most {most:,} are read"), count=len(data), most=LARGEST
        )
    if encoding is None:
        encoding = utf16_name(data)
        if encoding is None:
            encoding = "utf-8"
            try:
                data.decode("utf-8")
            except UnicodeDecodeError:
                encoding = _windows_encoding(data)
    try:
        text = data.decode("utf-8-sig" if encoding.lower().replace("_", "-") in ("utf-8", "utf8") else encoding)
    except LookupError:
        raise CompetitionError(N_("there is no encoding {encoding!r}"), encoding=encoding) from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CompetitionError(
            N_("line {line} is not text in {encoding}; is this a CSV file?"), line=line, encoding=encoding
        ) from None
    except ValueError as error:
        raise CompetitionError(
            N_("the list cannot be read in {encoding}: {error}"), encoding=encoding, error=error
        ) from None
    if "\0" in text:
        raise CompetitionError(N_("the list holds zero bytes; it is no CSV file"))
    return text, encoding


def _windows_encoding(data: bytes) -> str:
    """`cp1254`, Windows Turkish, which has the letters of Germany too, if most letters outside ASCII stand in words
    with others, as in `Öztürk` and `Müller`.

    Any other text is taken for Windows Cyrillic, `cp1251`, in which whole words are of such letters.
    """
    words = _WORD.findall(data.translate(None, _SIGNS))
    beyond = {word: len(_BEYOND.findall(word)) for word in words}
    mixed = sum(beyond[word] for word in words if beyond[word] < len(word))
    return "cp1254" if 2 * mixed > sum(beyond[word] for word in words) else "cp1251"


def sniff_delimiter(text: str) -> str:
    """The delimiter: the one that the first line names (`sep=;`), else the most frequent candidate in the headings.

    The headings are the line in which most candidates part known words; without such a line, the first.
    """
    lines = [line for line in text[:_HEAD].splitlines() if line.strip()][: MOST_ABOVE + 1]
    first = lines[0] if lines else ""
    if found := re.fullmatch(r"sep=(.)", first):  # how spreadsheets say it themselves
        return found[1]
    at = {one: headings_at([_parted(line, one) for line in lines]) for one in _DELIMITERS}
    bare = {one: _bare(first if place is None else lines[place]).count(one) for one, place in at.items()}
    headed = [one for one in _DELIMITERS if at[one] is not None and bare[one]]
    return max(headed or _DELIMITERS, key=bare.__getitem__)


def _bare(line: str) -> str:
    return re.sub(r'"[^"]*"', "", line)


def _parted(line: str, delimiter: str) -> list[str]:
    return [cell.strip('" ') for cell in line.split(delimiter)]


def table_rows(text: str, delimiter: str) -> tuple[Iterator[tuple[int, list[str]]], list[tuple[int, str]]]:
    """The rows that are not empty, each with its first line, and the lines that cannot be read, with the reason.

    The second list is filled while the first is read.
    """
    if len(delimiter) != 1 or delimiter in '"\r\n':
        raise CompetitionError(N_("{delimiter!r} cannot part the cells"), delimiter=delimiter)
    faults: list[tuple[int, str]] = []

    def rows() -> Iterator[tuple[int, list[str]]]:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        begins = 1
        while True:
            begins = reader.line_num + 1
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                long = "field limit" in str(error)
                most = f"a cell has more than {csv.field_size_limit():,} characters"
                faults.append((begins, most if long else f"the quotation marks do not fit ({error})"))
                continue
            if begins == 1 and len(cells) == 2 and cells[0] == "sep=":
                continue
            if any(cell.strip() for cell in cells):
                yield begins, cells

    return rows(), faults
