"""Pages to be read and pictures for links: reachable from every page, in every language, without scripts."""

from __future__ import annotations

import io
import json
import re

import msgspec
import pytest
from markupsafe import escape
from PIL import Image

from korgool.app.rulebook import Example, rules_of, scenes_of
from korgool.app.server.play.game_events import trace
from korgool.app.server.play.moving_boards import motion
from korgool.app.words.games import STONE_GAMES
from korgool.engine.ratings import RATINGS
from korgool.languages import LANGUAGES, translations
from korgool.rules import GAMES, Side

from .support import Visitor

LEARN = ["/learn", *(f"/learn/{game}" for game in GAMES)]
PAGES = ["/help", "/levels", "/about", *(f"/rules/{game}" for game in GAMES)]


def read(visitor: Visitor, path: str, language: str = "en") -> str:
    answer = visitor.client.get(path, headers={"accept-language": language, "accept": "text/html"})
    assert answer.status_code == 200, path
    return answer.text


def test_every_page_leads_to_them(visitor: Visitor) -> None:
    """From anywhere to the page to learn, and from there to the rules, the help and the levels."""
    game = visitor.new_game()
    for path in ("/", "/analysis", "/offline", f"/games/{game}", *PAGES):
        links = set(re.findall(r'<a [^>]*href="(/[^"#]*)', read(visitor, path)))
        assert {"/learn", "/about"} <= links, path
    for name in GAMES:
        links = set(re.findall(r'<a [^>]*href="(/[^"]*)"', read(visitor, f"/learn/{name}")))
        assert {"/help", "/levels", f"/rules/{name}"} <= links
    missing = visitor.client.get("/not-here", headers={"accept": "text/html"})
    assert 'href="/learn"' in missing.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_they_speak_the_visitors_language(visitor: Visitor, language: str) -> None:
    for path in PAGES:
        text = read(visitor, path, language)
        assert f'<html lang="{language}">' in text
        title = (
            "Rules: %(game)s"
            if path.startswith("/rules")
            else {"/help": "Help", "/levels": "Choose your opponent"}.get(path)
        )
        if title:
            assert translations(language).gettext(title).split("%")[0] in text.split("<main", 1)[1]
    assert "MIT License" in read(visitor, "/about", language)
    assert str(RATINGS["toguz"][-1]) in read(visitor, "/levels", language)
    assert visitor.client.get("/rules/chess").status_code == 404


def test_each_game_is_learnt_in_one_minute_and_played_with_one_tap(visitor: Visitor) -> None:
    assert visitor.client.get("/learn/chess").status_code == 404
    for language in LANGUAGES:
        for path in LEARN:
            text, game = read(visitor, path, language), path.removeprefix("/learn").strip("/") or "toguz"
            for page in (text, read(visitor, f"/rules/{game}", language)):
                gettext = translations(language, game in STONE_GAMES).gettext
                assert all(escape(gettext(scene.text)) in page for scene in scenes_of(game))
                assert page.count("data-motion=") >= len(scenes_of(game))
            assert all(f'href="{on}"' in text for on in (f"/rules/{game}", "/help", "/levels", "/analysis"))
    fields = dict(re.findall(r'name="(game|side|level|clock)" value="(\w+)"', read(visitor, "/learn/mangala")))
    begun = visitor.form("/games", **fields)
    assert begun.headers["location"].startswith("/games/")


def test_moving_boards_show_what_their_sentences_say() -> None:
    """WNG-TK §III, §IV, §V; WNG-M §III, §IV: by what the rules make of each scene."""
    lasts = {game: [scene.sowings[-1] for scene in scenes_of(game)] for game in GAMES}
    sow, single, even, odd, tuz, feed, end = lasts["toguz"]
    assert (len(sow.drops), sow.lifted, single.lifted, len(single.drops)) == (9, 9, 1, 1)
    assert even.captured
    assert not odd.captured
    assert odd.last.side is Side.BLACK
    assert (tuz.tuz, [drop.tuz_owner for drop in feed.drops].count(Side.WHITE), feed.mover) == (3, 1, Side.BLACK)
    assert end.outcome is not None
    assert end.outcome.winner is Side.WHITE
    _, store, again, even, opposite, end = lasts["mangala"]
    assert any(drop.hole == 0 for drop in store.drops)
    assert [scene.extra_turn for scene in scenes_of("mangala")[2].sowings] == [True, False]
    assert len(again.drops) == 5
    assert even.captured
    assert {side for side, _, _ in opposite.captured} == set(Side)
    assert end.outcome is not None
    assert end.outcome.swept == (7, 0)
    _, even, castle, feed, end = lasts["castle"]
    assert even.captured
    assert castle.tuz == 2
    assert any(drop.tuz_owner is Side.WHITE for drop in feed.drops)
    assert end.outcome is not None
    assert end.outcome.swept == (0, 9)
    _, single, even, odd, end = lasts["bestemshe"]
    assert single.lifted == 1
    assert even.captured
    assert not odd.captured
    assert odd.last.side is Side.BLACK
    assert end.outcome is not None
    assert end.outcome.stores[0] == 26


def test_the_motion_of_a_board_is_the_moves_of_the_rules() -> None:
    scene = scenes_of("mangala")[-1]
    told = json.loads(motion(scene.before, scene.sowings))
    assert told["before"] == {
        "white": [0] * 5 + [1],
        "black": [3, 4, 0, 0, 0, 0],
        "stores": [19, 21],
        "tuz": [None] * 2,
    }
    assert told["plies"][0]["after"] == {"white": [0] * 6, "black": [0] * 6, "stores": [27, 21], "tuz": [None] * 2}
    assert told["plies"][0]["trace"] == json.loads(msgspec.json.encode(trace(scene.sowings[0])))


@pytest.mark.parametrize("game", GAMES)
def test_a_game_begins_with_a_tap_on_an_opponent(visitor: Visitor, game: str) -> None:
    text = read(visitor, f"/levels?game={game}")
    forms = re.findall(r'<form method="post" action="/games">(.*?)</form>', text, re.S)
    offered = [re.findall(r'name="level" value="(\d)"', form)[0] for form in forms]
    assert offered == list("123456789" if game == "mangala" else "12345678")
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', forms[1]))
    answer = visitor.client.post("/games", data=fields, follow_redirects=True, headers={"accept": "text/html"})
    assert (answer.status_code, 'id="face-' in answer.text) == (200, False)
    assert re.search(r'<use href="[^"]*faces.svg#face-2"/>', answer.text)
    assert '<span class="name">Tai</span>' in answer.text
    told = "about 690 · level 2" if game == "toguz" else "level 2"
    assert f'<span class="level">{told}</span>' in answer.text
    assert visitor.client.get("/levels?game=chess").status_code == 404


def test_the_rules_are_told_clause_by_clause_with_examples(visitor: Visitor) -> None:
    for game in GAMES:
        for language in LANGUAGES:
            text, rules = read(visitor, f"/rules/{game}", language), rules_of(game, language)
            examples = [part for part in rules.parts if isinstance(part, Example)]
            assert all(part in text for part in rules.parts if isinstance(part, str))
            assert text.count('<figure class="example" data-motion=') == len(examples)
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
