"""Events to print: played by chance through the actions of an arbiter, with names as they occur."""

from __future__ import annotations

import random
from functools import lru_cache

from korgool.app.printing.paper_context import points_before
from korgool.competition import actions as do
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.model import Absence, Bye, ByeKind, Entry, PairedGame, Role, Settings, System, Team
from korgool.competition.pairing import pair_berger, pair_team_berger, seed
from korgool.competition.pairing.knockout import pair_knockout
from korgool.competition.pairing.paired_round import Paired
from korgool.competition.prize_fund import Sharing, read_fund
from korgool.competition.result import Result, SetResult, match_result
from korgool.notation import Record, parse_records, write_record
from korgool.rules import TOGUZ_KORGOOL
from korgool.rules import Game as Play

FAMILIES = (
    "Үсөнбаев",
    "Қасымханұлы",
    "Öztürk",
    "Өмүралиев",
    "Сыдыкбекова",
    "Әбдірахманов",
    "Çağlayan",
    "Ысмаилов",
    "Ғабдуллин",
    "Шаршенбекова",
    "Жумабеков",
    "Іңкәрбаева",
    "Toktogulov",
    "Şahin",
    "Асаналиев",
    "Төлөгөнова",
    "Дүйшөнбекова-Кыдыралиева",
    "Нұрмағамбетов",
    "Бейшеналиев",
    "Һасанов",
    "Ёлкин",
    "Щукина",
    "Эсенгулов",
    "Цой",
    "Kılıç",
    "İnönü",
    "Мамбеталиев",
    "Yıldırım",
    "Райымбек",
    "Кожомкулов",
)
GIVEN = (
    "Нурлан",
    "Ғабит",
    "İsmail Çağrı",
    "Айгүл",
    "Бактыгүл",
    "Әлихан",
    "Ümit",
    "Гүлнұр",
    "Жаңыл",
    "Кубанычбек",
    "Sergey",
    "Меңдібай",
    "Ырысбүбү",
    "Қуаныш",
    "Өскөн",
)
PATRONYMICS = ("", "", "Асанович", "Маратқызы", "Эсенбек уулу", "")
FUND = read_fund(
    "1=30000 сом; 2=20000; 3=10000; 4-6=1000; 1=кубок; unrated 1=медаль; women 1=500; team 1=5000; rating<2000 1=700",
    sharing=Sharing.HORT,
)
FEDERATIONS = ("KGZ", "KAZ", "TUR", "RUS", "UZB", "MGL")
TITLES = ("", "КМС", "МС", "МСМК", "I", "ҚР СШ")


def entries(count: int, seed_: int, *, teams: tuple[str, ...] = (), women: bool = False) -> list[Entry]:
    """Entries whose names are all different."""
    chance = random.Random(seed_)
    names = [(family, given, patronymic) for family in FAMILIES for given in GIVEN for patronymic in PATRONYMICS[1:5]]
    found = []
    for at, (family, given, patronymic) in enumerate(chance.sample(names, count)):
        found.append(
            Entry(
                family=family,
                given=given,
                patronymic=patronymic,
                sex="f" if women else "",
                title=chance.choice(TITLES),
                rating=chance.randint(1400, 2450) if chance.random() < 0.9 else 0,
                federation=chance.choice(FEDERATIONS),
                team=teams[at % len(teams)] if teams else "",
                board=at // len(teams) + 1 if teams else 0,
            )
        )
    return found


def result_of(chance: random.Random, sets: int = 0) -> Result:
    if sets:
        one = [chance.choice(((2, 0, (30, 18)), (0, 2, (20, 28)), (1, 1, (24, 24)))) for _ in range(sets)]
        return match_result(tuple(SetResult(white, black, stores) for white, black, stores in one))
    return chance.choice(
        (
            Result(2, 0, (82, 60)),
            Result(2, 0, (95, 67)),
            Result(0, 2, (71, 91)),
            Result(0, 2, (60, 84)),
            Result(1, 1, (81, 81)),
            Result(2, 0, (70, 41), "resignation"),
            Result(0, 2, (50, 66), "time"),
            Result(2, 0, None, "forfeit"),
        )
    )


