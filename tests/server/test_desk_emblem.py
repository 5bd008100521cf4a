"""The emblem of the organiser: sent at the desk, kept for all groups of the event, and hostile ones refused."""

from __future__ import annotations

import time
from pathlib import Path

import httpx
import pytest

from korgool.app.server.events.emblem_conversion import MOST_SENT, small_emblem
from korgool.app.server.events.photo_conversion import MOST_PIXELS
from korgool.app.server.events.sandbox import EMBLEM, open_apart
from korgool.competition.emblem import SIDE, emblem_bytes
from korgool.competition.errors import CompetitionError
from korgool.competition.model import Settings
from korgool.competition.roles import DeskRole
from tests.photos import SECRET, sent

from .desk_events import READING, AtDesk, at_desk, said
from .members import Site, on_site
from .test_desk_people import helping
from .test_desk_photos import hollow

DRAWN = b"""<?xml version="1.0"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 20 10">
<defs><linearGradient id="g"><stop offset="0" stop-color="red"/><stop offset="1" stop-color="red"/></linearGradient>
<rect id="r" width="20" height="10"/></defs><use xlink:href="#r" fill="url(#g)"/>
<circle cx="10" cy="5" r="3" style="fill: url('#g')"/><text x="1" y="9" font-size="2">\xd2\xa2\xd3\xa9</text></svg>"""
HEAD = b'<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink" viewBox="0 0 9 9">'
OUTSIDE = "leads to something outside of it"
REFUSED = {
    b"": "Choose a picture.",
    b"GIF89a" + bytes(100): "the file is no picture as PNG, JPEG, WebP or SVG",
    b"<html><body>x</body></html>": "the file is no picture as PNG, JPEG, WebP or SVG",
    b"<svg": "the file is no picture as PNG, JPEG, WebP or SVG",
    HEAD + b"<script>alert(1)</script></svg>": "holds <script>",
    HEAD + b'<image href="/etc/passwd" width="9" height="9"/></svg>': "holds <image>",
    HEAD + b"<foreignObject><p/></foreignObject></svg>": "holds <foreignObject>",
    HEAD + b'<use x:href="http://example.org/a.svg#b"/></svg>': OUTSIDE,
    HEAD + b'<rect width="9" height="9" fill="url(http://example.org/a.svg#b)"/></svg>': OUTSIDE,
    HEAD + b'<style>@import "http://example.org/a.css";</style></svg>': OUTSIDE,
    HEAD + b'<rect onload="alert(1)"/></svg>': OUTSIDE,
    b'<!DOCTYPE svg [<!ENTITY a "b"><!ENTITY c "&a;&a;">]>' + HEAD + b"&c;</svg>": "declares entities",
    HEAD + b"<g>" * 70 + b"</g>" * 70 + b"</svg>": "too intricate",
    HEAD + b"<path/>" * 20_001 + b"</svg>": "too intricate",
    HEAD + b"<!--" + b"x" * 1_000_001 + b"--></svg>": "at most 1,000,000 are read",
    sent(size=(400, 400), noise=200)[:5000]: "the picture is damaged",
    hollow(MOST_PIXELS // 1000, 1001): "the picture has more than 30,000,000 pixels",
    bytes(MOST_SENT + 1): "bytes, at most 4,194,304 are read",
}


async def give(ann: AtDesk, data: bytes, **fields: str) -> httpx.Response:
    form = {"_csrf_token": ann.browser.csrf["x-csrftoken"], "after": str(ann.competition.seq), **fields}
    files = {"picture": ("emblem", data)} if data else {"other": ("none", b"x")}
    return await ann.browser.client.post(f"{ann.path}/papers/emblem", data=form, files=files, headers=READING)


@pytest.mark.parametrize("data", [sent("PNG", (90, 60), mode="RGBA"), sent("JPEG", (900, 600)), sent("WEBP"), DRAWN])
def test_an_emblem_is_one_small_square_picture(data: bytes) -> None:
    from io import BytesIO

    from PIL import Image

    made = small_emblem(data)
    assert SECRET not in made
    with Image.open(BytesIO(made)) as picture:
        assert (picture.format, picture.size) == ("JPEG", (SIDE, SIDE))
        shades = [band.tobytes()[5 * SIDE + SIDE // 2] for band in picture.split()]
        assert min(shades) > 240  # above and below what is wide it is white
        red, green, blue = (band.tobytes()[SIDE // 2 * SIDE + 10] for band in picture.split())
        assert red > 200
        assert max(green, blue) < 90


def test_a_drawing_that_unfolds_without_end_ends_in_its_own_process() -> None:
    doubled = b"".join(
        b'<g id="a%d"><use href="#a%d"/><use href="#a%d"/></g>' % (at, at - 1, at - 1) for at in range(1, 50)
    )
    began = time.process_time()
    with pytest.raises(CompetitionError):
        open_apart(
            EMBLEM, HEAD + b'<defs><g id="a0"><path d="M0 0h1"/></g>' + doubled + b'</defs><use href="#a49"/></svg>'
        )
    assert time.process_time() - began < 2
    assert emblem_size(open_apart(EMBLEM, DRAWN)) == SIDE


def emblem_size(jpeg: bytes) -> int:
    from io import BytesIO

    from PIL import Image

    with Image.open(BytesIO(jpeg)) as picture:
        return picture.width


def test_an_emblem_is_stored_shown_printed_and_removed(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", Settings(name="Cup", rounds=1), "Asanova", "Bekov")
        assert "/papers/emblem?" not in await ann.look("/papers")
        answer = await give(ann, DRAWN)
        assert (answer.status_code, answer.headers["location"]) == (303, f"{ann.path}/papers?done#emblem")
        kept = (await ann.browser.client.get(f"{ann.path}/papers/emblem")).content
        assert kept == small_emblem(DRAWN) == emblem_bytes(ann.competition.state.emblem)
        assert "/papers/emblem?" in await ann.look("/papers")
        assert "emblem stored" in await ann.look("/log")
        await ann.do({"do": "group", "name": "U12", "first": "Open", "settings": {"name": "U12"}})
        group = await ann.browser.client.get(f"{ann.path.replace('/desk', '~2/desk')}/papers/emblem")
        assert group.content == kept, "it is that of all groups"
        deputy = await helping(site, ann, DeskRole.DEPUTY)
        assert (await give(deputy, DRAWN)).status_code == 404
        assert 'id="picture"' not in await deputy.look("/papers")
        assert "/papers/emblem?" in await deputy.look("/papers")
        answer = await give(ann, b"", remove="on")
        assert answer.status_code == 303
        assert (await ann.browser.client.get(f"{ann.path}/papers/emblem")).status_code == 404
        assert "emblem removed" in await ann.look("/log")

    on_site(tmp_path, test)


def test_what_is_no_emblem_is_told_at_its_place_and_nothing_is_stored(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", Settings(name="Cup", rounds=1), "Asanova")
        seq = ann.competition.seq
        for data, why in REFUSED.items():
            answer = await give(ann, data)
            assert answer.status_code == 422, why
            assert why in said(answer.text)
            assert 'id="picture"' in answer.text
        for text in ("x", "", "AAAA"):
            body = {"after": seq, "actions": [{"do": "emblem", "picture": text}]}
            answer = await ann.browser.ask("POST", f"/api/events/{ann.competition.id}/actions", body)
            assert answer.status_code == 422
        assert ann.competition.seq == seq

    on_site(tmp_path, test)
