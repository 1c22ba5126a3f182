"""What looks private: by kind, quickly, also on text that is made to be slow."""

from __future__ import annotations

import time

import pytest

from denominator.wire.private import names_secret, personal_kinds, private_kinds, secret_kinds


def test_kinds_are_told_apart() -> None:
    """Secrets and personal data have words of their own."""
    assert secret_kinds("key sk-canary-0123456789") == ("an access key",)
    assert personal_kinds("key sk-canary-0123456789") == ()
    assert personal_kinds("mail jo@company.io or +4915123456789") == ("an e-mail address", "a telephone number")
    assert private_kinds("0f1e2d3c4b5a69788796a5b4c3d2e1f0") == ("a long random text, as keys are",)
    assert private_kinds("") == ()


@pytest.mark.parametrize(
    ("name", "secret"), [("api_key", True), ("X-API-Key", True), ("password", True), ("key", False)]
)
def test_names_of_secrets(name: str, secret: bool) -> None:
    """A plain "key" is a word of every second JSON object."""
    assert names_secret(name) is secret


@pytest.mark.parametrize(
    "part",
    ["a", "sk-", "sk-a-", "a@", "a@b.", "+1 ", "1 ", "eyJ", "secret ", "://a:", "GB82 ", "/home", "0", "-", "AIza"],
)
def test_no_text_is_slow(part: str) -> None:
    """An eighth of a megabyte takes less than ten seconds of work; a pattern that backtracks would take an hour."""
    begun = time.process_time()
    private_kinds(part * (2**17 // len(part)))
    assert time.process_time() - begun < 10
