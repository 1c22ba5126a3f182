"""Refusals whose body says nothing that can be read, and refusals that are never the agent's doing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.labels.causes import cause_rule
from denominator.readers.failed import failed_cause
from denominator.readers.provider import ProviderError, cause_of, retried, unrecovered
from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow

KEY = AttemptKey("r", "t", 1, 1)
UNREADABLE = ("response_empty", "response_not_json", "response_cut", "encoding_broken", "response_too_large")


def call(seq: int, **fields: object) -> CallRow:
    return CallRow(key=KEY, seq=seq, **{"sent": True, "status": 200, "outcome": "ok", **fields})  # type: ignore[arg-type]


@given(st.integers(300, 599), st.sampled_from(UNREADABLE), st.booleans())
def test_a_page_in_the_place_of_an_error_means_what_its_status_means(status: int, word: str, broke: bool) -> None:
    told = ProviderError(status=status, words=(word,), stream_broke=broke)
    assert cause_of(told) == cause_of(ProviderError(status=status))


@pytest.mark.parametrize(
    ("status", "cause", "origin"),
    [
        (301, "provider_refused", "HARNESS"),
        (308, "provider_refused", "HARNESS"),
        (401, "provider_refused", "HARNESS"),
        (404, "provider_refused", "HARNESS"),
        (429, "provider_rate_limit", "INFRA"),
        (502, "provider_error", "INFRA"),
        (503, "provider_error", "INFRA"),
        (200, "provider_empty", "INFRA"),
        (204, "provider_empty", "INFRA"),
    ],
)
def test_whose_a_status_with_a_page_is(status: int, cause: str, origin: str) -> None:
    assert cause_of(ProviderError(status=status, words=("response_not_json",))) == cause
    assert cause_rule(cause).origin == origin


@pytest.mark.parametrize("status", [301, 307, 401, 407])
def test_a_key_that_expires_and_an_address_that_moves_are_not_the_agents_after_answers_either(status: int) -> None:
    refused = call(2, outcome="gave_up", status=status, error="error_unnamed")
    broken = unrecovered([call(1), refused])
    assert broken is not None and (broken.cause, broken.first) == ("provider_refused", False)
    assert unrecovered([call(1), refused, call(3)]) is None


@pytest.mark.parametrize("status", [400, 403, 404, 413, 422])
def test_other_refused_requests_after_an_answer_are_the_agents_own(status: int) -> None:
    assert unrecovered([call(1), call(2, outcome="gave_up", status=status, error="response_not_json")]) is None


@pytest.mark.parametrize("word", ["certificate_refused", "gateway_failed"])
def test_what_the_harness_could_not_send_is_the_harnesss_whenever_it_comes(word: str) -> None:
    refused = call(2, outcome="gave_up", sent=False, status=0, error=word)
    assert failed_cause(refused) == "harness_error", "and the agent's budget does not pay for it"
    for calls in ([refused], [call(1), refused]):
        broken = unrecovered(calls)
        assert broken is not None and cause_rule(broken.cause).origin == "HARNESS"
        assert not cause_rule(broken.cause).may_rerun
    assert retried([refused, call(3)]) == 1


@pytest.mark.parametrize(
    ("status", "cause"), [(401, "provider_refused"), (429, "provider_rate_limit"), (503, "provider_error")]
)
@pytest.mark.parametrize("word", ["client_left", "attempt_ended"])
def test_an_agent_that_leaves_on_a_refusal_has_been_refused(status: int, cause: str, word: str) -> None:
    """It has every byte before the gateway knows that there are no more."""
    broken = unrecovered([call(1, outcome="gave_up", status=status, error=word)])
    assert broken is not None and broken.cause == cause
    assert unrecovered([call(1, outcome="gave_up", error=word)]) is None
