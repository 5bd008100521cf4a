"""Federations that lists write in words, in the languages of the field, and their codes."""

from __future__ import annotations

from korgool.competition.entry_lists.heading_words import folded

_NAMES = {
    "KGZ": "Кыргызстан, Киргизия, Киргизстан, Кыргыз Республикасы, Кыргызская Республика, Kyrgyzstan, Kirgizistan, "
    "Kırgızistan, Kirgisistan, Kirgistan, Қырғызстан, KG, КР, КЫР, КЫРГ",
    "KAZ": "Казахстан, Қазақстан, Казакстан, Республика Казахстан, Қазақстан Республикасы, Kazakhstan, Kazakstan, "
    "Kazakistan, Kasachstan, KZ, КАЗ, РК, ҚАЗ, ҚР",
    "TUR": "Турция, Түркия, Türkiye, Turkiye, Turkey, Türkei, TR, ТУР",
    "RUS": "Россия, РФ, Российская Федерация, Орусия, Ресей, Russia, Russian Federation, Rusya, Russland, RU, РОС",
    "UZB": "Узбекистан, Өзбекстан, Өзбекистан, Uzbekistan, Özbekistan, Usbekistan, O'zbekiston, UZ, УЗБ",
    "TJK": "Таджикистан, Тажикстан, Тәжікстан, Tajikistan, Tacikistan, Tadschikistan",
    "TKM": "Туркменистан, Түркмөнстан, Түрікменстан, Turkmenistan, Türkmenistan",
    "AZE": "Азербайджан, Әзірбайжан, Azerbaijan, Azerbaycan, Aserbaidschan, Azərbaycan",
    "MGL": "Монголия, Моңголия, Моңғолия, Mongolia, Moğolistan, Mongolei",
    "CHN": "Китай, КНР, Кытай, Қытай, China, Çin",
    "UKR": "Украина, Ukraine, Ukrayna, Україна",
    "BLR": "Беларусь, Белоруссия, Belarus, Weißrussland",
    "GEO": "Грузия, Georgia, Gürcistan, Georgien",
    "ARM": "Армения, Armenia, Ermenistan, Armenien",
    "MDA": "Молдова, Молдавия, Moldova, Moldawien",
    "GER": "Германия, Germany, Almanya, Deutschland, DE",
    "USA": "США, АКШ, АҚШ, United States, United States of America, ABD",
    "IND": "Индия, Үндістан, India, Hindistan, Indien",
    "IRI": "Иран, Iran, İran",
    "PAK": "Пакистан, Пәкістан, Pakistan",
    "AFG": "Афганистан, Ооганстан, Ауғанстан, Afghanistan, Afganistan",
    "KOR": "Корея, Южная Корея, South Korea, Korea, Güney Kore, Südkorea",
    "JPN": "Япония, Жапония, Japan, Japonya",
    "POL": "Польша, Poland, Polonya, Polen",
    "LAT": "Латвия, Latvia, Letonya, Lettland",
    "LTU": "Литва, Lithuania, Litvanya, Litauen",
    "EST": "Эстония, Estonia, Estonya, Estland",
    "BUL": "Болгария, Bulgaria, Bulgaristan, Bulgarien",
    "ROU": "Румыния, Romania, Romanya, Rumänien",
    "HUN": "Венгрия, Hungary, Macaristan, Ungarn",
    "CZE": "Чехия, Czech Republic, Czechia, Çekya, Tschechien",
    "SRB": "Сербия, Serbia, Sırbistan, Serbien",
    "FRA": "Франция, France, Fransa, Frankreich",
    "ITA": "Италия, Italy, İtalya, Italien",
    "ESP": "Испания, Spain, İspanya, Spanien",
    "NED": "Нидерланды, Голландия, Netherlands, Hollanda, Niederlande",
    "ENG": "Англия, England, İngiltere",
    "AUT": "Австрия, Austria, Avusturya, Österreich",
    "SUI": "Швейцария, Switzerland, İsviçre, Schweiz",
    "ISR": "Израиль, Israel, İsrail",
    "KSA": "Саудовская Аравия, Saudi Arabia, Suudi Arabistan",
    "UAE": "ОАЭ, United Arab Emirates, Birleşik Arap Emirlikleri",
    "CYP": "Кипр, Cyprus, Kıbrıs",
    "NGR": "Нигерия, Nigeria, Nijerya",
}
_CODE_OF = {folded(name): code for code, names in _NAMES.items() for name in names.split(", ")}


def federation_code(text: str) -> str:
    """The three letters of a federation that is written in words; any other text as it is."""
    return _CODE_OF.get(folded(text), text)
