"""What the platform says, in the languages of its visitors."""

from __future__ import annotations

from string import Formatter

import pytest

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.conduct import Ruling, RulingKind
from korgool.languages import LANGUAGES, translations
from korgool.live import RefusedKind

ALL = {name: text for name, text in vars(errors).items() if name.isupper() and isinstance(text, str)}
ALL |= {kind.name: text for kind, text in errors.REFUSALS.items() if kind is not RefusedKind.RULED}


def fields(text: str) -> set[str | None]:
    return {field for _, field, _, _ in Formatter().parse(text) if field is not None}


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_every_message_is_translated_with_its_fields(language: str) -> None:
    for name, text in ALL.items():
        translated = translations(language).gettext(text)
        assert translated != text, (language, name)
        assert fields(translated) == fields(text), (language, name)


@pytest.mark.parametrize("kind", RefusedKind)
def test_every_refusal_of_live_play_has_words_with_its_fields(kind: RefusedKind) -> None:
    assert fields(errors.REFUSALS[kind]) == fields(kind.value)


def test_a_refusal_carries_its_reason() -> None:
    refused = ApiError(422, errors.NO_HOLE, hole=12, holes=9)
    assert str(refused) == "There is no hole 12; holes are numbered 1 to 9."


def test_what_the_referee_denies_is_said_in_the_readers_language() -> None:
    ruling = Ruling(RulingKind.NO_FLAG, "WNG-TK §VII", {"player": "black", "left_ms": 60_000})
    refused = ApiError(422, errors.REFUSALS[RefusedKind.RULED], ruling=ruling, reason="in English")
    assert str(refused) == "in English"
    said = {language: refused.said(language) for language in LANGUAGES}
    assert len(set(said.values())) == len(LANGUAGES)
    assert "in English" not in said.values()
