"""Rulings in words: every kind in every language, with every argument, in letters and forms of that language."""

from __future__ import annotations

import json
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool.conduct.ruling import Argument, RulingKind
from korgool.conduct.sentences import ARGUMENTS, sentence
from korgool.conduct.sentences.durations import in_words, on_a_clock
from korgool.conduct.sentences.messages import SENTENCES
from korgool.languages import LANGUAGES, translations

REASONS = ("conversation", "record", "disrespect", "obstruction", "rules")
DRAWN = (RulingKind.NO_MOVE, RulingKind.SIDE_EMPTY, RulingKind.BOTH_FLAGS_COUNTED)
EITHER_WINS = (RulingKind.NO_MOVE, RulingKind.SIDE_EMPTY)
"""What happens to a player says nothing of the winner; else a player and a winner, or opponent, are two."""
OTHER = {"white": "black", "black": "white"}
REPETITIONS = (RulingKind.REPETITION, RulingKind.REPETITION_DENIED)
CYRILLIC = "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"
LATIN = string.ascii_lowercase
LETTERS = {
    "en": LATIN,
    "tr": LATIN.translate(str.maketrans("", "", "qwx")) + "çğıöşüâ",
    "ru": CYRILLIC,
    "ky": CYRILLIC + "ңөү",
    "kk": CYRILLIC + "әғқңөұүһі",
}
"""The alphabets."""


def examples(kind: RulingKind) -> Iterator[dict[str, Argument]]:
    """Arguments for every wording of a kind. The values are rare enough to be found again in the sentence."""
    for one in _examples(kind):
        yield one
        if turned := sides_turned(one):
            yield {**one, **turned}
        if kind in EITHER_WINS and one["winner"] != "draw":
            yield {**one, "winner": one["player"]}
            yield {**one, "player": one["winner"]}


def sides_turned(arguments: dict[str, Argument]) -> dict[str, Argument]:
    """The arguments that name a side, each with the other one."""
    return {
        name: OTHER[str(value)]
        for name, value in arguments.items()
        if name in ("player", "winner", "opponent") and value != "draw"
    }


def _examples(kind: RulingKind) -> Iterator[dict[str, Argument]]:
    names = ARGUMENTS[kind]
    base: dict[str, Argument] = {}
    for place, name in enumerate(names):
        if name in ("player", "winner", "opponent"):
            base[name] = "white" if name == "player" else "black"
        elif name == "reason":
            base[name] = "threefold" if kind in REPETITIONS else "record"
        elif name == "result":
            base[name] = "1 (83) - 0 (61)"
        elif kind == RulingKind.LOTS_DRAWN and name in ("white", "black"):
            base[name] = f"{name}-name"
        elif name.endswith("_ms"):
            base[name] = (7 + place) * 60_000 + 13_000
        else:
            base[name] = 71 + place
    yield base
    if kind in DRAWN:
        yield {**base, "winner": "draw"}
    if kind in REPETITIONS:
        yield {**base, "reason": "73"}
    if kind == RulingKind.CLOCK_CORRECTED:
        yield {**base, "made_good_ms": 0}
    if kind == RulingKind.RESTORED:
        yield {**base, "ply": -1}
    if "reason" in base and kind not in REPETITIONS:
        for reason in REASONS:
            yield {**base, "reason": reason}


def all_examples() -> Iterator[tuple[RulingKind, dict[str, Argument]]]:
    return ((kind, arguments) for kind in RulingKind for arguments in examples(kind))


def test_every_kind_has_its_arguments() -> None:
    assert set(ARGUMENTS) == set(RulingKind)


