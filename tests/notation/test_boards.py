"""Boards as text, SVG and PNG."""

from __future__ import annotations

import hashlib
import re
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from korgool import BESTEMSHE, GAMES, MANGALA, TOGUZ_KORGOOL, Game, Position, Rules, Setup, Side
from korgool.app.cli import main
from korgool.notation import NotationError, format_place, parse_place, png_board, svg_board, text_board
from korgool.notation.figures import arrange, heap
from korgool.notation.svg import THEMES
from tests.rules.positions import positions

TUZ = Position.parse("11S,1S,7S,t,6S,4S,2S,4S,3S/2S,6S,19S,t,1S,3S,1S,3S,3S 57 29 N 10", lenient=True)
PICTURES = [
    ("toguz", Side.WHITE, "4983d81279bfdc8e"),
    ("toguz", Side.BLACK, "421eff48e3d9df7f"),
    ("mangala", Side.WHITE, "aa6fba4bef453fb8"),
    ("mangala", Side.BLACK, "8a4fe7c002153c45"),
    ("castle", Side.WHITE, "a2d0383cd4a26519"),
    ("castle", Side.BLACK, "10e63a9b2329cd7e"),
    ("bestemshe", Side.WHITE, "e75e61c51b7ff7a0"),
    ("bestemshe", Side.BLACK, "83c7dcd0da7e4275"),
]
SVG = "{http://www.w3.org/2000/svg}"


def test_the_text_board() -> None:
    assert text_board(TUZ) == (
        "           9    8    7    6    5    4    3    2    1\n"
        "> Black   11    1    7    X    6    4    2    4    3  |  29\n"
        "\n"
        "  White    2    6   19    X    1    3    1    3    3  |  57\n"
        "           1    2    3    4    5    6    7    8    9"
    )


def test_the_text_board_from_the_other_chair() -> None:
    assert text_board(MANGALA.start().play(4), below=Side.BLACK) == (
        "           6    5    4    3    2    1\n"
        "> White    5    5    1    4    4    4  |   1\n"
        "\n"
        "  Black    4    4    4    4    4    4  |   0\n"
        "           1    2    3    4    5    6"
    )


def test_the_text_board_for_few_columns() -> None:
    assert text_board(TUZ, columns=40, names=("Ак", "Кара")) == (
        "  Кара  |  29\n"
        "    9   8   7   6   5   4   3   2   1\n"
        ">  11   1   7   X   6   4   2   4   3\n"
        "\n"
        "    2   6  19   X   1   3   1   3   3\n"
        "    1   2   3   4   5   6   7   8   9\n"
        "  Ак  |  57"
    )
    assert text_board(MANGALA.start(), columns=44).count("\n") == 4, "mangala is wide enough"
    assert text_board(MANGALA.start(), columns=43).count("\n") == 6


@given(positions(), st.sampled_from([("White", "Black"), ("Бастаушы", "Қостаушы")]))
def test_forty_columns_hold_every_board(position: Position, names: tuple[str, str]) -> None:
    for below in Side:
        text = text_board(position, below=below, names=names, columns=40)
        assert max(map(len, text.split("\n"))) <= 40


def test_no_side_is_to_move_in_a_game_that_is_over() -> None:
    game = Game(moves=map(int, "95857232999"))
    assert ">" not in text_board(game.position)
    assert "ended 1 (82) - 0 (10)" in svg_board(game.position)


@settings(max_examples=60, deadline=None)
@given(positions())
def test_the_text_board_shows_every_count_from_either_chair(position: Position) -> None:
    for below in Side:
        lines = text_board(position, below=below).split("\n")
        for side, line, numbers in ((below.other, lines[1], lines[0]), (below, lines[3], lines[4])):
            cells, store = line[7:].split("|")
            row = cells.split()[::-1] if side != below else cells.split()
            order = [int(number) for number in numbers.split()]
            assert order == sorted(order, reverse=side != below)
            assert int(store) == position.stores[side]
            tuz = position.tuz[side.other]
            for hole, cell in enumerate(row):
                assert (cell[-1] == "X") == (hole + 1 == tuz)
                assert cell.rstrip("X").replace(".", "0") in (str(position.holes[side][hole]), "")


def groups(svg: str) -> dict[tuple[str, int], ElementTree.Element]:
    root = ElementTree.fromstring(svg)
    return {
        (group.attrib["data-side"], int(group.attrib["data-hole"])): group
        for group in root.iter(SVG + "g")
        if "data-hole" in group.attrib
    }


