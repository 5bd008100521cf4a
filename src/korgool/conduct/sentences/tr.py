"""Rulings in Turkish."""

from __future__ import annotations

from korgool.conduct.sentences.words import Language, Name

_STAND = "beyaz {white}, siyah {black}."
_CLOCKS = "beyaz {white_ms:clock}, siyah {black_ms:clock}."


def _capital(letter: str) -> str:
    """The dotted i keeps its dot."""
    return "İ" if letter == "i" else letter.upper()


LANGUAGE = Language(
    sides={"white": Name("beyaz", "beyazın", "beyaza"), "black": Name("siyah", "siyahın", "siyaha")},
    reasons={
        "conversation": "konuşma",
        "record": "oyunu eksik yazma",
        "disrespect": "hakemlere saygısızlık",
        "obstruction": "yarışmayı engelleme",
        "rules": "kurallara uymama",
    },
    units=("sa", "dk", "sn"),
    capital=_capital,
    sentences={
        "lots_drawn": "Kura çekildi: beyaz {white}, siyah {black} (kura numarası {seed}).",
        "late": "{player}, başlangıçtan sonra {limit_ms} içinde gelmedi ve kaybetti; {winner} kazandı.",
        "both_late": "İki oyuncu da başlangıçtan sonra {limit_ms} içinde gelmedi; ikisi de kaybetti.",
        "not_late_yet": "Talep reddedildi: {player} hâlâ gelebilir; {limit_ms} sürenin {left_ms} kadarı kaldı.",
        "not_absent": "Talep reddedildi: {player} yerinde.",
        "majority": "{winner} {goal} veya daha fazla taş toplayıp kazandı: " + _STAND,
        "no_move": "{player.gen} oynayacak taşı kalmadı. Kazanan {winner}: " + _STAND,
        "no_move.draw": "{player.gen} oynayacak taşı kalmadı. Oyun berabere: " + _STAND,
        "equal": "Bütün taşlar toplandı, beyaz {white}, siyah {black}: oyun berabere.",
        "side_empty": "{player.gen} bölgesi boşaldı, set bitti. Kazanan {winner}: " + _STAND,
        "side_empty.draw": "{player.gen} bölgesi boşaldı, set bitti. Set berabere: " + _STAND,
        "extra_turn": "Son taş kendi hazinesine düştü: {player} bir daha oynar, saati işlemeye devam eder.",
        "time": "{player.gen} bayrağı düştü; {winner} süreden kazandı: " + _STAND,
        "move_first": "{player.gen} bayrağının düştüğü hamle sırasında bildirildi; önce hamlesini tamamlayabilir.",
        "no_flag": "Talep reddedildi: {player.gen} bayrağı düşmedi; saatinde {left_ms:clock} var.",
        "both_flags_draw": "İki bayrak da düştü, her hazinede {half} veya daha az taş var: oyun berabere, " + _STAND,
        "both_flags_counted": "İki bayrak da düştü; hazineler sayıldı ve {winner} kazandı: " + _STAND,
        "both_flags_counted.draw": "İki bayrak da düştü; hazineler sayıldı ve oyun berabere bitti: " + _STAND,
        "pressed": "Hakem {player} adına saate bastı.",
        "press_forgotten": "{player} saate basmadı; rakibin hamlesi geçerli, {player.gen} saati işliyor.",
        "paused": "Hakem iki saati de durdurdu.",
        "resumed": "Oyun devam ediyor; {player.gen} saati işliyor.",
        "stopped_for_flag": "Bayrak düştüğü için {player} iki saati de durdurdu.",
        "stop_forbidden": "{player} iki saati yalnızca bayrak düştüğünde durdurabilir; saat işlemeye devam eder.",
        "clock_corrected": "{player.gen} saati düzeltildi, rakibine de {made_good_ms} eklendi: " + _CLOCKS,
        "clock_corrected.plain": "{player.gen} saati düzeltildi: " + _CLOCKS,
        "clock_set": "Saat değiştirildi: " + _CLOCKS,
        "clock_divided": "Saat değiştirildi, kalan süre eşit bölündü: her oyuncuya {each_ms:clock}.",
        "clock_after_flag": "Talep reddedildi: {player.gen} bayrağı düştü, saat arızası bundan önce bildirilmelidir.",
        "clock_not_requested": "Saat yalnızca bir oyuncu isterse değiştirilir.",
        "clock_installed": "Oyunun başlangıcından {elapsed_ms} sonra saat konuldu: her oyuncuya {each_ms:clock}.",
        "agreed": "Oyuncular beraberlikte anlaştı: " + _STAND,
        "resigned": "{player} oyunu terk etti; {winner} kazandı: " + _STAND,
        "offer_untimely": "{player.gen} teklifi geçersiz: beraberlik, hamle yapıldıktan sonra ve saate basılmadan önce "
        "teklif edilir.",
        "offer_absent": "{player.gen} yanıtlayabileceği bir beraberlik teklifi yok.",
        "fourth_offer": "{player} {number} kez beraberlik teklif etti, bu üçten fazla; {opponent} galibiyet "
        "isteyebilir.",
        "fourth_offer_lost": "{player} üçten fazla beraberlik teklif etti ve kaybetti; {winner} kazandı: " + _STAND,
        "fourth_offer_denied": "Talep reddedildi: {player} {number} kez beraberlik teklif etti; üç teklife izin var.",
        "repetition.threefold": "Konum tekrarlandığı için oyun berabere: bu konum tahtada {times} kez oluştu.",
        "repetition.73": "Konum 73 hamle içinde tekrarlandığı için oyun berabere: tahtada {times} kez oluştu.",
        "repetition_denied.threefold": "Talep reddedildi: bu konum tahtada {times} kez oluştu, bu yetmez.",
        "repetition_denied.73": "Talep reddedildi: konum 73 hamle içinde tekrarlanmadı; tahtada {times} kez oluştu.",
        "draw_needs_both": "Berabere biten oyunun kaydı yalnızca iki oyuncu da oradayken kabul edilir; {player} yok.",
        "spilled": "{player} dağılan taşları kendi süresinden yerine koyar, sonra saate basar.",
        "restored": "{ply}. hamleden sonraki konum kayda göre yeniden kuruldu; şimdi {player} oynar.",
        "restored.unknown": "Hakem düzeltilmiş konumu kurdu; şimdi {player} oynar.",
        "signed_stands": "{result} sonucu iki oyuncu tarafından imzalandı ve değişmez.",
        "declared_stands": "Oyun {result} sonucuyla bitti ve yeniden açılmaz.",
        "signed": "İki oyuncu da imzaladı: {result}.",
        "accepted": "Hakem oyunun kaydını kabul etti: {result}.",
        "record_exempt": "Uyarı yok: {player.gen} {left_ms:clock} süresi kaldı, 5 dakikadan az kalınca yazmak zorunlu "
        "değildir.",
        "warning": "{player} {number}. uyarıyı aldı: {reason}.",
        "warning_point": "{player} {number}. uyarıyı aldı: {reason}. Bir puan silinir.",
        "warning_exclusion": "{player} {number}. uyarıyı aldı: {reason}. Oyuncu yarışmadan çıkarıldı.",
        "set_started": "{sets} setin {number}. seti başlıyor; oyuncular taraf değiştirdi.",
    },
)
"""Turkish."""
