"""Bundles: what is in them, that they run each module once, and what cannot be bundled."""

from __future__ import annotations

import json
import posixpath
import re

import pytest

from korgool.app.server.http import static_files
from korgool.app.server.http.release import _read, release
from korgool.app.server.http.script_bundles import BundleError, bundles, read

from .support import Visitor


def test_every_page_loads_bundles(visitor: Visitor) -> None:
    for path in ("/", "/analysis", "/offline", "/sign-in", f"/games/{visitor.new_game('toguz')}"):
        scripts = re.findall(r'<script type="module" src="/static/\w+/([^"]*)"', visitor.client.get(path).text)
        assert scripts
        assert all(name.startswith("bundles/") and name in release().files for name in scripts), scripts


def test_a_map_leads_to_every_line_of_every_module() -> None:
    """The lines of a bundle are those of its modules, apart from comments, imports and exports."""
    files = release().files
    for name in (name for name in files if name.endswith(".map")):
        lines = files[name.removesuffix(".map")].body.decode().splitlines()
        assert lines[-1] == f"//# sourceMappingURL={posixpath.basename(name)}"
        sections = json.loads(files[name].body)["sections"]
        assert sections
        for section in sections:
            (source,) = section["map"]["sources"]
            module = files[posixpath.normpath(posixpath.join(posixpath.dirname(name), source))].body.decode()
            first, count = section["offset"]["line"], section["map"]["mappings"].count(";") + 1
            assert count == len(module.splitlines()), source
            for ours, theirs in zip(lines[first : first + count], module.splitlines(), strict=True):
                if ours and not re.match(r"import|export|.*(/\*\*|import\(|new URL\()", theirs):
                    assert ours == theirs, source


def test_what_is_imported_later_runs_later() -> None:
    sources = {
        "js/page.js": 'import { a, b as c } from "./a.js";\nimport "./side.js";\nconst d = await import("./later.js");',
        "js/a.js": "/** A. */\nexport const a = 1;\nexport function b() {\n  // Nothing.\n}\n",
        "js/side.js": 'export { a } from "./a.js";',
        "js/later.js": 'export class Later {}\nnew Worker(new URL("work.js", import.meta.url), { type: "module" });',
        "js/work.js": 'const files = new URL("../", import.meta.url);',
    }
    made = bundles(sources, ["js/page.js"])
    assert list(made) == ["bundles/page.js", "bundles/page.js.map", "bundles/work.js", "bundles/work.js.map"]
    assert made["bundles/page.js"].splitlines()[3:] == [
        '__module("js/later.js", () => {',
        "class Later {}",
        'new Worker(new URL("work.js", import.meta.url), { type: "module" });',
        "return { Later };",
        "});",
        '__module("js/a.js", () => {',
        "",
        "const a = 1;",
        "function b() {",
        "",
        "}",
        "return { a, b };",
        "});",
        '__module("js/side.js", () => {',
        'const { a } = __modules["js/a.js"]();',
        "return { a };",
        "});",
        "{",
        'const { a, b: c } = __modules["js/a.js"]();',
        '__modules["js/side.js"]();',
        'const d = await __later("js/later.js");',
        "}",
        "//# sourceMappingURL=page.js.map",
    ]
    assert 'const files = new URL("../", new URL("../js/work.js", import.meta.url));' in made["bundles/work.js"]


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ('const a = 1;\nimport a from "./a.js";', 'js/a.js, line 2: import a from "./a.js"; cannot be bundled'),
        ('import * as a from "./a.js";', "line 1: import"),
        ('import {\n  a\n} from "./a.js";', "line 1: import {"),
        ("export default 1;", "line 1: export default"),
        ("export let a = 1;", "line 1: export let"),
        ("const a = 1;\nexport { a };", "line 2: export { a };"),
        ("const a = import.meta;", "import.meta"),
        ("const __modules = 1;", "__modules"),
        ('import "./b.js";', "missing: js/a.js, js/b.js"),
        ('import "./a.js";', "need each other: js/a.js, js/a.js"),
    ],
)
def test_what_cannot_be_bundled(source: str, reason: str) -> None:
    with pytest.raises(BundleError, match=re.escape(reason)):
        bundles({"js/a.js": source}, ["js/a.js"])


@pytest.mark.parametrize("source", ['import { b, gone as c } from "./b.js";', 'export { b, gone } from "./b.js";'])
def test_what_is_imported_is_there(source: str) -> None:
    with pytest.raises(BundleError, match=r"js/a\.js imports gone, which js/b\.js does not export"):
        bundles({"js/a.js": source, "js/b.js": "export const b = 1;"}, ["js/a.js"])


def test_only_comments_go() -> None:
    source = '/**\n * It.\n */\nconst a = "/* no */ // no"; // yes, it stays\n  // goes\nb(/** @type {X} */ (c));\n'
    assert read("a.js", source).text == '\n\n\nconst a = "/* no */ // no"; // yes, it stays\n\nb((c));\n'


def test_the_modules_themselves_for_those_who_change_them(monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "js/site/home_page.js": 'import "../a.js";',
        "js/a.js": "const a = 1;",
        "sw.js": "",
        "css/page.css": "p { }",
    }
    read = {name: static_files.File(static_files.kind_of(name), text.encode()) for name, text in files.items()}
    monkeypatch.setattr(static_files, "collect", lambda: dict(read))
    script = '<script type="module" src="/static/{}">'
    try:
        _read.cache_clear()
        usual = release()
        assert usual.addressed(script.format("js/site/home_page.js")) == script.format(
            f"{usual.tag}/bundles/site/home_page.js"
        )
        assert set(usual.kept()) == {usual.root + name for name in ("bundles/site/home_page.js", "css/page.css")}
        monkeypatch.setenv("KORGOOL_MODULES", "1")
        _read.cache_clear()
        now = release()
        assert now.tag != usual.tag
        assert now.addressed(script.format("js/site/home_page.js")) == script.format(f"{now.tag}/js/site/home_page.js")
        assert set(now.kept()) == {now.root + name for name in ("js/site/home_page.js", "js/a.js", "css/page.css")}
    finally:
        _read.cache_clear()
