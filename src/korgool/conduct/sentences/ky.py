"""Rulings in Kyrgyz."""

from __future__ import annotations

from korgool.conduct.sentences.words import Language, Name

_STAND = "ак {white}, кара {black}."
_CLOCKS = "ак {white_ms:clock}, кара {black_ms:clock}."

LANGUAGE = Language(
    sides={"white": Name("ак", "актын", "акка"), "black": Name("кара", "каранын", "карага")},
    reasons={
        "conversation": "сүйлөшкөнү үчүн",
        "record": "оюнду толук жазбаганы үчүн",
        "disrespect": "калыстарды сыйлабаганы үчүн",
        "obstruction": "мелдешке тоскоол болгону үчүн",
        "rules": "эрежени бузганы үчүн",
    },
    units=("саат", "мүн", "сек"),
    sentences={
        "lots_drawn": "Чүчүкулак кармалды: ак — {white}, кара — {black} (чүчүкулак номери {seed}).",
        "late": "{player} оюн башталгандан кийин {limit_ms} ичинде келген жок жана утулду; {winner} жеңди.",
        "both_late": "Эки оюнчу тең оюн башталгандан кийин {limit_ms} ичинде келген жок; экөө тең утулду.",
        "not_late_yet": "Талап кабыл алынбайт: {player} дагы келе алат; {limit_ms} ичинен {left_ms} калды.",
        "not_absent": "Талап кабыл алынбайт: {player} ордунда.",
        "majority": "{winner} {goal} же андан көп коргоол топтоп жеңди: " + _STAND,
        "no_move": "{player.gen} жүрө турган коргоолу калбады, {winner} жеңди: " + _STAND,
        "no_move.draw": "{player.gen} жүрө турган коргоолу калбады. Оюн тең чыкты: " + _STAND,
        "equal": "Бардык коргоолдор топтолду, ак {white}, кара {black}: оюн тең чыкты.",
        "side_empty": "{player.gen} тарабы бошоп, сет бүттү; {winner} жеңди: " + _STAND,
        "side_empty.draw": "{player.gen} тарабы бошоп, сет бүттү. Сет тең чыкты: " + _STAND,
        "extra_turn": "Акыркы таш өз казанына түштү: {player} дагы бир жолу жүрөт, анын сааты жүрө берет.",
        "time": "{player.gen} желекчеси түштү; {winner} убакыт боюнча жеңди: " + _STAND,
        "move_first": "{player.gen} желекчеси түшкөнү жүрүш учурунда белгиленди; адегенде ал жүрүшүн бүтүрө алат.",
        "no_flag": "Талап кабыл алынбайт: {player.gen} желекчеси түшкөн жок; саатында {left_ms:clock} бар.",
        "both_flags_draw": "Эки желекче тең түштү, ар бир казанда {half} же андан аз коргоол бар: оюн тең чыкты, "
        + _STAND,
        "both_flags_counted": "Эки желекче тең түштү; казандар саналып, {winner} жеңди: " + _STAND,
        "both_flags_counted.draw": "Эки желекче тең түштү; казандар саналып, оюн тең чыкты: " + _STAND,
        "pressed": "Калыс {player.gen} ордуна саатты басты.",
        "press_forgotten": "{player} саатты баскан жок; атаандашынын жүрүшү күчүндө, {player.gen} сааты жүрө берет.",
        "paused": "Калыс эки саатты тең токтотту.",
        "resumed": "Оюн улантылат; {player.gen} сааты жүрүп жатат.",
        "stopped_for_flag": "Желекче түшкөндүктөн, {player} эки саатты тең токтотту.",
        "stop_forbidden": "{player} эки саатты желекче түшкөндө гана токтото алат; саат жүрө берет.",
        "clock_corrected": "{player.gen} сааты оңдолду, атаандашына да {made_good_ms} кошулду: " + _CLOCKS,
        "clock_corrected.plain": "{player.gen} сааты оңдолду: " + _CLOCKS,
        "clock_set": "Саат алмаштырылды: " + _CLOCKS,
        "clock_divided": "Саат алмаштырылып, калган убакыт тең бөлүндү: ар бирине {each_ms:clock}.",
        "clock_after_flag": "Талап кабыл алынбайт: {player.gen} желекчеси түшүп калган, сааттын бузуктугу ага чейин "
        "айтылышы керек.",
        "clock_not_requested": "Саат оюнчу сураганда гана алмаштырылат.",
        "clock_installed": "Оюн башталгандан {elapsed_ms} өткөндө саат коюлду: ар бирине {each_ms:clock}.",
        "agreed": "Оюнчулар тең чыгууга макул болушту: " + _STAND,
        "resigned": "{player} утулганын моюнга алды; {winner} жеңди: " + _STAND,
        "offer_untimely": "{player.gen} сунушу эсептелбейт: тең чыгуу жүрүш жасалгандан кийин, саат басылганга чейин "
        "сунушталат.",
        "offer_absent": "{player} жооп бере турган тең чыгуу сунушу жок.",
        "fourth_offer": "{player} тең чыгууну {number} жолу сунуштады, бул үчтөн көп; {opponent} жеңишти талап кыла "
        "алат.",
        "fourth_offer_lost": "{player} тең чыгууну үч жолудан көп сунуштап, утулду; {winner} жеңди: " + _STAND,
        "fourth_offer_denied": "Талап кабыл алынбайт: {player} тең чыгууну {number} жолу сунуштаган; үчөөнө уруксат.",
        "repetition.threefold": "Абал кайталангандыктан оюн тең чыкты: ал тактада {times} жолу болду.",
        "repetition.73": "Абал 73 жүрүштүн ичинде кайталангандыктан оюн тең чыкты: ал тактада {times} жолу болду.",
        "repetition_denied.threefold": "Талап кабыл алынбайт: бул абал тактада {times} жолу болду, бул аз.",
        "repetition_denied.73": "Талап кабыл алынбайт: абал 73 жүрүштүн ичинде кайталанган жок; ал тактада {times} "
        "жолу болду.",
        "draw_needs_both": "Тең чыккан оюндун жазуусу эки оюнчу тең катышканда гана кабыл алынат; {player} жок.",
        "spilled": "{player} чачылган коргоолдорду өз убактысынын эсебинен ордуна коюп, анан саатты басат.",
        "restored": "{ply}-жүрүштөн кийинки абал жазуу боюнча калыбына келтирилди; азыр {player} жүрөт.",
        "restored.unknown": "Калыс оңдолгон абалды койду; азыр {player} жүрөт.",
        "signed_stands": "{result} жыйынтыгына эки оюнчу тең кол койгон, ал өзгөрбөйт.",
        "declared_stands": "Оюн {result} жыйынтыгы менен бүткөн, ал кайра улантылбайт.",
        "signed": "Эки оюнчу тең кол койду: {result}.",
        "accepted": "Калыс оюндун жазуусун кабыл алды: {result}.",
        "record_exempt": "Эскертүү берилбейт: {player.gen} {left_ms:clock} убактысы калды, 5 мүнөттөн аз калганда "
        "жазуу милдет эмес.",
        "warning": "{player} {number}-эскертүүнү алды: {reason}.",
        "warning_point": "{player} {number}-эскертүүнү алды: {reason}. Бир упай алынат.",
        "warning_exclusion": "{player} {number}-эскертүүнү алды: {reason}. Оюнчу мелдештен чыгарылды.",
        "set_started": "{sets} сеттин {number}-сети башталды; оюнчулар тарап алмашты.",
    },
)
"""Kyrgyz."""
