"""Photographs of players: kept beside the log, shown where the regulations say so, and gone when they are removed."""

from __future__ import annotations

import re
from base64 import b64encode
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from korgool.app.publishing import snapshot_data, write_folder
from korgool.app.server.events.photo_conversion import small_photo
from korgool.competition import CompetitionError, Entry, EventFile, Settings, commands
from korgool.competition import actions as do
from korgool.competition.audit import check
from korgool.competition.json_export import read_json, restore, write_json
from korgool.competition.model import Personal
from korgool.competition.photographs import HEIGHT, MOST_BYTES, WIDTH, check_picture, file_name
from korgool.competition.privacy import shown_photo
from korgool.competition.storage.salvage import salvage
from korgool.competition.storage.transfer import transfer
from tests.competition.program import korgool, lines, refused, usage
from tests.photos import SECRET, sent

SHOWN = Settings(name="Cup", rounds=3, shown=("photo",))


@pytest.fixture(scope="module")
def jpeg() -> bytes:
    return small_photo(sent(size=(300, 300), noise=60))


@pytest.fixture
def cup(tmp_path: Path, jpeg: bytes) -> EventFile:
    """Three players, of whom the first has a photograph and the third a short name."""
    file = EventFile.create(tmp_path / "cup.korgool", SHOWN, by="Ann")
    for entry in (Entry(family="One"), Entry(family="Two"), Entry(family="Three", short="T.")):
        commands.enter(file, entry, by="Ann")
    file.set_personal(1, Personal(doctor="Dr. Who"))
    file.set_photo(1, jpeg, by="Ann")
    return file


def held(jpeg: bytes) -> bytes:
    """A part of the picture that stands in nothing else, in base64."""
    return b64encode(jpeg)[-200:-120]


