"""Times that others wrote: a zone that is missing is UTC, and what is no time is none."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from denominator.wire.times import read_time

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


@pytest.mark.parametrize("text", ["2026-11-29T12:00:00Z", "2026-11-29T12:00:00", "2026-11-29T14:00:00+02:00"])
def test_one_moment_in_three_forms(text):
    assert read_time(text) == NOON


@pytest.mark.parametrize("text", ["", "noon", "2026-13-01T00:00:00Z", "1764417600"])
def test_what_is_no_time_is_none(text):
    assert read_time(text) is None
