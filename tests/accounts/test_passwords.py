"""Passwords: short, long and common ones are refused; nothing is asked of the characters."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool.accounts.common_passwords import COUNT, FILE, is_listed, made
from korgool.accounts.lookalikes import look
from korgool.accounts.names import AccountName
from korgool.accounts.passwords import HASHING, LEAST, MOST, prepared, refused_password, too_long
from korgool.accounts.refusals import RefusedKind

Kind = RefusedKind
AIBEK = AccountName("Айбек", "айбек", look("Айбек"))


def kind(password: str, name: AccountName | None = None) -> RefusedKind | None:
    refused = refused_password(password, name)
    return None if refused is None else refused.kind


@pytest.mark.parametrize(
    "password",
    [
        "correct horse battery staple",
        "дом на горе у реки",
        "        x",
        "zzzzzzzzzzzzq",
        "8351 0274 66",
        "тоо башында кар",
        "\U0001f40e" * 3 + "12 ab ээ",
        "\ud800 abcdefg",
        "\0" * 4 + "abcdefg",
        "x7" * 3 + "kärgöl",
        "q" * (MOST - 1) + "w",
    ],
)
def test_no_rule_on_characters(password: str) -> None:
    assert kind(password) is None
    assert prepared(password)


@pytest.mark.parametrize(
    ("password", "expected"),
    [
        ("", Kind.PASSWORD_SHORT),
        ("a7$Kq!9", Kind.PASSWORD_SHORT),
        ("ё".join("аааа"), Kind.PASSWORD_SHORT),
        (unicodedata.normalize("NFD", "ёлкаёёё"), Kind.PASSWORD_SHORT),  # seven letters in twelve code points
        ("x" * 255 + "yz", Kind.PASSWORD_LONG),
        ("ab" * 5_000_000, Kind.PASSWORD_LONG),
        ("password", Kind.PASSWORD_COMMON),
        ("PassWord1", Kind.PASSWORD_COMMON),
        ("12345678", Kind.PASSWORD_COMMON),
        ("iloveyou", Kind.PASSWORD_COMMON),
        ("87654321", Kind.PASSWORD_COMMON),
        ("qwertyui", Kind.PASSWORD_COMMON),
        ("йцукенгш", Kind.PASSWORD_COMMON),
        ("ждлорпав", Kind.PASSWORD_COMMON),
        ("аааааааааааааа", Kind.PASSWORD_COMMON),
        ("абабабабаб", Kind.PASSWORD_COMMON),
        ("123123123", Kind.PASSWORD_COMMON),
        ("Korgool2026", Kind.PASSWORD_COMMON),
        ("тоғызқұмалақ", Kind.PASSWORD_COMMON),
        ("Бишкек1998!", Kind.PASSWORD_COMMON),
        ("galatasaray1905", Kind.PASSWORD_COMMON),
        ("пароль123", Kind.PASSWORD_COMMON),
        ("ｐａｓｓｗｏｒｄ", Kind.PASSWORD_COMMON),
        ("айбек1998", Kind.PASSWORD_NAME),
        ("АЙБЕКайбек", Kind.PASSWORD_NAME),
        ("кебйа2001", Kind.PASSWORD_NAME),
    ],
)
def test_what_is_refused(password: str, expected: RefusedKind) -> None:
    assert kind(password, AIBEK) is expected
    assert str(refused_password(password, AIBEK))


def test_ten_megabytes_are_refused_at_once() -> None:
    """Before normalization and long before a hash: the whole takes less than one millisecond at its fastest."""
    password = "ä" * 10_000_000
    times = []
    for _ in range(5):
        begun = time.process_time()
        assert kind(password) is Kind.PASSWORD_LONG
        assert too_long(password)
        times.append(time.process_time() - begun)
    assert min(times) < 0.001
    assert not too_long("ä" * MOST)
    assert not too_long(unicodedata.normalize("NFD", "ệ" * MOST)), "every password that can be set can be tried"


@given(st.text(max_size=40))
def test_the_same_password_from_another_keyboard(password: str) -> None:
    """Composed or not, and with any kind of space, the bytes to hash are the same; case is kept."""
    composed = prepared(password)
    assert prepared(unicodedata.normalize("NFD", password)) == prepared(unicodedata.normalize("NFC", password))
    assert prepared(password.replace(" ", "\u00a0")) == prepared(password.replace(" ", "\u3000")) == composed
    assert prepared("Aa") != prepared("aa")


@given(st.text(min_size=LEAST, max_size=MOST))
def test_whoever_may_set_a_password_may_sign_in_with_it(password: str) -> None:
    if refused_password(password) is None:
        assert not too_long(password)
        assert not too_long(unicodedata.normalize("NFD", password))


def test_the_list_is_as_long_as_the_standard_asks() -> None:
    """ASVS 5.0, 6.2.4: the 3,000 most common passwords that are long enough."""
    lines = FILE.read_text(encoding="ascii").splitlines()
    digests = " ".join(line for line in lines if not line.startswith("#")).split()
    assert len(set(digests)) == COUNT >= 3_000
    assert "MIT" in "".join(lines[:4])
    assert is_listed("password")
    assert not is_listed("Password"), "asked in small letters"


def test_the_file_is_made_from_a_list() -> None:
    text = made(["short", "Password", "password", "trustno1 ", "йцукенгшщ"])
    digests = [line for line in text.splitlines() if not line.startswith("#")]
    assert len(" ".join(digests).split()) == 3
    assert "5e884898" in text, "the SHA-256 of password begins so"


def test_the_figures_of_the_hash() -> None:
    """OWASP's smallest of equal strength: 19 MiB, two passes, one lane."""
    assert (HASHING.memory_kib, HASHING.passes, HASHING.lanes) == (19 * 1024, 2, 1)
    assert (HASHING.salt_bytes, HASHING.hash_bytes) == (16, 32)