def stones_drawn(group: ElementTree.Element, fill: str) -> int:
    """Circles in a group: each is two arcs of one path."""
    return sum(path.attrib["d"].count("M") for path in group.iter(SVG + "path") if path.attrib.get("fill") == fill)


@settings(max_examples=40, deadline=None)
@given(positions())
def test_every_stone_and_hole_is_drawn(position: Position) -> None:
    for theme in THEMES:
        svg = svg_board(position, theme=theme)
        found = groups(svg)
        assert len(found) == 2 * position.rules.holes + 2
        for side in Side:
            stones = (position.stores[side], *position.holes[side])
            for hole, count in enumerate(stones):
                assert stones_drawn(found[side.name.lower(), hole], THEMES[theme].stone) == count
            crossed = [
                hole
                for hole in range(1, len(stones))
                if any(
                    path.attrib.get("stroke-width") == "9" for path in found[side.name.lower(), hole].iter(SVG + "path")
                )
            ]
            tuz = position.tuz[side.other]
            assert crossed == ([] if tuz is None else [tuz])


def test_a_drawing_leans_on_nothing_outside() -> None:
    game = Game(moves=[7, 5, 3])
    svg = svg_board(game.position.play(7), trace=game.position.sow(7), below=Side.BLACK, width=640)
    assert not re.search(r"<text|<style|<script|<image|url\(|href| id=|font|https?://(?!www\.w3\.org/2000/svg)", svg)
    assert 'width="640"' in svg
    assert len(svg) < 60_000


def test_drawings_for_those_who_cannot_see_them() -> None:
    root = ElementTree.fromstring(svg_board(TUZ))
    assert root.attrib["role"] == "img"
    assert root.findtext(SVG + "title") == "Toguz korgool, move 10, Black to move"
    words = root.findtext(SVG + "desc") or ""
    assert "White: holes 1 to 9 hold 2 6 19 0 1 3 1 3 3, the store 57." in words
    assert "Black's tuz is White's hole 4." in words
    root = ElementTree.fromstring(svg_board(TUZ, title="<Тогуз & co>\0", description='"коргоол"'))
    assert root.findtext(SVG + "title") == "<Тогуз & co>"
    assert root.findtext(SVG + "desc") == '"коргоол"'


def test_the_last_move_is_marked() -> None:
    sowing = TOGUZ_KORGOOL.start().sow(7)
    plain, marked = svg_board(sowing.after), svg_board(sowing.after, trace=sowing)
    assert "stroke-dasharray" in marked
    assert "stroke-dasharray" not in plain
    assert marked.count("<rect") == plain.count("<rect") + 3  # the two outlines and the plate "+10"
    quiet = TOGUZ_KORGOOL.start().sow(1)
    assert svg_board(quiet.after, trace=quiet).count("<rect") == svg_board(quiet.after).count("<rect") + 2
    into_store = MANGALA.start().sow(4)
    assert (
        svg_board(into_store.after, trace=into_store).count("<rect") == svg_board(into_store.after).count("<rect") + 3
    )


