"""Whatever was heard: every attempt ends in one line, the order of rows changes no byte, and withheld passes stay so."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from denominator.probe.histogram import invalid
from denominator.probe.windows import apart_s, spell
from denominator.records.probe_words import INVALID, PARAM_IGNORED, REASONS, Cls
from denominator.records.rows import Usage
from denominator.records.values import NotMeasured
from denominator.wire.canonical import canonical
from denominator.wire.codec import from_json, loads
from probe_data import BAD, BOTH, FIRST, JSON, SECOND, STREAM, all_heard, fault, scored

CASES = (JSON, BOTH, STREAM, BAD)
WORDS = st.sampled_from(
    [fault(f"{cls}:{reason}") for cls, reasons in REASONS.items() if cls != PARAM_IGNORED for reason in reasons]
)
COUNTS = st.sampled_from([NotMeasured("silent"), 0, 2, 10, 11])
FACTS = st.fixed_dictionaries(
    {},
    optional={
        "faults": st.lists(WORDS, max_size=3).map(tuple),
        "usage": st.builds(Usage, prompt=COUNTS, completion=COUNTS, reasoning=COUNTS),
        "complete": st.booleans(),
        "fingerprint": st.sampled_from(["fp_ref", "fp_b", NotMeasured("silent")]),
        "content_sha256": st.sampled_from(["7e" * 32, "aa" * 32, NotMeasured("silent")]),
        "finish": st.sampled_from(["stop", "length", NotMeasured("silent")]),
        "total_us": st.one_of(st.integers(0, 10**7), st.just(NotMeasured("none"))),
        "status": st.sampled_from([200, 429, 500, NotMeasured("none")]),
    },
)


@st.composite
def hearings(draw):
    """Any part of what two windows promise, each attempt with any facts, in any order."""
    all_of_them = all_heard(CASES, windows=(1, 2))
    kept = [replace(one, **draw(FACTS)) for one in all_of_them if draw(st.integers(0, 9))]
    return kept, draw(st.permutations(kept)), draw(st.sampled_from(["0", "0.05", "0.3", "1"]))


@given(hearings())
def test_every_attempt_ends_in_one_line_and_the_order_of_rows_changes_no_byte(drawn):
    kept, shuffled, ceiling = drawn
    score = scored(kept, CASES, [FIRST, SECOND], ceiling=ceiling)
    again = scored(shuffled, CASES, [SECOND, FIRST], ceiling=ceiling)
    assert canonical(score) == canonical(again)
    assert canonical(from_json(type(score), loads(canonical(score)))) == canonical(score)
    assert len(score.attempts) == len(kept) and len(score.missing) == 30 - len(kept)
    for window in score.windows:
        here = [one for one in score.attempts if one.window == window.number]
        for group in {one.group for one in here}:
            lines = [one for one in score.histogram if (one.window, one.group) == (window.number, group)]
            of_group = [one for one in here if one.group == group]
            counted = invalid(of_group) if window.withheld else of_group
            assert sum(one.k for one in lines) == len(counted)
            assert {one.n for one in lines} <= {len(of_group)}


@given(hearings())
def test_a_withheld_pass_is_in_no_line_and_no_sentence(drawn):
    kept, _, ceiling = drawn
    score = scored(kept, CASES, [FIRST, SECOND], ceiling=ceiling)
    withheld = {one.number for one in score.windows if one.withheld}
    assert all((one.cls, one.reason) in INVALID for one in score.histogram if one.window in withheld)
    assert not (withheld and any(" passed" in one or "refused with" in one for one in score.sentences))


@given(hearings())
def test_no_class_is_lighter_than_what_its_own_bytes_show(drawn):
    kept, _, _ = drawn
    order = list(Cls)
    own = {(one.window, one.ask.case_id, one.ask.mode, one.ask.attempt): one.faults for one in kept}
    for one in scored(kept, CASES, [FIRST, SECOND]).attempts:
        faults = own[one.window, one.case_id, one.mode, one.attempt]
        assert one.cls in order and (one.reason in REASONS[one.cls] if one.cls != Cls.PASS else one.reason == "")
        assert all(order.index(Cls(one.cls)) <= order.index(Cls(each.cls)) for each in faults)
        assert {each.word for each in faults} <= {f"{one.cls}:{one.reason}", *one.also}


@given(hearings())
def test_percentiles_are_values_of_completed_exchanges_and_none_is_lost(drawn):
    kept, _, _ = drawn
    for line in scored(kept, CASES, [FIRST, SECOND]).latency:
        here = [
            one for one in kept if (one.window, one.ask.mode) == (line.window, line.mode) and one.ask.case_id != BAD.id
        ]
        times = [getattr(one, f"{line.of}_us") for one in here if one.complete]
        assert line.censored == sum(not one.complete for one in here)
        if line.n:
            assert line.p50 <= line.p95 <= line.max and {line.p50, line.p95, line.max} <= set(times)


@given(st.datetimes(), st.integers(-(10**6), 10**6))
def test_seconds_between_two_times_come_back(start, seconds):
    from datetime import timedelta

    start = start.replace(year=2026)
    assert apart_s(start.isoformat(), (start + timedelta(seconds=seconds)).isoformat()) == seconds
    assert spell(seconds)
