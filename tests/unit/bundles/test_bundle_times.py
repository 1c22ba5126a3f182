"""Times are self-declared; one that is none is a fault, and a seal behind its run is said."""

from __future__ import annotations

from types import SimpleNamespace as Named

import pytest

from denominator.pipeline.bundle_times import late_seal, time_faults

NOON = "2026-11-30T12:00:00.000Z"


def told(sealed_at: str, *times: str) -> tuple[list[str], list[str]]:
    seal, events = Named(sealed_at=sealed_at), [Named(seq=n, t_wall=at) for n, at in enumerate(times, 1)]
    return [one.where for one in time_faults(seal, events)], [*late_seal(seal, events)]


def test_a_seal_before_its_run_is_as_it_must_be() -> None:
    assert told(NOON, "2026-11-30T12:00:00.001Z", NOON) == ([], [])
    assert told(NOON, NOON) == told(NOON) == ([], [])


@pytest.mark.parametrize("odd", ["", "yesterday", "2026-11-30T14:00:00.000+02:00", "2026-11-30T12:00:00.000", "2026-13-30T12:00:00Z",
                                 "2026-11-30", "20261130T120000Z", "٢٠٢٦-11-30T12:00:00Z", NOON + "\n"])  # fmt: skip
def test_a_time_that_is_none_or_of_another_zone_is_a_fault(odd: str) -> None:
    assert told(odd, NOON) == (["seal.json"], [])
    assert told(NOON, NOON, odd, odd) == (["events.jsonl"], [])


def test_a_seal_behind_its_run_is_said() -> None:
    faults, said = told("2026-11-30T12:00:00.15Z", "2026-11-30T12:00:00.1Z")
    assert not faults and "before the seal" in said[0]
