"""Sessions, tokens and recovery codes: what is stored opens nothing, and what has ended stays ended."""

from __future__ import annotations

from dataclasses import asdict
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool.accounts.refusals import Refused, RefusedKind
from korgool.accounts.scopes import Scope
from korgool.accounts.secret import CODE_BYTES, SECRET_BYTES, SecretKind, code_text, read_code, read_secret, secret_text
from korgool.accounts.sessions import (
    CODES,
    IDLE_MS,
    LONGEST_MS,
    PROOF_MS,
    SEEN_EVERY_MS,
    RecoveryCodes,
    Session,
    Token,
    begin_session,
    make_codes,
    make_token,
)

NOW = 1_790_000_000_000
DAY = 86_400_000
RANDOM = bytes(range(SECRET_BYTES))


def session() -> Session:
    return begin_session("s1", "ann", RANDOM, NOW, proved=True, device="Firefox")[0]


def token(days: int = 30, label: str = "bot", scopes: frozenset[Scope] = frozenset({Scope.PLAY})) -> Token | Refused:
    made = make_token("t1", "ann", RANDOM, NOW, scopes=scopes, label=label, days=days)
    return made if isinstance(made, Refused) else made[0]


def test_what_is_stored_opens_nothing() -> None:
    stored, secret = begin_session("s1", "ann", RANDOM, NOW, proved=True)
    made = make_token("t1", "ann", RANDOM, NOW, scopes=[Scope.READ], label="my bot", days=7)
    assert not isinstance(made, Refused)
    for value, text, kind in ((stored, secret, SecretKind.SESSION), (made[0], made[1], SecretKind.TOKEN)):
        assert read_secret(text) == (kind, value.digest)
        assert secret[4:] not in repr(asdict(value))
        assert read_secret(value.digest.hex()) is None
    assert stored.digest != made[0].digest, "a session's secret is no token, even of the same bytes"
    codes, texts = make_codes(bytes(range(CODES * CODE_BYTES)), NOW)
    assert not any(text in repr(codes) for text in texts)


def test_different_random_bytes_give_different_secrets() -> None:
    random = Random(1)
    texts = {secret_text(SecretKind.TOKEN, random.randbytes(SECRET_BYTES)) for _ in range(500)}
    assert len(texts) == 500
    assert len({read_secret(text) for text in texts}) == 500
    for few in (b"", RANDOM[1:], RANDOM + b"x"):
        with pytest.raises(ValueError, match="random bytes"):
            secret_text(SecretKind.SESSION, few)
        with pytest.raises(ValueError, match="random bytes"):
            code_text(few)
        with pytest.raises(ValueError, match="random bytes"):
            make_codes(few, NOW)


@given(st.one_of(st.text(max_size=60), st.text("kgst_abAB09-", max_size=50)))
def test_any_text_can_be_tried(text: str) -> None:
    """Whatever is sent as a secret or a code is read or not, without an error."""
    secret, code = read_secret(text), read_code(text)
    assert secret is None or len(text) == 47
    assert code is None or len(text) >= 24


def test_long_texts_are_no_secrets() -> None:
    text = secret_text(SecretKind.SESSION, RANDOM)
    for wrong in (text * 200_000, text + "\n", text[:-1], f" {text}", text.upper(), f"x{text[1:]}"):
        assert read_secret(wrong) is None
    assert read_code("7" * 10_000_000) is None


def test_a_session_ends_by_itself() -> None:
    one = session()
    assert (IDLE_MS, LONGEST_MS) == (60 * DAY, 365 * DAY)
    assert one.live(NOW + IDLE_MS - 1)
    assert not one.live(NOW + IDLE_MS)
    at = NOW
    while one.live(at):
        one = one.used(at)
        at += 20 * DAY
    assert NOW + LONGEST_MS <= at < NOW + LONGEST_MS + 20 * DAY, "no use keeps it longer than that"
    assert one.used(at) != one


def test_what_somebody_ended_stays_ended() -> None:
    one = session().end(NOW + 5)
    assert not one.live(NOW + 6)
    assert not one.live(NOW), "the clock of another host is behind"
    assert one.end(NOW + 99) == one
    assert not one.used(NOW + DAY).live(NOW + DAY)
    assert not one.proven(NOW + DAY).fresh(NOW + DAY)
    made = token()
    assert isinstance(made, Token)
    ended = made.end(NOW + 5)
    assert (made.live(NOW + 6), ended.live(NOW + 6), ended.end(NOW + 99)) == (True, False, ended)


def test_a_use_is_stored_now_and_then() -> None:
    one = session()
    assert one.used(NOW + SEEN_EVERY_MS - 1) is one
    assert one.used(NOW + SEEN_EVERY_MS).seen == NOW + SEEN_EVERY_MS
    assert one.used(NOW - DAY) is one


def test_proof_is_fresh_for_a_moment() -> None:
    one = session()
    assert one.fresh(NOW + PROOF_MS - 1)
    assert not one.fresh(NOW + PROOF_MS)
    assert one.proven(NOW + DAY).fresh(NOW + DAY)
    visitor, _ = begin_session("s2", "guest", RANDOM, NOW, proved=False)
    assert visitor.live(NOW)
    assert not visitor.fresh(NOW)


def test_a_token_has_scopes_a_label_and_an_end() -> None:
    made = token(days=7)
    assert isinstance(made, Token)
    assert (made.scopes, made.label) == (frozenset({Scope.PLAY}), "bot")
    assert made.live(NOW + 7 * DAY - 1)
    assert not made.live(NOW + 7 * DAY)
    kinds = {
        RefusedKind.TOKEN_SCOPES: [token(scopes=frozenset())],
        RefusedKind.TOKEN_LABEL: [token(label=label) for label in ("", "  ", "x" * 61, "a\nb", "a\u202eb")],
        RefusedKind.TOKEN_DAYS: [token(days=days) for days in (0, -1, 366)],
    }
    for kind, refusals in kinds.items():
        assert all(isinstance(one, Refused) and one.kind is kind for one in refusals)


def test_each_recovery_code_is_used_once() -> None:
    codes, texts = make_codes(Random(2).randbytes(CODES * CODE_BYTES), NOW)
    assert len(set(texts)) == len(codes.digests) == CODES == 8
    for number, text in enumerate(texts, 1):
        after = codes.use(text)
        assert isinstance(after, RecoveryCodes)
        assert len(after.digests) == CODES - number
        again = after.use(text)
        assert isinstance(again, Refused)
        assert again.kind is RefusedKind.CODE_WRONG
        codes = after
    assert codes.digests == frozenset()


def test_a_code_is_read_as_people_type_it() -> None:
    text = code_text(bytes([0, 68, 50, 20, 199, 66, 84, 182, 53, 207, 132, 101, 58, 86, 215]))
    assert text == "0123-4567-89AB-CDEF-GHJK-MNPQ"
    for typed in (
        text.lower(),
        text.replace("-", ""),
        text.replace("-", " "),
        "oi23–4567 89ab cdef ghjk mnpq",
        f"{text}\n",
    ):
        assert read_code(typed) == read_code(text) is not None
    for wrong in (text[:-1], f"{text}7", text.replace("A", "U"), text.replace("9", "٩"), ""):
        assert read_code(wrong) is None
    assert read_code(text.replace("9", "8")) != read_code(text)
