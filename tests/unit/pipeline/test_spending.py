"""Estimates for every arm or none; allowances and prices exactly; a withheld number buys nothing."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.adapters.store.blobs import FolderBlobs
from denominator.errors import InputError, MachineError
from denominator.judge import make_sheet
from denominator.pipeline.estimating import LABEL, estimated
from denominator.pipeline.pricing import FileTable, money_of, read_prices
from denominator.pipeline.results import Result, judge_ledger
from denominator.pipeline.spending import Wanted, allowance_of, spend_of
from denominator.publish.terminal.page import Page
from denominator.publish.terminal.spend import spend_page
from denominator.readers.estimating import answer_tokens, request_tokens
from denominator.records.estimates import Estimate
from denominator.records.prices import Price, PriceFile
from denominator.records.rows import CallRow, Usage
from denominator.records.spends import Allowance
from denominator.records.values import NotMeasured
from denominator.wire.codec import to_json
from denominator.wire.providers import Api
from denominator.wiring.prices import packaged_prices
from judging_data import by_outcome, foreign, key, ledger, own, terms

SEALED = {"origin": "seal", "scorer": "tests"}


def result_of(rows: list[Any], calls: tuple[CallRow, ...] = (), run: str = "r1") -> Result:
    return judge_ledger(ledger(rows, source="own", calls=calls, run_id=run), terms(**SEALED))


def called(task: str, store: FolderBlobs, *, kept: bool = True) -> CallRow:
    asked = json.dumps({"messages": [{"role": "user", "content": f"solve {task}"}]}).encode()
    answer = json.dumps({"choices": [{"message": {"content": "done, see the patch"}}]}).encode()
    shas = (store.put(asked), store.put(answer))
    return CallRow(
        key=key(task), seq=1, outcome="ok", status=200, sent=True, method="POST", path="/v1/chat/completions",
        request_sha256=shas[0], response_sha256=shas[1], bodies_kept=kept,
    )  # fmt: skip


def unknown_rows(tasks: int) -> list[Any]:
    lost = Usage(calls=1, complete=False)
    return [own(f"t{n:02}", "green" if n < tasks else "red", usage=lost) for n in range(1, tasks + 1)]


def test_an_arm_without_usage_is_estimated_and_named(tmp_path: Path) -> None:
    store = FolderBlobs(tmp_path)
    before = result_of(unknown_rows(9), tuple(called(f"t{n:02}", store) for n in range(1, 10)))
    named = estimated([("A", before)], [store])
    report = spend_of(named, Wanted(estimator=LABEL))
    (arm,) = report.arms
    assert dict(arm.sources) == {LABEL: 9}
    total = next(one for one in arm.figures if one.metric == "total_tokens")
    assert isinstance(total.value, str)
    assert total.numerator == total.denominator == 9
    assert {one.name: one.unknown for one in arm.parts}["cached_read"] == 9


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/chat/completions"])
def test_a_streamed_answer_is_estimated_by_its_text_and_not_as_nothing(tmp_path: Path, path: str) -> None:
    store = FolderBlobs(tmp_path)
    whole = called("t1", store)
    pieces = ["done, ", "see ", "the patch"]
    events = [json.dumps({"choices": [{"index": 0, "delta": {"content": one}}]}) for one in pieces]
    stream = "".join(f"data: {one}\n\n" for one in (*events, "[DONE]")).encode()
    streamed = replace(called("t2", store), response_sha256=store.put(stream), streamed=True, path=path)
    ((_, made),) = estimated([("A", result_of(unknown_rows(2), (replace(whole, path=path), streamed)))], [store])
    tokens = [one.usage.completion for one in made.ledger.calls]
    assert tokens[0] == tokens[1] > 0


def test_an_estimated_row_sums_its_calls_as_any_row_does(tmp_path: Path) -> None:
    store = FolderBlobs(tmp_path)
    first = called("t01", store)
    refused = replace(first, seq=3, outcome="gave_up", status=400)
    calls = (first, replace(first, seq=2), refused)
    ((_, made),) = estimated([("A", result_of(unknown_rows(1), calls))], [store])
    asked, answer = (store.get(str(sha)) for sha in (first.request_sha256, first.response_sha256))
    usage = made.ledger.rows[0].usage
    assert usage.prompt == 2 * (request_tokens(asked) or 0) > 0
    assert usage.completion == 2 * (answer_tokens(answer, Api.CHAT) or 0) > 0
    assert (usage.calls, usage.complete) == (3, True)


@pytest.mark.parametrize(("outcome", "status"), [("gave_up", 500), ("retry", 503), ("gave_up", 200)])
def test_an_answer_that_is_not_whole_is_unknown_in_an_estimate_too(tmp_path: Path, outcome: str, status: int) -> None:
    store = FolderBlobs(tmp_path)
    first = called("t01", store)
    cut = replace(first, seq=2, outcome=outcome, status=status)
    ((_, made),) = estimated([("A", result_of(unknown_rows(1), (first, cut)))], [store])
    usage = made.ledger.rows[0].usage
    assert isinstance(usage.prompt, NotMeasured)
    assert (usage.calls, usage.complete) == (2, False)


def test_one_call_without_texts_estimates_no_arm(tmp_path: Path) -> None:
    store = FolderBlobs(tmp_path)
    whole = result_of(unknown_rows(2), tuple(called(f"t{n:02}", store) for n in (1, 2)))
    torn = result_of(unknown_rows(2), (called("t01", store), called("t02", store, kept=False)), "r2")
    with pytest.raises(InputError) as refused:
        estimated([("A", whole), ("B", torn)], [store, store])
    assert "B" in str(refused.value)
    assert "t02:1" in str(refused.value)
    with pytest.raises(InputError):
        estimated([("A", whole), ("C", result_of(unknown_rows(2), run="r3"))], [store, None])


def foreign_result(accepted: int, failed: int, tokens: int = 1000, **over: Any) -> Result:
    rows, labels = by_outcome(**{"pass": accepted, "fail": failed})
    spent = Usage(prompt=tokens - 100, completion=100, complete=True)
    return judge_ledger(ledger([replace(row, usage=spent) for row in rows], labels), terms(**over))


@given(allowance=st.integers(1, 10**9), per_day=st.integers(1, 500), tokens=st.integers(101, 10**6))
def test_an_allowance_is_exact(allowance: int, per_day: int, tokens: int) -> None:
    found = allowance_of(foreign_result(6, 4, tokens).judged, allowance, Fraction(per_day))
    assert isinstance(found, Allowance)
    assert found.tasks == allowance // tokens
    assert found.accepted == Fraction(allowance * 6, tokens * 10) // 1
    assert isinstance(found.day, int)
    assert (found.day - 1) * per_day * tokens < allowance <= found.day * per_day * tokens


def test_a_withheld_number_buys_nothing() -> None:
    few = foreign_result(4, 2)
    found = allowance_of(few.judged, 10**6, Fraction(10))
    assert isinstance(found, NotMeasured)
    assert "GL024" in found.not_measured


def test_an_arm_that_nobody_declared_is_not_told_to_be_whole() -> None:
    rows, labels = by_outcome(**{"pass": 6, "fail": 4})
    nobody = NotMeasured("no manifest")
    undeclared = judge_ledger(ledger(rows, labels, declared=1, declared_n=nobody), terms())
    for result, told in ((undeclared, "unknown: no manifest"), (foreign_result(6, 4), "no draw")):
        page = Page(100, color=False)
        spend_page(page, spend_of([("A", result)], Wanted()))
        assert [line.split("censored")[1].strip() for line in page.lines if "censored" in line] == [told]


def test_nobody_is_put_before_another() -> None:
    names = [("zeta", foreign_result(6, 4, 2000)), ("alpha", foreign_result(9, 1, 900))]
    for given_order in (names, names[::-1]):
        report = spend_of(given_order, Wanted())
        expected = [one.figures for one in spend_of([given_order[0]], Wanted()).arms]
        assert [report.arms[0].figures] == expected


TABLE = FileTable(
    "t",
    "d" * 64,
    PriceFile(version="1", unit="USD", model={"m": Price(input="1.25", output="10", cached_read="0.125")}),
)


def priced(usage: Usage, model: str = "m") -> str | NotMeasured:
    rows = [foreign("t01", usage=usage, asked_model=model)]
    made = ledger(rows)
    return money_of(make_sheet(made, terms()), judge_ledger(made, terms()).judged, TABLE).total


def test_cached_tokens_are_charged_once_at_their_own_price() -> None:
    assert priced(Usage(prompt=9126, completion=3197, cached_read=4864, complete=True)) == "0.0379055"


@given(prompt=st.integers(0, 10**9), cached=st.integers(0, 10**9), completion=st.integers(0, 10**9))
def test_money_is_exact(prompt: int, cached: int, completion: int) -> None:
    cached = min(cached, prompt)
    found = priced(Usage(prompt=prompt, completion=completion, cached_read=cached, complete=True))
    exact = (prompt - cached) * Fraction(5, 4) + cached * Fraction(1, 8) + completion * 10
    assert isinstance(found, str)
    assert Fraction(found) == exact / 1_000_000


def test_money_of_an_unknown_model_or_part_is_unknown() -> None:
    assert isinstance(priced(Usage(prompt=9, completion=1, cached_read=0, complete=True), "other"), NotMeasured)
    assert isinstance(priced(Usage(prompt=9, completion=1, complete=True)), NotMeasured)


def test_a_part_without_a_price_costs_something_that_nobody_knows() -> None:
    half = FileTable("half", "d" * 64, PriceFile(version="1", unit="USD", model={"m": Price(input="1.25")}))
    for completion, known in ((0, True), (1, False)):
        spent = Usage(prompt=8, completion=completion, complete=True)
        made = ledger([foreign("t01", usage=spent, asked_model="m")])
        total = money_of(make_sheet(made, terms()), judge_ledger(made, terms()).judged, half).total
        assert isinstance(total, str) == known


@pytest.mark.parametrize(("accepted", "failed", "each"), [(6, 4, "0.003333"), (4, 2, None)])
def test_money_per_accepted_patch_stands_where_tokens_do(accepted: int, failed: int, each: str | None) -> None:
    rows, labels = by_outcome(**{"pass": accepted, "fail": failed})
    spent = Usage(prompt=800, completion=100, cached_read=0, complete=True)
    made = ledger([replace(row, usage=spent, asked_model="m") for row in rows], labels)
    found = money_of(make_sheet(made, terms()), judge_ledger(made, terms()).judged, TABLE)
    assert isinstance(found.total, str)
    assert found.per_accepted == each if each else isinstance(found.per_accepted, NotMeasured)


@pytest.mark.parametrize(
    "text",
    [
        'version = ""\nunit = "USD"\n',
        'version = "1"\nunit = "USD"\n[model.m]\ninput = "-1"\noutput = "1"\n',
        'version = "1"\nunit = "USD"\n[model.m]\ninput = "NaN"\n',
        'version = "1"\nunit = "USD"\n[model.m]\nprice = "1"\n',
        "version = 1",
    ],
)
def test_a_bad_table_is_refused_by_name(text: str, tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError) as refused:
        read_prices(path)
    assert "prices.toml" in str(refused.value)


def test_the_packaged_table_names_its_version_and_digest() -> None:
    try:
        table = packaged_prices()
    except MachineError as absent:
        assert "denominator[prices]" in str(absent)
        return
    assert len(table.digest) == 64
    assert table.version
    assert isinstance(table.price("gpt-5"), Price)
    assert isinstance(table.price("no-such-model-anywhere"), NotMeasured)


def test_a_withheld_total_is_in_no_sum_either() -> None:
    rows, labels = by_outcome(**{"pass": 6, "fail": 4})
    spent = Usage(prompt=912, completion=133, calls=4, complete=True)
    lost = [replace(row, usage=spent, invalid_calls={"http_429": 2}) for row in rows]
    result = judge_ledger(ledger(lost, labels), terms(invalid_ceiling="0.10"))
    wanted = Wanted(prices=TABLE, allowance=10**6, tasks_per_day=Fraction(10))
    told = json.dumps(to_json(spend_of([("A", result)], wanted)))
    assert "withheld by" in told
    for number in ("10450", "9120", "1330", "1045"):
        assert number not in told


EQUAL = Wanted(equal_because="one host, one hour")


def arm(passes: int, tokens: int, day: int, run: str, *, mixed: bool = False, lost: int = 0) -> Result:
    rows, labels = by_outcome(**{"pass": passes, "fail": 12 - passes})
    spent = Usage(prompt=tokens, completion=100, calls=1, complete=True)
    at = [replace(row, usage=spent, started_at=f"2026-11-{day:02}T10:00:0{n % 10}Z") for n, row in enumerate(rows)]
    if lost:
        at = [replace(row, invalid_calls={"http_429": lost}) for row in at]
    if mixed:
        at[0] = replace(at[0], extra={"usage_source": "estimated:x@1"})
    return judge_ledger(ledger(at, labels, run_id=run), terms(digest=run * 32, invalid_ceiling="0.10"))


def test_an_arm_that_mixes_sources_is_set_beside_nobody() -> None:
    report = spend_of([("A", arm(6, 900, 1, "aa")), ("B", arm(9, 500, 1, "bb", mixed=True))], EQUAL)
    assert [any("several sources" in why for why in one.leaves) for one in report.arms] == [False, True]
    (pair,) = report.pairs
    assert any("several sources" in why for why in pair.comparability.reasons)
    assert isinstance(pair.ratio, NotMeasured)
    assert report.exit == 3


def test_an_arm_that_leaves_the_table_gives_no_ratio() -> None:
    report = spend_of([("A", arm(6, 900, 1, "aa")), ("B", arm(9, 500, 1, "bb", lost=1))], EQUAL)
    assert [bool(one.leaves) for one in report.arms] == [False, True]
    (pair,) = report.pairs
    assert pair.comparability.status == "comparable", pair.comparability.reasons
    assert isinstance(pair.ratio, NotMeasured)


def test_two_arms_of_one_window_have_a_ratio_and_others_have_none() -> None:
    first, beside, later = arm(6, 900, 1, "aa"), arm(9, 500, 1, "bb"), arm(9, 500, 2, "cc")
    (pair,) = spend_of([("A", first), ("B", beside)], EQUAL).pairs
    assert isinstance(pair.ratio, Estimate)
    assert pair.ratio.value == "2.500000"
    apart = spend_of([("A", first), ("B", later)], EQUAL)
    assert isinstance(apart.pairs[0].ratio, NotMeasured)
    assert apart.exit == 3
