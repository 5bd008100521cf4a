"""Names of accounts: which texts are allowed, and which two names are too alike.

A name has two unique texts. Its key is what a user types to sign in, in any case, with or without the dots of
the Turkish i. Its look is what a reader sees: a new name whose look is in use is taken.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from itertools import pairwise

from korgool.accounts.lookalikes import look
from korgool.accounts.refusals import Refused, RefusedKind

LEAST, MOST = 2, 20
_RAW = 3 * MOST
"""More code points than this are refused before anything is done with them: one written letter has up to three."""

SCRIPTS: dict[str, tuple[tuple[int, int], ...]] = {
    "latin": (
        *((0x41, 0x5A), (0x61, 0x7A), (0xC0, 0x17F), (0x18F, 0x18F), (0x259, 0x259), (0x1A0, 0x1A1), (0x1AF, 0x1B0)),
        *((0x1CD, 0x1DC), (0x1E6, 0x1ED), (0x218, 0x21B), (0x1E00, 0x1E99), (0x1EA0, 0x1EF9)),
    ),
    "cyrillic": ((0x400, 0x45F), (0x48A, 0x52F)),
    "greek": ((0x386, 0x3CE), (0x1F00, 0x1FFF)),
    "armenian": ((0x531, 0x586),),
    "georgian": ((0x10D0, 0x10FA),),
    "arabic": ((0x620, 0x63F), (0x641, 0x64A), (0x671, 0x6D5)),
    "hebrew": ((0x5D0, 0x5EA),),
    "mongolian": ((0x1820, 0x1878),),
    "devanagari": ((0x900, 0x97F),),
    "japanese": ((0x3005, 0x3005), (0x3041, 0x3096), (0x30A1, 0x30FA), (0x30FC, 0x30FC)),
    "korean": ((0xAC00, 0xD7A3),),
    "han": ((0x3400, 0x4DBF), (0x4E00, 0x9FFF)),
}
"""The scripts that names may have, as ranges of code points; letters of the past and of phonetics are left out."""
_TOGETHER = ({"han", "japanese"}, {"han", "korean"})
"""Scripts that are written together."""
_WITH_MARKS = frozenset({"devanagari", "japanese"})
"""Elsewhere letters are whole after composition, and a mark that is left belongs to no name."""
_SEPARATORS = "-_"

_SITE = (
    *("admin", "administrator", "moderator", "operator", "owner", "root", "staff", "system", "support", "help", "info"),
    *("korgool", "official", "referee", "arbiter", "judge", "organiser", "organizer", "federation", "security"),
    *("guest", "visitor", "anonymous", "nobody", "somebody", "everybody", "deleted", "deletedplayer", "unknown"),
    *("engine", "computer", "level", "bot", "player", "white", "black", "open", "none", "null", "undefined", "me"),
    *("api", "login", "logout", "signin", "signup", "register", "account", "settings", "players", "games", "new"),
    # Kyrgyz, Kazakh, Russian, Turkish
    *("конок", "белгисиз", "калыс", "көмөк", "компьютер", "башкаруучу", "тогузкоргоол"),
    *("қонақ", "белгісіз", "төреші", "көмек", "әкімші", "тоғызқұмалақ"),
    *("гость", "аноним", "админ", "администратор", "модератор", "оператор", "судья", "арбитр", "поддержка", "движок"),
    *("удалён", "удалённый", "система", "федерация", "бот"),
    *("misafir", "konuk", "ziyaretçi", "yönetici", "hakem", "destek", "motor", "silinmiş", "sistem", "mangala"),
)
RESERVED = frozenset(map(look, _SITE))
"""Skeletons of names that are reserved for the site; digits behind them change nothing."""


@dataclass(frozen=True, slots=True)
class AccountName:
    """A valid account name; whether another account has its key or its look has still to be checked.

    Attributes:
        shown: as its owner writes it, composed (NFKC).
        key: the same for every way of typing it.
        look: the same for all names that a reader takes for it.
    """

    shown: str
    key: str
    look: str


def name_key(text: str) -> str:
    """Key under which a typed name is looked up, valid or not; of a long text only the beginning counts.

    It has no signs that a database may be unable to hold, such as NUL or half a surrogate pair; no name has them.
    """
    folded = unicodedata.normalize("NFKC", text[:_RAW]).casefold()
    # The four letters i of Turkish and other languages: a casefolded İ is an i with a dot above.
    key = unicodedata.normalize("NFC", folded.replace("i̇", "i").replace("ı", "i"))
    return key if key.isprintable() else "".join(one if one.isprintable() else "\ufffd" for one in key)


def read_name(text: str, *, reserved: bool = False) -> AccountName | Refused:
    """Parse a name as it was typed, or return why it is not valid.

    Args:
        text: as it was typed; of any length.
        reserved: whether names kept for the site are given too, as an operator may.
    """
    length = Refused(RefusedKind.NAME_LENGTH, {"least": LEAST, "most": MOST})
    if len(text) > _RAW:
        return length
    name = unicodedata.normalize("NFKC", text).strip()
    if not LEAST <= len(name) <= MOST:
        return length
    scripts = set[str]()
    for character in name:
        script = _script(character)
        if script is None:
            return Refused(RefusedKind.NAME_CHARACTER, {"character": _told(character)})
        scripts.add(script)
    scripts.discard("")
    if len(scripts) > 1 and scripts not in _TOGETHER:
        return Refused(RefusedKind.NAME_SCRIPTS)
    if not name[0].isalpha():
        return Refused(RefusedKind.NAME_BEGINNING)
    if name[-1] in _SEPARATORS or any(one in _SEPARATORS and two in _SEPARATORS for one, two in pairwise(name)):
        return Refused(RefusedKind.NAME_SEPARATORS)
    if not reserved and _kept(name):
        return Refused(RefusedKind.NAME_RESERVED)
    return AccountName(name, name_key(name), look(name))


def _kept(name: str) -> bool:
    """Return whether a name is reserved for the site, in any case, with or without digits behind it."""
    forms = (name, name.rstrip("0123456789-_"))
    return any(look(text) in RESERVED for form in forms for text in (form, name_key(form)))


def _script(character: str) -> str | None:
    """The script of a letter or mark, empty for digits and separators, None for what no name has."""
    if character in "0123456789-_":
        return ""
    code = ord(character)
    for script, ranges in SCRIPTS.items():
        if any(first <= code <= last for first, last in ranges):
            kind = unicodedata.category(character)
            fits = kind in ("Lu", "Ll", "Lo", "Lm") or (kind in ("Mn", "Mc") and script in _WITH_MARKS)
            return script if fits else None
    return None


def _told(character: str) -> str:
    """Character as a sentence shows it: itself where it is visible alone, otherwise its number."""
    visible = (
        character.isprintable() and not character.isspace() and not unicodedata.category(character).startswith("M")
    )
    return character if visible else f"U+{ord(character):04X}"
