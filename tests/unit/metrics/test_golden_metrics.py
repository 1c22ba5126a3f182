"""The golden groups about spend, times, repeats and bounds come out of the metrics, not only out of the statistics."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from denominator.judge import judge
from denominator.records.estimates import Estimate
from denominator.records.keys import AttemptKey
from denominator.records.labels import Label
from denominator.records.rows import AttemptRow, CallRow, Usage
from denominator.records.values import NotMeasured
from judging_data import foreign, key, ledger, said, terms

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "stats_golden.json").read_text(encoding="utf-8"))


def found(
    rows: list[AttemptRow], labels: list[Label], *, declared: object = None, calls: object = (), **stated: object
):
    made = ledger(rows, labels, declared, calls=tuple(calls))
    return {one.metric: one for one in judge(made, terms(**stated)).sheet.estimates}


def spent(entries: Iterable[Sequence[object]]) -> tuple[list[AttemptRow], list[Label]]:
    """Rows and labels from (task, attempt, tokens, accepted)."""
    rows, labels = [], []
    for line, (task, attempt, tokens, accepted) in enumerate(entries, 1):
        place = key(str(task), 1, int(str(attempt)))
        usage = Usage(prompt=int(str(tokens)) - 10, completion=10, complete=True)
        rows.append(foreign(str(task), line, key=place, usage=usage, cause="plan" if attempt == 1 else "retry"))
        labels.append(said(str(task), "outcome", "pass" if accepted else "fail", key=place))
    return rows, labels


def repeated(passes: Sequence[int], repeats: int) -> tuple[list[AttemptRow], list[Label]]:
    rows, labels = [], []
    for n, count in enumerate(passes):
        for repeat in range(1, repeats + 1):
            place = key(f"t{n}", repeat)
            rows.append(foreign(f"t{n}", n * repeats + repeat, key=place))
            labels.append(said(f"t{n}", "outcome", "pass" if repeat <= count else "fail", key=place))
    return rows, labels


def number(text: str | NotMeasured) -> float:
    assert isinstance(text, str), text
    return float(text)


def ends(one: Estimate) -> list[float]:
    return [number(one.lo), number(one.hi)]


def near(value: object) -> object:
    return pytest.approx(value, abs=1e-6)


def test_spend_with_retries() -> None:
    group = GOLDEN["retry_ledger"]
    rows, labels = spent(group["rows_task_attempt_tokens_accepted"])
    stated = {"attempts": 3, "retry_declared": True}
    names = group["frozen_tasks"]
    one = found(rows, labels, declared=names, never_started_allowed=tuple(group["never_started"]), **stated)
    assert number(one["acceptance"].value) == group["acceptance_rate"]
    assert number(one["total_tokens"].value) == group["tokens"]
    assert number(one["tokens_per_accepted"].value) == group["qap"]
    assert isinstance(one["tokens_per_accepted"].hi, NotMeasured)
    assert number(one["retry_tax"].value) == near(group["retry_tax"])
    assert number(one["retry_overhead"].value) == near(group["retry_overhead_share"])
    assert number(one["dead_spend"].value) == near(group["dead_spend_share"])
    parts = [one[name].numerator for name in ("retry_overhead", "dead_spend", "retry_tax")]
    assert parts[0] + parts[1] == parts[2]
    overhead, total, dead = one["retry_overhead"].numerator, one["total_tokens"], one["dead_spend"].numerator
    assert overhead / (number(total.value) - dead) == near(group["retry_overhead_on_accepted"])


def test_spend_of_an_arm_that_did_not_get_its_attempts_is_withheld_with_their_number() -> None:
    group = GOLDEN["retry_ledger"]
    rows, labels = spent(group["rows_task_attempt_tokens_accepted"])
    one = found(rows, labels, declared=group["frozen_tasks"], attempts=3, retry_declared=True)
    assert group["censored"]
    for name in ("acceptance", "accepted_within_k", "tokens_per_accepted", "retry_tax", "first_try_share"):
        assert one[name].value == NotMeasured("censored: 1 of 4 declared draws did not get all their attempts"), name
    assert number(one["total_tokens"].value) == group["tokens"]


@pytest.mark.parametrize("case", GOLDEN["qap"]["cases"], ids=lambda case: f"N{len(case['tokens'])}")
def test_tokens_per_accepted(case) -> None:
    rows, labels = spent(
        (f"t{n}", 1, *pair) for n, pair in enumerate(zip(case["tokens"], case["accepted"], strict=True))
    )
    one = found(rows, labels)
    price = one["tokens_per_accepted"]
    assert (price.numerator, price.denominator) == (sum(case["tokens"]), sum(case["accepted"]))
    if case["qap"] is None:
        assert isinstance(price.value, NotMeasured)
        assert number(price.lo) == case["lower_bound"]
        return
    assert number(price.value) == near(case["qap"])
    assert ends(price) == near(case["log_delta_t_ci"])
    assert number(one["tokens_per_solved_median"].value) == near(case["median_tokens_accepted_only"])
    assert number(one["tokens_per_solved_all"].value) == near(case["qap"])


def test_latency_quantiles() -> None:
    group = GOLDEN["quantiles"]
    rows = [foreign(f"t{n}", n + 1, usage=Usage(calls=1)) for n in range(len(group["data"]))]
    calls = [
        CallRow(key=row.key, seq=1, outcome="ok", status=200, last_byte_ms=round(1000 * value))
        for row, value in zip(rows, group["data"], strict=True)
    ]
    one = found(rows, [], calls=calls)
    assert number(one["latency_median"].value) / 1000 == near(group["p50_type7"])
    assert [end / 1000 for end in ends(one["latency_median"])] == near(group["median_ci"])
    assert number(one["latency_p95"].value) / 1000 == near(group["p95_nearest_rank_inverted_cdf"])
    low = sorted(group["data"])[group["p95_ci_ranks_1based"][0] - 1]
    assert number(one["latency_p95"].lo) / 1000 == near(low)
    assert isinstance(one["latency_p95"].hi, NotMeasured)
    assert all(str(least) in one["latency_p95"].hi.not_measured for least in group["min_n_for_p95_upper"].values())
    assert number(one["latency_max"].value) / 1000 == max(group["data"])


@pytest.mark.parametrize("case", GOLDEN["suite_k_repeats"]["cases"], ids=lambda c: f"N{c['N']}K{c['K']}")
def test_both_estimands_are_two_numbers(case) -> None:
    one = found(*repeated(case["passes"], case["K"]), repeats=case["K"])
    assert number(one["flip_rate"].value) == near(case["flip_rate_pairwise"])
    again = one["headline_these_tasks"]
    assert number(again.value) == number(one["headline"].value)
    assert again.estimand != one["headline"].estimand
    if case["flip_rate_pairwise"]:
        noise = dict(one["rerun_noise"].by)
        assert number(one["rerun_noise"].value) == near(case["rerun_spread95_single_pass"])
        assert float(noise["sd_single_pass"]) == near(case["sd_single_pass_fixed"])
        assert float(noise["se_of_mean"]) == near(case["se_fixed_tasks"])
        half = (number(again.hi) - number(again.lo)) / 2
        assert half == pytest.approx(1.959964 * case["se_fixed_tasks"], abs=1e-5)
        assert ends(one["headline"]) != ends(again)
    else:
        assert isinstance(again.lo, NotMeasured)
        assert isinstance(one["rerun_noise"].value, NotMeasured)
        assert number(one["flip_rate"].hi) > 0


@pytest.mark.parametrize("case", GOLDEN["flip_rate"]["cases"], ids=["two-runs", "five-repeats"])
def test_flip_rate(case) -> None:
    passes = case.get("passes") or [a + b for a, b in zip(case["run1"], case["run2"], strict=True)]
    one = found(*repeated(passes, case.get("K", 2)), repeats=case.get("K", 2))["flip_rate"]
    assert number(one.value) == near(case["rate"])
    if "wilson" in case:
        assert (one.numerator, one.denominator) == (case["flips"], case["n"])
        assert ends(one) == near(case["wilson"])


@pytest.mark.parametrize("case", GOLDEN["pass_at_k"], ids=lambda c: f"n{c['n']}c{c['c']}k{c['k']}")
def test_pass_at_k_and_pass_hat_k(case) -> None:
    one = found(*repeated([case["c"]], case["n"]), repeats=case["n"])
    for metric, name in (("pass_at_k", "pass_at_k"), ("pass_hat_k", "pass_hat_k")):
        curve = dict(one[metric].by)
        assert float(curve[str(case["k"])]) == near(case[name])
        assert set(curve) == {str(k) for k in range(1, case["n"] + 1)}
        assert curve[str(case["n"])] == one[metric].value


@pytest.mark.parametrize("case", GOLDEN["manski_rate"]["cases"], ids=lambda c: f"{c['pass']}+{c['unscoreable']}")
def test_bounds(case) -> None:
    rows, labels = bounded(case)
    one = found(rows, labels, invalid_ceiling="1")
    assert ends(one["headline_bounds"]) == near(case["bounds"])
    assert ends(one["headline_outer"]) == near(case["outer_wilson_ci"])
    assert number(one["scoreable_rate"].value) == near(case["complete_case"])


def bounded(case) -> tuple[list[AttemptRow], list[Label]]:
    outcomes = ["pass"] * case["pass"] + ["unscoreable"] * case["unscoreable"]
    outcomes += ["fail"] * (case["n"] - len(outcomes))
    rows = [foreign(f"t{n:02}", n + 1) for n in range(case["n"])]
    return rows, [said(row.key.task_id, "outcome", outcome) for row, outcome in zip(rows, outcomes, strict=True)]


@pytest.mark.parametrize("entry", GOLDEN["undefined_not_zero"], ids=lambda entry: entry["metric"])
def test_undefined_is_no_zero(entry) -> None:
    rows, labels = spent([("t1", 1, 100, 0)])
    lost = [said("t1", "outcome", "unscoreable"), said("t1", "reason", "env_flake")]
    nothing = foreign("t1", 1, key=AttemptKey("r1", "t1"), usage=Usage(prompt=0, completion=0, complete=True))
    cases = {
        "qap": found(rows, labels).get("tokens_per_accepted"),
        "retry_tax": found([nothing], [said("t1", "outcome", "fail")]).get("retry_tax"),
        "resolved_rate": found([foreign("t1")], lost).get("resolved_rate"),
    }
    one = cases.get(entry["metric"])
    if one is not None:
        assert isinstance(one.value, NotMeasured)
        assert one.value.not_measured
