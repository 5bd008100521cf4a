"""The rules as the program shows them: parts in order, clauses without the options, and errors that name their line."""

from __future__ import annotations

import pytest

from korgool.app.rulebook import Example, read_rules, rules_of
from korgool.app.words.markup import MarkupError

TEXT = """# Castle

It is so [WNG-M §IV:1, Rules.holes = 6]. And so [Rules.stones = 4].

## Sowing

- One [WNG-M §IV:7].

```{example} castle
:before: 1,6S,2,2S,1/3S,4,3S 17 17 S 20
:move: 6
:after: 1,6S,2,t,1S/3S,4,1S 20 17 N 20
A castle [WNG-M §IV:4].
```

- Two.
"""


def test_a_page_is_read() -> None:
    page = read_rules(TEXT, "castle")
    first, example, last = page.parts
    assert page.title == "Castle"
    assert first == (
        '<p>It is so <span class="clause">[WNG-M §IV:1]</span>. And so.</p>\n<h2>Sowing</h2>\n'
        '<ul>\n<li>One <span class="clause">[WNG-M §IV:7]</span>.</li>\n</ul>'
    )
    assert isinstance(example, Example)
    assert example.written == "62X"
    assert example.after.tuz == (2, None)
    assert example.caption == 'A castle <span class="clause">[WNG-M §IV:4]</span>.'
    assert last == "<ul>\n<li>Two.</li>\n</ul>"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("```{example} castle", "```{example} toguz", "line 9: an example of castle has"),
        (":move: 6", ":move: 7", "line 9: "),
        (":move: 6", ":move: six", "line 9: "),
        (":before: 1,", ":before: 1,x,", "line 9: "),
        (":move: 6", ":move: 5", "line 9: "),
        ("t,1S/", "1,1S/", "line 9: after 6 the board is 1,6S,2,t,1S/"),
        (":move: 6\n", ":move: 6\n:rule: tuz=maybe\n", "line 9: "),
        (":move: 6\n", ":move: 6\n:ends: 1 (20) - 0 (17)\n", "the game ends: None"),
        (":move: 6\n", "", "line 9: an example of castle has before, move and after"),
        (":move: 6\n", ":move: 6\n:colour: red\n", "line 9: an example of castle has before, move and after"),
        ("A castle [", "4. A castle [", "line 13: this step has the number 4"),
        ("A castle [", "- A castle [", "line 9: the caption begins with a mark"),
        ("- Two.", "- 2. Two.", "line 16: this markup is unknown"),
        ("- Two.", "```{example}", "line 16: this markup is unknown"),
        ("# Castle", "Castle", "a page has one title"),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(old: str, new: str, reason: str) -> None:
    text = TEXT.replace(old, new, 1)
    with pytest.raises(MarkupError, match=reason):
        read_rules(text, "castle")


@pytest.mark.parametrize(("game", "language"), [("chess", "en"), ("toguz", "de"), ("../en/toguz", "ky")])
def test_unknown_pages_are_refused(game: str, language: str) -> None:
    with pytest.raises(ValueError, match="there are no rules of"):
        rules_of(game, language)
