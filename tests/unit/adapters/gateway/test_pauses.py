"""What the provider's failures take from the clock is no working time; what the agent does in between is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.adapters.gateway.pauses import Pauses, is_pause, joined, wait_of
from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow

KEY = AttemptKey("r", "t")
S = 1_000_000_000
NOW = "2026-11-30T07:00:00.000Z"


def call(seq: int = 1, **fields) -> CallRow:
    return CallRow(key=KEY, seq=seq, **{"outcome": "gave_up", "sent": True, **fields})


LIMITED = {"status": 429, "error": "rate_limit_error", "retry_after_s": "2618"}


def test_a_pause_of_the_account_is_the_wait_that_the_provider_asked_for():
    pauses = Pauses()
    pauses.asked(call(), 41 * S)
    assert pauses.settled(call(**LIMITED), 41 * S, NOW) == 0
    assert pauses.total_ms(1041 * S) == 1_000_000
    pauses.asked(call(2), 2659 * S)
    pauses.settled(call(2, outcome="ok", status=200), 2660 * S, NOW)
    assert pauses.total_ms(2700 * S) == 2_618_000


def test_an_agent_that_comes_back_early_or_late_is_paused_only_as_long_as_it_waits_for_the_provider():
    early, late = Pauses(), Pauses()
    for pauses, back in ((early, 10), (late, 9000)):
        pauses.settled(call(**LIMITED), 0, NOW)
        pauses.asked(call(2), back * S)
    assert (early.total_ms(9000 * S), late.total_ms(9000 * S)) == (10_000, 2_618_000)


def test_a_failed_exchange_is_a_pause_itself_and_overlaps_count_once():
    pauses = Pauses()
    pauses.asked(call(1), 0)
    pauses.asked(call(2), 2 * S)
    assert pauses.settled(call(1, status=503), 4 * S, NOW) == 4000
    assert pauses.settled(call(2, status=503), 5 * S, NOW) == 3000
    assert pauses.total_ms(60 * S) == 5000


def test_the_wait_before_a_transport_retry_counts_whatever_other_calls_do():
    pauses = Pauses()
    pauses.asked(call(1), 0)
    pauses.settled(call(1, status=503, outcome="retry"), S, NOW)
    pauses.asked(call(2), 2 * S)
    pauses.settled(call(2, outcome="ok", status=200), 3 * S, NOW)
    assert pauses.total_ms(4 * S) == 4000
    pauses.asked(call(3, retry_of=1), 5 * S)
    assert pauses.total_ms(60 * S) == 5000


def test_a_try_that_was_not_made_again_after_all_ends_its_wait():
    pauses = Pauses()
    pauses.asked(call(1), 0)
    assert pauses.settled(call(1, status=503, outcome="retry"), S, NOW) == 1000
    assert pauses.waiting(2 * S)
    assert pauses.settled(call(1, status=503), 3 * S, NOW) == 1000
    assert not pauses.waiting(3 * S)
    assert pauses.total_ms(60 * S) == 3000


@pytest.mark.parametrize(
    ("fields", "paused"),
    [
        ({"status": 429}, True),
        ({"status": 500}, True),
        ({"error": "timeout"}, True),
        ({"sent": False, "error": "connect_failed"}, True),
        ({"status": 200, "streamed": True, "final_event": False, "error": "stream_cut"}, True),
        ({"status": 200, "outcome": "ok"}, False),
        ({"status": 400, "error": "invalid_request_error"}, False),
        ({"status": 401, "error": "authentication_error"}, False),
        ({"status": 400, "sent": False, "error": "budget_exhausted"}, False),
        ({"error": "client_left"}, False),
        ({"error": "client_left", "status": 200}, False),
        ({"error": "client_left", "status": 429}, True),
        ({"error": "attempt_ended"}, False),
    ],
)
def test_what_is_a_pause(fields, paused):
    assert is_pause(call(**fields)) is paused


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("7", 7),
        (" 7 ", 7),
        ("0.25", 1),
        ("Mon, 30 Nov 2026 07:00:30 GMT", 30),
        ("Mon, 30 Nov 2026 06:00:00 GMT", 0),
        ("soon", 0),
        ("-5", 0),
        ("9" * 40, 10**6),
        ("1.0", 1),
        ("\u0667", 0),
        ("", 0),
    ],
)
def test_retry_after_is_seconds_or_a_date(said, seconds):
    assert wait_of(call(retry_after_s=said), NOW) == seconds
    assert wait_of(call(), NOW) == 0


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)).map(lambda s: (min(s), max(s))), max_size=12))
def test_joined_spans_cover_the_same_moments(spans):
    found = joined(tuple(spans))
    assert {t for a, b in found for t in range(a, b)} == {t for a, b in spans for t in range(a, b)}
    assert sum(b - a for a, b in found) == len({t for a, b in spans for t in range(a, b)})


def test_pauses_until_a_time_that_is_past_are_those_before_it_whenever_they_become_known():
    pauses = Pauses()
    pauses.asked(call(1), 1 * S)
    pauses.asked(call(2), 6 * S)
    assert pauses.total_ms(5 * S) == 0, "nobody knows yet that it failed"
    pauses.settled(call(1, **LIMITED), 4 * S, NOW)
    pauses.settled(call(2, status=503), 9 * S, NOW)
    assert pauses.total_ms(5 * S) == 4000
    assert pauses.total_ms(3 * S) == 2000
    assert pauses.total_ms(1 * S) == 0
    assert pauses.total_ms(9 * S) == 8000
