"""The real clock: stamps for people."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest

from denominator.adapters.clock import SystemClock


@pytest.mark.parametrize("ns", [0, 999_999, 1_000_000, 1_764_511_200_123_999_999, 1_764_511_200_999_999_999])
def test_the_wall_is_utc_with_milliseconds(ns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time_ns", lambda: ns)
    whole = datetime.fromtimestamp(ns // 10**9, UTC).replace(microsecond=ns % 10**9 // 1000)
    wanted = whole.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    clock = SystemClock()
    assert clock.wall() == wanted == clock.wall()


def test_each_second_has_a_text_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, said = SystemClock(), list[str]()
    for ns in (5_999_000_000, 6_001_000_000, 5_500_000_000):
        monkeypatch.setattr(time, "time_ns", lambda ns=ns: ns)
        said.append(clock.wall())
    assert [one[-7:] for one in said] == ["05.999Z", "06.001Z", "05.500Z"]
