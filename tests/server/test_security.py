"""What `docs/security.md` says of every answer and of the whole server, where no other test has a place for it."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

from korgool.app.server.http.template_texts import safe_json

from .members import PASSWORD, Browser, Site, on_site

SOURCE = Path(__file__).parents[2] / "src" / "korgool"
STRICT = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
POLICY = ("default-src 'self'", "object-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'")
KIND = re.compile(
    r"text/(html|css|javascript|plain); charset=utf-8|application/[a-z.+-]+|image/(png|svg\+xml)|font/woff2"
)
EVIL = """"><script>alert(1)</script>' OR 1=1 --"""


async def play(browser: Browser) -> str:
    """The address of a new game against the engine."""
    made = await browser.told("POST", "/api/challenges", {"game": "toguz", "to": "level:1", "side": "white"})
    return f"/games/{made['game']}"


def test_every_answer_says_what_it_is_and_belongs_to_this_site(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = site.browser()
        await ann.sign_up("Annanna")
        game = await play(ann)
        own = ("/account", "/api/account", "/api/account/export", "/api/account/games", f"/api{game}")
        files = (
            "/sw.js",
            "/static/css/page.css",
            "/static/js/play/game_page.js",
            f"{game}/record/pgn",
            f"{game}/picture.png",
        )
        others = ("/", "/lobby/list", "/healthz", "/openapi", "/nothing", "/api/nothing", "/api/players/Annanna/games")
        for path in (*own, *files, *others, game):
            answer = await ann.client.get(path, headers={"origin": "https://evil.example"})
            told = answer.headers
            assert KIND.fullmatch(told["content-type"]), (path, told["content-type"])
            assert {name: told[name] for name in STRICT} == STRICT, path
            assert all(part in told["content-security-policy"] for part in POLICY), path
            assert "unsafe-inline" not in told["content-security-policy"], path
            assert not [name for name in told if name.startswith("access-control-") or name == "server"], path
            assert path not in own or told["cache-control"] == "no-store", path
            assert ("record" in path or "export" in path or "/players/" in path) == ("content-disposition" in told), (
                path
            )
        for path in ("/.git/config", "/static/", "/static/../words.py", "/static/%2e%2e/words.py", "/pyproject.toml"):
            assert (await ann.client.get(path)).status_code == 404, path
        assert (await ann.client.request("TRACE", "/")).status_code == 405
        assert (await ann.client.get("/metrics")).status_code == 404

    on_site(tmp_path, test)


def test_what_people_write_is_text_and_nothing_else(tmp_path: Path) -> None:
    """On pages, in addresses and in queries."""

    async def test(site: Site) -> None:
        assert site.keeper.directory.list() == [], "a new site has nobody whom an attacker could know"
        ann = site.browser()
        operator = {"name": "Annanna", "password": PASSWORD, "kind": "operator"}
        assert (await ann.ask("POST", "/api/account", operator)).status_code == 400
        await ann.sign_up("Annanna")
        await play(ann)
        await ann.told("POST", "/api/account/tokens", {"label": EVIL, "scopes": ["read"]})
        for path in ("/account/tokens", "/games"):
            shown = (await ann.client.get(path, params={"opponent": EVIL})).text
            assert "&lt;script&gt;alert(1)" in shown, path
            assert "<script>alert" not in shown, path
        found = await ann.client.get("/api/account/games", params={"opponent": EVIL})
        assert (found.status_code, found.json()["games"]) == (200, [])
        assert len((await ann.told("GET", "/api/account/games"))["games"]) == 1
        onward = await site.browser().client.get("/sign-in", params={"next": "javascript:alert(1)"})
        assert "javascript:" not in onward.text

    on_site(tmp_path, test)


def test_json_in_a_page_cannot_close_its_element() -> None:
    text = safe_json({"name": f"</script><!--&{EVIL}"})
    assert not set(text) & set("<>&")
    assert json.loads(text) == {"name": f"</script><!--&{EVIL}"}


def test_fields_of_passwords_hide_them_and_let_managers_fill_them(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        browser = site.browser()
        for path, manager in (("/sign-up", "new-password"), ("/sign-in", "current-password")):
            (field,) = re.findall(r'<input[^>]* name="password"[^>]*>', (await browser.client.get(path)).text)
            assert 'type="password"' in field, path
            assert f'autocomplete="{manager}"' in field, path
            assert "maxlength" not in field, path

    on_site(tmp_path, test)


FORBIDDEN_CALLS = {"eval", "exec", "compile", "__import__", "system", "popen", "md5", "sha1"}
FORBIDDEN_MODULES = {
    "subprocess",
    "pickle",
    "marshal",
    "shelve",
    "xml",
    "lxml",
    "defusedxml",
    "yaml",
    "ctypes",
    "random",
}


def test_the_server_runs_nothing_that_it_is_told() -> None:
    """No code from text, no program, no reader of XML or pickles, no weak hash, no randomness that can be guessed."""
    wrong = []
    for path in sorted([*(SOURCE / "app" / "server").rglob("*.py"), *(SOURCE / "accounts").rglob("*.py")]):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.Call):
                called = node.func
                names = [called.id] if isinstance(called, ast.Name) else []
                names += [called.attr] if isinstance(called, ast.Attribute) and called.attr in FORBIDDEN_CALLS else []
                if names and names[0] == "compile" and isinstance(called, ast.Attribute):
                    names = []  # of a regular expression
                names = [name for name in names if name in FORBIDDEN_CALLS]
            elif isinstance(node, ast.Import):
                names = [one.name for one in node.names if one.name.partition(".")[0] in FORBIDDEN_MODULES]
            elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in FORBIDDEN_MODULES:
                names = [node.module or ""]
            wrong += [f"{path.relative_to(SOURCE)}: {name}" for name in names]
    # What an emblem as SVG holds, read by expat alone, which resolves nothing here, in the process of the sandbox.
    assert wrong == ["app/server/events/emblem_conversion.py: xml.parsers"]


def test_scripts_write_text_and_run_none() -> None:
    """`innerHTML` for a list that the server has escaped, words of the script itself, and parts of own pages."""
    found = {
        f"{path.name}: {word[0]}"
        for path in (SOURCE / "app" / "static").rglob("*.js")
        for word in re.finditer(
            r"\b(innerHTML|outerHTML|insertAdjacentHTML|document\.write|onpaste)\b|(?<!\.)\b(?:eval|Function)\(",
            path.read_text(encoding="utf-8"),
        )
    }
    of_pages = {f"{name}.js: innerHTML" for name in ("table_page", "sheet_photo", "wall")}
    assert found == {"engine_lines.js: innerHTML"} | of_pages
