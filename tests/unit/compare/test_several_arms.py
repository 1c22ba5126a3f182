"""Several arms: one declared primary pair, Holm over the family, and a grid that never ranks."""

from __future__ import annotations

from dataclasses import replace

from comparing_data import Marks, arm, blocked, fine, split
from denominator.compare.families import several
from denominator.records.comparisons import Comparability, Grid, Side
from denominator.records.envelopes import Comparison as Sealed
from denominator.records.values import NotMeasured
from denominator.records.words import Rung
from denominator.wire.codec import to_json

FAMILY = Sealed(primary=("A", "B"), family=("A:C", "B:C"))


def arms(plan: Sealed | None = FAMILY, **marks: Marks) -> list[Side]:
    return [arm(name, one, plan=plan) for name, one in marks.items()]


def table() -> dict[str, Marks]:
    """B against A: 8 of 8 one way; C like A but for 7 one way."""
    a, b = split(10, 8, 0, 10)
    return {"A": a, "B": b, "C": dict(a) | dict.fromkeys(list(a)[:7], "F")}


def grid(sides: list[Side]) -> Grid:
    made = several(sides, lambda a, b: fine())
    to_json(made)
    return made


def test_holm_runs_over_the_declared_family() -> None:
    made = grid(arms(**table()))
    lines = {(one.a, one.b): one for one in made.pairs}
    assert [one.role for one in made.pairs] == ["primary", "family", "family"]
    assert lines["A", "B"].adjusted == "0.023438"  # 3 times 0.0078125
    assert lines["A", "C"].adjusted == "0.031250"  # 2 times 0.015625
    assert lines["A", "B"].separates is True and lines["A", "C"].separates is True
    assert lines["B", "C"].separates is False
    assert "Pairs that separate for tasks like these: A and B; A and C." in made.sentence


def test_a_family_with_a_missing_arm_pays_for_the_whole() -> None:
    marks = table()
    plan = replace(FAMILY, family=("A:C", "A:D", "B:D"))
    made = grid(arms(plan, **marks))
    lines = {(one.a, one.b): one for one in made.pairs}
    assert lines["A", "B"].adjusted == "0.031250" and lines["A", "C"].adjusted == "0.062500"
    assert lines["A", "C"].separates is False
    assert lines["B", "C"].role == "undeclared" and isinstance(lines["B", "C"].adjusted, NotMeasured)


def test_without_a_family_nothing_is_said_to_separate() -> None:
    made = grid(arms(None, **table()))
    assert all(isinstance(one.adjusted, NotMeasured) and isinstance(one.separates, NotMeasured) for one in made.pairs)
    assert all(one.verdict.rung == Rung.DIRECTIONAL for one in made.comparisons)
    assert all(
        not isinstance(one.test, NotMeasured) and isinstance(one.test.p, NotMeasured) for one in made.comparisons
    )
    assert made.lifts and "declare a primary comparison" in made.lifts[0]


def test_one_pair_that_is_not_comparable_makes_exit_3_and_hides_only_itself() -> None:
    def ask(a: Side, b: Side) -> Comparability:
        return fine(status="not_comparable", reasons=("seed differs",)) if {a.name, b.name} == {"B", "C"} else fine()

    made = several(arms(**table()), ask)
    lines = {(one.a, one.b): one for one in made.pairs}
    assert made.exit == 3
    assert isinstance(lines["B", "C"].difference, NotMeasured) and lines["B", "C"].status == "not_comparable"
    assert lines["A", "B"].adjusted == "0.023438", "while a pair has no p value each counts for the whole family"
    assert lines["A", "C"].adjusted == "0.046875"


def test_a_blocked_arm_takes_its_pairs_out() -> None:
    sides = arms(**table())
    made = grid([sides[0], sides[1], blocked(sides[2], "unbalanced-ledger")])
    lines = {(one.a, one.b): one for one in made.pairs}
    assert made.exit == 1 and lines["A", "C"].status == "refused"
    assert isinstance(lines["A", "C"].difference, NotMeasured) and lines["A", "B"].separates is True
