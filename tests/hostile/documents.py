"""Workbooks, JSON, lists and game records that are none, or want far more than they hold."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Iterator

_TYPES = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Override PartName="/xl/workbook.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
    '<Override PartName="/xl/worksheets/sheet1.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>'
    '<Override PartName="/xl/sharedStrings.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/>'
    '<Override PartName="/xl/styles.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>'
)
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_RELS = '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}'
_RELS += "</Relationships>"
_BOOK = f'<?xml version="1.0"?><workbook {_MAIN} xmlns:r="{_OFFICE}"><sheets>'
_BOOK += '<sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>'
_BOMB = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefghi", "bcdefghij", strict=True))
    + "]>"
)


def book(
    rows: str = "", *, strings: str = "", styles: str = "", before: str = "", whole: str = "", more: bytes = b""
) -> bytes:
    """A workbook of one sheet, whose rows are XML."""
    sheet = whole or f'<?xml version="1.0"?>{before}<worksheet {_MAIN}><sheetData>{rows}</sheetData></worksheet>'
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as pack:
        pack.writestr("[Content_Types].xml", _TYPES)
        relation = f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/>'
        pack.writestr("_rels/.rels", _RELS.format(relation))
        kinds = (("worksheet", "worksheets/sheet1"), ("sharedStrings", "sharedStrings"), ("styles", "styles"))
        relations = "".join(
            f'<Relationship Id="rId{at}" Type="{_OFFICE}/{kind}" Target="{place}.xml"/>'
            for at, (kind, place) in enumerate(kinds, 1)
        )
        pack.writestr("xl/_rels/workbook.xml.rels", _RELS.format(relations))
        pack.writestr("xl/workbook.xml", _BOOK)
        pack.writestr("xl/worksheets/sheet1.xml", sheet)
        pack.writestr("xl/sharedStrings.xml", strings or f'<?xml version="1.0"?><sst {_MAIN}></sst>')
        pack.writestr("xl/styles.xml", styles or f'<?xml version="1.0"?><styleSheet {_MAIN}></styleSheet>')
        if more:
            pack.writestr("xl/media/more.bin", more)
    return file.getvalue()


def _cell(place: str, text: str = "x") -> str:
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'


_HEADING = f'<row r="1">{_cell("A1", "Name")}{_cell("B1", "Rating")}</row>'


def hostile_workbooks() -> Iterator[tuple[str, bytes]]:
    """Each with its name."""
    rows = f"<row>{_cell('A1', '&j;')}</row>"
    yield "entities in the sheet", book(rows, before=_BOMB)
    yield "entities in the strings", book(_HEADING, strings=f"{_BOMB}<sst {_MAIN}><si><t>&j;</t></si></sst>")
    outside = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY j SYSTEM "file:///etc/passwd">]>'
    yield "an entity from outside", book(whole=f"{outside}<worksheet {_MAIN}><sheetData>{rows}</sheetData></worksheet>")
    yield "a distant row", book(_HEADING + f'<row r="1048576">{_cell("A1048576")}</row>')
    yield "a row beyond all", book(_HEADING + f'<row r="99999999999999">{_cell("A2")}</row>')
    yield "rows that are none", book(_HEADING + f'<row r="-5">{_cell("A-5")}</row><row r="x">{_cell("?")}</row>')
    yield "a distant column", book(_HEADING + f'<row r="2">{_cell("XFD2")}</row>')
    yield (
        "distant rows, many",
        book(_HEADING + "".join(f'<row r="{at}">{_cell(f"XFD{at}")}</row>' for at in range(2, 900))),
    )
    merged = "".join('<mergeCell ref="A1:XFD1048576"/>' for _ in range(20_000))
    yield (
        "merged cells",
        book(
            whole=f"<worksheet {_MAIN}><sheetData>{_HEADING}</sheetData><mergeCells>{merged}</mergeCells></worksheet>"
        ),
    )
    yield "shared strings that are not there", book('<row><c r="A1" t="s"><v>99999999</v></c></row>')
    yield "a date that is none", book('<row><c r="A1" t="d"><v>9999999-99-99</v></c></row>')
    yield "no sheet", book(whole="")[:200]
    whole = book(_HEADING)
    yield "cut", whole[: len(whole) // 2]
    yield "twice", whole + whole
    yield "a zip of nothing", b"PK\x05\x06" + bytes(18)
    yield "a head without a zip", b"PK\x03\x04" + bytes(1_000_000)
    yield "the old kind", b"\xd0\xcf\x11\xe0" + bytes(100_000)
    drawn = random.Random(51)
    for at in range(10):
        changed = bytearray(whole)
        for _ in range(20):
            changed[drawn.randrange(4, len(changed))] = drawn.randrange(256)
        yield f"bytes at random {at}", bytes(changed)


def large_workbooks() -> Iterator[tuple[str, bytes]]:
    """The same kind, large: making them takes seconds too."""
    yield "90 MB of zeros beside it", book(_HEADING, more=bytes(90_000_000))
    yield "150 MB of zeros beside it", book(_HEADING, more=bytes(150_000_000))
    yield "a sheet of 90 MB", book(_HEADING + "<row></row>" * 8_000_000)
    yield "a sheet of 30 MB in cells", book(f"<row>{'<c><v>1</v></c>' * 40}</row>" * 50_000)
    yield "strings of 60 MB", book(_HEADING, strings=f"<sst {_MAIN}>{'<si><t>a</t></si>' * 3_500_000}</sst>")
    yield "one string of 90 MB", book(_HEADING, strings=f"<sst {_MAIN}><si><t>{'a' * 90_000_000}</t></si></sst>")
    yield (
        "styles of 60 MB",
        book(_HEADING, styles=f"<styleSheet {_MAIN}><cellXfs>{'<xf/>' * 9_000_000}</cellXfs></styleSheet>"),
    )
    yield "deep nesting", book(whole="<a>" * 300_000 + "</a>" * 300_000)
    yield "deep nesting in a cell", book(f"<row><c><is>{'<r>' * 200_000}{'</r>' * 200_000}</is></c></row>")
    yield "a number of a million digits", book(f'<row><c r="A1"><v>{"9" * 1_000_000}</v></c></row>')


def hostile_lists() -> Iterator[tuple[str, bytes]]:
    """Lists as text, each with its name."""
    yield "a giant line", b"Name," + b"a" * 1_900_000
    yield "a giant cell in quotes", b'Name;Rating\n"' + b"a;\n" * 600_000
    yield "nothing but quotes", b'"' * 1_900_000
    yield "quotes and delimiters", b'"",' * 600_000
    yield "nothing but delimiters", b";" * 1_900_000
    yield "nothing but ends of lines", b"\n" * 1_900_000
    yield "carriage returns", b"a\r" * 900_000
    yield "a thousand columns", b"\n".join([b";".join([b"x"] * 1000)] * 900)
    yield "two thousand lines of numbers", b"\n".join(b"%d. " % at * 100 for at in range(2000))
    yield "zeros", bytes(1_000_000)
    yield "half of UTF-16", b"\xff\xfe" + b"\xd8" * 1_000_001
    yield "half of UTF-8", b"Name\n" + b"\xc3" * 1_000_000
    yield "letters on letters", b"Name\n" + b"a" + "\u0301".encode() * 900_000
    yield "right to left", b"Name\n" + "\u202e\u2066".encode() * 300_000
    yield "a delimiter of its own", b"sep=\x00\nName\0Rating\n"
    yield "digits", b"Name;Rating\nAnn;" + b"9" * 1_500_000
    yield "spaces", b"Name;Rating\n" + b" " * 1_800_000 + b"x"
    yield "names alike", b"Name\n" + b"\n".join(b"Aa%s" % (b"a" * (at % 290)) for at in range(1999))


_LINE = {"at": 1, "time": "2026-09-14T10:05:00Z", "by": "x", "action": {"do": "open"}}


def _event(**members: object) -> bytes:
    """An event as JSON, with these members."""
    return json.dumps({"format": "korgool event", "version": 2, "log": [_LINE]} | members).encode()


def hostile_json() -> Iterator[tuple[str, bytes]]:
    """Events as JSON, each with its name."""
    yield "a huge power", _event(event={"a": 1.5}).replace(b"1.5", b"1e999999999")
    yield "no number", _event(event={"a": float("nan")})
    yield "infinite", _event(event={"a": float("inf")})
    yield "infinite in the log", _event(log=[_LINE | {"action": {"do": "open", "a": 1.5}}]).replace(b"1.5", b"-1e999")
    yield "half a letter", _event(log=[_LINE | {"by": "\ud800"}])
    yield "half a letter in the action", _event(log=[_LINE | {"action": {"do": "open", "a": "\udfff"}}])
    yield "half a letter in a name", _event(details={"1": {"\ud800": 1}})
    yield "details of no line", _event(details={"9" * 5000: {}})
    yield "details of another's digits", _event(details={"\u0661": {}})
    yield "zeros", bytes(3_000_000)
    yield "a newer version", _event(version=99)
    yield "a version without end", _event(version=10**39)
    yield "another kind", b'{"format":"a","version":1}'
    yield "a text", b'"korgool event"'
    yield "half of UTF-8", b'{"format":"\xc3'


def large_json() -> Iterator[tuple[str, bytes]]:
    """The same kind, large: making them takes seconds too."""
    yield "deep lists", b"[" * 3_000_000
    yield "deep objects", b'{"a":' * 2_000_000
    yield "deep inside", _event(event={"a": "DEEP"}).replace(b'"DEEP"', b"[" * 500_000 + b"]" * 500_000)
    yield "a member twice", b"{" + b",".join(b'"a%d":1' % at for at in range(300_000)) + b',"a299999":1}'
    yield "a text of 30 MB", b'["' + b"a" * 30_000_000 + b'"' + b",[]" * 200 + b"]"
    yield "a text of 30 MB in signs", b'["' + b"\\n" * 15_000_000 + b'"' + b",[]" * 200 + b"]"
    yield "a text that does not end", b"[" * 101 + b'"' + b'\\"' * 5_000_000
    yield "a huge number", b'{"format":"korgool event","version":' + b"9" * 20_000_000 + b"}"
    yield "a huge fraction", b'{"format":"korgool event","version":0.' + b"9" * 20_000_000 + b"}"
    yield (
        "a million lines",
        b'{"format":"korgool event","version":2,"log":[' + b",".join([json.dumps(_LINE).encode()] * 250_000) + b"]}",
    )
    yield "a million empty objects", b'{"format":"korgool event","version":2,"log":[' + b"{}," * 9_000_000 + b"{}]}"
    yield "a million lists", b"[" + b"[]," * 9_000_000 + b"[]]"


def hostile_records() -> Iterator[tuple[str, str]]:
    """Game records and positions, each with its name; what the analysis page takes has at most 60,000 letters."""
    most = 60_000
    yield "brackets", "(" * most
    yield "brackets that close", "()" * (most // 2)
    yield "variations within each other", "1. 76 " + "( 1. 77 " * 6000
    yield "comments that do not end", "1. 76 {" * 8000
    yield "comments within each other", "{" * (most // 2) + "}" * (most // 2)
    yield "tags", '[A "b"]\n' * 7000
    yield "a tag that does not end", '[A "' + "\\" * most
    yield "one tag of all letters", f'[{"A" * (most - 10)} "x"]'
    yield "tags that are none", '["' * (most // 2)
    yield "digits", "1" * most
    yield "numbers of moves", "".join(f"{at}. " for at in range(10_000))[:most]
    yield "spaces", " " * most
    yield "spaces and a sign", (" " * 5000 + "x") * 11
    yield "ends of lines", "\n" * most
    yield "dots", "." * most
    yield "slashes", "/" * most
    yield "commas", "," * most
    yield "a move again and again", "76 " * (most // 3)
    yield "letters on letters", "a" + "\u0301" * (most // 2)
    yield "half a letter", "\ud800" * 100
    yield "zeros", "\0" * most
    yield "marks", "!?" * (most // 2)
    yield "quotes", '"' * most
    yield "semicolons", "; " * (most // 2)
    yield "results", "1-0 " * (most // 4)
    yield "a huge number", "76 x 9" + "9" * 5000 + " 1"
