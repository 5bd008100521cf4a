"""Changes of a round by hand at the desk: one form each, and typed pairings are shown before they count."""

from __future__ import annotations

import html
import re
from pathlib import Path

from korgool.competition.model import Settings

from .desk_events import AtDesk, at_desk, said
from .members import Site, on_site

RECORD = '[Result "*"]\n\n1. 65 65'


def forms(page: str) -> dict[str, dict[str, str]]:
    """The forms of a page by the headings before them, each with its hidden fields."""
    found = {}
    for part in page.split("<h2 ")[1:]:
        title, form = (
            part[part.index(">") + 1 : part.index("</h2>")],
            part.partition("<form")[2].partition("</form>")[0],
        )
        found[title] = dict(re.findall(r'name="([\w.]+)" value="([^"]*)"', form))
    return found


async def done(desk: AtDesk, title: str, **fields: str) -> None:
    """Fill a form of the page and send it; it must be done."""
    hidden = forms(await desk.look("/round/1/hands"))[title]
    answer = await desk.send("/act", hidden | {name.replace("__", "."): text for name, text in fields.items()})
    assert answer.status_code == 303, answer.text
    assert "?done" in answer.headers["location"]


def test_a_round_is_changed_by_hand(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", Settings(name="Cup", rounds=3), *"ABCDEFG")
        await ann.do(
            {"do": "pair", "round": 1, "lot": "a"}, {"do": "result", "round": 1, "board": 3, "result": "82-60"}
        )

        def round_() -> list[tuple[int, int]]:
            return [(game.white, game.black) for game in ann.competition.state.rounds[0].games]

        (a, b), (c, d), *rest = round_()
        await done(ann, "Exchange two players", players__0=str(a), players__1=str(c), reason="one club")
        assert round_() == [(c, b), (a, d), *rest]
        page = await ann.look("/round/1")
        assert "changed by hand" in page
        await done(ann, "Exchange the colours of a board", players=f"{c} {b}", reason="wrong colours")
        assert round_() == [(b, c), (a, d), *rest]
        await ann.do({"do": "enter", "entry": {"family": "Late"}})
        await done(ann, "A new board for two without a game", white="7", black="8", reason="came late")
        assert round_()[3] == (7, 8)
        await done(ann, "Games of the special board", board="2", special="on")
        assert ann.competition.state.rounds[0].game(2).special
        await done(ann, "Games of the special board")  # its first form takes it away again
        assert not ann.competition.state.rounds[0].game(2).special
        await done(ann, "Attach the record of a game", board="2", records__0=RECORD)
        assert ann.competition.state.rounds[0].game(2).records == (RECORD,)
        assert "The round has results." in await ann.look("/round/1/hands")
        await ann.do({"do": "correct", "round": 1, "board": 3, "result": None, "reason": "wrong"})
        await done(ann, "Take the round back", reason="too early")
        assert ann.competition.state.rounds == ()
        await ann.look("/round/2/hands", 404)

    on_site(tmp_path, test)


def test_typed_pairings_are_shown_with_their_doubts(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", Settings(name="Cup", rounds=3), *"ABCDE")
        await ann.do({"do": "pair", "round": 1, "lot": "a"})
        await ann.do(*({"do": "result", "round": 1, "board": board, "result": "82-60"} for board in (1, 2)))
        page = await ann.look("/round/2/hands")
        assert "All pairings by hand" in page
        assert "Exchange two players" not in page
        answer = await ann.send("/round/2/hands", {"pairings": "1 2\n3 4\n5 Z"})
        hidden = forms(html.unescape(answer.text))["Not published yet"]
        assert (await ann.send("/act", hidden | {"reason": "no legal pairing is left"})).status_code == 303
        assert [(game.white, game.black) for game in ann.competition.state.rounds[1].games] == [(1, 2), (3, 4)]
        met = ann.competition.state.rounds[0].games[0]
        rest = [one for one in range(1, 6) if one not in (met.white, met.black)]
        begun = ann.competition.seq
        for text, why in (
            ("1 2\n3 four", "line 2: “3 four” is not two numbers"),
            ("1 9", "there is no player '9'"),
            ("1 2", "round 2"),
            ("1 2\n1 3", "paired 2 times"),
        ):
            answer = await ann.send("/round/2/hands", {"pairings": text})
            assert answer.status_code == 422, text
            assert why in said(answer.text)
            assert text in answer.text
        text = f"{met.white} - {met.black}\n{rest[0]}–{rest[1]}\n{rest[2]} h"
        answer = await ann.send("/round/2/hands", {"pairings": text})
        page = html.unescape(answer.text)
        assert answer.status_code == 200
        assert "met in round 1" in page
        assert ann.competition.seq == begun
        hidden = forms(page)["Not published yet"]
        assert (await ann.send("/act", hidden)).status_code == 422
        answer = await ann.send("/act", hidden | {"reason": "the chief decides"})
        assert answer.status_code == 303, answer.text
        one = ann.competition.state.rounds[1]
        assert [(game.white, game.black) for game in one.games] == [(met.white, met.black), (rest[0], rest[1])]
        assert [(bye.player, bye.kind.value) for bye in one.byes] == [(rest[2], "H")]
        assert "met in round 1" in await ann.look("/round/2")

    on_site(tmp_path, test)


def test_who_stayed_away_is_asked_about_before_the_next_round_alone(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", Settings(name="Cup", rounds=3), *"ABCDE")
        await ann.do({"do": "miss", "player": 5, "absence": {"round": 1, "kind": "Z"}})
        await ann.do({"do": "pair", "round": 1, "lot": "a"})
        note = "5 E did not come to round 1 and is paired again"
        assert note not in html.unescape((await ann.send("/round/1/hands", {"pairings": "1 2\n3 5\n4 U"})).text)
        await ann.do(*({"do": "result", "round": 1, "board": board, "result": "82-60"} for board in (1, 2)))
        assert note in html.unescape((await ann.send("/round/2/hands", {"pairings": "1 2\n3 5\n4 U"})).text)
        assert note not in html.unescape((await ann.send("/round/2/hands", {"pairings": "1 2\n3 4\n5 Z"})).text)

    on_site(tmp_path, test)
