"""Both forms of Retry-After, and what is neither."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.adapters.gateway.retry_after import SECONDS_MAX, retry_after_s


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0),
        (" 7 ", 7),
        ("99999999999999999999", 999999999),
        (format_datetime(datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=90), usegmt=True), 90),
        (format_datetime(datetime(2025, 1, 1, tzinfo=UTC), usegmt=True), 0),
        ("Thu, 01 Jan 2026 01:00:05 +0100", 5),
        ("", None),
        ("soon", None),
        ("-1", None),
        ("1.5", 2),
        ("\u0663", None),
    ],
)
def test_both_forms_of_a_wait_are_read(value, seconds):
    assert retry_after_s(value, int(datetime(2026, 1, 1, tzinfo=UTC).timestamp())) == seconds


@given(st.text() | st.from_regex(r"[A-Z][a-z]{2}, \d+ [A-Z][a-z]{2} \d+ \d+:\d+:\d+( [+-]\d+)?", fullmatch=True))
def test_any_text_is_read_or_refused(text):
    found = retry_after_s(text, 0)
    assert found is None or found >= 0


@given(st.integers(0, 10**12))
def test_seconds_are_seconds(seconds):
    assert retry_after_s(str(seconds), 0) == min(seconds, SECONDS_MAX)
