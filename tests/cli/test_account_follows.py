"""`korgool account follows`: an operator ends what somebody else lets the site follow, beside a server."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from korgool.app.publishing import snapshot_data
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.events.following import service
from korgool.app.server.events.following.repository import FollowedRow
from korgool.app.server.events.following.service import FollowedEvents
from korgool.competition.event_state import EventState
from korgool.competition.model import Settings
from tests.cli.test_account import account
from tests.server.desk_events import account_of
from tests.server.members import Site, on_site


def test_events_of_other_sites_are_listed_and_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "_LOOK_SECONDS", 0.0)  # what this process knows of them is usually a second old
    place = ("--data", str(tmp_path))

    async def test(site: Site) -> None:
        aida = await site.browser().visit()
        await aida.sign_up("Aida")
        following: FollowedEvents = site.app.state.followed_events
        text = {"id": "fxbw7k3m", "address": "https://events.invalid/cup", "name": "Cup", "version": "v"}
        times = dict.fromkeys(("made_ms", "changed_ms", "confirmed_ms", "asked_ms"), now_ms())
        row = FollowedRow(**text, **times, maker=account_of(site, "Aida"), validator="")  # type: ignore[arg-type]
        assert following._repository.add(row, snapshot_data(EventState(settings=Settings(name="Cup"))).decode())
        path = "/events/fxbw7k3m"
        assert (await aida.client.get(path)).status_code == 200

        listed = account("follows", *place)
        assert listed.stdout == "fxbw7k3m  Aida  https://events.invalid/cup  Cup\n"
        (told,) = map(json.loads, account("follows", "fxbw7k3m", "--json", *place).stdout.splitlines())
        assert (told["account"], told["problem"]) == ("Aida", "")
        for words, why in (
            (("--end",), "--end needs the id of an event"),
            (("nothing", "--end"), "there is no event 'nothing' of another site"),
            (("nothing",), "there is no event 'nothing' of another site"),
        ):
            refused = account("follows", *words, *place)
            assert (refused.exit_code != 0, why in refused.stderr) == (True, True), refused.output
        assert account("follows", "fxbw7k3m", "--end", *place).exit_code == 0
        assert account("follows", *place).stdout == ""
        assert (await aida.client.get(path)).status_code == 404

    on_site(tmp_path, test)
