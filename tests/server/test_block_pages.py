"""The pages on which players are blocked and reported, as forms without scripts."""

from __future__ import annotations

from pathlib import Path

from korgool.app.server.people.reports.repository import ReportReason
from korgool.languages import LANGUAGES, translations

from .members import Site, on_site
from .test_account_pages import beside, look, opened, send
from .test_blocks import game_of


def test_a_player_is_blocked_by_name_and_the_block_is_ended(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        aida = await opened(site, "Aida")
        await opened(site, "Болот")
        assert "You have blocked nobody." in await look(aida, "/account/blocks")
        for name, status, reason in (("", 422, "Fill this in."), ("Nobody7", 404, "There is no player of that name.")):
            answer = await send(aida, "/account/blocks", name=name)
            assert (answer.status_code, beside(answer.text, "name")) == (status, reason)
        own = await send(aida, "/account/blocks", name="Aida")
        assert (own.status_code, "This is done to others." in own.text) == (422, True)

        answer = await send(aida, "/account/blocks", name="болот")
        assert (answer.status_code, answer.headers["location"]) == (303, "/account/blocks?done=blocked")
        text = await look(aida, "/account/blocks?done=blocked")
        assert "The player is blocked." in text
        assert "<strong>Болот</strong>" in text
        assert 'aria-label="Unblock Болот"' in text
        (one,) = await aida.told("GET", "/api/account/blocks")
        answer = await send(aida, f"/account/blocks/{one['id']}/end")
        assert answer.headers["location"] == "/account/blocks?done=unblocked"
        assert "Болот" not in await look(aida, "/account/blocks?done=unblocked")

    on_site(tmp_path, test)


def test_the_other_player_of_a_game_is_blocked_and_reported(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        aida, guest, stranger = await opened(site, "Aida"), await site.browser().visit(), await site.browser().visit()
        game = await game_of(aida, guest)
        engine = (await aida.told("POST", "/api/challenges", {"game": "toguz", "to": "level:1"}))["game"]
        path, reports = f"/games/{game}/report", site.reports
        assert f'href="{path}"' in await look(aida, f"/games/{game}")
        assert f'href="{path}"' not in await look(stranger, f"/games/{game}")
        assert "/report" not in await look(aida, f"/games/{engine}")
        await look(stranger, path, 403)
        await look(aida, f"/games/{engine}/report", 422)
        await look(aida, f"/games/{'x' * 12}/report", 404)
        for language in LANGUAGES:
            title = translations(language).gettext("Report the player")
            assert f">{title}</h2>" in await look(aida, path, language=language)

        for fields, reason in (
            ({}, "Fill this in."),
            ({"reason": "rude"}, "The field reason cannot be"),
            ({"reason": "other", "text": " \n"}, "Say in a few words what happened."),
            ({"reason": "name", "text": "x" * 1001}, "A report has at most 1000 characters."),
        ):
            answer = await send(aida, path, **fields)
            assert (answer.status_code, reason in answer.text) == (422, True), fields
        kept = await send(aida, path, text="<b>Слова, " + "которые не пропадут " * 30)
        assert kept.text.count("которые не пропадут") == 30
        assert "<b>" not in kept.text
        assert reports.open() == []

        answer = await send(aida, path, reason="other", text="He\r\nnever moves.")
        assert (answer.status_code, answer.headers["location"]) == (303, f"{path}?done=reported")
        text = await look(aida, answer.headers["location"])
        assert "The report is sent to the operator of the site." in text
        assert "You reported this player on" in text
        assert ">He never moves.</textarea>" in text
        (found,) = reports.open()
        assert (found.reason, found.text, found.game) == (ReportReason.OTHER, "He never moves.", game)

        assert f'action="/games/{game}/block"' in text
        answer = await send(aida, f"/games/{game}/block")
        assert answer.headers["location"] == f"{path}?done=blocked"
        text = await look(aida, answer.headers["location"])
        assert "The player is blocked." in text
        assert f'action="/games/{game}/block"' not in text
        (one,) = await aida.told("GET", "/api/account/blocks")
        assert one["name"].startswith("Guest ")

        text = await look(guest, path)  # who has no account
        assert "<h1>Aida</h1>" in text
        assert f'href="/sign-in?next={path}"' in text
        assert f'action="/games/{game}/block"' not in text
        assert (await send(guest, f"/games/{game}/block")).headers["location"] == f"/wish?to=/games/{game}/block&asked"
        assert (await send(guest, path, reason="stalling")).status_code == 303
        assert len(reports.open()) == 2

    on_site(tmp_path, test)
