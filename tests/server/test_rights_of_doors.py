"""Every door names what somebody does there, and lets in exactly those who may: doors × kinds of strangers, in a loop.

Doors and actions come from the routes, so a door that is added is tried by itself, and one without an action fails.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx
import pytest
from litestar.handlers.base import BaseRouteHandler
from litestar.routes import HTTPRoute, WebSocketRoute

from korgool.accounts import RULES, Action, Actor, Person, PersonKind, Refused, Scope, Thing, read_name, refusal
from korgool.app.server.application import create_app
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.http.rights import ANYBODY, action_of
from korgool.app.server.people.sign_in.sign_in_log import SignInWay
from tests.conftest import SEED

from .members import Browser, Site, on_site

REFUSED = {401, 403}
FRAMEWORK = "litestar."
OF_NOBODY = {
    *("/static/{name}", "/sw.js", "/offline", "/help", "/rules/{game}", "/levels", "/about", "/healthz", "/language"),
    *("/learn", "/learn/{game}", "/learn/{game}/{stop}", "/learn/{game}/drills", "/learn/{game}/first", "/settings"),
    *("/puzzle", "/puzzles", "/puzzles/{game}", "/mistakes", "/mistakes/worst.pdf"),
    *("/rules/{game}/picture.png", "/mail/confirm/{token}", "/mail/stop/{token}", "/seat/{token}"),
    *("/puzzles/{game}/rated", "/puzzles/{game}/run"),
    *("/api/guests", "/wish"),
    *("/api/account", "/api/account/session", "/api/account/recovery", "/sign-up", "/sign-in", "/recovery"),
    *("/events/{event_id}/table", "/events/{event_id}/table/{code}", "/events/{event_id}/table/{code}/part"),
    *("/events/{event_id}/table/{code}/sheet", "/api/events/{event_id}/table/{code}/sheet"),
    "/events/{event_id}/table/{code}/sheet/report",
    *("/events/{event_id}/table/{code}/report", "/events/{event_id}/table/{code}/call"),
    "/events/{event_id}/table/{code}/photo",
    *(
        f"/api/events/{{event_id}}/stand-by/{name}"
        for name in ("lines", "snapshot", "leader", "strays", "personal/{player_id}")
    ),
    *("/events/{event_id}/enter", "/events/{event_id}/enter/{token}"),
    *("/events/{event_id}/join/{token}", "/events/join", "/studies", "/studies/device", "/studies/booklet.pdf"),
    "/events/{event_id}/stand-by",
    *("/api/account/session/passkey/begin", "/api/account/session/passkey"),
    *("/api/account/passkey/begin", "/api/account/passkey", "/sign-up/passkey"),
}
"""Where nothing is done to anybody; whoever adds one says so here."""
SIGN_OUT = {("DELETE", "/api/account/session"), ("DELETE", "/api/account/sessions"), ("POST", "/sign-out")}
TO_OTHERS = {Action.ANSWER, Action.BLOCK, Action.REPORT}
"""What is done to somebody else, whoever that is."""
ONCE = ("nobody", "guest")
"""Those who try the doors where nothing is done to anybody."""
Door = tuple[str, str, BaseRouteHandler]


def doors_of(site: Site) -> list[Door]:
    """Method, address and handler of every door of our own."""
    found: list[Door] = []
    for route in site.app.routes:
        if isinstance(route, WebSocketRoute):
            found.append(("LIVE", plain(route.path), route.route_handler))
        elif isinstance(route, HTTPRoute):
            handlers = {str(one): handler for handler in route.route_handlers for one in handler.http_methods}
            found += [(one, plain(route.path), handler) for one, handler in handlers.items() if one != "OPTIONS"]
    return [door for door in found if not door[2].fn.__module__.startswith(FRAMEWORK)]


def plain(path: str) -> str:
    """An address without the kinds of its places."""
    return re.sub(r":(?:str|path|int)}", "}", path)


def test_every_door_names_its_action(tmp_path: Path) -> None:
    site = Site(create_app(ServerSettings(data=tmp_path)), tmp_path)
    for method, path, handler in doors_of(site):
        named = handler.opt.get("action")
        kinds = list(named.values()) if isinstance(named, dict) else [named]
        assert all(isinstance(one, Action) or one == ANYBODY for one in kinds), (method, path)
        assert kinds != [ANYBODY] or path in OF_NOBODY, (method, path)


def test_who_may_only_look_changes_nothing(tmp_path: Path) -> None:
    """A token for reading opens no door that changes something; requests of the analysis board change nothing."""
    site = Site(create_app(ServerSettings(data=tmp_path)), tmp_path)
    for method, path, handler in doors_of(site):
        named = handler.opt.get("action")
        kinds = list(named.values()) if isinstance(named, dict) else [named]
        for one in kinds:
            if isinstance(one, Action) and method not in {"GET", "LIVE"} and not path.startswith("/api/analysis/"):
                assert RULES[one].scope is not Scope.READ, (method, path)


class World:
    """A game of somebody with an account, and strangers of every kind."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.game = ""

    async def prepare(self) -> None:
        site = self.site
        self.player, self.other = site.browser(), site.browser()
        self.player_id = (await self.player.sign_up("Player1x"))["id"]
        self.other_id = (await self.other.sign_up("Otherone"))["id"]
        made = await self.player.told("POST", "/api/challenges", {"game": "toguz", "to": "level:1", "side": "white"})
        self.game = made["game"]
        self.child, self.operator = (
            self.member("Kichine", PersonKind.CHILD),
            self.member("Karoolchu", PersonKind.OPERATOR),
        )
        self.bot, self.locked = self.member("Robotone", PersonKind.BOT), self.member("Lockedone", PersonKind.ACCOUNT)
        site.keeper.directory.lock(self.locked.id, now_ms())

    def member(self, name: str, kind: PersonKind) -> Person:
        read = read_name(name)
        assert not isinstance(read, Refused)
        made = self.site.keeper.directory.new(read, now_ms(), kind=kind)
        assert not isinstance(made, Refused)
        return made.person

    async def in_session(self, account: str, *, proved: bool = True, ended: bool = False) -> Browser:
        """A browser with a session of its own."""
        keeper, browser = self.site.keeper, self.site.browser()
        session, secret = keeper.keys.begin(account, "", now_ms(), way=SignInWay.PASSWORD)
        if not proved or ended:
            column = "ended_ms" if ended else "proved_ms"
            with keeper.transactions.writing() as connection:
                connection.exec_driver_sql(f"UPDATE sessions SET {column} = 1 WHERE id = '{session.id}'")
        visitors = self.site.app.state.visitors
        browser.client.cookies.set(visitors.session_name, secret, domain="127.0.0.1")
        browser.client.cookies.set("csrftoken", visitors.session_token(secret), domain="127.0.0.1")
        return browser

    async def by_token(self, *scopes: Scope) -> Browser:
        made = self.site.keeper.keys.make_token(self.player_id, now_ms(), scopes=scopes, label="t", days=1)
        assert not isinstance(made, Refused)
        return self.site.browser(authorization=f"Bearer {made[1]}")

    async def guest(self) -> Browser:
        token, _ = self.site.app.state.visitors.make_guest()
        return self.site.browser(authorization=f"Bearer {token}")

    def kinds(self) -> dict[str, tuple[Actor, Callable[[], Awaitable[Browser]]]]:
        """Who they are to the table of rights, and a fresh one of each."""
        find = self.site.keeper.directory.find

        def actor(identity: str, scopes: frozenset[Scope] | None = None, *, fresh: bool = True) -> Actor:
            account = find(identity)
            assert account is not None
            return Actor(account.person, scopes, fresh=fresh)

        async def nobody() -> Browser:
            return self.site.browser()

        async def visitor() -> Browser:
            return await self.site.browser().visit()

        nobodys, visitors = Actor(Person(PersonKind.NOBODY)), Actor(Person(PersonKind.VISITOR, "v" * 22))
        found: dict[str, tuple[Actor, Callable[[], Awaitable[Browser]]]] = {
            "nobody": (nobodys, nobody),
            "ended session": (nobodys, lambda: self.in_session(self.player_id, ended=True)),
            "visitor": (visitors, visitor),
            "guest": (visitors, self.guest),
            "player": (actor(self.player_id), lambda: self.in_session(self.player_id)),
            "long ago": (actor(self.player_id, fresh=False), lambda: self.in_session(self.player_id, proved=False)),
            "other": (actor(self.other_id), lambda: self.in_session(self.other_id)),
            "child": (actor(self.child.id), lambda: self.in_session(self.child.id)),
            "bot": (actor(self.bot.id), lambda: self.in_session(self.bot.id)),
            "locked": (actor(self.locked.id), lambda: self.in_session(self.locked.id)),
            "operator": (actor(self.operator.id), lambda: self.in_session(self.operator.id)),
        }
        for scope in Scope:
            one = actor(self.player_id, frozenset({scope}), fresh=False)
            found[f"token for {scope}"] = one, lambda scope=scope: self.by_token(scope)  # type: ignore[misc]
        return found

    async def knock(self, browser: Browser, method: str, path: str) -> httpx.Response:
        """Try a door, with a body that nobody understands, so that nothing happens behind it."""
        places = {"game_id": self.game, "command": "say", "name": "x", "dialect": "none"}
        places |= {"game": "toguz", "speed": "blitz", "order": "name", "stop": "sow"}
        places |= dict.fromkeys(("board", "screen"), "1")
        places |= dict.fromkeys(
            (
                "challenge_id",
                "token",
                "key_id",
                "bot_id",
                "event_id",
                "helper_id",
                "machine_id",
                "application_id",
                "class_id",
                "study_id",
            ),
            "x" * 12,
        )
        places |= {"number": "1", "player_id": "1", "code": "c" * 8}
        headers = browser.csrf if method != "GET" else {}
        if path.startswith("/api/") or method in {"GET", "DELETE"}:
            sent = {"content": b"[", "headers": {**headers, "content-type": "application/json"}}
            return await browser.client.request(method, path.format(**places), **({} if method == "GET" else sent))  # type: ignore[arg-type]
        form = {"_csrf_token": headers.get("x-csrftoken", "")}
        return await browser.client.request(method, path.format(**places), data=form)


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.long)], ids=["half", "whole"])
def test_every_door_lets_in_exactly_those_who_may(tmp_path: Path, whole: bool) -> None:
    """Everybody tries every door, or each half of the doors by default: the other half with the next seed."""

    async def test(site: Site) -> None:
        world = World(site)
        await world.prepare()
        players, wrong, tried = Thing((Person(PersonKind.ACCOUNT, world.player_id),)), [], 0
        for number, (kind, (actor, come)) in enumerate(world.kinds().items()):
            browser = await come()
            cookies = dict(browser.client.cookies)
            half = slice(None) if whole else slice((SEED + number) % 2, None, 2)
            for method, path, handler in doors_of(site)[half]:
                action = action_of(handler, {"command": "say"})
                if method == "LIVE" or (action is None and kind not in ONCE):
                    continue
                thing = players if action is Action.PLAY and "game_id" in path else Thing((actor.person,))
                if action in TO_OTHERS:
                    thing = Thing((Person(PersonKind.VISITOR, "o"),))
                refused = action is not None and refusal(actor, action, thing)
                forged = method != "GET" and not handler.opt.get("open") and actor.person.kind is PersonKind.NOBODY
                if (method, path) == ("DELETE", "/api/account") and not refused and not forged:
                    continue  # it would be gone; `test_accounts.py` does that
                answer = await world.knock(browser, method, path)
                tried += 1
                if (answer.status_code in REFUSED) != bool(refused or forged):
                    wrong.append((kind, method, path, answer.status_code, answer.text[:80]))
                browser.client.cookies.clear()  # pages make everybody a visitor
                if (method, path) in SIGN_OUT:
                    cookies = dict((await come()).client.cookies)
                for name, value in cookies.items():
                    browser.client.cookies.set(name, value, domain="127.0.0.1")
        assert wrong == []
        assert tried > 500

    on_site(tmp_path, test)
