"""Everything that two people can offer, claim and end on two phones, clicked to the end in all five languages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path
from random import Random

import pytest

from korgool.rules import GAMES, Side
from tests.conftest import SEED
from tests.page.conftest import NewTable, start_server
from tests.page.endings import QUICK, WAITING
from tests.page.offers import Walk
from tests.page.phones import End, Pair, begin, pairs_of_languages, phones, shown, tabs
from tests.page.table import expect
from tests.page.test_axe import violations_here
from tests.patience import PATIENCE

RANDOM = Random(f"two phones {SEED}")
LANGUAGES_OF_TWO = pairs_of_languages(RANDOM.randrange(1, 5))


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of its own, without limits: one pair begins as many games as a school class."""
    data: Path = tmp_path_factory.mktemp("phones")
    process, address = start_server(data, 0, "--limits", "off")
    yield address
    process.terminate()
    process.wait(PATIENCE)


def ended(waiting: Generator[None, None, End]) -> End | None:
    """Go on to where time has to pass; the ending if there is one already."""
    try:
        next(waiting)
    except StopIteration as stop:
        end: End = stop.value
        return end
    return None


def rematch(pair: Pair, random: Random) -> None:
    """One asks, the other puts it aside, thinks again, or accepts at once; the sides are exchanged."""
    side, url = random.choice(list(Side)), pair[0].page.url
    asking, asked = pair[side], pair[side.other]
    asking.tap("Rematch")
    expect(asking.page.locator("#offered")).to_have_text(asking.text("You have offered a rematch."))
    asked.hears("The opponent offers a rematch.")
    if random.random() < 0.5:
        asked.answer("The opponent offers a rematch.", "Not now")
        expect(asked.page.locator("#rematch-asked")).to_be_hidden()
        asked.tap("Rematch")
    else:
        asked.answer("The opponent offers a rematch.", "Play the rematch")
    for phone in pair:
        phone.page.wait_for_url(lambda now: now != url)
        phone.table.ready()
    assert pair[0].page.url == pair[1].page.url
    assert pair[0].table.state()["you"] == "black"


def walk(pair: Pair, random: Random, done: Counter[str], steps: int) -> Iterator[str]:
    """A friendly game with so many offers, answers and moves; what was done, one after the other."""
    game = random.choice(list(GAMES))
    begin(pair, random.choice(list(Side)), game=game, clock="10+5")
    walking = Walk(pair, game, random, done)
    for _ in range(steps):
        yield walking.step()


def clean(pair: Pair) -> None:
    """Axe finds nothing on both pages."""
    for phone in pair:
        assert violations_here(phone.page) == []


def test_a_slice_of_it(table: NewTable, server: str) -> None:
    random = Random(f"slice {SEED}")
    pair = phones(table, server, *random.choice(LANGUAGES_OF_TWO))
    assert len(list(walk(pair, random, Counter(), 5))) == 5
    for name in random.sample(["resigned", "called off", "agreed", "majority", "side_empty"], 1):
        end = ended(QUICK[name](pair, random))
        assert end is not None
        shown(pair, end)
    rematch(pair, random)


@pytest.mark.long
@pytest.mark.parametrize("languages", LANGUAGES_OF_TWO, ids="-".join)
def test_every_offer_claim_and_ending(table: NewTable, address: str, languages: tuple[str, str]) -> None:
    random = Random(f"{languages} {SEED}")
    pair = phones(table, address, *languages)
    endings = {name: (tabs(pair), ending) for name, ending in WAITING.items()}
    waiting = {name: (two, ending(two, random)) for name, (two, ending) in endings.items()}
    for name, (_, game) in waiting.items():
        assert ended(game) is None, name
    done: Counter[str] = Counter()
    while set(done) < set(Walk.ACTS):
        for act in walk(pair, random, done, 12):
            if done[act] == 1:
                clean(pair)
    for name in random.sample(list(QUICK), len(QUICK)):
        end = ended(QUICK[name](pair, random))
        assert end is not None, name
        shown(pair, end)
        clean(pair)
        rematch(pair, random)
    for name, (two, game) in waiting.items():
        end = ended(game)
        assert end is not None, name
        shown(two, end)
        clean(two)
