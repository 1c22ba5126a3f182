"""Whose budget it is that refuses a call: room that failed calls of the provider hold is not the agent's own spending."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.readers.failed import failed_cause, in_the_way
from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow, Usage
from denominator.records.values import NotMeasured
from denominator.run.spending import CALLS, FAILED_CALLS, RUN_CAP, TOKENS, TOOL_CALLS, Caps, Spending
from denominator.wire.providers import is_free

KEY = AttemptKey("r", "t1")
NONE = NotMeasured("none")


def row(seq: int, **fields) -> CallRow:
    return CallRow(key=KEY, seq=seq, **{"reserved_tokens": 40, **fields})


def failed(seq: int, status=500, error="http_500", **fields) -> CallRow:
    return row(seq, **{"outcome": "gave_up", "status": status, "error": error, "sent": True, **fields})


def answered(seq: int, tokens: int | None = 10, **fields) -> CallRow:
    usage = Usage() if tokens is None else Usage(prompt=tokens, completion=0)
    return row(seq, outcome="ok", status=200, sent=True, usage=usage, **fields)


def asks(caps: Caps, *calls: CallRow, **fields) -> str:
    """What the next call is told after these."""
    return Spending(caps, calls).ask(row(len(calls) + 1, **fields)).cap_state


PROVIDERS = {
    "500": failed(1),
    "429 with tokens of its own": failed(1, 429, "rate_limit_error", usage=Usage(prompt=5)),
    "no answer": failed(1, NONE, "no_answer"),
    "timeout": failed(1, NONE, "timeout"),
    "cut stream": failed(1, 200, "stream_cut", streamed=True, final_event=False),
    "error in a stream": failed(1, 200, "overloaded_error", streamed=True, final_event=False),
    "tried again by the gateway": failed(1, outcome="retry"),
    "a made fault": failed(1, 503, "http_503", injected="5xx"),
    "our own fault": failed(1, NONE, "gateway_failed"),
    "left when 500 was there": failed(1, 500, "client_left", client_left=True),
}
OWN = {
    "left early": failed(1, 200, "client_left", client_left=True, streamed=True, final_event=False),
    "left before an answer": failed(1, NONE, "client_left", client_left=True),
    "answered without usage": answered(1, None),
    "outgrew the window": failed(1, 500, "context_length_exceeded"),
    "in flight": row(1),
    "refused content": failed(1, 500, "content_policy_violation"),
}


@pytest.mark.parametrize("name", PROVIDERS)
def test_what_the_provider_failed_is_not_the_agents_spending(name: str) -> None:
    call = PROVIDERS[name]
    assert failed_cause(call)
    assert asks(Caps(tokens=79), call) == ("" if is_free(call) else FAILED_CALLS)


@pytest.mark.parametrize("name", OWN)
def test_unknown_spend_that_the_agent_brings_about_is_its_own(name: str) -> None:
    assert failed_cause(OWN[name]) == ""
    assert asks(Caps(tokens=79), OWN[name]) == TOKENS


def test_its_own_spending_is_enough_to_be_refused_by_its_own_budget() -> None:
    left = replace(OWN["left early"], seq=2)
    assert asks(Caps(tokens=119), failed(1), left) == FAILED_CALLS
    assert asks(Caps(tokens=79), failed(1), left) == TOKENS
    assert asks(Caps(tokens=79), failed(1), reserved_tokens=80) == TOKENS
    assert asks(Caps(tokens=80), failed(1)) == ""


def test_what_a_failed_call_told_of_its_usage_is_spent_all_the_same() -> None:
    told = failed(1, 200, "stream_cut", usage=Usage(prompt=30, completion=20))
    assert asks(Caps(tokens=89), told) == TOKENS
    partly = failed(1, 200, "stream_cut", usage=Usage(prompt=30))
    assert asks(Caps(tokens=69), partly) == TOKENS
    assert asks(Caps(tokens=70), partly) == FAILED_CALLS


def test_calls_that_the_provider_failed_are_no_calls_of_the_agent_but_no_free_ones_either() -> None:
    assert asks(Caps(calls=2), failed(1), failed(2, 429, "rate_limit_error")) == FAILED_CALLS
    assert asks(Caps(calls=2), failed(1), answered(2)) == FAILED_CALLS
    assert asks(Caps(calls=2), answered(1), answered(2)) == CALLS
    assert asks(Caps(tool_calls=0), failed(1)) == TOOL_CALLS


def test_the_runs_cap_counts_everything_and_speaks_after_the_attempts_own() -> None:
    assert asks(Caps(run_tokens=79), failed(1)) == RUN_CAP
    assert asks(Caps(tokens=79, run_tokens=79), failed(1)) == RUN_CAP
    assert asks(Caps(tokens=39, run_tokens=79), failed(1)) == TOKENS
    assert Spending(Caps(run_tokens=79), [failed(1)]).run_tokens == 40


def test_a_call_that_nobody_can_bound_and_that_was_failed_holds_all_and_is_not_the_agents() -> None:
    spending = Spending(Caps(tokens=100))
    asked = spending.ask(row(1, reserved_tokens=NONE))
    assert asked.reserved_tokens == 100
    spending.settle(replace(failed(1), reserved_tokens=100))
    assert spending.ask(row(2)).cap_state == FAILED_CALLS


def test_a_call_that_is_told_twice_holds_once() -> None:
    spending = Spending(Caps(tokens=79))
    spending.ask(row(1))
    spending.settle(failed(1, outcome="retry"))
    spending.settle(failed(1))
    assert spending.tokens_of(KEY, 1) == 40
    assert spending.ask(row(2)).cap_state == FAILED_CALLS
    spending.settle(answered(1, 40))
    assert spending.ask(row(3)).cap_state == TOKENS


@given(
    st.lists(st.sampled_from([*PROVIDERS.values(), *OWN.values(), answered(1), answered(1, 35)]), max_size=8),
    st.integers(1, 300),
    st.integers(1, 60),
)
def test_nothing_but_failed_calls_stands_between(calls: list[CallRow], cap: int, worst: int) -> None:
    numbered = [replace(call, seq=seq) for seq, call in enumerate(calls, 1)]
    said = asks(Caps(tokens=cap), *numbered, reserved_tokens=worst)
    only_own = [call for call in numbered if not failed_cause(call)]
    if said == FAILED_CALLS:
        assert asks(Caps(tokens=cap), *only_own, reserved_tokens=worst) == ""
        assert in_the_way(numbered) is not None
    if said == "":
        assert Spending(Caps(), numbered).tokens_of(KEY, 1) + worst <= cap


def test_the_earliest_failed_call_that_was_not_recovered_from_speaks() -> None:
    early, late = failed(1, 200, "stream_cut", streamed=True, final_event=False), failed(3)
    for calls, seq, cause, first in (
        ([early, answered(2), late], 3, "provider_error", False),
        ([early, answered(2)], 1, "provider_stream_error", True),
        ([answered(1), replace(early, seq=2), answered(3)], 2, "provider_stream_error", False),
        ([early, late], 1, "provider_stream_error", True),
        ([answered(1), replace(late, seq=2), row(3, outcome="gave_up", sent=False, cap_state=FAILED_CALLS)], 2, "provider_error", False),
    ):  # fmt: skip
        found = in_the_way(calls)
        assert found and (found.call.seq, found.cause, found.first) == (seq, cause, first)
    assert in_the_way([answered(1), OWN["left early"]]) is None
