"""A judged ledger as a slip: its counts, its harness field by field, its budget, and what is withheld or unknown."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from denominator.judge import judge
from denominator.records.conditions import Condition
from denominator.records.rows import Usage
from denominator.records.slips import RawOutput, Slip
from denominator.records.values import NotMeasured
from denominator.slips.budgets import made as budget
from denominator.slips.fields import headline_of
from denominator.slips.harness import Table, harness_of
from denominator.slips.making import Pinned, slip_of
from judging_data import by_outcome, ledger, own, terms

TABLE = Table(left_out={"operator": "says who", "runner": "another machine"}, needed=("harness_commit",))
PINNED = Pinned(
    run_id="r1",
    raw=RawOutput(path="../runs/r1/ledger.jsonl", sha256="a" * 64),
    ledger_sha256="a" * 64,
    made_at="2026-11-30T08:00:00.000Z",
    rules_digest="9" * 64,
    table=TABLE,
)


def conditions(**values: Any) -> tuple[Condition, ...]:
    return tuple(
        Condition(name=name, value=value if isinstance(value, NotMeasured) else str(value))
        for name, value in values.items()
    )


def made(rows: Any, labels: Any = None, declared: Any = None, **over: Any) -> Slip:
    given, told = ledger(rows, labels, declared), terms(**over)
    return slip_of(given, told, judge(given, told), PINNED)


def test_an_import_gives_its_counts_and_lists_its_gaps():
    rows, labels = by_outcome(**{"pass": 9, "fail": 5})
    one = made(rows, labels)
    number = headline_of(one)
    assert one.origin == "import" and number is not None and (number.k, number.n) == (9, 14)
    assert one.gate.status == "publishable" and one.pack.tasks == 14
    for gap in ("seal_sha256", "model.id", "box.host", "budget.tokens_limit", "harness.digest"):
        assert any(line.startswith(f"{gap}: ") for line in one.gaps), gap
    assert not any(line.startswith("numbers") for line in one.gaps)


def test_a_blocked_ledger_gives_a_slip_without_its_number():
    rows, labels = by_outcome(**{"pass": 9, "fail": 5})
    one = made(rows, labels, declared=20)
    assert one.gate.status == "blocked" and one.gate.blocked_by and headline_of(one) is None
    assert one.pack.task_ids_sha256 == NotMeasured(
        "draws were declared by number only: which tasks they are of is not known"
    )
    whole = repr(one)
    assert "9/14" not in whole and "9/20" not in whole and "45.0" not in whole


def test_where_only_counts_may_be_written_the_counts_are_pinned_and_no_rate():
    rows, labels = by_outcome(**{"pass": 3, "fail": 2})
    one = made(rows, labels)
    number = headline_of(one)
    assert one.gate.rung == "counts" and number is not None and (number.k, number.n) == (3, 5)
    assert isinstance(number.score, NotMeasured) and "0.600000" not in repr(one.numbers)


def test_a_condition_that_is_unknown_makes_the_harness_unknown():
    known = conditions(harness_name='"h"', harness_commit='"c"', wall_cap_s="60")
    one = harness_of(known, TABLE)
    assert isinstance(one.digest, str) and one.covers == {"wall_cap_s": "60"}
    lost = harness_of((*known, Condition(name="network", value=NotMeasured("nobody said"))), TABLE)
    assert lost.digest == NotMeasured("unknown: network") and lost.covers["network"] == NotMeasured("nobody said")
    assert harness_of(known[:1], TABLE).digest == NotMeasured("unknown: harness_commit")
    assert harness_of(conditions(harness_commit='"TODO"'), TABLE).digest == NotMeasured("unknown: harness_commit")


def test_what_the_digest_leaves_out_is_listed_and_moves_nothing():
    base = conditions(harness_commit='"c"', wall_cap_s="60")
    one, two = (harness_of((*base, *conditions(operator=f'"{who}"', temperature="0")), TABLE) for who in ("a", "b"))
    assert one.digest == two.digest == harness_of(base, TABLE).digest
    assert one.left_out == ("operator: says who", "temperature: stands in model.sampling")


@pytest.mark.parametrize("name", ["wall_cap_s", "harness_commit", "a_field_that_nobody_knows", "agent_id"])
def test_everything_else_moves_the_digest_and_is_named(name):
    base = dict.fromkeys(("wall_cap_s", "harness_commit", "a_field_that_nobody_knows", "agent_id"), '"1"')
    one, two = (harness_of(conditions(**{**base, name: value}), TABLE) for value in ('"1"', '"2"'))
    assert one.digest != two.digest
    assert one.commit != two.commit if name == "harness_commit" else one.covers[name] != two.covers[name]


def test_order_moves_no_digest_and_private_values_show_only_theirs():
    given = conditions(harness_commit='"c"', agent_env='{"TOKEN":"hunter2-in-the-environment"}')
    one = harness_of(given, TABLE)
    assert one == harness_of(tuple(reversed(given)), TABLE)
    assert "hunter2" not in repr(one) and str(one.covers["agent_env"]).startswith("sha256:")


def test_tokens_of_every_attempt_against_the_limit():
    rows = [own(f"t{n:02}", usage=Usage(prompt=100, completion=20, calls=1)) for n in range(1, 11)]
    told = conditions(model_id='"big"', budget_tokens_per_task="130")
    one = made(rows, conditions=told, attempts=1)
    assert one.budget.tokens_used == 1200 and one.budget.tokens_limit == 1300
    assert (one.budget.ratio, one.budget.over_budget) == ("0.923077", False)
    capped = made(rows, conditions=(*told, *conditions(run_cap_tokens="1199")))
    assert (capped.budget.tokens_limit, capped.budget.over_budget) == (1199, True)


def test_unknown_usage_is_unknown_and_never_zero():
    rows = [own("t01", usage=Usage(prompt=1, completion=1)), own("t02", usage=Usage(prompt=5))]
    one = made(rows, conditions=conditions(budget_tokens_per_task="10"))
    assert one.budget.tokens_used == NotMeasured("usage of 1 of 2 attempts is unknown")
    assert isinstance(one.budget.over_budget, NotMeasured) and isinstance(one.budget.ratio, NotMeasured)


def test_a_budget_is_kept_at_its_limit_and_broken_above():
    assert [budget(used, 10).over_budget for used in (9, 10, 11)] == [False, False, True]
    assert budget(0, 0).over_budget is False and isinstance(budget(0, 0).ratio, NotMeasured)
    assert budget(1, 3).ratio == "0.333333"


def test_days_are_those_of_the_rows_else_those_that_are_stated():
    rows = [own("t01", started_at="2026-11-28T23:59:59Z"), own("t02", started_at="2026-11-29T00:00:01Z")]
    assert made(rows).days == ("2026-11-28", "2026-11-29")
    assert made([own("t01")], dates=("2026-10-01",)).days == ("2026-10-01",)


def test_the_order_of_rows_changes_no_byte():
    from denominator.wire.canonical import canonical

    rows, labels = by_outcome(**{"pass": 9, "fail": 5})
    assert canonical(made(rows, labels)) == canonical(made(rows[::-1], labels[::-1]))


def test_a_box_as_an_import_states_it():
    one = made([own("t01")], conditions=conditions(runner='"ci-7"', kernel='"Linux 6"', cpus="4"))
    assert (one.box.host, one.box.kernel, one.box.cpu_count) == ("ci-7", "Linux 6", "4")
    assert isinstance(one.box.cgroup_version, NotMeasured)
    assert replace(one).box == one.box
