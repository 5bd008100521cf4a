"""A live connection hears frames of every shape: a refusal with its reason, or an end, and nobody else notices."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from korgool.app.server.play.commands import COMMANDS, DEMANDS
from korgool.app.words.online_games import PHRASES
from tests.attacks.attackers import frame

from .doors import kept
from .support import Json, Live, Server, Visitor, replayed, running

TEXT, BINARY, CLOSE, PING = 1, 2, 8, 9
_CLOSED_BY_SERVER = {1000, 1002, 1003, 1007, 1009}
"""Going in order, a broken frame, one of the wrong kind, a text that is none, and one that is too large."""
_KEYS = {"ack", "refused", "status", "detail", "clause", "version"}
_NUMBERS = count(1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    with running(folder, None, "--limits", "off") as server:
        yield server
        said = [line for line in server.stop().splitlines() if not line.startswith("korgool: starting")]
        assert len(said) == 1, "no traceback, and no line that a client has written"
        assert said[0].startswith("Games are kept in ")


@pytest.fixture(scope="module")
def player(server: Server) -> Visitor:
    return Visitor(server)


def own_game(player: Visitor) -> str:
    """A game at one device, in which every command of its player means something."""
    path = player.form("/challenges", game="toguz", to="self").headers["location"]
    return str(path).rpartition("/")[2]


# Texts that are read: every one of them is answered


WORDS = (*COMMANDS, *DEMANDS, *PHRASES, "say", "ping", "state", "a\nb ERROR forged", "\x1b[31m", "\ud800", "é" * 50)
FIELDS = ("do", "id", "hole", "version", "offer", "what", "phrase", "sent", "thinks", "side", "at", "__class__")
ENDINGS = {"resign", "abort", "rematch"}
"""They would leave the player without a game to speak about."""
leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**18, -(10**18), 10**60, 2**63, 1e308])
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=12)
    | st.sampled_from(WORDS).filter(lambda word: word not in ENDINGS)
)
values = st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner))
commands = st.fixed_dictionaries(
    {"do": st.sampled_from([word for word in COMMANDS if word not in ENDINGS] + ["say", "ping"])},
    optional={
        "id": st.text(max_size=45),
        "hole": st.integers(-1, 10),
        "version": st.integers(-1, 30),
        "offer": st.booleans(),
        "what": st.sampled_from(DEMANDS),
        "phrase": st.sampled_from([*PHRASES, "hello\n"]),
        "sent": st.floats(allow_nan=False, allow_infinity=False),
    },
)
objects = st.dictionaries(st.sampled_from(FIELDS), values, max_size=5)
nested = st.builds(lambda mark, deep: mark * deep, st.sampled_from("[{\"'"), st.integers(1, 1000))
texts = (
    (commands | objects | values).map(json.dumps)
    | nested
    | st.text(max_size=40)
    | st.sampled_from(["", "\x00", '{"do":"move","do":"move"}', '{"sent":1e400,"do":"ping"}', '{"id":"\\ud800"}'])
)


def framed(data: bytes, cuts: list[int], opcode: int) -> bytes:
    """A message as one frame or as fragments, with an empty ping between any two."""
    places = sorted({min(cut, len(data)) for cut in cuts})
    parts = [data[begin:end] for begin, end in zip([0, *places], [*places, len(data)], strict=True)]
    said = b""
    for number, part in enumerate(parts):
        whole = bytearray(frame(part, opcode if number == 0 else 0))
        if number < len(parts) - 1:
            whole[0] &= 0x7F
        said += bytes(whole) + (frame(b"", PING) if number < len(parts) - 1 else b"")
    return said


def answers(live: Live, said: bytes) -> list[Json]:
    """What a connection hears about its messages, up to the answer to a ping that follows them."""
    number = next(_NUMBERS)
    live.connection.socket.sendall(said + frame(json.dumps({"do": "ping", "sent": number + 0.5}).encode()))
    heard = []
    while (message := live.hear()).get("pong") != number + 0.5:
        if "ack" in message or "refused" in message:
            heard.append(message)
    return heard


def sound(answer: Json) -> None:
    """A refusal has its status and its reason, and everything is in its place."""
    assert answer.keys() <= _KEYS
    assert isinstance(answer["version"], int)
    if "refused" in answer:
        assert answer["status"] in {400, 403, 404, 409, 422, 429}
        assert len(answer["detail"]) > 5


@pytest.fixture(scope="module")
def game(player: Visitor) -> str:
    return own_game(player)


@pytest.fixture(scope="module")
def playing(player: Visitor, game: str) -> Iterator[Live]:
    with player.live(game, 0) as live:
        yield live


@pytest.fixture(scope="module")
def watching(server: Server, game: str) -> Iterator[Live]:
    with Visitor(server).live(game, 0) as live:
        yield live


cuts = st.lists(st.integers(0, 60), max_size=3)


@pytest.mark.parametrize("count", [50, pytest.param(500, marks=pytest.mark.long)])
def test_a_player_is_answered_whatever_they_say(player: Visitor, game: str, playing: Live, count: int) -> None:
    @settings(max_examples=count)
    @given(text=texts, cuts=cuts, opcode=st.sampled_from([TEXT, BINARY]))
    def say(text: str, cuts: list[int], opcode: int) -> None:
        for answer in answers(playing, framed(text.encode()[:900], cuts, opcode)):
            sound(answer)
        replayed(player.state(game))

    say()


@pytest.mark.parametrize("count", [30, pytest.param(300, marks=pytest.mark.long)])
def test_a_watcher_changes_nothing_whatever_they_say(folder: Path, watching: Live, count: int) -> None:
    @settings(max_examples=count)
    @given(text=texts, cuts=cuts)
    def say(text: str, cuts: list[int]) -> None:
        before = kept(folder)
        for answer in answers(watching, framed(text.encode()[:900], cuts, TEXT)):
            sound(answer)
            assert "ack" not in answer, text
        assert kept(folder) == before

    say()


# Frames that are none


def ended(player: Visitor, game: str, said: bytes, *, leaves: bool = False) -> int | None:
    """The code with which the server closes a connection after these bytes; None where it ends without one.

    Where the client `leaves`, it says nothing more, and the server need not be the one who ends it.
    """
    with player.live(game, 0) as live:
        live.connection.socket.sendall(said)
        if leaves:
            with suppress(OSError):  # the server was quicker
                live.connection.socket.shutdown(socket.SHUT_WR)
        try:
            while True:
                live.hear()
        except ConnectionClosed as closed:
            return None if closed.rcvd is None else closed.rcvd.code


def header(first: int, length: int, *, masked: bool = True) -> bytes:
    """The head of a frame of any length, with a mask of zeros."""
    mask = 0x80 if masked else 0
    size = bytes([mask | 127]) + length.to_bytes(8, "big") if length > 125 else bytes([mask | length])
    return bytes([first]) + size + (b"\0\0\0\0" if masked else b"")


BROKEN = {
    "a text that is no UTF-8": (frame(b"\xff\xfe{}"), 1007),
    "half a character": (frame(b'{"do":"\xe2\x82'), 1007),
    "half a surrogate pair": (frame(b"\xed\xa0\x80"), 1007),
    "too large": (frame(b" " * 2000), 1009),
    "too large in fragments": (header(TEXT, 0) + (header(0, 125) + b" " * 125) * 9, 1009),
    "said to be 2 to the 62 bytes": (header(0x80 | TEXT, 2**62), 1009),
    "said to be more than there can be": (header(0x80 | TEXT, 2**63), 1009),
    "not masked": (header(0x80 | TEXT, 2, masked=False) + b"{}", 1002),
    "of a kind that does not exist": (frame(b"{}", 3), 1002),
    "of a command that does not exist": (frame(b"", 11), 1002),
    "with a bit that nobody has agreed on": (header(0xC0 | TEXT, 2) + b"{}", 1002),
    "a fragment of nothing": (frame(b"{}", 0), 1002),
    "a text within a text": (header(TEXT, 1) + b"{" + frame(b"{}"), 1002),
    "a ping in fragments": (header(PING, 0), 1002),
    "a ping that is too long": (header(0x80 | PING, 126) + b" " * 126, 1002),
    "an end with half a code": (frame(b"\x03", CLOSE), 1002),
    "an end with a code that is none": (frame(b"\x00\x01", CLOSE), 1002),
    "an end with a reason that is no text": (frame(b"\x03\xe8\xff", CLOSE), 1007),
    "no frame but a request": (b"GET / HTTP/1.1\r\nHost: evil\r\n\r\n", 1002),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_frame_ends_its_own_connection_alone(player: Visitor, game: str, watching: Live, name: str) -> None:
    said, code = BROKEN[name]
    version = player.state(game)["version"]
    assert ended(player, game, said) == code
    assert answers(watching, frame(b"{}")) != []
    assert player.state(game)["version"] == version


@pytest.mark.parametrize("count", [15, pytest.param(150, marks=pytest.mark.long)])
def test_any_bytes_end_at_worst_the_connection(player: Visitor, game: str, count: int) -> None:
    @settings(max_examples=count)
    @given(st.lists(st.binary(max_size=12) | texts.map(lambda text: frame(text.encode()[:900])), max_size=6))
    def say(said: list[bytes]) -> None:
        assert ended(player, game, b"".join(said), leaves=True) in _CLOSED_BY_SERVER | {None}
        replayed(player.state(game))

    say()
