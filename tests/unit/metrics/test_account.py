"""The account of spend: calls, incarnations that died, censoring by id, the agent's own word."""

from __future__ import annotations

from typing import Any

from denominator.judge import make_sheet
from denominator.metrics.account import (
    calls_of,
    censored_of,
    floor_overhead,
    own_check,
    parts_of,
    slices_of,
    tokens_by_model,
)
from denominator.records.facts import OwnAccount
from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow, Usage
from denominator.records.spends import CallSpend, OwnCheck
from denominator.records.usage_sources import mixes_sources, owed_attempts, usage_sources
from denominator.records.values import NotMeasured
from judging_data import by_outcome, foreign, key, ledger, own, terms


def usage(prompt: int, completion: int, **over: Any) -> Usage:
    return Usage(prompt=prompt, completion=completion, calls=1, complete=True, **over)


def call(task: str, seq: int, tokens: int | None = 100, **over: Any) -> CallRow:
    """An answered call that spent so many tokens of input and 10 of output; None: nobody counted."""
    known = Usage() if tokens is None else usage(tokens, 10)
    source = {} if tokens is None else {"usage_source": "provider_stream_last", "usage_convention": "openai_chat"}
    made: dict[str, Any] = {"outcome": "ok", "status": 200, "sent": True, "usage": known, **source}
    return CallRow(key=key(task), seq=seq, **(made | over))


def sheet_of(calls: list[CallRow], **rows: Any) -> Any:
    made = [own(task, usage=usage(100, 10), **rows) for task in ("t1", "t2")]
    return make_sheet(ledger(made, source="own", calls=tuple(calls)), terms(origin="seal"))


def spent(calls: list[CallRow]) -> CallSpend:
    found = calls_of(sheet_of(calls))
    assert isinstance(found, CallSpend)
    return found


def test_calls_that_nobody_recorded_are_no_zero_calls() -> None:
    assert isinstance(calls_of(sheet_of([])), NotMeasured)
    none = make_sheet(ledger([own("t1")], source="own"), terms(origin="seal"))
    found = calls_of(none)
    assert isinstance(found, CallSpend)
    assert (found.made, usage_sources(none)) == (0, {})


def test_an_open_intent_and_a_cut_stream_are_spend_unknown() -> None:
    found = spent([call("t1", 1), call("t1", 2, None, outcome="open"), call("t2", 1, None, outcome="gave_up")])
    assert found.unknown == ("t1#1.1:2", "t2#1.1:1")
    assert found.made == 3


def test_what_a_budget_refused_is_named_and_costs_nothing() -> None:
    refused = call("t1", 2, None, outcome="gave_up", sent=False, cap_state="tokens", status=400)
    found = spent([call("t1", 1), refused])
    assert (found.refused, found.unknown, found.made) == (("t1#1.1:2",), (), 1)


def test_retries_and_pauses_of_the_gateway_are_counted() -> None:
    calls = [call("t1", 1, None, outcome="retry", status=429, paused_ms=700), call("t1", 2, retry_of=1)]
    found = spent(calls)
    assert (found.retries, found.paused_ms, found.unknown) == (1, 700, ())


def test_what_a_client_sends_again_by_itself_is_named() -> None:
    fails = {"outcome": "gave_up", "status": 503, "request_sha256": "aa"}
    calls = [
        call("t1", 3, request_sha256="aa"),
        call("t1", 1, None, **fails),
        call("t1", 2, None, **fails),
        call("t1", 4, request_sha256="aa"),
        call("t2", 1, None, **fails | {"outcome": "retry"}),
        call("t2", 2, None, **fails, retry_of=1),
        call("t2", 3, request_sha256="bb"),
        call("t2", 4, request_sha256="aa", incarnation=2),
    ]
    assert spent(calls).resent == ("t1#1.1:2", "t1#1.1:3"), "an answered request that comes again is no retry"


def test_asking_a_budget_again_is_no_retry() -> None:
    refused = {"outcome": "gave_up", "sent": False, "cap_state": "tokens", "status": 400, "request_sha256": "aa"}
    assert spent([call("t1", 1, None, **refused), call("t1", 2, None, **refused)]).resent == ()


def test_the_tokens_of_a_dead_incarnation_are_replay_cost() -> None:
    calls = [call("t1", 1), call("t1", 2, None, outcome="open"), call("t1", 1, incarnation=2), call("t2", 1)]
    found = spent(calls)
    assert (found.replayed_calls, found.replayed_tokens, found.replayed_unknown) == (2, 110, 1)


