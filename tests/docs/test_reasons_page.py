"""The page on reasons has every kind, in the words that people read, and says of each when it is said."""

from __future__ import annotations

import re
from pathlib import Path

from korgool.app.words.reasons import reason_text
from korgool.engine.reasons import Reason, ReasonKind
from korgool.languages import translations

MANUAL = (Path(__file__).parents[2] / "docs" / "reasons.md").read_text(encoding="utf-8")


def test_every_kind_stands_in_the_vocabulary_as_it_is_said() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \| (.+?) \|$", MANUAL, re.MULTILINE)
    assert [kind for kind, _, _ in rows] == list(ReasonKind)
    english = translations("en")
    for kind, said, _ in rows:
        assert said == reason_text(english, Reason(ReasonKind(kind), 0, 12, 4, 7, line=(9, 3)), "toguz")