def by_score(state: EventState, number: int) -> Paired:
    """Neighbours in the order of points meet: quick, and good enough for paper."""
    points = points_before(state, number)
    byes = [
        Bye(id_, kind) for id_, one in state.players.items() if (kind := one.bye(number)) not in (None, ByeKind.ZERO)
    ]
    waiting = sorted(
        (id_ for id_, one in state.players.items() if one.plays(number)), key=lambda id_: (-points[id_], id_)
    )
    if len(waiting) % 2:
        byes.append(Bye(waiting.pop(), ByeKind.ALLOCATED))
    met = {frozenset((game.white, game.black)) for one in state.rounds for game in one.games}
    games: list[PairedGame] = []
    while waiting:
        one = waiting.pop(0)
        other = next((id_ for id_ in waiting if frozenset((one, id_)) not in met), waiting[0])
        waiting.remove(other)
        pairing = (one, other) if (len(games) + number) % 2 else (other, one)
        games.append(PairedGame(len(games) + 1, *pairing))
    return Paired(tuple(games), tuple(byes), engine="by score")


def record_of(seed_: int) -> str:
    chance, game = random.Random(seed_), Play(TOGUZ_KORGOOL)
    while game.outcome() is None:
        game.play(chance.choice(game.position.legal_moves()))
    return write_record(Record.of(game), "pgn")


def staff(state: EventState) -> EventState:
    for name, role, category in (
        ("Жакыпов, Таалайбек", Role.CHIEF_REFEREE, "МК"),
        ("Сәрсенбай, Айдос", Role.DEPUTY, "1"),
        ("Абдылдаева, Чолпон", Role.CHIEF_SECRETARY, "Улуттук категория"),
        ("Yılmaz, Göksel", Role.REFEREE, ""),
        ("Петров, Пётр", Role.REFEREE, "2"),
    ):
        state = apply(state, do.Appoint(name, role, category, "KGZ"))
    return apply(state, do.Dismiss(5), reason="чечими калыс эмес болду")


def settings(**more: object) -> Settings:
    given: dict[str, object] = {
        "name": "VI Дүйнөлүк көчмөндөр оюндары. Тогуз коргоол, эркектер",
        "place": "Чолпон-Ата",
        "begins": "2026-09-08",
        "ends": "2026-09-12",
        "organiser": "Тогуз коргоол федерациясы",
        "rounds": 7,
        "fund": FUND,
        **more,
    }
    return Settings(**given)  # type: ignore[arg-type]


@lru_cache(maxsize=8)
def swiss(players: int = 64, rounds: int = 7, played: int = 7, *, teams: bool = True, pending: int = 0) -> EventState:
    """An event of single players with warnings, an exclusion, a withdrawal, a late entry, byes and special games."""
    chance = random.Random(players)
    state = apply(EventState(), do.Open(settings(rounds=rounds, team_best=3)))
    names = ("Ысык-Көл", "Алматы қаласы", "Нарын", "İstanbul", 'Талас "Манас"', "Ош_шаары*") if teams else ()
    everybody = entries(players, players, teams=names)
    for entry in everybody[:-1]:
        state = apply(state, do.Enter(entry))
    state = staff(apply(state, seed(state, "lot")))
    for number in range(1, played + 1):
        if number == 2:
            state = apply(state, do.Enter(everybody[-1]))
            state = apply(state, do.Miss(7, Absence(3, ByeKind.HALF)))
        if number == 5:
            state = apply(state, do.Withdraw(11))
        paired = by_score(state, number)
        state = apply(state, paired.action(number))
        for game in paired.games:
            if number < played or game.board > pending:
                state = apply(state, do.EnterResult(number, game.board, result_of(chance)))
        if number <= 3:
            state = apply(state, do.GiveWarning(3), reason="катышуучулар менен сүйлөштү")
        if number <= 4:
            state = apply(state, do.GiveWarning(5), reason="партияны аягына чейин жазган жок")
    if played:
        for board, (number, seed_) in enumerate(((1, 4), (1, 8)), 1):
            game = state.round(number).game(board)
            record = record_of(seed_)
            outcome = parse_records(record)[0].outcome()
            assert outcome is not None
            points = (1, 1) if outcome.winner is None else ((2, 0), (0, 2))[outcome.winner]
            state = apply(state, do.Correct(number, game.board, Result(*points, outcome.stores)), reason="таблица")
            state = apply(state, do.Attach(number, game.board, (record,)))
            state = apply(state, do.Choose(number, game.board))
        state = apply(state, do.Lend(1, 3, everybody[2].name))
        state = apply(state, do.TakeBack(1, "lost"))
    return state


