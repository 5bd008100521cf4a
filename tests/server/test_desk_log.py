"""Warnings with what follows from them, and the log, at the desk of an event."""

from __future__ import annotations

import html
import re
from pathlib import Path

from korgool.app.words.event_log import told
from korgool.competition.audit import checking, snapshot
from korgool.competition.errors import Message
from korgool.competition.model import Settings
from korgool.competition.roles import DeskRole
from korgool.languages import LANGUAGES, translations
from tests.recorded import check_recorded

from .desk_events import at_desk, competitions_of
from .members import Site, on_site
from .support import Json
from .test_desk_tables import CUP, looking, played


def test_what_follows_from_a_warning_is_said_before_it(tmp_path: Path) -> None:
    told_before = (
        "This is the first warning. Nothing follows from it yet.",
        "This is the second warning. The third one will cost a point.",
        "This is the third warning: a point is deducted at once.",
        "This is the fourth warning: the player is excluded from the event at once.",
    )

    async def test(site: Site) -> None:
        ann = await played(site)
        winner = ann.competition.state.rounds[0].games[0].white
        number = ann.competition.state.players[winner].number
        assert "Nobody has been warned." in await ann.look("/warnings")
        answer = await ann.browser.client.get(f"{ann.path}/warnings?player={number}")
        assert answer.headers["location"] == f"{ann.path}/warnings/{number}"
        for at, text in enumerate(told_before, 1):
            page = await ann.look(f"/warnings/{number}")
            assert text in page
            assert ("Points: 1 → 0" in page) == (at == 3)
            assert ("Round 2 is paired already and stays as it is." in page) == (at > 2)
            assert ("wins no prize" in page.partition('<details class="card"')[0]) == (at == 4)
            assert f"Give warning {at}" in page
            assert (await ann.act("warn", player=str(winner), reason=f"talking {at}")).status_code == 303
        player = ann.competition.state.players[winner]
        assert (player.excluded, player.penalty) == (True, 2)
        page = await ann.look("/warnings")
        assert "Warning 3, Round 2: talking 3" in page
        assert "Penalty −1, Round 2: third warning" in page
        assert 'value="warn"' not in await ann.look(f"/warnings/{number}")
        await ann.look("/warnings/99", 404)
        ben = await looking(site, ann, "Ben", DeskRole.DEPUTY)
        page = await ben.look("/warnings/1" if number != 1 else "/warnings/2")
        assert 'value="warn"' in page
        assert 'value="exclude"' not in page
        eve = await looking(site, ann, "Eve", DeskRole.SPECTATOR)
        assert "<form" not in (await eve.look("/warnings/2")).partition('id="console"')[2].partition("</main>")[0]

    on_site(tmp_path, test)


def test_the_desk_says_what_the_check_says(tmp_path: Path) -> None:
    """The sentences of `korgool event check`: remarks at any time, faults once they are asked for."""

    async def test(site: Site) -> None:
        ann = await played(site)
        shelf = competitions_of(site).repository
        await ann.do({"do": "lend", "round": 1, "board": 1, "borrower": "Coach"}, {"do": "publish"})
        remarked = (await ann.competition.with_book(snapshot)).remarks
        assert "form 1 is still with Coach" in remarked
        overview, page = await ann.look(), await ann.look("/check")
        assert all(str(one) in overview and str(one) in page for one in remarked)
        said = html.unescape((await ann.send("/check", {})).text)
        assert f"Everything holds. Rounds: 2, lines of the log: {ann.competition.seq}." in said
        with shelf._engine.begin() as connection:  # somebody changes a published table in the database
            (text,) = connection.exec_driver_sql(
                "SELECT action FROM competition_log WHERE action LIKE '%publish%'"
            ).one()
            wrong = text.replace('"rank":1', '"rank":7')
            assert wrong != text
            connection.exec_driver_sql("UPDATE competition_log SET action = ? WHERE action = ?", (wrong, text))
        held = await ann.competition.with_book(snapshot)
        faults = [fault for found in checking(held, engine=ann.competition.engine) for fault in found]
        assert len(faults) > 1
        for language in LANGUAGES:
            answer = await ann.send("/check", {}, **{"accept-language": language})
            assert answer.status_code == 200
            page = html.unescape(answer.text)
            for fault in faults:
                assert isinstance(fault, Message)
                assert fault.said(language) in page
        eve = await looking(site, ann, "Eve", DeskRole.SPECTATOR)
        assert "Coach" in await eve.look("/check")
        assert (await eve.send("/check", {})).status_code == 403

    on_site(tmp_path, test)


