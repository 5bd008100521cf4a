"""Pages to be read and pictures for links: reachable from every page, in every language, without scripts."""

from __future__ import annotations

import io
import re

import pytest
from PIL import Image

from korgool.app.rulebook import Example, rules_of
from korgool.engine.ratings import RATINGS
from korgool.languages import LANGUAGES, translations
from korgool.rules import GAMES

from .support import Visitor

PAGES = ["/help", "/levels", "/about", *(f"/rules/{game}" for game in GAMES)]


def read(visitor: Visitor, path: str, language: str = "en") -> str:
    answer = visitor.client.get(path, headers={"accept-language": language, "accept": "text/html"})
    assert answer.status_code == 200, path
    return answer.text


def test_every_page_leads_to_them(visitor: Visitor) -> None:
    game = visitor.new_game()
    for path in ("/", "/analysis", "/offline", f"/games/{game}", *PAGES):
        links = set(re.findall(r'<a href="(/[^"]*)"', read(visitor, path).split("<footer", 1)[1]))
        assert set(PAGES) <= links, path
    missing = visitor.client.get("/not-here", headers={"accept": "text/html"})
    assert all(f'href="{page}"' in missing.text for page in PAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_they_speak_the_visitors_language(visitor: Visitor, language: str) -> None:
    for path in PAGES:
        text = read(visitor, path, language)
        assert f'<html lang="{language}">' in text
        title = "Rules: %(game)s" if path.startswith("/rules") else {"/help": "Help", "/levels": "Levels"}.get(path)
        if title:
            assert translations(language).gettext(title).split("%")[0] in text.split("<main", 1)[1]
    assert "MIT License" in read(visitor, "/about", language)
    assert str(RATINGS["toguz"][-1]) in read(visitor, "/levels", language)
    assert visitor.client.get("/rules/chess").status_code == 404


def test_the_rules_are_told_clause_by_clause_with_examples(visitor: Visitor) -> None:
    for game in GAMES:
        for language in LANGUAGES:
            text, rules = read(visitor, f"/rules/{game}", language), rules_of(game, language)
            examples = [part for part in rules.parts if isinstance(part, Example)]
            assert all(part in text for part in rules.parts if isinstance(part, str))
            assert text.count('<figure class="example">') == len(examples)
            assert all(example.caption in text and example.written in text for example in examples)
    assert "[WNG-TK §IV:1]" in read(visitor, "/rules/toguz")
    assert "Rules." not in read(visitor, "/rules/toguz")


def meta(text: str) -> dict[str, str]:
    return dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)">', text))


def test_a_link_to_a_game_shows_what_it_leads_to(visitor: Visitor) -> None:
    game = visitor.new_game("mangala")
    told = meta(read(visitor, f"/games/{game}"))
    base = str(visitor.client.base_url).rstrip("/")
    assert told["title"] == "Mangala · Korgool"
    assert told["url"] == f"{base}/games/{game}"
    assert told["image"] == f"{base}/games/{game}/picture.png"
    assert told["description"]
    for path in ("/", *PAGES):
        told = meta(read(visitor, path))
        assert told["url"] == base + path
        assert visitor.client.get(told["image"].removeprefix(base)).headers["content-type"] == "image/png"


def test_pictures_are_small_and_kept(visitor: Visitor) -> None:
    game = visitor.new_game("bestemshe")
    before = visitor.client.get(f"/games/{game}/picture.png")
    assert before.headers["cache-control"] == "public, max-age=60"
    assert len(before.content) < 30_000
    size = Image.open(io.BytesIO(before.content)).size
    assert size[0] >= 300
    assert size[1] >= 200
    visitor.send(game, "move", hole=1, version=visitor.state(game)["version"]).raise_for_status()
    assert visitor.client.get(f"/games/{game}/picture.png").content != before.content
    assert visitor.client.get("/games/abcdefghijkl/picture.png").status_code == 404
    assert visitor.client.get("/rules/chess/picture.png").status_code == 404