def test_pictures_come_small_and_with_nothing_about_them(jpeg: bytes) -> None:
    for data in (sent(), sent("PNG", mode="RGBA"), sent("PNG", mode="P"), sent("WEBP"), sent("JPEG", mode="L")):
        small = small_photo(data)
        check_picture(small)
        assert SECRET in data
        assert SECRET not in small
        assert small_photo(small) != b""
    with Image.open(BytesIO(small_photo(sent(size=(300, 300), turned=6)))) as turned:
        assert turned.size == (WIDTH, HEIGHT)
        top, bottom = (turned.getpixel((WIDTH // 2, at)) for at in (20, HEIGHT - 20))
    assert isinstance(top, tuple)
    assert isinstance(bottom, tuple)
    assert top[0] > 200 > bottom[0]  # the left half is above, turned by a quarter
    with pytest.raises(CompetitionError, match="this is not a photo of the kind"):
        check_picture(sent())
    table = jpeg.index(b"\xff\xdb")
    again = jpeg[table : table + 2 + int.from_bytes(jpeg[table + 2 : table + 4], "big")]
    check_picture(jpeg[:table] + again + jpeg[table:])
    large = jpeg[:table] + again * (MOST_BYTES // len(again)) + jpeg[table:]
    for wrong in (b"", large, jpeg[:-2], jpeg[:100] + jpeg[-2:], jpeg[2:], b"\xff\xd8" + jpeg):
        with pytest.raises(CompetitionError, match="not a photo"):
            check_picture(wrong)
    scans = [found.start() for found in re.finditer(b"\xff\xda", jpeg)]
    for place in (2, scans[0], scans[1], len(jpeg) - 2):
        for hidden in (b"\xff\xfe\x00\x06HERE", b"\xff\xe1\x00\x06HERE", b"\xff\xe0\x00\x06HERE"):
            with pytest.raises(CompetitionError, match="not a photo"):
                check_picture(jpeg[:place] + hidden + jpeg[place:])


def test_a_photograph_is_beside_the_log_and_its_removal_leaves_no_byte(cup: EventFile, jpeg: bytes) -> None:
    state = cup.state
    assert cup.photo(1) == jpeg
    assert state.players[1].photo == shown_photo(state, state.players[1])
    assert held(jpeg) in cup.path.read_bytes()
    assert jpeg not in str(cup.lines()).encode()
    cup.set_personal(1, Personal(doctor="Dr. No"))
    assert cup.photo(1) == jpeg
    other = small_photo(sent(size=(200, 500), noise=60))
    cup.set_photo(1, other, by="Ann")
    assert cup.photo(1) == other
    assert held(jpeg) not in cup.path.read_bytes()
    assert cup.set_photo(1, None, by="Ann").players[1].photo == ""
    assert held(other) not in cup.path.read_bytes()
    assert cup.personal(1) == Personal(doctor="Dr. No")
    for names in (False, True):
        cup.set_photo(2, jpeg, by="Ann")
        gone = cup.forget if names else cup.remove_personal
        assert gone(2, by="Ann") == 1
        assert (cup.photo(2), cup.state.players[2].photo) == (None, "")
        assert held(jpeg) not in cup.path.read_bytes()
    assert not check(cup)


def test_who_has_none(cup: EventFile, jpeg: bytes) -> None:
    for player, why in ((3, "short or removed name has no photo"), (9, "no player with the id 9")):
        with pytest.raises(CompetitionError, match=why):
            cup.set_photo(player, jpeg, by="Ann")
    with pytest.raises(CompetitionError, match="Two has no photo"):
        cup.set_photo(2, None, by="Ann")
    with pytest.raises(CompetitionError, match="replace or remove the photo on the player's page"):
        commands.undo(cup, cup.state.actions, by="Ann", reason="a slip")
    commands.enter(cup, Entry(family="Four"), by="Ann")
    cup.set_photo(4, jpeg, by="Ann")
    entered = cup.state.actions - 1
    commands.undo(cup, entered, by="Ann", reason="entered by mistake")  # the photograph goes with the entry
    assert (4 in cup.state.players, cup.photo(4), cup.personal(4)) == (False, None, None)
    commands.amend(cup, 1, Entry(family="One", short="O."), by="Ann")
    assert shown_photo(cup.state, cup.state.players[1]) == ""
    commands.amend(cup, 1, Entry(family="One"), by="Ann")
    assert shown_photo(cup.state, cup.state.players[1]) != ""
    commands.change(cup, Settings(name="Cup", rounds=3), by="Ann")
    assert shown_photo(cup.state, cup.state.players[1]) == ""
    with pytest.raises(CompetitionError, match="show no photos"):
        cup.set_photo(2, jpeg, by="Ann")


def test_copies_bring_it_along_and_refuse_another(cup: EventFile, jpeg: bytes, tmp_path: Path) -> None:
    with EventFile.begin(tmp_path / "copy.korgool") as copy:
        transfer(cup, copy)
        assert copy.photo(1) == jpeg
    text = write_json(cup, personal=True)
    with restore(tmp_path / "restored.korgool", read_json(text)) as restored:
        assert restored.photo(1) == jpeg
    salvage(cup.path, tmp_path / "salvaged.korgool")
    with EventFile.open(tmp_path / "salvaged.korgool") as salvaged:
        assert salvaged.photo(1) == jpeg
    part = b64encode(jpeg[:18])
    denser = jpeg[:17] + bytes((jpeg[17] ^ 1,))  # of its JFIF segment: still a photograph, and another
    for changed, why in ((b64encode(denser), "was changed"), (b"!" + part[1:], "not a photo")):
        with pytest.raises(CompetitionError, match=why):
            restore(tmp_path / "changed.korgool", read_json(text.replace(part, changed)))
    with EventFile.begin(tmp_path / "without.korgool") as without:
        transfer(cup, without, personal=False)
        assert without.photo(1) is None


def test_published_pages_show_it_only_where_the_regulations_say_so(cup: EventFile, jpeg: bytes, tmp_path: Path) -> None:
    name = f"photos/{file_name(1, cup.state.players[1].photo)}"
    korgool("publish", cup.path, "--to", tmp_path / "pages")
    assert (tmp_path / "pages" / name).read_bytes() == jpeg
    card = (tmp_path / "pages" / "en" / "players" / "1.html").read_text(encoding="utf-8")
    assert f'src="../../{name}" width="120" height="160" alt="Photo: One"' in card
    assert b"photo" not in snapshot_data(cup.state).replace(b'"shown":["photo"]', b"")
    assert lines("personal", cup.path, "1")[0]["personal"]["photo"] is True
    write_folder(cup.state, tmp_path / "pages", languages=("en",))  # from a copy without personal data
    assert not (tmp_path / "pages" / "photos").exists()
    cup.do(do.Change(Settings(name="Cup", rounds=3)), by="Ann")
    photo = cup.photo(1)
    assert photo is not None
    write_folder(cup.state, tmp_path / "pages", languages=("en",), photos={1: photo})
    assert not (tmp_path / "pages" / "photos").exists()
    assert "photos/" not in (tmp_path / "pages" / "en" / "players" / "1.html").read_text(encoding="utf-8")


def test_a_photograph_by_the_command_line(cup: EventFile, tmp_path: Path) -> None:
    path, picture, small = tmp_path / "cup.korgool", tmp_path / "sent.png", tmp_path / "small.jpg"
    picture.write_bytes(sent("PNG", noise=9))
    assert lines("photo", path, "Two") == [{"number": 2, "name": "Two", "photo": False}]
    assert "has no photograph" in refused("photo", path, 2, "-o", small)
    assert "has no photograph" in refused("photo", path, 2, "--remove", "--reason", "x")
    assert "2  Two: a photograph" in korgool("photo", path, 2, picture)
    korgool("photo", path, 2, "-o", small)
    check_picture(small.read_bytes())
    assert cup.refresh().players[2].photo
    assert cup.photo(2) == small.read_bytes()
    assert "File exists" in refused("photo", path, 2, "-o", path)
    (tmp_path / "bad.jpg").write_bytes(b"no picture")
    before = cup.refresh().actions
    assert "bad.jpg: the file is no picture" in refused("photo", path, 2, tmp_path / "bad.jpg")
    assert "No such file" in refused("photo", path, 2, tmp_path / "none.jpg")
    assert "a player with a short or removed name has no photo" in refused("photo", path, 3, picture)
    assert "one of PICTURE" in usage("photo", path, 2, picture, "--remove")
    assert cup.refresh().actions == before
    korgool("photo", path, 2, "--remove", "--reason", "asked for it")
    assert cup.photo(2) is None
    assert held(small.read_bytes()) not in path.read_bytes()
