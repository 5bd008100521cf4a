"""Results in words, as people write them on a line of their own: `White wins`, `победа белых`, `Result 0 - 1`.

Every word of the line has to be known, so that no other sentence is taken for a result. The tables below are data: the
page of the analysis board is given them by the server and reads the same lines.
"""

from __future__ import annotations

import re

LETTERS = ("ёңүөқғұіәһşçğüöı’", "енуокгуиахscguoi'")
"""Letters that people leave out or cannot type, and what stands for them in `WORDS`; a combining dot is dropped."""
WORDS = {
    "white": r"white('?s)?|бел(ые|ых|ым|ыми)|ак(тар)?(дын|тын|га|ка|да)?|баштоочу(нун)?|бастаушы(нын)?"
    r"|beyaz(lar)?('?(in|i|a))?",
    "black": r"black('?s)?|черн(ые|ых|ым|ыми)|кара(лар)?(дын|нын|га)?|коштоочу(нун)?|костаушы(нын)?"
    r"|siyah(lar)?('?(in|i|a))?",
    "win": r"wins?|won|winners?|victor(y|ious)|побед(а|ой|у|или|ил|ила|ят|итель|ители|ителем)"
    r"|выигр(али|ал|ала|ыш|ывают)|пользу|утту|утты|уткан|утушу?|утыс[ыи]?|женди(лер)?|жен(иш|ис)(и|ке|ти)?|женимпаз"
    r"|kazan(di|dilar|ir|irlar|iyor|iyorlar|an)|galip|galibiyeti?|yendi(ler)?|zaferi?",
    "loss": r"los(es|e|t)|resign(s|ed)?|проигр(али|ал|ала|ыш|ывают)|сда(лись|ются|лся|лась|ча)|утул(ду|ган)"
    r"|утыл(ды|ган)|женил(ди|ген|уу)|багын(ды|ган)|берил(ди|ген)|kaybet(ti|tiler|er)|yenil(di|diler)|maglup|pes|terk"
    r"|cekildi",
    "draw": r"draw(n|s)?|tied?|ничь(я|ей|ю)|вничью|ничейный|тен|тендик|berabere|beraberlik",
    "label": r"results?|score|outcome|результат|итог|счет|жыйынты(к|гы)|натыйжа(сы)?|эсе(п|би)|натиже(си)?|есе(п|би)"
    r"|sonucu?|skor",
    "other": r"an?|the|game|match|is|was|has|have|by|on|at|in|of|for|with|to|and|time|agreed|agreement|resignation"
    r"|repetition|points?|stones?|korgools?|forfeit|default|ended|ends"
    r"|парти(я|ю|и)|игр(а|у|ы)|(за|о)кончилась|завершилась|за|по|со|с|в|на|и|времени|счетом|очкам|соглашению|исход"
    r"|оюн(ду|дун)?|ойын(ды|нын)?|бутту|битти|аяктады|аякталды|чыгуу|чыкты|чыгыш(ты|уу)|ойно(лду|шту)|тусти|тусу"
    r"|болду|болды|жетти|ээ|убакыт|уакыт|боюнча|бойынша|менен|мен|эсебинде|есебимен"
    r"|oyun(u)?|maci?|bitti|sona|erdi|ile|ve|sure|sureden|surede|puanla|anlasma(yla)?|etti(ler)?|geldi|kaldi|taraf",
}
"""The words by what they say, as regular expressions over whole words in small letters; `other` adds nothing."""
LONGEST = 100
"""Letters that such a line may have."""

_FOLD = str.maketrans(*LETTERS)
_KINDS = [(kind, re.compile(pattern)) for kind, pattern in WORDS.items()]
_LETTER = re.compile(r"[j-wyzJ-WYZҐ-ӿЀ-ФЦ-фц-џçğışöüÇĞİŞÖÜ]")
"""A letter that no move has; lines of moves alone are passed over by it."""
_PAIR = re.compile(
    r"(1/2|½|0[.,]5|[0-9]{1,3})[ \t]?(?:\(([0-9]{1,3})\)[ \t]?)?[-–—:][ \t]?(1/2|½|0[.,]5|[0-9]{1,3})"
    r"(?:[ \t]?\(([0-9]{1,3})\))?(?![0-9])"
)
_BETWEEN = re.compile(r"[ \t\xa0.,:!=()\[\]\"«»“”–—-]+")
_POINTS = {"1": 2, "0": 0, "0.5": 1, "0,5": 1, "1/2": 1, "½": 1}
_RESULTS = ("0-1", "1/2-1/2", "1-0")


def result_in_words(line: str) -> tuple[str, tuple[int, int] | None] | None:
    """The result that a line of words gives, and the stores if it has them; None where it is no such line.

    A loser is as good as a winner (`White resigns`). Of a score whose order is that of the winner, White's number comes
    first in what is returned. A line that contradicts itself (`White wins 0-1`) is none.
    """
    if len(line) > LONGEST or _LETTER.search(line) is None:
        return None
    text = line.lower().replace("\u0307", "").translate(_FOLD)
    given: str | None = None
    stores: tuple[int, int] | None = None
    for first, white, second, black in _PAIR.findall(text):
        if first in _POINTS and second in _POINTS:
            if given is not None or _POINTS[first] + _POINTS[second] != 2:
                return None
            given = _RESULTS[_POINTS[first]]
            found = (int(white), int(black)) if white and black else None
        elif first.isdigit() and second.isdigit() and not (white or black):
            found = int(first), int(second)
        else:
            return None
        if found is not None and stores is not None:
            return None
        stores = found or stores
    result = _said({_kind(word) for word in _BETWEEN.split(_PAIR.sub(" ", text)) if word}, given)
    if result is None or (given is not None and given != result):
        return None
    if stores is not None and stores[0] != stores[1] and result == ("0-1" if stores[0] > stores[1] else "1-0"):
        stores = stores[1], stores[0]
    return result, stores


def _kind(word: str) -> str | None:
    return next((kind for kind, pattern in _KINDS if pattern.fullmatch(word)), None)


def _said(kinds: set[str | None], given: str | None) -> str | None:
    """The result that words of these kinds give; `given` is the one in figures beside them."""
    told = kinds - {"other", "label"}
    if told == {"draw"}:
        return "1/2-1/2"
    if not told:
        return given if "label" in kinds else None
    for side, other in (("white", "1-0"), ("black", "0-1")):
        if told == {side, "win"}:
            return other
        if told == {side, "loss"}:
            return "0-1" if side == "white" else "1-0"
    return None
