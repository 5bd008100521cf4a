"""Rules for passwords: a length, and not one of those that attackers try first. Nothing else is required.

Hashing is the server's work, by argon2id with the figures of `HASHING`. It costs memory and time on purpose, so a
server lets only as many hashes run at once as it has memory for, and refuses a long text before it.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from korgool.accounts.common_passwords import is_listed
from korgool.accounts.names import AccountName, name_key
from korgool.accounts.refusals import Refused, RefusedKind

LEAST, MOST = 8, 256
_RAW = 4 * MOST
"""More code points than this are refused before anything is done with them."""


@dataclass(frozen=True, slots=True)
class Hashing:
    """Parameters of argon2id (RFC 9106), from OWASP's cheat sheet on storing passwords, the set with the least memory.

    Attributes:
        memory_kib: memory of one hash, in KiB. With 19 MiB a server of 1 GiB can try eight passwords at once beside
            its other work, and an attacker with a stolen table needs as much for each guess.
        passes: how often this memory is gone over.
        lanes: threads of one hash: a server has enough to do without them.
        salt_bytes: length of the salt, afresh for every password.
        hash_bytes: length of the hash.
    """

    memory_kib: int = 19_456
    passes: int = 2
    lanes: int = 1
    salt_bytes: int = 16
    hash_bytes: int = 32


HASHING = Hashing()


def prepared(password: str) -> bytes:
    """Bytes to be hashed: the same whichever keyboard typed the password (RFC 8265, OpaqueString), in UTF-8.

    Letters are composed, and every kind of space is the usual one. Case and all else stay.
    """
    spaced = "".join(" " if unicodedata.category(one) == "Zs" else one for one in password)
    return unicodedata.normalize("NFC", spaced).encode("utf-8", "surrogatepass")


def refused_password(password: str, name: AccountName | None = None) -> Refused | None:
    """Check a new password; return why it is refused, or None.

    Args:
        password: as it was typed; of any length.
        name: the name of the account that it is for.
    """
    length = len(unicodedata.normalize("NFC", password)) if len(password) <= _RAW else len(password)
    if length < LEAST:
        return Refused(RefusedKind.PASSWORD_SHORT, {"least": LEAST})
    if length > MOST:
        return Refused(RefusedKind.PASSWORD_LONG, {"most": MOST})
    plain = unicodedata.normalize("NFKC", password).casefold()
    core = plain.strip("0123456789!.?*-_ ")
    if name is not None and core and name_key(core) in (name.key, name.key[::-1], name.key * 2):
        return Refused(RefusedKind.PASSWORD_NAME)
    if is_listed(plain) or _is_run(plain) or core in _OURS:
        return Refused(RefusedKind.PASSWORD_COMMON)
    return None


def too_long(password: str) -> bool:
    """Return whether a password is longer than any that is accepted, so that no hash has to be computed at sign-in."""
    return len(password) > _RAW


_ROWS = (
    *("12345678901234567890", "abcdefghijklmnopqrstuvwxyz", "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"),
    *("qwertyuiop[]", "asdfghjkl;'", "qwertyuıopğü", "asdfghjklşi", "йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю"),
    *("1qaz2wsx3edc4rfv5tgb", "1q2w3e4r5t6y7u8i9o0p", "1й2ц3у4к5е6н7г8ш9щ0з"),
)
_OURS = frozenset(
    {
        *("korgool", "toguzkorgool", "togyzqumalaq", "togyzkumalak", "qumalaq", "kumalak", "mangala", "bestemshe"),
        *("коргоол", "тогузкоргоол", "тоғызқұмалақ", "тогызкумалак", "құмалақ", "бестемше", "мангала"),
        *("kyrgyzstan", "kazakhstan", "qazaqstan", "turkiye", "türkiye", "кыргызстан", "қазақстан", "казахстан"),
        *("bishkek", "almaty", "astana", "ankara", "istanbul", "бишкек", "алматы", "астана"),
        *("password", "пароль", "сырсөз", "купуясөз", "құпиясөз", "parola", "şifre", "sifre", "sifrem"),
        *("galatasaray", "fenerbahce", "fenerbahçe", "besiktas", "beşiktaş", "trabzonspor"),
    }
)
"""Words that people here choose, with digits before or behind them."""


def _is_run(password: str) -> bool:
    """Return whether it repeats one short piece, or is a row of a keyboard or an alphabet, in either direction."""
    if any(password == (password[:size] * len(password))[: len(password)] for size in (1, 2, 3)):
        return True
    return any(password in row or password[::-1] in row for row in _ROWS)
