"""Layout of an entry list: the place of its table, and the fields of its columns.

Lists of pairing programs and of schools have the name of the event above the headings, a line about the program below
the players, an instruction as first sheet, sections, and headings in words of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from korgool.competition.entry_lists.column_headings import exact_field, field_of
from korgool.competition.entry_lists.heading_words import folded
from korgool.competition.text_cleaning import clean

MOST_ABOVE = 20
"""Lines among which the headings are sought."""
NAMES = frozenset({"name", "family", "given"})
UNIQUE = frozenset({"family", "given", "patronymic", "name"})
"""Fields for which two columns contradict each other; of any other, the column that says more is taken."""
JOINED = frozenset({"club", "groups"})
"""Fields that hold what several columns say, in their order: a club those of region, town, school and club."""
_MOSTLY = 0.6
_NOTHING = frozenset(map(folded, (
    "нет", "н/д", "б/р", "б.р.", "б/п", "б/з", "н/р", "без рейтинга", "без разряда", "без звания", "нет рейтинга",
    "none", "n/a", "na", "nil", "unr", "unrated", "no", "yok", "yoktur", "жок", "жоқ", "рейтинги жок", "рейтингі жоқ",
    "keine", "kein", "ohne", "нету", "отсутствует",
)))  # fmt: skip
_BORN_OR_GROUP = frozenset(map(folded, ("г р", "гр", "г.р.")))
"""Headings that mean a year of birth to schools, and a group to pairing programs."""
_DASHES = re.compile(r"[\s\-‐‑‒–—―−_.*/?]+")
_FOOTER = re.compile(
    r"chess-?results|swiss-?\s?manager|https?:|www\.|@|программа\b|\bсудь[яи]\b|секретар[ья]\b|\bарбитр\b|\breferee\b|"
    r"\barbiter\b|\bhakem|\bтөрешісі?\b|башкы калыс|калыстар|калысы\b|schiedsrichter|\bитого\b|\bвсего\b|\btotal\b|"
    r"\btoplam\b|жыйынтыгы|барлығы|\bбаары\b|\bgesamt|\bsumme\b|количество|примечани|anmerkung|\bnote\s*:|\bnot\s*:|ескерту|"
    r"эскертүү|\b(?:дата|date|tarih|күнү|күні|datum|page|стр|страница|seite|sayfa)\s*[:.№]?\s*[\d_]|подпись|signature|"
    r"\bimza\b|\bм\.\s?п\b|\bserver\b|ответственн|\bорганизатор\b|\bдиректор\b|\btournament\b|\bтурнира?\b|\bврач\b|"
    r"\bдәрігер\b|\bдарыгер\b|\bтренеры?\b|представител[ья]\b|руководител[ья]\b|temsilcisi?\b|\bantrenörü?\b|\bверно\b"
)
_SECTION = re.compile(
    r"(?:юнош\w*|девуш\w*|мальчик\w*|девоч\w*|мужчин\w*|женщин\w*|boys|girls|men|women|эркек\w*|кыздар|уулдар|балдар|аялдар|"
    r"ұлдар|қыздар|ерлер|әйелдер|erkek\w*|kadın\w*|kız\w*|gruppe\b.*|группа\b.*|group\b.*|grup\b.*|топ\b.*|u\s?-?\d+.*|"
    r"категория\b.*|kategori\b.*|команда\b.*|takım\b.*|team\b.*)(?:[\s,(].*)?"
)
_EXAMPLE = re.compile(r"пример|образец|инструк|правил|example|sample|instruct|readme|örnek|açıklama|үлгү|үлгі|нұсқа|"
                      r"көрсөт|muster|beispiel|anleit|hinweis")  # fmt: skip
_TITLES = frozenset(re.split(" ", "gm im fm cm wgm wim wfm wcm nm мс мсмк кмс гм мг мф км змс ms kms msmk 1 2 3 i ii"))


def is_nothing(text: str) -> bool:
    """Return whether a cell is empty or says so: `-`, `нет`, `б/р`."""
    return not text or bool(_DASHES.fullmatch(text)) or folded(text) in _NOTHING


def headings_at(rows: Sequence[Sequence[str]], mapped: Collection[str] = ()) -> int | None:
    """Index of the first row with headings: the one with most known words; None if none has any.

    Args:
        rows: the rows from the first.
        mapped: headings to which a user has assigned a field.
    """
    scores = [_score(cells, mapped) for cells in rows[:MOST_ABOVE]]
    best = max(scores, default=0)
    return scores.index(best) if best else None


def _score(cells: Sequence[str], mapped: Collection[str]) -> int:
    """Number of fields that a row names, 0 for one that cannot be the headings of a list of names."""
    texts = [clean(cell) for cell in cells]
    given = sum(text in mapped for text in texts if text)
    found = {field for text in texts if text not in mapped and (field := field_of(text))}
    alone = len([text for text in texts if text]) == 1 and any(exact_field(text) for text in texts)
    if not given and (not found & NAMES or (len(found) == 1 and not alone)):
        return 0
    return len(found) + given


def choose_sheet(sheets: Sequence[tuple[str, Sequence[Sequence[str]]]]) -> str | None:
    """The sheet with the list, of (name, first rows): the first of those with most headings, and no example."""
    best, chosen = 0, None
    for name, rows in sheets:
        at = headings_at(rows)
        score = 0 if at is None else 2 * _score(rows[at], ()) - bool(_EXAMPLE.search(name.casefold()))
        if score > best:
            best, chosen = score, name
    return chosen


def meanings_of(headings: Sequence[str], columns: Sequence[Sequence[str]]) -> list[str]:
    """The field of each column by its heading and, where that leaves a choice, by the cells below; empty for none.

    Two columns may both be of one of the fields of a name, and several of those of `JOINED`; of every other field there
    is one column.
    """
    found = [field_of(heading) or "" if heading else "" for heading in headings]
    _share_name(headings, columns, found)
    for at, heading in enumerate(headings):
        if folded(heading) in _BORN_OR_GROUP and not _mostly(columns[at], lambda text: bool(re.search(r"\d{4}", text))):
            found[at] = "groups"
    fields = set(found)
    if not fields & {"family", "name"} and "given" in fields:
        found[found.index("given")] = "name"
    elif {"family", "name"} <= fields and "given" not in fields:
        at = found.index("name")
        if not _mostly(columns[at], lambda text: " " in text):
            found[at] = "given"
    elif {"name", "given"} <= fields and "family" not in fields:
        at = found.index("name")
        if not _mostly(columns[at], lambda text: " " in text):
            found[at] = "family"
    _find_titles(headings, columns, found)
    for field in set(found) - UNIQUE - JOINED - {""}:
        places = [at for at, meaning in enumerate(found) if meaning == field]
        says = {at: sum(not is_nothing(text) and text.strip("0.") != "" for text in columns[at]) for at in places}
        best = max(places, key=lambda at: (says[at] > 0 and exact_field(headings[at]) is not None, says[at], -at))
        for at in places:
            found[at] = field if at == best else ""
    return found


def _share_name(headings: Sequence[str], columns: Sequence[Sequence[str]], found: list[str]) -> None:
    """A column without a heading behind a name: the given name under one merged heading."""
    for at, meaning in enumerate(found):
        after = at + 1
        if meaning == "name" and after < len(found) and not headings[after]:
            single = _mostly(columns[at], lambda text: " " not in text)
            if single and _mostly(columns[after], lambda text: bool(re.fullmatch(r"[^\W\d_][^\d_]*", text))):
                found[at], found[after] = "family", "given"


def _find_titles(headings: Sequence[str], columns: Sequence[Sequence[str]], found: list[str]) -> None:
    """A column without a heading before a name that holds titles."""
    for at, meaning in enumerate(found):
        before = at - 1
        if meaning in ("name", "family") and before >= 0 and not headings[before] and "title" not in found:
            held = [text for text in columns[before] if text]
            if held and all(folded(text) in _TITLES for text in held) and not all(map(str.isdigit, held)):
                found[before] = "title"


def _mostly(texts: Sequence[str], fits: Callable[[str], bool]) -> bool:
    held = [text for text in texts if text]
    return bool(held) and sum(map(fits, held)) >= _MOSTLY * len(held)


@dataclass(frozen=True, slots=True)
class TableShape:
    """Signs that distinguish a player's row of a table from the others.

    Attributes:
        headings: the headings, empty where there are none.
        meanings: the field of each column.
        usual: how many cells a row has.
        number: the column with the number of the line, -1 without one.
    """

    headings: tuple[str, ...]
    meanings: tuple[str, ...]
    usual: int
    number: int = -1

    def passed_over(self, cells: Sequence[str]) -> bool:
        """Return whether a row is not a player: a section, headings again, an empty form, or a line below the table."""
        filled = [at for at, cell in enumerate(cells) if cell.strip()]
        texts = {at: clean(cells[at]) for at in filled}
        known = [at for at in filled if at < len(self.meanings) and self.meanings[at]]
        names = [at for at in known if self.meanings[at] in NAMES]
        if self.headings and any(texts[at] == self.headings[at] for at in names):
            return True
        if len(filled) > 2 and [texts[at] for at in filled] == [str(at + 1) for at in filled]:
            return True  # forms have the numbers of the columns below the headings
        if sum(exact_field(texts[at]) == self.meanings[at] for at in known) > 1:
            return True
        whole = " ".join(texts.values()).casefold()
        few = len(filled) <= max(1, self.usual // 2)
        if not names:
            return few or not known
        if self.usual < 3 or not few:
            return False
        if len(filled) == 1 and (
            (self.number >= 0 and self.usual > 3)
            or re.search(r"[\d:]", whole.strip("0123456789.) "))
            or len(whole) > 60
            or _SECTION.fullmatch(whole)
        ):
            return True
        return bool(_FOOTER.search(whole)) or not any(letter.isalpha() for at in names for letter in texts[at])


def shape_of(headings: Sequence[str], meanings: Sequence[str], rows: Sequence[Sequence[str]]) -> TableShape:
    """The shape of a table by its headings and the first of its rows."""
    names = [at for at, meaning in enumerate(meanings) if meaning in NAMES]
    named = [cells for cells in rows[:200] if any(at < len(cells) and cells[at].strip() for at in names)]
    counts = [sum(bool(cell.strip()) for cell in cells) for cells in named]
    usual = sorted(counts)[len(counts) * 3 // 4] if counts else 0  # what stands below a short table counts little
    whole = [cells for cells, count in zip(named, counts, strict=True) if count > usual // 2]
    for at, meaning in enumerate(meanings):
        if not meaning and _mostly([cells[at] if at < len(cells) else "-" for cells in whole], _is_number):
            return TableShape(tuple(headings), tuple(meanings), usual, at)
    return TableShape(tuple(headings), tuple(meanings), usual)


def _is_number(text: str) -> bool:
    return text.strip().rstrip(".)").isdecimal()


def whole_headings(rows: Sequence[Sequence[str]], at: int) -> tuple[list[str], int]:
    """The headings of the row `at` with those that stand in a second row of headings, and the last row of them.

    A second row stands below merged cells: Participant, and below it Family name and Given name.
    """
    cells, last = list(rows[at]), at
    above = rows[at - 1] if at else ()
    known = {column: cell for column, cell in enumerate(above) if field_of(clean(cell))}
    for column, cell in known.items() if len(known) > 1 else ():
        if column < len(cells) and not field_of(clean(cells[column])):
            cells[column] = cell
    if at + 1 < len(rows) and _is_second(rows[at + 1], cells):
        last = at + 1
        for column, cell in enumerate(rows[last]):
            if column >= len(cells):
                cells.append("")
            if cell.strip() and (not cells[column].strip() or field_of(clean(cell))):
                cells[column] = cell
    return cells, last


def _is_second(cells: Sequence[str], headings: Sequence[str]) -> bool:
    """Return whether a row below headings is more of them: no digit, and another heading where a name belongs."""
    texts = {at: clean(cell) for at, cell in enumerate(cells) if cell.strip()}
    if not texts or any(re.search(r"\d", text) for text in texts.values()):
        return False
    fields = {at: field_of(clean(heading)) for at, heading in enumerate(headings) if heading.strip()}
    names = [at for at, field in fields.items() if field in NAMES]
    return bool(names) and all(
        at not in texts or texts[at] == clean(headings[at]) or (exact_field(texts[at]) or "") in NAMES for at in names
    )
