"""Rulings in Kazakh."""

from __future__ import annotations

from korgool.conduct.sentences.words import Language, Name

_STAND = "бастаушы {white}, қостаушы {black}."
_CLOCKS = "бастаушы {white_ms:clock}, қостаушы {black_ms:clock}."

LANGUAGE = Language(
    sides={
        "white": Name("бастаушы", "бастаушының", "бастаушыға"),
        "black": Name("қостаушы", "қостаушының", "қостаушыға"),
    },
    reasons={
        "conversation": "сөйлескені үшін",
        "record": "ойынды толық жазбағаны үшін",
        "disrespect": "төрешілерді сыйламағаны үшін",
        "obstruction": "жарысқа кедергі жасағаны үшін",
        "rules": "ережені бұзғаны үшін",
    },
    units=("сағ", "мин", "сек"),
    sentences={
        "lots_drawn": "Жеребе тартылды: бастаушы — {white}, қостаушы — {black} (жеребе нөмірі {seed}).",
        "late": "{player} ойын басталғаннан кейін {limit_ms} ішінде келмеді және жеңілді; {winner} жеңді.",
        "both_late": "Екі ойыншы да ойын басталғаннан кейін {limit_ms} ішінде келмеді; екеуі де жеңілді.",
        "not_late_yet": "Талап қабылданбайды: {player} әлі келе алады; {limit_ms} ішінен {left_ms} қалды.",
        "not_absent": "Талап қабылданбайды: {player} орнында.",
        "majority": "{winner} {goal} не одан көп құмалақ жинап жеңді: " + _STAND,
        "no_move": "{player} атсыз қалды, {winner} жеңді: " + _STAND,
        "no_move.draw": "{player} атсыз қалды. Ойын тең аяқталды: " + _STAND,
        "equal": "Барлық құмалақ жиналды, бастаушы {white}, қостаушы {black}: ойын тең аяқталды.",
        "side_empty": "{player.gen} жағы босап, сет аяқталды; {winner} жеңді: " + _STAND,
        "side_empty.draw": "{player.gen} жағы босап, сет аяқталды. Сет тең аяқталды: " + _STAND,
        "extra_turn": "Соңғы тас өз қазанына түсті: {player} тағы бір рет жүреді, оның сағаты жүре береді.",
        "time": "{player.gen} жалаушасы құлады; {winner} уақыт бойынша жеңді: " + _STAND,
        "move_first": "{player.gen} жалаушасының құлағаны жүріс кезінде белгіленді; алдымен ол жүрісін аяқтай алады.",
        "no_flag": "Талап қабылданбайды: {player.gen} жалаушасы құлаған жоқ; сағатында {left_ms:clock} бар.",
        "both_flags_draw": "Екі жалауша да құлады, әр қазанда {half} не одан аз құмалақ бар: ойын тең аяқталды, "
        + _STAND,
        "both_flags_counted": "Екі жалауша да құлады; қазандар саналып, {winner} жеңді: " + _STAND,
        "both_flags_counted.draw": "Екі жалауша да құлады; қазандар саналып, ойын тең аяқталды: " + _STAND,
        "pressed": "Төреші {player.gen} орнына сағатты басты.",
        "press_forgotten": "{player} сағатты басқан жоқ; қарсыласының жүрісі күшінде, {player.gen} сағаты жүре береді.",
        "paused": "Төреші екі сағатты да тоқтатты.",
        "resumed": "Ойын жалғасады; {player.gen} сағаты жүріп тұр.",
        "stopped_for_flag": "Жалауша құлағандықтан, {player} екі сағатты да тоқтатты.",
        "stop_forbidden": "{player} екі сағатты жалауша құлағанда ғана тоқтата алады; сағат жүре береді.",
        "clock_corrected": "{player.gen} сағаты түзетілді, қарсыласына да {made_good_ms} қосылды: " + _CLOCKS,
        "clock_corrected.plain": "{player.gen} сағаты түзетілді: " + _CLOCKS,
        "clock_set": "Сағат ауыстырылды: " + _CLOCKS,
        "clock_divided": "Сағат ауыстырылып, қалған уақыт тең бөлінді: әрқайсысына {each_ms:clock}.",
        "clock_after_flag": "Талап қабылданбайды: {player.gen} жалаушасы құлап қойған, сағаттың ақауы оған дейін "
        "айтылуы керек.",
        "clock_not_requested": "Сағат ойыншы сұрағанда ғана ауыстырылады.",
        "clock_installed": "Ойын басталғаннан {elapsed_ms} өткенде сағат қойылды: әрқайсысына {each_ms:clock}.",
        "agreed": "Ойыншылар тең ойынға келісті: " + _STAND,
        "resigned": "{player} жеңілгенін мойындады; {winner} жеңді: " + _STAND,
        "offer_untimely": "{player.gen} ұсынысы есепке алынбайды: тең ойын жүріс жасалғаннан кейін, сағат басылғанға "
        "дейін ұсынылады.",
        "offer_absent": "{player} жауап беретін тең ойын ұсынысы жоқ.",
        "fourth_offer": "{player} тең ойынды {number} рет ұсынды, бұл үштен көп; {opponent} жеңісті талап ете алады.",
        "fourth_offer_lost": "{player} тең ойынды үш реттен көп ұсынып, жеңілді; {winner} жеңді: " + _STAND,
        "fourth_offer_denied": "Талап қабылданбайды: {player} тең ойынды {number} рет ұсынған; үш ретке рұқсат.",
        "repetition.threefold": "Позиция қайталанғандықтан ойын тең аяқталды: ол тақтада {times} рет болды.",
        "repetition.73": "Позиция 73 жүріс ішінде қайталанғандықтан ойын тең аяқталды: ол тақтада {times} рет болды.",
        "repetition_denied.threefold": "Талап қабылданбайды: бұл позиция тақтада {times} рет болды, бұл аз.",
        "repetition_denied.73": "Талап қабылданбайды: позиция 73 жүріс ішінде қайталанған жоқ; ол тақтада {times} рет "
        "болды.",
        "draw_needs_both": "Тең аяқталған ойынның жазбасы екі ойыншы да қатысқанда ғана қабылданады; {player} жоқ.",
        "spilled": "{player} шашылған құмалақтарды өз уақыты есебінен орнына қойып, содан кейін сағатты басады.",
        "restored": "{ply}-жүрістен кейінгі позиция жазба бойынша қалпына келтірілді; енді {player} жүреді.",
        "restored.unknown": "Төреші түзетілген позицияны қойды; енді {player} жүреді.",
        "signed_stands": "{result} нәтижесіне екі ойыншы да қол қойған, ол өзгермейді.",
        "declared_stands": "Ойын {result} нәтижесімен аяқталды, ол қайта жалғаспайды.",
        "signed": "Екі ойыншы да қол қойды: {result}.",
        "accepted": "Төреші ойынның жазбасын қабылдады: {result}.",
        "record_exempt": "Ескерту жасалмайды: {player.gen} {left_ms:clock} уақыты қалды, 5 минуттан аз қалғанда жазу "
        "міндетті емес.",
        "warning": "{player} {number}-ескертуді алды: {reason}.",
        "warning_point": "{player} {number}-ескертуді алды: {reason}. Бір ұпай алынады.",
        "warning_exclusion": "{player} {number}-ескертуді алды: {reason}. Ойыншы жарыстан шығарылды.",
        "set_started": "{sets} сеттің {number}-сеті басталды; ойыншылар жақ ауыстырды.",
    },
)
"""Kazakh."""