def test_what_a_provider_says_it_cost_is_added_up_exactly_by_unit() -> None:
    calls = [call("t1", n, provider_cost="0.1", provider_cost_unit="USD") for n in (1, 2, 3)]
    assert spent([*calls, call("t2", 1, provider_cost="7")]).reported == (("USD", "0.3"), ("no unit named", "7"))


def test_a_stream_and_a_whole_answer_are_of_one_source() -> None:
    sheet = sheet_of([call("t1", 1), call("t2", 1, usage_source="provider")])
    assert usage_sources(sheet) == {"provider": 2}
    assert mixes_sources(sheet) == ()


def test_an_estimate_beside_counts_is_a_mixture() -> None:
    sheet = sheet_of([call("t1", 1), call("t2", 1, usage_source="estimated:x@1")])
    assert mixes_sources(sheet) == ("estimated:x@1", "provider")


def test_tokens_belong_to_the_model_that_answered() -> None:
    calls = [call("t1", 1, served_model="m-1", asked_model="m"), call("t2", 1, asked_model="m")]
    found = tokens_by_model(sheet_of(calls))
    assert {model: parts[0].known for model, parts in found.items()} == {"m": 100, "m-1": 100}


def test_unknown_parts_are_counted_beside_the_sum() -> None:
    rows = [foreign("t1", usage=usage(100, 10, cached_read=80)), foreign("t2", usage=usage(50, 5))]
    parts = {one.name: (one.known, one.unknown) for one in parts_of(make_sheet(ledger(rows), terms()))}
    assert parts["prompt"] == (150, 0)
    assert parts["cached_read"] == (80, 1)


def test_a_floor_task_says_what_the_harness_takes() -> None:
    rows = [foreign("t1", usage=usage(100, 10)), foreign("f1", slice="floor", control="floor", usage=usage(30, 3))]
    slices = slices_of(make_sheet(ledger(rows), terms()))
    assert {one.name: one.known for one in slices} == {"solvable": 110, "floor": 33}
    assert floor_overhead(slices) == "33.000000"
    assert isinstance(floor_overhead(slices[:1]), NotMeasured)


def test_the_agents_word_is_set_beside_and_corrects_nothing() -> None:
    rows = [
        foreign("t1", usage=usage(100, 10), own_account=OwnAccount(source="log", prompt=90, completion=10, calls=1)),
        foreign("t2", usage=usage(100, 10), own_account=OwnAccount(source="log", prompt=100, completion=10)),
        foreign("t3", own_account=OwnAccount(source="log", prompt=5, completion=5)),
    ]
    found = own_check(make_sheet(ledger(rows), terms()))
    assert isinstance(found, OwnCheck)
    assert (found.own, found.wire, found.difference, found.alone) == (210, 220, -10, 1)
    assert found.differing == ("t1",)


def test_a_run_of_ours_owes_no_attempt_after_a_red_verdict() -> None:
    rows, labels = by_outcome(**{"pass": 2, "fail": 2})
    assert owed_attempts(make_sheet(ledger(rows, labels), terms(origin="seal", attempts=3))) == ()
    sheet = make_sheet(ledger(rows, labels, shape="rows/spend"), terms(attempts=3))
    assert owed_attempts(sheet) == ("t03", "t04")


def test_who_is_owed_attempts_is_hidden_with_the_split() -> None:
    rows, labels = by_outcome(**{"pass": 2, "fail": 2})
    sheet = make_sheet(ledger(rows, labels, shape="rows/spend"), terms(attempts=2))
    assert isinstance(censored_of(sheet, hidden=True).owed, NotMeasured)
    assert censored_of(sheet, hidden=True).any
    assert censored_of(sheet, hidden=False).owed == ("t03", "t04")


def test_a_draw_that_may_stay_away_is_not_censored() -> None:
    rows, labels = by_outcome(**{"pass": 2})
    made = ledger(rows, labels, declared=["t01", "t02", "t03", "t04"])
    assert censored_of(make_sheet(made, terms(never_started_allowed=("t03",))), hidden=False).never_started == ("t04",)


def test_without_a_declaration_nobody_knows_who_stayed_away() -> None:
    rows, labels = by_outcome(**{"pass": 2})
    nobody = NotMeasured("no manifest")
    found = censored_of(make_sheet(ledger(rows, labels, declared=1, declared_n=nobody), terms()), hidden=False)
    assert isinstance(found.unnamed, NotMeasured)
    assert not found.any


def test_keys_of_calls_are_told_with_repeat_and_attempt() -> None:
    late = CallRow(key=AttemptKey("r1", "t1", 3, 2), seq=4, sent=True)
    assert spent([late]).unknown == ("t1#3.2:4",)
