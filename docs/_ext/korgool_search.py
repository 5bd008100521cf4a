"""The search of the manual: the words of the sport in every spelling, and pages for people before modules.

The words of the sport are indexed under one word each besides their own, and a query is put in these words, so that
every spelling finds the same pages.
"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

from sphinx.application import Sphinx
from sphinx.search.en import SearchEnglish

SPELLINGS = {
    "toguz korgool": r"(?:to[gğ][yuiı]z|то[гғ][уы]з|9)(?:[kq]umala[kqgğ]|korgo+l|коргоо?л|[кқ][уұ]мала[кқғ])",
    "toguz": r"(?:to[gğ][yuiı]z|то[гғ][уы]з)$",
    "korgool": r"korgo+l|[kq]umala[kqgğ]|коргоо?л|[кқ][уұ]мала[кқғ]",
    "mangala": r"man[gkc]ala|мангал|манкал",
    "bestemshe": r"be[sş]tem[sş]|бестемш",
    "tuz": r"tu[zs](?:d[yiuıü][kqgğ]\w*)?$|(?:туз|тұз)(?:д[ыұ][кқгғ]\w*)?$|туз(?:а|у|ом|е|ы)$",
    "kazan": r"kazans?$|qazan|казан|қазан|hazine",
    "castle": r"castles?$|kale(?:li|si)?$|крепост|сепил|қамал",
    "hole": r"holes?$|pits?$|otau|отау|лун(?:ка|ки|ку|ок|ке)$|kuyu",
    "referee": r"referees?$|arbiters?$|umpires?$|судь|калыс|төреш|hakem",
    "tournament": r"tournaments?$|championships?$|турнир|соревнован|чемпионат|мелдеш|жарыс|turnuva|yarışma",
    "rating": r"ratings?$|elo$|рейтинг|glicko",
}
"""A word, and how its spellings begin in five languages; lower case, without accents of stress."""
BEGINNINGS = {word: re.compile(spelling) for word, spelling in SPELLINGS.items()}


def with_synonyms(word: str) -> list[str]:
    """The words under which a word of the sport is looked up; nothing for any other word."""
    plain = unicodedata.normalize("NFC", unicodedata.normalize("NFD", word.lower()).replace("\u0301", ""))
    return next((name.split() for name, beginning in BEGINNINGS.items() if beginning.match(plain)), [])


class SearchSport(SearchEnglish):
    """English, and the sport's words besides."""

    js_splitter_code = f"""
const SPELLINGS = Object.entries({json.dumps(SPELLINGS)})
  .map(([word, spelling]) => [word.split(" "), new RegExp(`^(?:${{spelling}})`, "u")]);
var splitQuery = (query) =>
  query.normalize("NFD").replaceAll("\\u0301", "").normalize("NFC")
    .split(/[^\\p{{Letter}}\\p{{Number}}_\\p{{Emoji_Presentation}}]+/gu)
    .filter((term) => term)
    .flatMap((term) => SPELLINGS.find(([, spelling]) => spelling.test(term.toLowerCase()))?.[0] ?? [term]);
"""

    def split(self, input: str) -> list[str]:
        """The words of a text; after a word of the sport its synonyms."""
        return [one for word in super().split(input) for one in (word, *with_synonyms(word))]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the language, in place of Sphinx's English."""
    app.add_search_language(SearchSport)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
