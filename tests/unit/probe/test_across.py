"""What only several attempts of one case show, and whom it is charged to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from denominator.records.probe_results import ProbeScore
from denominator.records.rows import Usage
from denominator.records.values import NotMeasured
from probe_data import BOTH, FIRST, JSON, SECOND, all_heard, fault, heard, scored

SILENT = NotMeasured("the answer does not say")


def pairs(plain: Usage, stream: Usage, attempts: int = 3, **of_stream: object):
    """Attempts of one case in both modes with these counts."""
    return [heard(BOTH, "plain", n, usage=plain) for n in range(1, attempts + 1)] + [
        heard(BOTH, "stream", n, usage=stream, **of_stream) for n in range(1, attempts + 1)
    ]


def classes(score: ProbeScore) -> dict[tuple[str, int], str]:
    return {(one.mode, one.attempt): f"{one.cls}:{one.reason}".rstrip(":") for one in score.attempts}


def found(score: ProbeScore) -> list[tuple[int, str, int, int]]:
    return [(one.window, one.reason, one.k, one.n) for one in score.across]


def test_prompt_tokens_of_a_pair_differ_and_both_answer_for_it():
    score = scored(pairs(Usage(prompt=10, completion=20), Usage(prompt=8, completion=20)), [BOTH])
    assert set(classes(score).values()) == {"accounting_anomaly:stream_mismatch"}
    assert found(score) == [(1, "stream_mismatch", 3, 3)]
    assert score.across[0].note == "prompt tokens 10 plain, 8 streamed"
    assert all(one.judgements["accounting"] == "fail" for one in score.attempts)


def test_completion_tokens_are_compared_only_where_text_and_finish_are_the_same():
    counts = Usage(prompt=10, completion=20), Usage(prompt=10, completion=11)
    same = scored(pairs(*counts), [BOTH])
    other_text = scored(pairs(*counts, content_sha256="00" * 32), [BOTH])
    other_end = scored(pairs(*counts, finish="length"), [BOTH])
    assert found(same) == [(1, "stream_mismatch", 3, 3)]
    assert found(other_text) == found(other_end) == []


@pytest.mark.parametrize("unknown", [{"content_sha256": SILENT}, {"finish": SILENT}])
def test_of_an_answer_whose_text_or_end_nobody_knows_no_completion_is_compared(unknown):
    given = pairs(Usage(prompt=10, completion=20), Usage(prompt=10, completion=11), **unknown)
    assert found(scored(given, [BOTH])) == []
    both = [replace(one, **unknown) for one in given]
    assert found(scored(both, [BOTH])) == []


def test_thinking_of_another_length_is_no_contradiction():
    def thought(completion: int, reasoning: object) -> Usage:
        return Usage(prompt=10, completion=completion, reasoning=reasoning)

    assert found(scored(pairs(thought(22, 20), thought(32, 30)), [BOTH])) == []
    assert found(scored(pairs(thought(22, 20), thought(32, 31)), [BOTH])) == [(1, "stream_mismatch", 3, 3)]
    assert found(scored(pairs(thought(22, 20), thought(32, SILENT)), [BOTH])) == []


def test_an_answer_that_says_nothing_bills_whatever_it_thought():
    given = [
        replace(one, faults=(fault("empty_content:reasoning_only"),))
        for one in pairs(Usage(prompt=10, completion=20), Usage(prompt=10, completion=31))
    ]
    assert found(scored(given, [BOTH])) == []


def test_usage_that_is_impossible_by_itself_is_no_witness_against_others():
    given = [
        replace(one, usage=Usage(prompt=0, completion=0), faults=(fault("accounting_anomaly:prompt_zero"),))
        if one.ask.mode == "plain"
        else one
        for one in all_heard([BOTH])
    ]
    assert classes(scored(given, [BOTH])) == {
        **{("plain", n): "accounting_anomaly:prompt_zero" for n in (1, 2, 3)},
        **{("stream", n): "pass" for n in (1, 2, 3)},
    }


def test_an_answer_that_is_broken_by_itself_does_not_accuse_a_sound_one():
    given = pairs(Usage(prompt=10, completion=2), Usage(prompt=8, completion=2))
    cut = [
        replace(one, faults=(fault("truncation_ambiguity:stop_at_cap"),)) if one.ask.mode == "plain" else one
        for one in given
    ]
    assert found(scored(cut, [BOTH])) == []
    assert {key: cls for key, cls in classes(scored(cut, [BOTH])).items() if key[0] == "stream"} == {
        ("stream", n): "pass" for n in (1, 2, 3)
    }
    both = [replace(one, faults=(fault("format_drift:code_fence"),)) for one in given]
    assert found(scored(both, [BOTH])) == [(1, "stream_mismatch", 3, 3)]


def test_unknown_usage_is_compared_with_nothing():
    assert found(scored(pairs(Usage(prompt=10, completion=2), Usage()), [BOTH])) == []


def test_one_pair_of_three_that_differs():
    given = pairs(Usage(prompt=10, completion=2), Usage(prompt=10, completion=2))
    given[4] = replace(given[4], usage=Usage(prompt=10, completion=5))
    score = scored(given, [BOTH])
    assert found(score) == [(1, "stream_mismatch", 1, 3)]
    assert [key for key, cls in classes(score).items() if cls != "pass"] == [("plain", 2), ("stream", 2)]


def test_prompt_tokens_vary_within_a_mode_and_only_that_mode_answers_for_it():
    given = [
        replace(one, usage=Usage(prompt=31, completion=2)) if (one.ask.mode, one.ask.attempt) == ("plain", 2) else one
        for one in all_heard([BOTH])
    ]
    score = scored(given, [BOTH])
    assert classes(score) == {
        **{("plain", n): "accounting_anomaly:prompt_tokens_unstable" for n in (1, 2, 3)},
        **{("stream", n): "pass" for n in (1, 2, 3)},
    }
    assert found(score) == [(1, "prompt_tokens_unstable", 3, 3)]
    assert score.across[0].note == "plain: prompt tokens of one request 10 (2 attempts), 31 (1 attempt)"


def test_an_attempt_that_told_no_prompt_tokens_takes_no_part():
    given = [
        heard(JSON, "", 1),
        heard(JSON, "", 2, usage=Usage(prompt=31, completion=2)),
        heard(JSON, "", 3, usage=Usage()),
    ]
    assert [one.cls for one in scored(given, [JSON]).attempts] == ["accounting_anomaly", "accounting_anomaly", "pass"]


def test_prompt_tokens_that_differ_between_windows_are_told_and_charge_nobody():
    given = [
        replace(one, usage=Usage(prompt=10 * one.window, completion=2)) for one in all_heard([JSON], windows=(1, 2))
    ]
    score = scored(given, [JSON], [FIRST, SECOND])
    assert found(score) == [(0, "prompt_tokens_unstable", 2, 2)]
    assert {one.cls for one in score.attempts} == {"pass"}


@pytest.mark.parametrize(("temperature", "told"), [("0", True), ("0.00", True), ("0.1", False), ("", False)])
def test_distinct_texts_at_temperature_zero_are_an_observation(temperature, told):
    case = replace(JSON, temperature=temperature)
    given = [heard(case, "", n, content_sha256=f"{n:064x}") for n in (1, 2, 3)]
    score = scored(given, [case])
    assert found(score) == ([(1, "temperature", 3, 3)] if told else [])
    assert {one.cls for one in score.attempts} == {"pass"} and {one.also for one in score.attempts} == {()}


def test_texts_are_held_against_their_own_mode_and_only_when_they_are_whole():
    by_mode = [
        replace(one, content_sha256=("aa" if one.ask.mode == "plain" else "bb") * 32) for one in all_heard([BOTH])
    ]
    assert found(scored(by_mode, [BOTH])) == []
    cut = [
        heard(JSON, "", 1),
        heard(JSON, "", 2, content_sha256="cc" * 32, complete=False, faults=["stream_incomplete:no_done"]),
    ]
    assert found(scored(cut, [JSON])) == []


def test_a_fingerprint_that_changes_flags_every_attempt_of_that_model_and_window():
    other = replace(JSON, id="json-b", model="another-model")
    given = [
        replace(one, fingerprint="fp_b") if (one.ask.case_id, one.ask.attempt) == ("json-a", 2) else one
        for one in all_heard([JSON, other])
    ]
    score = scored(given, [JSON, other])
    assert {one.case_id for one in score.attempts if "fingerprint_changed" in one.flags} == {"json-a"}
    assert sum("fingerprint_changed" in one.flags for one in score.attempts) == 3
    assert {one.cls for one in score.attempts} == {"pass"}


def test_an_unnamed_fingerprint_is_no_change():
    given = [heard(JSON, "", 1), heard(JSON, "", 2, fingerprint=SILENT), heard(JSON, "", 3)]
    assert not any(one.flags for one in scored(given, [JSON]).attempts)


def test_between_windows_a_fingerprint_may_change():
    given = [replace(one, fingerprint=f"fp_{one.window}") for one in all_heard([JSON], windows=(1, 2))]
    assert not any(one.flags for one in scored(given, [JSON], [FIRST, SECOND]).attempts)
