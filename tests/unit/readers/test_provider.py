"""What provider errors mean, and which of them ended an attempt."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.labels.causes import cause_rule
from denominator.readers.provider import ProviderError, cause_of, held_up, retried, unrecovered
from denominator.records.cassettes import NOT_PLAYED
from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow
from denominator.records.values import NotMeasured

KEY = AttemptKey("r", "t", 1, 1)
MEANINGS = [
    (ProviderError(status=429, words=("rate_limit_error",)), "provider_rate_limit", "INFRA"),
    (ProviderError(status=429), "provider_rate_limit", "INFRA"),
    (ProviderError(status=429, no_retry_after=True), "quota_exhausted", "INFRA"),
    (ProviderError(status=429, words=("insufficient_quota",)), "quota_exhausted", "INFRA"),
    (ProviderError(status=402), "quota_exhausted", "INFRA"),
    (ProviderError(words=("RateLimitError",)), "provider_rate_limit", "INFRA"),
    (ProviderError(status=400, words=("ThrottlingException",)), "provider_rate_limit", "INFRA"),
    (ProviderError(words=("AuthenticationError",)), "provider_refused", "HARNESS"),
    (ProviderError(status=500, words=("invalid_request_error",)), "provider_error", "INFRA"),
    (ProviderError(words=("PoolTimeout",)), "harness_error", "HARNESS"),
    (ProviderError(words=("gateway_failed",)), "harness_error", "HARNESS"),
    (ProviderError(status=429, words=("rate_limit_error",), no_retry_after=True), "quota_exhausted", "INFRA"),
    (ProviderError(status=429, words=("rate_limit_exceeded",), no_retry_after=True), "provider_rate_limit", "INFRA"),
    (ProviderError(status=429, words=("billing_hard_limit_reached",)), "quota_exhausted", "INFRA"),
    (ProviderError(status=400, message="Your credit balance is too low to access the API"), "quota_exhausted", "INFRA"),
    (ProviderError(status=500, message="a test says: credit balance is too low"), "provider_error", "INFRA"),
    (
        ProviderError(status=503, message="input and max_tokens exceed context limit: 9 > 8"),
        "context_window",
        "HARNESS",
    ),
    (ProviderError(status=500), "provider_error", "INFRA"),
    (ProviderError(status=529, words=("overloaded_error",)), "provider_error", "INFRA"),
    (ProviderError(status=503, words=("ServiceUnavailableError",)), "provider_error", "INFRA"),
    (ProviderError(status=408), "provider_error", "INFRA"),
    (ProviderError(words=("connect_failed",)), "provider_error", "INFRA"),
    (ProviderError(words=("timeout",)), "provider_error", "INFRA"),
    (ProviderError(status=200, words=("overloaded_error",), stream_broke=True), "provider_stream_error", "INFRA"),
    (ProviderError(status=200, words=("stream_cut",)), "provider_stream_error", "INFRA"),
    (ProviderError(status=200, words=("response_empty",)), "provider_empty", "INFRA"),
    (ProviderError(status=401, words=("authentication_error",)), "provider_refused", "HARNESS"),
    (ProviderError(status=404, words=("model_not_found",)), "provider_refused", "HARNESS"),
    (ProviderError(status=422), "provider_refused", "HARNESS"),
    (ProviderError(status=500, message="maximum context length is 16384 tokens"), "context_window", "HARNESS"),
    (ProviderError(status=400, words=("context_length_exceeded",)), "context_window", "HARNESS"),
    (ProviderError(status=400, message="prompt is too long: 210000 tokens"), "context_window", "HARNESS"),
    (ProviderError(status=400, words=("ContentPolicyViolationError",)), "content_refused", "MODEL"),
]


@pytest.mark.parametrize(("error", "cause", "origin"), MEANINGS)
def test_what_an_error_means(error: ProviderError, cause: str, origin: str) -> None:
    assert cause_of(error) == cause
    assert cause_rule(cause).origin == origin


def call(seq: int, outcome: str, status: int = 200, **more: object) -> CallRow:
    fields = {"purpose": "solve", "sent": True, "status": status or NotMeasured("none"), **more}
    return CallRow(key=KEY, seq=seq, outcome=outcome, **fields)  # type: ignore[arg-type]


def test_a_later_answer_recovers_every_failure_before_it() -> None:
    calls = [call(1, "gave_up", 429), call(2, "gave_up", 503), call(3, "ok")]
    assert unrecovered(calls) is None
    assert retried(calls) == 2


def test_the_earliest_failure_of_the_unanswered_end_decides() -> None:
    broken = unrecovered([call(1, "ok"), call(2, "gave_up", 429), call(3, "gave_up", 0, error="connect_failed")])
    assert broken is not None
    assert (broken.call.seq, broken.cause, broken.first) == (2, "provider_rate_limit", False)


def test_a_refused_request_after_an_answer_is_the_agents_own() -> None:
    refused = call(2, "gave_up", 404, error="model_not_found")
    assert unrecovered([call(1, "ok"), refused]) is None
    alone = unrecovered([refused])
    assert alone is not None and alone.cause == "provider_refused"


@pytest.mark.parametrize(
    "more",
    [
        {"purpose": "refused", "sent": False, "error": "bad_token"},
        {"purpose": "listing"},
        {"error": "client_left", "status": 200},
        {"error": "attempt_ended", "status": 200},
        {"sent": False},
    ],
)
def test_what_an_agent_does_to_its_own_calls_is_no_failure_of_the_provider(more: dict[str, object]) -> None:
    assert unrecovered([call(1, "gave_up", **{"status": 429, **more})]) is None


@given(st.lists(st.sampled_from(["ok", "gave_up"]), max_size=12), st.randoms())
def test_order_of_rows_does_not_matter_and_an_answer_at_the_end_always_recovers(
    outcomes: list[str], random: object
) -> None:
    calls = [call(at + 1, outcome, 200 if outcome == "ok" else 500) for at, outcome in enumerate(outcomes)]
    shuffled = list(calls)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert unrecovered(shuffled) == unrecovered(calls)
    assert (unrecovered(calls) is None) == (not outcomes or outcomes[-1] == "ok")


def a_call(seq: int, outcome: str = "gave_up", **fields) -> CallRow:
    return CallRow(key=KEY, seq=seq, outcome=outcome, **{"sent": True, "status": 503, "error": "http_503"} | fields)


@pytest.mark.parametrize("word", NOT_PLAYED)
def test_nothing_recovers_from_a_call_that_the_recording_could_not_answer(word: str) -> None:
    lost = a_call(2, sent=False, status=400, error=word, differs=("messages[0]",))
    calls = [a_call(3, "ok"), lost, a_call(1, "ok")]
    for found in (unrecovered(calls), held_up(calls)):
        assert found is not None
        assert (found.call, found.cause, found.first) == (lost, word, False)
    rule = cause_rule(word)
    assert (rule.origin, rule.may_rerun, rule.reason) == ("HARNESS", False, "missing_artifact")


@pytest.mark.parametrize("sent", [True, False])
def test_a_fault_that_was_made_is_its_own_cause_and_an_answer_recovers_from_it(sent: bool) -> None:
    made = a_call(1, sent=sent, injected="server_error")
    found = unrecovered([made])
    assert found is not None and (found.cause, found.first) == ("injected_fault", True)
    assert unrecovered([made, a_call(2, "ok")]) is None
    assert retried([made, a_call(2, "ok")]) == 1
    assert cause_rule("injected_fault").origin == "HARNESS"


def test_a_refused_request_after_an_answer_is_the_agents_own_unless_it_was_made() -> None:
    refused = {"status": 400, "error": "invalid_request_error"}
    assert unrecovered([a_call(1, "ok"), a_call(2, **refused)]) is None
    found = unrecovered([a_call(1, "ok"), a_call(2, **refused, injected="no_answer")])
    assert found is not None and found.cause == "injected_fault"


def test_what_a_budget_ended_was_held_up_by_its_last_call_only() -> None:
    drip = a_call(2, error="attempt_ended", injected="slow_drip", status=200)
    found = held_up([a_call(1, "ok"), drip])
    assert found is not None and found.cause == "injected_fault"
    assert held_up([drip, a_call(3, "ok")]) is None
    assert held_up([a_call(1, "ok", injected="wrong_usage")]) is None
    assert held_up([a_call(1)]) is held_up([]) is None


def test_of_a_call_that_was_tried_again_the_last_try_speaks():
    tries = [
        _made(1, outcome="retry", status=503),
        _made(2, outcome="retry", status=503, retry_of=1),
        _made(3, outcome="gave_up", status=429, retry_of=2, retry_after_s="3"),
    ]
    broken = unrecovered(tries)
    assert broken is not None and (broken.call.seq, broken.cause) == (3, "provider_rate_limit")
    assert unrecovered([*tries[:2], _made(3, retry_of=2)]) is None
    assert retried([*tries[:2], _made(3, retry_of=2)]) == 2


def test_a_wait_that_was_never_over_is_the_providers():
    broken = unrecovered([_made(1), _made(2, outcome="retry", status=503)])
    assert broken is not None and broken.call.seq == 2


def test_what_a_budget_refused_is_no_failure_of_the_provider():
    refused = _made(2, outcome="gave_up", sent=False, status=400, cap_state="tokens", error="budget_exhausted")
    assert unrecovered([_made(1), refused]) is None
    assert unrecovered([refused]) is None
    assert retried([refused, _made(3)]) == 0


def _made(seq, **fields):
    return CallRow(key=KEY, seq=seq, **{"sent": True, "status": 200, "outcome": "ok", **fields})
