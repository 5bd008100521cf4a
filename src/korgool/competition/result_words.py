"""The words by which people type why a game ended, in the languages of the catalogues, and the letter for each.

Words of all languages are read everywhere, whole or begun. A single letter can mean two things (t is time in English
and resignation in Turkish): the reader's own language comes first, then English, then all others where they agree.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from korgool.competition.errors import CompetitionError
from korgool.competition.result import Cause
from korgool.languages import N_
from korgool.languages.name_search import LETTERS as SAME

LETTERS: Final[Mapping[str, Mapping[Cause, str]]] = {
    "en": {"resignation": "r", "time": "t", "agreement": "a"},
    "ky": {"resignation": "б", "time": "у", "agreement": "м", "repetition": "к"},
    "kk": {"resignation": "б", "time": "у", "agreement": "к", "repetition": "қ"},
    "ru": {"resignation": "с", "time": "в", "agreement": "н", "repetition": "п"},
    "tr": {"resignation": "t", "time": "s", "agreement": "a"},
}
"""The letter for a cause, by language. Repetition is written out where another word has its letter."""
_WORDS: Final[Mapping[str, Mapping[Cause, str]]] = {
    "en": {
        "resignation": "resignation, resigned, resigns, gave up",
        "time": "time, timeout, flag, on time",
        "agreement": "agreement, agreed, draw agreed",
        "repetition": "repetition, repeated",
    },
    "ky": {
        "resignation": "багынды, багынып берди, багынуу, берилди, тапшырды",
        "time": "убакыт, убактысы, убактысы бүттү, убакыт бүттү",
        "agreement": "макулдашуу, макулдашты, макул",
        "repetition": "кайталоо, кайталануу, кайталанды",
    },
    "kk": {
        "resignation": "берілді, берілу, бас тартты",
        "time": "уақыт, уақыты, уақыты бітті, уақыт бітті",
        "agreement": "келісім, келісті",
        "repetition": "қайталау, қайталану, қайталанды",
    },
    "ru": {
        "resignation": "сдача, сдался, сдалась, сдались, сдаётся",
        "time": "время, время вышло, просрочил, просрочила, просрочка, флаг",
        "agreement": "соглашение, согласие, по согласию, ничья, ничья по соглашению, договорились",
        "repetition": "повторение, повтор",
    },
    "tr": {
        "resignation": "terk, terk etti, pes, pes etti, çekildi",
        "time": "süre, süre bitti, süresi bitti, zaman, bayrak",
        "agreement": "anlaşma, anlaştı, anlaştılar",
        "repetition": "tekrar, konum tekrarı",
    },
}


def cause_named(text: str, language: str = "en") -> Cause | None:
    """The cause that a word or a letter names; None if it names no cause.

    Raises:
        CompetitionError: it can mean several.
    """
    word = _plain(text)
    if not word:
        return None
    others = [one for one in LETTERS if one not in (language, "en")]
    for group in ([language] if language in LETTERS else [], ["en"], others):
        causes = _causes(word, group)
        if len(causes) > 1:
            raise CompetitionError(N_("{text!r} can mean several things; write the word"), text=text)
        if causes:
            return causes.pop()
    return None


def typed_cause(cause: Cause, language: str) -> str:
    """The least that is typed for a cause in a language: its letter, or its word where it has none."""
    return LETTERS[language].get(cause) or _WORDS[language].get(cause, cause.replace("_", " ")).partition(",")[0]


def _causes(word: str, languages: Iterable[str]) -> set[Cause]:
    """Possible causes of a word in some languages: as a letter, else as a whole word, else as the beginning of one."""
    found: set[Cause] = set()
    for language in languages:
        words = _words(language)
        if len(word) == 1:
            found |= {cause for cause, letter in LETTERS[language].items() if letter == word}
        elif _bare(word) in words:
            found.add(words[_bare(word)])
        else:
            found |= {cause for one, cause in words.items() if one.startswith(_bare(word))}
    return found


@lru_cache(maxsize=len(_WORDS))
def _words(language: str) -> dict[str, Cause]:
    return {_bare(_plain(word)): cause for cause, words in _WORDS[language].items() for word in words.split(", ")}


def _plain(text: str) -> str:
    return " ".join(text.replace("İ", "i").casefold().replace("_", " ").strip(" .").split())


def _bare(word: str) -> str:
    """A word as keyboards of neighbours type it."""
    letters = (sign for sign in unicodedata.normalize("NFD", word) if not unicodedata.combining(sign))
    return "".join(SAME.get(sign, sign) for sign in letters)