def picture(name: str, below: Side) -> str:
    """Start, a move with a capture or a tuz marked, and a position with many stones in few holes."""
    position = GAMES[name].start()
    drawn = [svg_board(position, below=below)]
    for _ in range(9):
        sowing = max(map(position.sow, position.legal_moves()), key=lambda it: (it.tuz is not None, it.taken, it.hole))
        position = sowing.after
        drawn.append(svg_board(position, below=below, trace=sowing))
    rules, heaps = GAMES[name], [0] * GAMES[name].holes
    full = Setup(rules, ((rules.total // 2 - 9, 8, *heaps[2:]), (1, *heaps[1:])), (rules.total // 2, 0)).position(
        lenient=True
    )
    return "".join([*drawn, svg_board(full, below=below, theme="print")])


@pytest.mark.parametrize(("name", "below", "digest"), PICTURES)
def test_pictures_are_as_they_were_approved(name: str, below: Side, digest: str) -> None:
    """Whoever changes a picture on purpose looks at it, and puts its new digest here."""
    assert hashlib.sha256(picture(name, below).encode()).hexdigest()[:16] == digest


def test_notebooks_draw_positions() -> None:
    position = BESTEMSHE.start()
    assert position._repr_svg_() == svg_board(position)


def test_stones_stay_in_their_fields() -> None:
    for count in range(256):
        for width, height in ((60, 138), (82, 300), (318, 82)):
            for places, step in (
                arrange(count, 5, 7, width, height, 27.5),
                heap(count, (5, 7, width, height), 16, "left" if width > height else "top"),
                heap(count, (5, 7, width, height), 16, "right" if width > height else "bottom"),
            ):
                assert len(set(places)) == count
                for x, y in places:
                    assert 5 - 1e-6 <= x - step / 2 < x + step / 2 <= 5 + width + 1e-6
                    assert 7 - 1e-6 <= y - step / 2 < y + step / 2 <= 7 + height + 1e-6


def pixels(png: bytes) -> tuple[int, int, bytes]:
    """Width, height and unfiltered RGBA rows of a PNG of 8 bits a channel."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height, depth, colour = struct.unpack(">IIBB", png[16:26])
    assert (depth, colour) == (8, 6)
    place, data = 8, b""
    while place < len(png):
        (length,) = struct.unpack(">I", png[place : place + 4])
        if png[place + 4 : place + 8] == b"IDAT":
            data += png[place + 8 : place + 8 + length]
        place += length + 12
    raw, stride = zlib.decompress(data), 4 * width
    rows, before = bytearray(), bytes(stride)
    for row in range(height):
        kind, line = raw[row * (stride + 1)], bytearray(raw[row * (stride + 1) + 1 : (row + 1) * (stride + 1)])
        for i in range(stride):
            left, up = (line[i - 4] if i >= 4 else 0), before[i]
            corner = before[i - 4] if i >= 4 else 0
            guess = left + up - corner
            near = min((left, up, corner), key=lambda value: abs(guess - value))
            line[i] = (line[i] + (0, left, up, (left + up) // 2, near)[kind]) & 255
        rows += line
        before = bytes(line)
    return width, height, bytes(rows)


@pytest.mark.parametrize("rules", list(GAMES.values()), ids=list(GAMES))
@pytest.mark.parametrize("theme", list(THEMES))
def test_images_have_the_size_asked_for(rules: Rules, theme: str) -> None:
    width, height, rows = pixels(png_board(rules.start(), theme=theme, width=120))
    assert width == 120
    assert 60 < height < 140
    colours = {rows[place : place + 3] for place in range(0, len(rows), 4)}
    assert len(colours) > 8


def test_digits_are_drawn_on_a_machine_without_fonts() -> None:
    """Boards that differ in a number alone differ in their pixels, and no system font is asked."""
    one = Position.parse("9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 S 1")
    images = [png_board(one, width=300), png_board(one, width=300, below=Side.BLACK)]
    assert images[0] != images[1]
    code = "from korgool import TOGUZ_KORGOOL\nfrom korgool.notation import png_board\nimport sys\n"
    code += "sys.stdout.buffer.write(png_board(TOGUZ_KORGOOL.start(), width=300))"
    bare = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, env={"FONTCONFIG_FILE": "/dev/null"}
    )
    assert bare.stdout == images[0]


@pytest.mark.parametrize("width", [0, -1, 10_001])
def test_impossible_sizes_are_refused(width: int) -> None:
    with pytest.raises(ValueError, match="it must be from 1 to 10,000"):
        png_board(TUZ, width=width)


def test_an_unknown_theme_is_refused() -> None:
    with pytest.raises(ValueError, match="no theme 'neon'; there are wood, print"):
        svg_board(TUZ, theme="neon")
    with pytest.raises(ValueError, match="at least 1"):
        svg_board(TUZ, width=0)


@given(positions(), st.sampled_from(Side), st.data())
@settings(max_examples=40, deadline=None)
def test_arrows_and_marks_change_nothing_that_was_there(position: Position, below: Side, data: st.DataObject) -> None:
    """They are drawn over the board, and the numbers once more over the arrows."""
    places = st.tuples(st.sampled_from(Side), st.integers(0, position.rules.holes))
    arrows = data.draw(st.lists(st.tuples(places, places), max_size=4))
    marks = data.draw(st.lists(places, max_size=3))
    plain, drawn = (svg_board(position, below=below), svg_board(position, below=below, arrows=arrows, marks=marks))
    body = plain[plain.index("</desc>") : -len("</svg>")]
    assert body in drawn
    added = drawn.partition(body)[2]
    ElementTree.fromstring(drawn)
    loops = sum(start == end for start, end in arrows)
    assert added.count("stroke-dasharray") == len(marks) + loops
    assert added.count('<g opacity="0.8">') == len(arrows) - loops
    if len(arrows) > loops:
        assert added.rindex("opacity") < added.index("scale(")  # numbers come after the last arrow
    words = drawn.partition("<desc>")[2].partition("</desc>")[0]
    assert words.count("An arrow leads from") == len(arrows) - loops
    assert words.count("is marked.") == len(marks) + loops


def test_an_arrow_lies_between_the_holes_it_names() -> None:
    start = TOGUZ_KORGOOL.start()
    drawn = svg_board(start, arrows=[((Side.WHITE, 7), (Side.BLACK, 6))], marks=[(Side.BLACK, 0)])
    assert "An arrow leads from White's hole 7 to Black's hole 6. Black's store is marked." in drawn
    shaft = re.search(r'<g opacity="0.8"><path d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)"', drawn)
    assert shaft is not None
    x, y, to_x, to_y = map(float, shaft.groups())
    assert x == 66 + 6.5 * 96  # the middle of the seventh column
    assert 66 + 3 * 96 < to_x < x  # towards the fourth column
    assert y > to_y
    assert svg_board(start, arrows=iter([((Side.WHITE, 7), (Side.BLACK, 6))])).count("opacity") == 1


@pytest.mark.parametrize("hole", [-1, 10])
def test_a_hole_that_is_not_there_is_refused(hole: int) -> None:
    for draw in (svg_board, png_board):
        with pytest.raises(ValueError, match=f"there is no hole {hole}; holes are numbered 1 to 9, and 0 is the store"):
            draw(TOGUZ_KORGOOL.start(), marks=[(Side.WHITE, hole)])
        with pytest.raises(ValueError, match="there is no hole"):
            draw(TOGUZ_KORGOOL.start(), arrows=[((Side.WHITE, 1), (Side.BLACK, hole))])


@pytest.mark.parametrize("name", GAMES)
def test_coordinates_of_places_are_read_back(name: str) -> None:
    holes = GAMES[name].holes
    for side in Side:
        for hole in range(1, holes + 1):
            assert parse_place(format_place(side, hole, holes).upper(), holes) == (side, hole)
    for text in ("", "a", "a3", "a12", "j1", " a1", "abcdefghi"[holes % 9] + "1" if holes < 9 else "k2"):
        with pytest.raises(NotationError, match="is no hole; holes are a1 to"):
            parse_place(text, holes)


def test_the_command_draws_arrows_and_marks(tmp_path: Path) -> None:
    file = tmp_path / "plan.svg"
    words = ["--arrow", "7", "--arrow", "a2e1", "--arrow", "d10", "--mark", "f2", "--mark", "2", "-o", str(file)]
    done = CliRunner().invoke(main, ["diagram", *words])
    assert done.exit_code == 0, done.output
    places = [
        ((Side.WHITE, 7), (Side.BLACK, 6)),
        ((Side.BLACK, 9), (Side.WHITE, 5)),
        ((Side.WHITE, 4), (Side.WHITE, 0)),
    ]
    marks = [(Side.BLACK, 4), (Side.WHITE, 2)]
    assert file.read_text() == svg_board(TOGUZ_KORGOOL.start(), arrows=places, marks=marks) + "\n"
    picture = tmp_path / "plan.png"
    assert CliRunner().invoke(main, ["diagram", *words[:-1], str(picture)]).exit_code == 0
    assert picture.read_bytes() == png_board(TOGUZ_KORGOOL.start(), arrows=places, marks=marks)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--arrow", "0"), "--arrow 0: there is no hole 0; holes are numbered 1 to 6"),
        (("--arrow", "h1a1"), "--arrow h1: 'h1' is no hole; holes are a1 to f2"),
        (("--arrow", "a1"), "--arrow a1: an arrow is a hole number or coordinates such as f1e2"),
        (("--mark", "7"), "--mark 7: holes are numbered 1 to 6"),
        (("--mark", "<svg>"), "is no hole; holes are a1 to f2"),
    ],
)
def test_arrows_that_lead_nowhere_are_refused(words: tuple[str, ...], reason: str, tmp_path: Path) -> None:
    file = tmp_path / "plan.svg"
    done = CliRunner().invoke(main, ["diagram", "--game", "mangala", *words, "-o", str(file)])
    assert done.exit_code == 2
    assert reason in " ".join(done.stderr.split())
    assert not file.exists()
