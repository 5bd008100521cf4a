"""Rulings in Russian."""

from __future__ import annotations

from korgool.conduct.sentences.words import Language, Name

_STAND = "белые {white}, чёрные {black}."
_CLOCKS = "белые {white_ms:clock}, чёрные {black_ms:clock}."
_TIMES = "раз|раза|раз}"


def _plural(number: int) -> int:
    """1 раз, 2 раза, 5 раз, 11 раз, 21 раз."""
    if number % 10 == 1 and number % 100 != 11:
        return 0
    return 1 if 2 <= number % 10 <= 4 and not 12 <= number % 100 <= 14 else 2


LANGUAGE = Language(
    sides={"white": Name("белые", "белых", "белым"), "black": Name("чёрные", "чёрных", "чёрным")},
    reasons={
        "conversation": "разговоры",
        "record": "нет полной записи партии",
        "disrespect": "неуважение к судьям",
        "obstruction": "помехи проведению соревнований",
        "rules": "нарушение правил",
    },
    units=("ч", "мин", "с"),
    plural=_plural,
    sentences={
        "lots_drawn": "Жеребьёвка проведена: белые — {white}, чёрные — {black} (номер жеребьёвки {seed}).",
        "late": "{player} не явились в течение {limit_ms} после начала и проиграли; победили {winner}.",
        "both_late": "Ни один из игроков не явился в течение {limit_ms} после начала; обоим засчитано поражение.",
        "not_late_yet": "Требование отклонено: {player} ещё могут прийти; из {limit_ms} осталось {left_ms}.",
        "not_absent": "Требование отклонено: {player} на месте.",
        "majority": "{winner} собрали {goal:коргоол|коргоола|коргоолов} или больше и победили: " + _STAND,
        "no_move": "У {player.gen} не осталось коргоолов для хода. Победили {winner}: " + _STAND,
        "no_move.draw": "У {player.gen} не осталось коргоолов для хода. Ничья: " + _STAND,
        "equal": "Все коргоолы собраны, белые {white}, чёрные {black}: ничья.",
        "side_empty": "Сторона {player.gen} пуста, сет окончен. Победили {winner}: " + _STAND,
        "side_empty.draw": "Сторона {player.gen} пуста, сет окончен. Ничья: " + _STAND,
        "extra_turn": "Последний камень попал в свой казан: {player} ходят ещё раз, их часы идут дальше.",
        "time": "Флажок {player.gen} упал; {winner} победили по времени: " + _STAND,
        "move_first": "Падение флажка {player.gen} отмечено во время хода; сначала им дают завершить ход.",
        "no_flag": "Требование отклонено: флажок {player.gen} не упал; на их часах {left_ms:clock}.",
        "both_flags_draw": "Оба флажка упали, в каждом казане не больше {half}: ничья, " + _STAND,
        "both_flags_counted": "Оба флажка упали; по подсчёту казанов победили {winner}: " + _STAND,
        "both_flags_counted.draw": "Оба флажка упали; по подсчёту казанов ничья: " + _STAND,
        "pressed": "Судья переключил часы за {player.gen}.",
        "press_forgotten": "{player} не переключили часы; ход соперника в силе, часы {player.gen} идут дальше.",
        "paused": "Судья остановил часы обоих игроков.",
        "resumed": "Игра продолжается; идут часы {player.gen}.",
        "stopped_for_flag": "{player} остановили часы, потому что упал флажок.",
        "stop_forbidden": "{player} могут остановить часы, только когда упал флажок; часы идут дальше.",
        "clock_corrected": "Часы {player.gen} исправлены, соперник тоже получает {made_good_ms}: " + _CLOCKS,
        "clock_corrected.plain": "Часы {player.gen} исправлены: " + _CLOCKS,
        "clock_set": "Часы заменены: " + _CLOCKS,
        "clock_divided": "Часы заменены, оставшееся время разделено поровну: по {each_ms:clock} каждому.",
        "clock_after_flag": "Требование отклонено: флажок {player.gen} уже упал, а о неисправности часов заявляют до "
        "этого.",
        "clock_not_requested": "Часы заменяют только по просьбе игрока.",
        "clock_installed": "Часы установлены через {elapsed_ms} после начала: по {each_ms:clock} каждому.",
        "agreed": "Игроки согласились на ничью: " + _STAND,
        "resigned": "{player} сдались; победили {winner}: " + _STAND,
        "offer_untimely": "Предложение {player.gen} не засчитано: ничью предлагают после хода, до переключения часов.",
        "offer_absent": "Нет предложения ничьей, на которое могли бы ответить {player}.",
        "fourth_offer": "{player} предложили ничью {number:" + _TIMES + ", больше трёх; {opponent} могут потребовать "
        "победу.",
        "fourth_offer_lost": "{player} предложили ничью больше трёх раз и проиграли; победили {winner}: " + _STAND,
        "fourth_offer_denied": "Требование отклонено: {player} предложили ничью {number:" + _TIMES + "; разрешено три.",
        "repetition.threefold": "Ничья из-за повторения: позиция возникла на доске {times:" + _TIMES + ".",
        "repetition.73": "Ничья: позиция повторилась в пределах 73 ходов; она возникла {times:" + _TIMES + ".",
        "repetition_denied.threefold": "Требование отклонено: позиция возникла на доске {times:" + _TIMES + ", этого "
        "мало.",
        "repetition_denied.73": "Требование отклонено: в пределах 73 ходов позиция не повторилась; она возникла "
        "{times:" + _TIMES + ".",
        "draw_needs_both": "Запись партии вничью принимают только в присутствии обоих игроков; {player} отсутствуют.",
        "spilled": "{player} ставят рассыпанные коргоолы на место за счёт своего времени и переключают часы.",
        "restored": "Позиция после полухода {ply} восстановлена по записи; ход {player.gen}.",
        "restored.unknown": "Судья поставил исправленную позицию; ход {player.gen}.",
        "signed_stands": "Результат {result} подписан обоими игроками и остаётся в силе.",
        "declared_stands": "Партия окончена с результатом {result} и не возобновляется.",
        "signed": "Оба игрока подписали результат: {result}.",
        "accepted": "Судья принял протокол партии: {result}.",
        "record_exempt": "Без предупреждения: у {player.gen} осталось {left_ms:clock}, а когда меньше 5 минут, запись "
        "не обязательна.",
        "warning": "{player} получают предупреждение № {number}: {reason}.",
        "warning_point": "{player} получают предупреждение № {number}: {reason}. Снимается одно очко.",
        "warning_exclusion": "{player} получают предупреждение № {number}: {reason}. Игрок исключён из соревнований.",
        "set_started": "Начинается сет {number} из {sets}; игроки поменялись сторонами.",
    },
)
"""Russian."""
