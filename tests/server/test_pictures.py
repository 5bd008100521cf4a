"""Pictures of positions and games: PNG, SVG and animated GIF, of the analysis board and of the site's games."""

from __future__ import annotations

from io import BytesIO

import httpx
import pytest
from PIL import Image

from korgool.app.server.play.link_pictures import MOST_ANIMATED
from korgool.notation import svg_board
from korgool.rules import GAMES, Game, Side
from tests.patience import PATIENCE

from .support import Server, Visitor


def asked(server: Server, **values: object) -> httpx.Response:
    return httpx.post(f"{server.url}/api/analysis/picture", json=values, timeout=PATIENCE)


def test_the_analysis_board_draws_a_position_and_a_line(server: Server) -> None:
    game = Game(GAMES["toguz"], [7, 5, 3])
    values = {"game": "toguz", "moves": [7, 5, 3], "below": "black"}
    drawing = asked(server, **values, form="svg")
    assert drawing.headers["content-type"].startswith("image/svg+xml")
    assert drawing.text == svg_board(game.position, trace=game.positions[2].sow(3), below=Side.BLACK)
    picture = asked(server, **values, form="png")
    assert picture.headers["content-type"] == "image/png"
    assert Image.open(BytesIO(picture.content)).width == 800
    assert len(picture.content) < 60_000
    film = asked(server, **values, form="gif")
    assert film.headers["content-type"] == "image/gif"
    assert Image.open(BytesIO(film.content)).n_frames == 4  # type: ignore[attr-defined]
    start = str(game.positions[2])
    assert asked(server, game="toguz", position=start, form="png").status_code == 200


@pytest.mark.parametrize(
    ("values", "status"),
    [
        ({"game": "toguz", "moves": [0], "form": "gif"}, 422),
        ({"game": "toguz", "moves": [7, 10], "form": "svg"}, 422),
        ({"game": "toguz", "moves": [7] * (MOST_ANIMATED + 1), "form": "gif"}, 422),
        ({"game": "toguz", "moves": [7] * 100_000, "form": "gif"}, 413),
        ({"game": "chess", "form": "gif"}, 422),
        ({"game": "toguz", "position": "9S/9S 0 0 S 1", "form": "gif"}, 422),
        ({"game": "toguz", "form": "bmp"}, 422),
        ({"game": "toguz", "below": "red"}, 422),
        ({"game": "toguz", "width": 100_000}, 400),
    ],
)
def test_what_cannot_be_drawn_is_refused(server: Server, values: dict[str, object], status: int) -> None:
    answer = asked(server, **values)
    assert answer.status_code == status, answer.text
    assert answer.json()["detail"]


def test_nobody_draws_without_end(server: Server) -> None:
    moves = [7, 5, 3]
    game = Game(GAMES["toguz"], moves)
    while len(moves) < 100:
        moves.append(game.position.legal_moves()[-1])
        game.play(moves[-1])
    codes = [asked(server, game="toguz", moves=moves, form="gif").status_code for _ in range(60)]
    assert codes[0] == 200
    assert 429 in codes


def test_pictures_of_a_game(server: Server) -> None:
    visitor = Visitor(server)
    game = visitor.new_game("toguz")
    for name, kind in [("picture.png", "image/png"), ("picture.svg", "image/svg+xml"), ("animation.gif", "image/gif")]:
        answer = visitor.client.get(f"/games/{game}/{name}")
        assert answer.status_code == 200, name
        assert answer.headers["content-type"].startswith(kind)
    assert "img-src" in visitor.client.get(f"/games/{game}").headers["content-security-policy"]
    assert visitor.client.get("/games/nothinghere/animation.gif").status_code == 404