def test_every_sentence_is_reached() -> None:
    texts = {sentence(kind, arguments, "en") for kind in RulingKind for arguments in examples(kind)}
    assert len(texts) == len(SENTENCES) + 3 * 2 * (len(REASONS) - 1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_is_one_and_whole(language: str) -> None:
    for kind, arguments in all_examples():
        text = sentence(kind, arguments, language)
        assert text[0].isupper() or text[0].isdigit(), (kind, text)
        assert text.endswith("."), (kind, text)
        assert "  " not in text, (kind, text)
        # A sentence begins with a capital.
        assert not re.search(r"[^\d]\. [^\W\d_A-ZА-ЯІҢӨҮҒҚҰҺӘÇĞİŞÖÜ]", text), (kind, text)
        assert not set("{}|%") & set(text), (kind, text)
        assert len(text) <= 190, f"too long to be understood at a table: {text}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_argument_is_said(language: str) -> None:
    """Another value of any argument gives another sentence."""
    for kind, arguments in all_examples():
        text = sentence(kind, arguments, language)
        for name, value in arguments.items():
            if value in (-1, 0, "draw"):
                continue
            if turned := sides_turned({name: value}):
                changed = turned if kind in EITHER_WINS else sides_turned(arguments)
                assert sentence(kind, {**arguments, **changed}, language) != text, (kind, name)
                continue
            other: Argument
            if name == "reason":
                if kind in REPETITIONS:
                    other = "73" if value == "threefold" else "threefold"
                else:
                    other = "conversation" if value != "conversation" else "rules"
            elif isinstance(value, str):
                other = value + "!"
            else:
                other = value + 1000 if name.endswith("_ms") else value + 1
            assert sentence(kind, {**arguments, name: other}, language) != text, (kind, name)


@pytest.mark.parametrize("language", LETTERS)
def test_a_sentence_is_written_in_the_letters_of_its_language(language: str) -> None:
    for kind, arguments in all_examples():
        neutral = {
            name: "0" if kind == RulingKind.LOTS_DRAWN and name in ("white", "black") else value
            for name, value in arguments.items()
        }
        text = sentence(kind, neutral, language)
        strange = {letter for letter in text.replace("İ", "i").lower() if letter.isalpha()} - set(LETTERS[language])
        assert not strange, (strange, text)


def test_no_language_borrows_the_sentence_of_another() -> None:
    for kind, arguments in all_examples():
        assert len({sentence(kind, arguments, language) for language in LANGUAGES}) == len(LANGUAGES), kind


# --- numbers, nouns, times


@pytest.mark.parametrize(
    ("language", "number", "expected"),
    [
        ("en", 0, "0 times"),
        ("en", 1, "1 time"),
        ("en", 4, "4 times"),
        ("ru", 0, "0 раз"),
        ("ru", 1, "1 раз"),
        ("ru", 2, "2 раза"),
        ("ru", 4, "4 раза"),
        ("ru", 5, "5 раз"),
        ("ru", 11, "11 раз"),
        ("ru", 12, "12 раз"),
        ("ru", 22, "22 раза"),
        ("ru", 111, "111 раз"),
        ("ky", 4, "4 жолу"),
        ("kk", 4, "4 рет"),
        ("tr", 4, "4 kez"),
    ],
)
def test_numbers_with_their_nouns(language: str, number: int, expected: str) -> None:
    said = sentence("fourth_offer", {"player": "white", "opponent": "black", "number": number}, language)
    assert f" {expected}" in said


@pytest.mark.parametrize(("goal", "expected"), [(82, "82 коргоола"), (26, "26 коргоолов"), (81, "81 коргоол ")])
def test_korgools_in_russian(goal: int, expected: str) -> None:
    text = sentence("majority", {"winner": "black", "goal": goal, "white": 1, "black": 2}, "ru")
    assert text.startswith(f"Чёрные собрали {expected}")


@pytest.mark.parametrize(
    ("milliseconds", "language", "words", "clock"),
    [
        (0, "en", "0 s", "0:00"),
        (-5, "en", "0 s", "0:00"),
        (1, "en", "0.001 s", "0:00.001"),
        (59_900, "ru", "59,9 с", "0:59,9"),
        (60_000, "tr", "1 dk", "1:00"),
        (1_830_000, "en", "30 min 30 s", "30:30"),
        (1_830_000, "ky", "30 мүн 30 сек", "30:30"),
        (3_600_000, "kk", "1 сағ", "1:00:00"),
        (3_661_001, "en", "1 h 1 min 1.001 s", "1:01:01.001"),
    ],
)
def test_times(milliseconds: int, language: str, words: str, clock: str) -> None:
    assert in_words(milliseconds, translations(language)) == words
    assert on_a_clock(milliseconds, translations(language)) == clock


def test_what_is_left_is_told_in_whole_seconds_rounded_up() -> None:
    arguments: dict[str, str | int] = {"player": "black", "limit_ms": 330_000}
    said = sentence("not_late_yet", {**arguments, "left_ms": 328_625})
    assert said == "Claim denied: Black may still come; 5 min 29 s of the 5 min 30 s remain."
    assert " 0.4 s of" in sentence("not_late_yet", {**arguments, "left_ms": 400})


def test_whole_sentences() -> None:
    """One that every arbiter says, in all languages."""
    arguments: dict[str, Argument] = {"player": "black", "winner": "white", "white": 70, "black": 75}
    assert {language: sentence(RulingKind.TIME, arguments, language) for language in LETTERS} == {
        "en": "Black's flag has fallen; White wins on time: White 70, Black 75.",
        "ky": "Каранын желекчеси түштү; ак убакыт боюнча жеңди: ак 70, кара 75.",
        "kk": "Қостаушының жалаушасы құлады; бастаушы уақыт бойынша жеңді: бастаушы 70, қостаушы 75.",
        "ru": "Флажок чёрных упал; белые победили по времени: белые 70, чёрные 75.",
        "tr": "Siyahın bayrağı düştü; beyaz süreden kazandı: beyaz 70, siyah 75.",
    }


def test_words_of_the_field(shared: Path) -> None:
    """The words that the players of each language use for the things of the game."""
    terms = json.loads((shared / "data" / "terms.json").read_text(encoding="utf-8"))["terms"]
    kinds = {"agreed": "draw", "majority": "stone", "both_flags_counted": "store", "move_first": "move"}
    for language in ("ky", "kk", "ru", "tr"):
        for kind, term in kinds.items():
            stems = [word.strip()[:4].lower() for word in re.split(r"[,(/]", terms[term][language]) if word.strip()]
            said = sentence(kind, next(examples(RulingKind(kind))), language).lower()
            assert any(stem in said for stem in stems), (language, term, said)


def test_names_are_shown_as_they_are() -> None:
    arguments: dict[str, Argument] = {"white": "{0} $x", "black": "Ünal, {player.gen}", "seed": 7}
    text = sentence("lots_drawn", arguments, "tr")
    assert "{0} $x" in text
    assert "Ünal, {player.gen}" in text


# --- bad input


@pytest.mark.parametrize(
    ("kind", "arguments", "language", "reason"),
    [
        ("paused", {}, "de", "there is no language 'de'"),
        ("stopped", {}, "en", "'stopped' is not a valid RulingKind"),
        ("paused", {"player": "white"}, "en", "takes no arguments, not player"),
        ("spilled", {}, "en", "takes player, not no arguments"),
        ("spilled", {"player": "draw"}, "en", "player is white or black, not 'draw'"),
        ("spilled", {"player": 1}, "en", "player is white or black, not 1"),
        ("resigned", {"player": "white", "winner": "draw", "white": 1, "black": 2}, "en", "cannot say"),
        ("warning", {"player": "white", "reason": "noise", "number": 1}, "en", "one of conversation"),
        ("repetition", {"reason": "fourfold", "times": 4}, "en", "cannot say reason=fourfold"),
        ("resigned", {"player": "white", "winner": "white", "white": 1, "black": 2}, "en", "cannot say"),
        ("both_late", {"limit_ms": "soon"}, "en", "limit_ms is whole milliseconds, not 'soon'"),
    ],
)
def test_what_cannot_be_said(kind: str, arguments: dict[str, Argument], language: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        sentence(kind, arguments, language)


@given(st.sampled_from(list(RulingKind)), st.sampled_from(list(LANGUAGES)), st.data())
def test_any_numbers_are_said(kind: RulingKind, language: str, data: st.DataObject) -> None:
    arguments = data.draw(st.sampled_from(list(examples(kind))))
    drawn = {
        name: data.draw(st.integers(1, 10**9)) if isinstance(value, int) else value for name, value in arguments.items()
    }
    text = sentence(kind, drawn, language)
    for name, value in drawn.items():
        if isinstance(value, int) and not name.endswith("_ms"):
            assert str(value) in text or (kind, name) == (RulingKind.RESTORED, "ply")


@given(st.text(), st.dictionaries(st.text(max_size=9), st.integers() | st.text()), st.text(max_size=3))
def test_nonsense_is_refused(kind: str, arguments: dict[str, Argument], language: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        sentence(kind, arguments, language)


@given(st.integers(0, 10**6))
def test_russian_nouns_agree_with_the_last_digits(number: int) -> None:
    said = sentence("majority", {"winner": "white", "goal": number, "white": 1, "black": 2}, "ru")
    tens, ones = number // 10 % 10, number % 10
    ending = "ов" if tens == 1 or ones in (0, 5, 6, 7, 8, 9) else "" if ones == 1 else "а"
    assert said.startswith(f"Белые собрали {number} коргоол{ending} ")