@lru_cache(maxsize=6)
def mangala(players: int = 10, sets: int = 5, played: int = 0) -> EventState:
    """Everybody meets everybody in matches of sets."""
    chance = random.Random(1)
    state = apply(
        EventState(),
        do.Open(
            settings(
                name="Mangala Türkiye Şampiyonası",
                game="mangala",
                sets=sets,
                system=System.ROUND_ROBIN,
                rounds=players - 1,
                place="Ankara",
                tiebreaks=("DE", "SB", "WIN"),
            )
        ),
    )
    for entry in entries(players, 3):
        state = apply(state, do.Enter(entry))
    state = staff(apply(state, seed(state, "lot")))
    for number in range(1, (played or players - 1) + 1):
        paired = pair_berger(state, number)
        state = apply(state, paired.action(number))
        for game in paired.games:
            if number < players - 1:
                state = apply(state, do.EnterResult(number, game.board, result_of(chance, sets)))
    return state


@lru_cache(maxsize=2)
def team_event(teams: int = 6, boards: int = 4) -> EventState:
    """Teams that all meet; the last round has results on some boards only."""
    chance = random.Random(2)
    state = apply(
        EventState(),
        do.Open(
            settings(
                name="Командалар арасындагы кубок",
                system=System.TEAM_ROUND_ROBIN,
                rounds=teams - 1,
                boards=boards,
                tiebreaks=("MPVGP", "DE", "KL"),
            )
        ),
    )
    names = ("Ысык-Көл", "Нарын", "Жалал-Абад облусу", "Қызылорда", "Şanlıurfa", "Талас", "Баткен", "Чүй")[:teams]
    for entry in entries(teams * (boards + 1), 5, teams=names):
        state = apply(state, do.Enter(entry))
    for id_, team in list(state.teams.items()):
        chosen = Team(id_, team.number, team.name, "KGZ", f"Капитан {team.name}", team.players)
        state = apply(state, do.SetTeam(chosen))
    state = staff(apply(state, seed(state, "lot")))
    for number in range(1, teams):
        paired = pair_team_berger(state, number)
        state = apply(state, paired.action(number))
        for game in paired.games:
            if number < teams - 1 or game.board % 3:
                state = apply(state, do.EnterResult(number, game.board, result_of(chance)))
    return state


@lru_cache(maxsize=4)
def knockout(players: int = 13, played: int = 2) -> EventState:
    """A knock-out of single players, of which some rounds are played."""
    chance = random.Random(players)
    state = apply(EventState(), do.Open(settings(name="Кубок", system=System.KNOCKOUT, rounds=6)))
    for entry in entries(players, players):
        state = apply(state, do.Enter(entry))
    state = staff(apply(state, seed(state, "lot")))
    for number in range(1, played + 1):
        paired = pair_knockout(state, number)
        state = apply(state, paired.action(number))
        for game in paired.games:
            result = result_of(chance)
            while result.white == result.black:
                result = result_of(chance)
            state = apply(state, do.EnterResult(number, game.board, result))
    return state
