"""Addresses of a journal on a server: no password in them, and nothing of a refused one is said again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.adapters.store.dsn import is_postgres, parse_dsn
from denominator.errors import InputError

SECRET = "pw-canary-5b1c9e"


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://h/d",
        "postgres://u@h:5432/d",
        "postgresql://u@/d?host=/run/postgresql&port=5433",
        "postgresql://u@h1:1,h2:2/d?target_session_attrs=read-write",
        "postgresql://u@[::1]:5432/d?sslmode=verify-full&sslrootcert=/etc/ca.pem",
        "postgresql:///d",
    ],
)
def test_an_address_without_a_password_is_kept_as_it_is(text: str) -> None:
    assert str(parse_dsn(text)).partition("://")[2] == text.partition("://")[2]
    assert is_postgres(text)


@pytest.mark.parametrize(
    "text",
    [
        f"postgresql://u:{SECRET}@h/d",
        f"postgresql://u:{SECRET}@a@h/d",
        f"postgresql://u:@h/d?{SECRET}",
        f"postgresql://u@h/d?password={SECRET}",
        f"postgresql://u@h/d?sslpassword={SECRET}",
        f"postgresql://u@h/d?options=-c%20x={SECRET}",
        f"postgresql://u@h/d?foo={SECRET}",
        f"postgresql://u@h/d?{SECRET}",
        f"postgresql://u@h/d#{SECRET}",
        f"postgresql://u:{SECRET}/d",
        f"postgresql://u@h:{SECRET}/d",
        f"postgresql://u:{SECRET}@[bad/d",
        f"postgresql://u@h/d/{SECRET}",
        f"postgresql:u:{SECRET}@h/d",
        f"host=h password={SECRET}",
        f"mysql://u:{SECRET}@h/d",
        f"postgresql://u@h/d\n{SECRET}",
        f"postgresql://u@h/ {SECRET}",
        "",
    ],
)
def test_what_is_refused_is_not_echoed(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_dsn(text)
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None


@given(st.text(max_size=60), st.text(max_size=20))
def test_any_text_is_an_address_or_refused(text: str, head: str) -> None:
    for one in (text, f"postgresql://{text}", f"postgres://{head}@{text}"):
        try:
            found = parse_dsn(one)
        except InputError:
            continue
        assert found.text.startswith("postgresql://")
        assert ":" not in found.text.removeprefix("postgresql://").partition("/")[0].rpartition("@")[0]
