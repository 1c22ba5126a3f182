"""Plans: the same seed gives the same order everywhere; every draw is promised once."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.errors import InputError
from denominator.planning import interleave, make_plan, worst_case
from denominator.records.envelopes import Budget, RunTerms
from denominator.records.packs import Task, Verify
from denominator.records.values import NotMeasured
from denominator.stats.prng import Prng, draw_u64


def task(name: str) -> Task:
    return Task(
        id=name,
        title=name,
        slice="solvable",
        expected="pass",
        reason="r",
        license="MIT",
        allowed=("*.py",),
        family="billing",
        verify=Verify(runner="unittest", timeout_s=10, level="G2"),
    )


TASKS = tuple(task(name) for name in "abcdefgh")


def order(plan) -> list[tuple[str, int]]:
    return [(declared.draw.task_id, declared.draw.repeat) for declared in plan.draws]


def test_seed_zero_keeps_the_packs_order():
    assert order(make_plan(TASKS, 2, 0, 0)) == [(t.id, r) for r in (1, 2) for t in TASKS]


def test_the_order_of_a_seed_is_fixed_for_good():
    # Sealed runs name their order by digest; if this changes, old seals cannot be planned again.
    first = "".join(name for name, repeat in order(make_plan(TASKS, 2, 7, 0)) if repeat == 1)
    second = "".join(name for name, repeat in order(make_plan(TASKS, 2, 7, 0)) if repeat == 2)
    assert (first, second) == ("fgdahecb", "bafdgech")
    assert draw_u64(1, "order/1", 0) == 8014689225253291791


@given(repeats=st.integers(1, 4), seed=st.integers(0, 2**70), warmup=st.integers(0, 12))
@settings(max_examples=60)
def test_every_draw_is_promised_exactly_once(repeats, seed, warmup):
    plan = make_plan(TASKS, repeats, seed, warmup)
    assert Counter(order(plan)) == Counter((t.id, r) for t in TASKS for r in range(1, repeats + 1))
    assert [repeat for _, repeat in order(plan)] == sorted(repeat for _, repeat in order(plan))
    assert len(plan.warmup) == len(set(plan.warmup)) == min(warmup, len(TASKS))
    assert plan == make_plan(TASKS, repeats, seed, warmup)
    assert {declared.stratum for declared in plan.draws} == {"billing"}


def test_the_order_digest_tells_orders_apart():
    digests = {make_plan(TASKS, 2, seed, 0).order_digest for seed in range(20)}
    assert len(digests) == 20


@pytest.mark.parametrize(("repeats", "warmup"), [(0, 0), (-1, 0), (1, -1)])
def test_bad_numbers_are_refused(repeats, warmup):
    with pytest.raises(InputError):
        make_plan(TASKS, repeats, 0, warmup)


@given(n=st.integers(1, 40), seed=st.integers(0, 2**32))
def test_below_stays_in_range(n, seed):
    prng = Prng(seed, "t")
    assert all(0 <= prng.below(n) < n for _ in range(30))


def test_shuffles_are_fair():
    # 6 orders of 3 items, 3000 shuffles: each expected 500 times, standard deviation 20.4; the seed is fixed.
    seen = Counter(Prng(seed, "fair").shuffled("abc") for seed in range(3000))
    assert len(seen) == 6
    assert max(seen.values()) < 590 and min(seen.values()) > 410


def test_arms_alternate_and_the_first_one_rotates():
    plan = make_plan(TASKS[:3], 1, 0, 0)
    got = [(label, draw.task_id) for label, draw in interleave({"A": plan, "B": plan})]
    assert got == [("A", "a"), ("B", "a"), ("B", "b"), ("A", "b"), ("A", "c"), ("B", "c")]


def test_arms_with_different_orders_are_refused():
    with pytest.raises(InputError, match="one task order"):
        interleave({"A": make_plan(TASKS, 1, 1, 0), "B": make_plan(TASKS, 1, 2, 0)})


def test_no_arms_no_draws():
    assert interleave({}) == ()


def test_worst_case_counts_every_attempt_to_its_limit():
    plan = make_plan(TASKS, 3, 1, 5)
    cost = worst_case(plan, Budget(attempts=2, tokens=1000, wall_s=60), RunTerms(concurrency=2))
    assert (cost.draws, cost.warmup, cost.attempts) == (24, 5, 53)
    assert (cost.tokens, cost.wall_s, cost.capped) == (53_000, 1590, False)


def test_the_narration_probe_costs_one_attempt_a_task():
    cost = worst_case(make_plan(TASKS, 3, 1, 5), Budget(attempts=2, tokens=1000), RunTerms(), probe=True)
    assert (cost.draws, cost.attempts, cost.tokens) == (24, 61, 61_000)


def test_the_runs_cap_is_the_limit_where_it_is_lower():
    plan = make_plan(TASKS, 3, 1, 5)
    cost = worst_case(plan, Budget(attempts=2, tokens=1000), RunTerms(run_cap_tokens=9_999))
    assert (cost.tokens, cost.capped) == (9_999, True)
    assert isinstance(cost.wall_s, NotMeasured)


def test_without_a_token_budget_the_worst_case_is_unknown():
    cost = worst_case(make_plan(TASKS, 1, 1, 0), Budget(attempts=1), RunTerms(run_cap_tokens=5))
    assert isinstance(cost.tokens, NotMeasured)
