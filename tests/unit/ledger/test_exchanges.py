"""What the calls of an attempt say on its row."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from denominator.ledger.exchanges import exchange_fields
from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow, Usage
from denominator.records.values import NotMeasured

KEY = AttemptKey("r", "t", 1, 1)
COUNTED = Usage(prompt=10, completion=5, cached_read=0, cache_write=0, reasoning=0)
ASKED = {"sent": True, "status": 200, "outcome": "ok", "usage": COUNTED, "thread": "t1", "prompt_sha256": "p1"}


def _seal(model="m", network="gateway"):
    arm = SimpleNamespace(model=SimpleNamespace(id=model))
    return SimpleNamespace(arm=arm, envelope=SimpleNamespace(sandbox=SimpleNamespace(network=network)))


def _call(seq, **fields):
    return CallRow(key=KEY, seq=seq, **{**ASKED, **fields})


def _fields(*calls, **seal):
    return exchange_fields(calls, _seal(**seal))


def test_who_answered_is_what_the_answers_named():
    calls = [_call(1, host="h2", quantisation="fp8", served_model="m-1"), _call(2, host="h1"), _call(3)]
    found = _fields(*calls)
    assert (found["served_hosts"], found["quantisations"], found["served_models"]) == (("h1", "h2"), ("fp8",), ("m-1",))


def test_what_answers_say_of_configuration_and_sampling_is_on_the_row():
    calls = [
        _call(1, fingerprint="fp_b", decoding={"temperature": "0.8", "seed": "7"}, decoding_asked={"top_p": "1"}),
        _call(2, fingerprint="fp_a", decoding={"temperature": "1", "seed": "7"}),
        _call(3),
    ]
    found = _fields(*calls)
    assert found["fingerprints"] == ("fp_a", "fp_b")
    assert found["decoding"] == ("seed=7", "temperature=0.8", "temperature=1"), "what was only sent was not returned"


def test_digests_are_of_the_first_call_that_ended_the_attempt():
    listing = _call(1, purpose="listing", prompt_sha256="p0")
    dead = _call(2, prompt_sha256="p-dead", tools_sha256="a")
    lived = [_call(4, incarnation=2, prompt_sha256="p3"), _call(3, incarnation=2, tools_sha256="b")]
    found = _fields(listing, dead, *lived)
    assert (found["prompt_sha256"], found["tools_sha256"]) == ("p1", "b")


def test_without_a_call_digests_are_unknown():
    assert _fields()["prompt_sha256"] == NotMeasured("no call to a model was made")


def test_a_tool_list_that_changes_inside_a_conversation_is_told():
    calls = [_call(1, tools_sha256="a"), _call(2, tools_sha256="b"), _call(3, thread="t2", tools_sha256="c")]
    assert _fields(*calls)["notes"] == ("call 2 sends another tool list than call 1 of its conversation",)
    assert _fields(_call(1, tools_sha256="a"), _call(2, tools_sha256="a"))["notes"] == ()


def test_only_the_first_changes_of_a_tool_list_are_told_one_by_one():
    calls = [_call(1, tools_sha256="a"), *(_call(seq, tools_sha256="b") for seq in range(2, 10))]
    notes = _fields(*calls)["notes"]
    assert (len(notes), notes[-1]) == (6, "3 further calls do so too")


def test_an_attempt_was_played_where_a_recording_answered_one_of_its_calls():
    assert _fields(_call(1), _call(2, cassette="c"))["played"] is True
    assert _fields(_call(1))["played"] is False


REFUSED = (
    {"outcome": "retry", "status": 429},
    {"outcome": "gave_up", "sent": False, "status": 400, "cap_state": "tokens", "error": "budget_exhausted"},
    {"outcome": "gave_up", "sent": False, "status": 400, "error": "cassette_mismatch"},
    {"outcome": "gave_up", "status": 200, "error": "attempt_ended"},
    {"outcome": "gave_up", "status": NotMeasured("no answer came"), "error": "client_left"},
)


@pytest.mark.parametrize("fields", REFUSED)
def test_what_the_gateway_repeated_or_refused_or_the_agent_left_is_no_invalid_call(fields):
    assert _fields(_call(1), _call(2, **fields))["invalid_calls"] == {}


def test_other_failures_are_counted_by_status():
    found = _fields(
        _call(1, outcome="gave_up", status=503),
        _call(2, outcome="gave_up", status=NotMeasured("no answer came")),
        _call(3, outcome="gave_up", status=401, error="client_left"),
    )
    assert found["invalid_calls"] == {"http_401": 1, "http_503": 1, "no_answer": 1}


def test_an_open_intent_is_spend_unknown():
    usage = _fields(_call(1), CallRow(key=KEY, seq=2))["usage"]
    assert usage.complete is False and isinstance(usage.prompt, NotMeasured)


def test_a_tries_own_tokens_are_spent_even_where_it_was_repeated():
    usage = _fields(_call(1, outcome="retry", status=503), _call(2, retry_of=1))["usage"]
    assert (usage.prompt, usage.completion, usage.calls) == (20, 10, 2)


def test_past_the_gateway_nothing_is_known():
    assert _fields(_call(1), network="open") == {}