def test_the_log_tells_who_did_what_and_how_the_event_stood(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await played(site)
        last = ann.competition.seq
        await ann.do({"do": "correct", "round": 1, "board": 1, "result": "81-81", "reason": "wrong slip"})
        lines = await ann.competition.log()
        page = await ann.look("/log")
        assert "round 1, board 1 corrected: ½ (81)" in page.replace("0.5", "½")
        assert "Reason: wrong slip" in page
        page = await ann.look("/log?q=BOARD 2")
        assert "board 2" in page
        assert "board 3" not in page
        assert "Nothing is here" in await ann.look("/log?q=giraffe")
        assert "entered: A" in await ann.look("/log?before=4")
        for language in LANGUAGES:
            gettext, page = translations(language).gettext, await ann.look("/log", language=language)
            for one in lines:
                assert told(ann.competition.state, one.action, gettext) in page

        result = next(one.at for one in lines if one.text.startswith("round 1, board 2"))
        paired = next(one.at for one in lines if one.text.startswith("round 2 paired"))
        page = await ann.look(f"/log/{result}")
        assert f"({lines[paired - 1].text}) rests on line {result} ({lines[result - 1].text})" in page
        in_russian = await ann.look(f"/log/{result}", language="ru")
        assert told(ann.competition.state, lines[paired - 1].action, translations("ru").gettext) in in_russian
        assert f'<time class="moment" datetime="{lines[result - 1].time.replace("Z", "+00:00")}">' in page
        assert f'/log/{paired}">Line {paired}<' in page
        for language in LANGUAGES:  # a program hears what the page says, and no code of an action
            answer = await ann.browser.client.post(
                f"/api/events/{ann.competition.id}/actions",
                json={"after": ann.competition.seq, "actions": [{"do": "undo", "line": result, "reason": "x"}]},
                headers=ann.browser.csrf | {"accept-language": language},
            )
            assert answer.status_code == 422
            detail, gettext = answer.json()["detail"], translations(language).gettext
            assert all(told(ann.competition.state, lines[at - 1].action, gettext) in detail for at in (paired, result))
            assert detail in await ann.look(f"/log/{result}", language=language)
            again = await ann.send(
                "/act", {"do": "undo", "line": str(result), "reason": "x"}, **{"accept-language": language}
            )
            assert detail in html.unescape(again.text)
        assert "2 / 3" in page, "the results as they stood then"
        assert 'value="undo"' not in page
        page = await ann.look(f"/log/{last + 1}")
        assert "Nothing rests on this line." in page
        assert (await ann.act("undo", line=str(last + 1), reason="the slip was right")).status_code == 303
        assert "A later line has taken it back." in await ann.look(f"/log/{last + 1}")
        assert f"line {last + 1} taken back: round 1, board 1 corrected" in await ann.look("/log")
        for odd in ("0", "999", "x"):
            await ann.look(f"/log/{odd}", 404)
        eve = await looking(site, ann, "Eve", DeskRole.RESULTS)
        assert 'id="undo"' not in await eve.look(f"/log/{result}")

        head = await ann.competition.with_book(lambda book: str(book.head(5)))
        for text, said in (
            (head, f"The log holds this head at line 5; {ann.competition.seq - 5} lines were written after it."),
            (f"6{head[1:]}", "This is not the head of line 6"),
            (f"999{head[1:]}", "The log has no line 999."),
            ("giraffe", "This is no head of a log."),
        ):
            assert said in await ann.look(f"/log?head={text}")

    on_site(tmp_path, test)


def test_each_line_of_a_long_log_is_on_one_page(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", CUP, *(f"P{at}" for at in range(199)))
        pages = [await ann.look("/log")]
        while older := re.search(r'href="(\?before=\d+)"', pages[-1]):
            pages.append(await ann.look(f"/log{older[1]}"))
        shown = [[int(at) for at in re.findall(r'/log/(\d+)"', page)] for page in pages]
        assert shown == [list(range(200, 100, -1)), list(range(100, 0, -1))]

    on_site(tmp_path, test)


def test_every_kind_of_line_is_said_in_every_language(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await played(site, Settings(name="Cup", rounds=3, bye_points=2))
        last = ann.competition.state.rounds[-1].games
        settings: Json = {"name": "Cup of Osh", "rounds": 4}
        await ann.do(
            {"do": "change", "settings": settings, "reason": "a round more"},
            {"do": "amend", "player": 1, "entry": {"family": "AA", "rating": 2000}},
            {"do": "withdraw", "player": 6},
            {"do": "readmit", "player": 6},
            {"do": "miss", "player": 6, "absence": {"round": 3, "kind": "H"}},
            {"do": "attend", "player": 6, "round": 3},
            {"do": "present", "round": 2, "players": [1, 2]},
            {"do": "present", "round": 2, "players": [1], "here": False},
            {"do": "penalise", "player": 5, "half_points": 1, "reason": "by the regulations"},
            {"do": "appoint", "name": "Bolot", "role": "referee"},
            {"do": "dismiss", "official": 1, "reason": "bias"},
            {"do": "lend", "round": 2, "board": 1, "borrower": "Bolot"},
            {"do": "form", "form": 1, "state": "lost"},
            {"do": "special", "round": 2, "board": 1},
            {"do": "swap", "round": 2, "players": [last[0].white, last[0].black], "reason": "colours"},
            {"do": "unpair", "round": 2, "reason": "too early"},
            {"do": "exclude", "player": 5, "reason": "decision"},
            {"do": "publish"},
        )
        state = ann.competition.state
        kinds = "".join(f"{line.action.do}: {told(state, line.action)}\n" for line in await ann.competition.log())
        lasting = re.sub("number 1 (White|Black)", "number 1 …", re.sub("gacrux [0-9.]+", "gacrux …", kinds))
        check_recorded(Path(__file__).with_name("recorded") / "log.txt", lasting)
        for language in LANGUAGES:
            gettext = translations(language).gettext
            for line in await ann.competition.log():
                text = told(state, line.action, gettext)
                assert text
                assert "%(" not in text
                if language in ("ky", "kk", "ru", "tr") and line.action.do not in ("open", "change"):
                    assert text != told(state, line.action)

    on_site(tmp_path, test)
