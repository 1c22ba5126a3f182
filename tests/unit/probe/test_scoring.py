"""Classes by precedence, histograms that balance, times, windows, sentences: hand-made attempts with right answers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from denominator.errors import InputError
from denominator.records.probe_results import Heard
from denominator.records.probes import Path
from denominator.records.rows import Usage
from denominator.records.values import NotMeasured
from probe_data import (
    BAD,
    BOTH,
    CASES,
    FIRST,
    HOUR_NS,
    JSON,
    SECOND,
    STREAM,
    all_heard,
    fault,
    heard,
    scored,
)

NONE = NotMeasured("none")
FENCE = "format_drift:code_fence"
LIMITED = "http_error:rate_limited"


def lost(one: Heard, word: str, status: object = NONE) -> Heard:
    """An attempt that ended without an answer."""
    return replace(
        one, faults=(fault(word),), complete=False, status=status, usage=Usage(), total_us=NONE, first_byte_us=NONE
    )


def lines(score, group="strict_json", window=1):
    return [
        (one.cls, one.reason, one.k, one.n) for one in score.histogram if (one.group, one.window) == (group, window)
    ]


def test_the_first_class_by_precedence_and_the_rest_beside_it():
    given = heard(
        JSON,
        faults=[
            fault("param_ignored:response_format", observed=True),
            fault("schema_miss:extra_key"),
            fault("accounting_anomaly:completion_zero", "0 completion tokens"),
            fault("accounting_anomaly:reasoning_gt_completion"),
        ],
        flags=("slow", "model_mismatch"),
    )
    one = scored([given], [JSON], attempts=1).attempts[0]
    assert (one.cls, one.reason, one.note) == ("accounting_anomaly", "completion_zero", "0 completion tokens")
    assert one.also == (
        "accounting_anomaly:reasoning_gt_completion",
        "schema_miss:extra_key",
        "param_ignored:response_format",
    )
    assert one.flags == ("model_mismatch", "slow")


def test_an_observation_alone_is_a_pass():
    one = scored([heard(JSON, faults=[fault("param_ignored:max_tokens", observed=True)])], [JSON], attempts=1).attempts[
        0
    ]
    assert (one.cls, one.reason, one.also) == ("pass", "", ("param_ignored:max_tokens",))


def test_what_neighbours_show_has_the_same_precedence():
    graver, lighter = fault("envelope_error:no_choices"), fault("schema_miss:extra_key")
    given = [
        heard(BOTH, "plain", 1, faults=[graver]),
        heard(BOTH, "stream", 1, usage=Usage(prompt=8, completion=2), faults=[lighter]),
    ]
    plain, stream = scored(given, [BOTH], attempts=1).attempts
    assert (f"{plain.cls}:{plain.reason}", plain.also) == (
        "envelope_error:no_choices",
        ("accounting_anomaly:stream_mismatch",),
    )
    assert (f"{stream.cls}:{stream.reason}", stream.also) == (
        "accounting_anomaly:stream_mismatch",
        ("schema_miss:extra_key",),
    )


def test_the_histogram_has_every_attempt_once_and_controls_apart():
    given = all_heard()
    given[0] = replace(given[0], faults=(fault(FENCE),))
    given[-1] = replace(given[-1], faults=(fault("error_contract:accepted"),))
    score = scored(given)
    assert lines(score) == [("pass", "", 2, 3), ("format_drift", "code_fence", 1, 3)]
    assert lines(score, "malformed") == [("pass", "", 2, 3), ("error_contract", "accepted", 1, 3)]
    assert [one.group for one in score.histogram] == [
        "strict_json",
        "strict_json",
        "accounting",
        "streaming",
        "malformed",
        "malformed",
    ]


def test_a_control_is_counted_with_its_like_whatever_its_group_says():
    stray = replace(BAD, group="strict_json")
    score = scored(all_heard([JSON, stray]), [JSON, stray])
    assert lines(score) == [("pass", "", 3, 3)] and lines(score, "malformed") == [("pass", "", 3, 3)]


def test_above_the_ceiling_no_pass_of_the_window_is_counted_anywhere():
    given = all_heard(windows=(1, 2))
    given[15] = lost(given[15], LIMITED, 429)
    score = scored(given, windows=[FIRST, SECOND])
    assert [one.withheld for one in score.windows] == [
        "",
        "1 of 15 attempts are invalid (1 rate_limited), above the ceiling of 0.05",
    ]
    assert [(one.cls, one.reason, one.k, one.n) for one in score.histogram if one.window == 2] == [
        ("http_error", "rate_limited", 1, 3)
    ]
    assert lines(score, window=1) == [("pass", "", 3, 3)]
    (only,) = score.sentences
    assert "no count of passes is given: window 2: 1 of 15 attempts are invalid" in only and "passed" not in only


def test_at_the_ceiling_counts_are_given_and_the_quota_is_its_own_line():
    given = all_heard()
    given[0] = lost(given[0], LIMITED, 429)
    score = scored(given, ceiling="0.066666666666666667")
    assert lines(score) == [("pass", "", 2, 3), ("http_error", "rate_limited", 1, 3)]
    assert "2 of 3 strict_json attempts passed, 1 http_error rate_limited" in score.sentences[0]
    assert scored(given, ceiling="0.0666").windows[0].withheld


def test_a_group_that_nobody_reached_has_no_pass_count():
    given = [lost(one, "transport_error:refused") if one.ask.case_id == JSON.id else one for one in all_heard()]
    assert (
        "none of 3 strict_json attempts says anything of its promises, 3 transport_error refused"
        in scored(given, ceiling="0.5").sentences[0]
    )


def test_the_sentence_that_survives_a_handoff():
    cases = tuple(replace(JSON, id=f"json-{n}") for n in (1, 2))
    given = all_heard(cases, windows=(1, 2))
    given = [replace(one, faults=(fault(FENCE),)) if place < 5 else one for place, one in enumerate(given)]
    assert scored(given, cases, [FIRST, SECOND]).sentences == (
        "under fixture abc123def456, client 0.4.1, direct, some-model at api.example.org, "
        "7 of 12 strict_json attempts passed, 5 format_drift, two windows 2 h 10 min apart (2026-11-29 UTC), "
        "2 cases, denominator classifier 1.0",
    )


def test_sentences_name_path_rate_and_controls():
    score = scored(all_heard(), path=Path(kind="gateway", name="litellm", version="1.2"), rate="2.5")
    assert score.sentences[0].startswith(
        "under fixture abc123def456, client 0.4.1, through litellm 1.2, at 2.5 requests a second, "
    )
    assert "3 of 3 malformed requests were refused with a structured 4xx, one window" in score.sentences[-1]
    assert len(score.sentences) == 4


def test_what_was_never_asked_is_named_and_no_sentence_claims_completeness():
    score = scored(all_heard()[1:])
    assert score.missing == ("window 1: json-a plain attempt 1",)
    assert "2 of 2 strict_json attempts passed, 1 planned attempt never asked" in score.sentences[0]
    assert "never asked" not in score.sentences[1]
    assert any("not complete" in note for note in score.notes)
    assert all(line.n == 2 for line in score.histogram if line.group == "strict_json")


def test_a_group_without_attempts_and_a_probe_without_windows():
    assert "no strict_json attempts, 3 planned attempts never asked" in scored(all_heard()[3:]).sentences[0]
    assert scored([], windows=[]).sentences[0].endswith("nothing was asked")


def test_attempts_that_nobody_planned_or_that_are_there_twice_are_all_named():
    stray = heard(JSON, "stream", 1)
    with pytest.raises(InputError) as error:
        scored(
            [
                heard(JSON, attempt=1),
                heard(JSON, attempt=1, seq=9),
                stray,
                heard(JSON, attempt=4),
                heard(JSON, window=3),
            ],
            [JSON],
        )
    assert [one.where for one in error.value.problems] == [
        "window 1: json-a plain attempt 1",
        "window 1: json-a plain attempt 4",
        "window 1: json-a stream attempt 1",
        "window 3: json-a plain attempt 1",
    ]


def test_warm_ups_are_in_no_count():
    warm = lost(heard(JSON, attempt=1, purpose="warmup"), "timeout:no_first_byte")
    with_it, without = scored([warm, *all_heard()]), scored(all_heard())
    assert with_it.windows[0].warmups == 1 and with_it.windows[0].asked == 15
    assert (with_it.histogram, with_it.latency, with_it.attempts) == (
        without.histogram,
        without.latency,
        without.attempts,
    )
    assert "window 1: 1 warm-up request outside every count" in with_it.notes


@pytest.mark.parametrize(
    ("second", "why"),
    [
        (SECOND, ""),
        (replace(SECOND, started_at="2026-11-29T10:00:00Z", mono_ns=10**9 + 2 * HOUR_NS), ""),
        (
            replace(SECOND, started_at="2026-11-29T09:59:59Z"),
            "it starts 1 h 59 min after window 1 by the wall clock, not 2 h",
        ),
        (
            replace(SECOND, started_at="2026-11-29T07:57:00Z"),
            "it starts minus 3 min after window 1 by the wall clock, not 2 h",
        ),
        (replace(SECOND, mono_ns=10**9 + HOUR_NS), "it starts 1 h after window 1 by the monotonic clock, not 2 h"),
        (
            replace(SECOND, boot_id="boot-2"),
            "the machine was started anew since window 1, so the monotonic clock does not show how far apart they start",
        ),
        (replace(SECOND, started_at="yesterday"), "the wall clock does not show how far it starts from window 1"),
        (replace(SECOND, started_at="2026-11-29T11:10:00+01:00"), ""),
    ],
)
def test_windows_are_independent_by_both_clocks_or_it_says_why(second, why):
    score = scored(all_heard(windows=(1, 2)), windows=[second, FIRST])
    assert [(one.independent, one.why) for one in score.windows] == [(True, ""), (not why, why)]
    assert ("not independent" in score.sentences[0]) is bool(why)


def test_a_third_window_is_held_against_each_before_it():
    third = replace(SECOND, number=3, started_at="2026-11-29T10:40:00Z", mono_ns=SECOND.mono_ns + HOUR_NS // 2)
    score = scored(all_heard(windows=(1, 2, 3)), windows=[FIRST, SECOND, third])
    assert score.windows[2].why == "it starts 30 min after window 2 by the wall clock, not 2 h"
    assert "three windows 2 h 10 min and 30 min apart, not independent" in score.sentences[0]


def test_percentiles_by_nearest_rank_over_completed_exchanges():
    cases = [replace(JSON, id=f"json-{n}") for n in range(1, 5)]
    given = [replace(one, total_us=(place + 1) * 1000) for place, one in enumerate(all_heard(cases))]
    given[0] = lost(given[0], "timeout:total_deadline")
    total = next(one for one in scored(given, cases).latency if one.of == "total")
    assert (total.n, total.censored, total.p50, total.p95, total.max) == (11, 1, 7000, 12000, 12000)
    assert total.kind == "service_time" and "a closed loop cannot show queueing" in total.note
    assert (
        "p95 of 11 values is a range check" in total.note
        and "1 of 12 did not complete and have no time: 1 timeout total_deadline" in total.note
    )


def test_of_twelve_values_p95_is_the_largest_and_of_twenty_the_second_largest():
    for n, second in ((12, False), (20, True)):
        cases = [replace(JSON, id=f"json-{k}") for k in range(n)]
        given = [replace(one, total_us=10 + place) for place, one in enumerate(all_heard(cases, attempts=1))]
        total = scored(given, cases, attempts=1).latency[-1]
        assert total.p95 == 10 + n - (2 if second else 1)


def test_from_59_values_on_p95_is_no_range_check():
    for n in (58, 59):
        cases = [replace(JSON, id=f"json-{k}") for k in range(n)]
        note = scored(all_heard(cases, attempts=1), cases, attempts=1).latency[-1].note
        assert ("range check" in note) is (n == 58)


def test_times_of_controls_are_in_no_percentile_and_a_fixed_rate_says_response_time():
    score = scored(all_heard([JSON, BAD]), [JSON, BAD], rate="1")
    assert {(one.mode, one.of, one.n, one.kind) for one in score.latency} == {
        ("plain", of, 3, "response_time") for of in ("first_byte", "first_content", "total")
    }
    assert all("from when each request was due" in one.note for one in score.latency)
    assert not any("after they were due" in one.note for one in score.latency)


def test_requests_that_had_to_wait_are_counted_at_a_fixed_rate_only():
    given = [heard(JSON, attempt=1, queued_us=10_001), heard(JSON, attempt=2), heard(JSON, attempt=3)]
    late = "1 of 3 requests started more than 10 ms after they were due"
    assert all(late in one.note for one in scored(given, [JSON], rate="1").latency)
    assert not any(late in one.note for one in scored(given, [JSON]).latency)


def test_when_nothing_completed_there_is_no_time():
    (total,) = scored([lost(heard(JSON), "timeout:no_first_byte")], [JSON], attempts=1).latency
    assert (total.n, total.censored) == (0, 1) and not any((total.p50, total.p95, total.max))


def test_facts_are_of_whole_answers_to_cases_that_ask_the_endpoints_own_model():
    other = replace(JSON, id="other", model="another")
    given = [
        heard(JSON, attempt=1, finish="length", model="some-model-2"),
        heard(JSON, attempt=2, complete=False, finish="weird", faults=["stream_incomplete:no_done"]),
        heard(other, attempt=1, model="another", finish="odd"),
        heard(STREAM, attempt=1),
        heard(STREAM, attempt=2, usage=Usage()),
        heard(BAD, attempt=1, finish="bad"),
    ]
    facts = scored(given, [JSON, other, STREAM, BAD]).facts
    assert (facts.models, facts.finish_reasons) == (("some-model", "some-model-2"), ("length", "stop"))
    assert (facts.usage_plain, facts.usage_on_stream) == (True, False)
    assert facts.usage_conventions == ("openai",)


def test_without_streams_nothing_is_known_of_their_usage():
    facts = scored(all_heard([JSON]), [JSON]).facts
    assert facts.usage_plain is True and not facts.usage_on_stream and facts.usage_on_stream is not False


def test_redacted_bodies_keep_the_classifier_that_heard_them():
    score = scored(all_heard(), redact_bodies=True)
    assert score.classifier == "1.0" and any(
        "classifier 1.0 heard at the time, and cannot be judged again" in note for note in score.notes
    )


def test_all_pass():
    score = scored(all_heard())
    assert {one.cls for one in score.attempts} == {"pass"} and len(score.attempts) == sum(
        len(case.modes) * 3 for case in CASES
    )
    assert score.may_not and not score.missing and not score.across
