"""What lifts a sentence is a number that really lifts it; what may not be written follows from what was found."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from denominator.judge import judge
from denominator.records.envelopes import Comparison
from denominator.records.keys import AttemptKey
from denominator.stats import wilson
from judging_data import by_outcome, ledger, own, run_control, terms

MORE = re.compile(r"(\d+) more tasks?: an interval narrower than (0\.\d+)")


def judged(n: int = 16, passes: int = 13, repeats: int = 1, **over):
    rows = []
    for k in range(1, repeats + 1):
        rows += [
            own(f"t{i:03}", "green" if i < passes else "red", key=AttemptKey("r1", f"t{i:03}", k)) for i in range(n)
        ]
        control = AttemptKey("r1", "n1", k)
        rows.append(own("n1", "red", key=control, slice="negative", control="must_fail"))
    made = ledger(rows, [run_control("empty_patch_must_fail", "held")], source="own")
    return judge(made, terms(origin="seal", repeats=repeats, **over))


@pytest.mark.parametrize("n", [8, 16, 40, 100, 300])
def test_so_many_more_tasks_do_narrow_the_interval_whatever_passes(n):
    (more, aim) = next(match.groups() for line in judged(n, n // 2).verdict.lifts if (match := MORE.match(line)))
    total = n + int(more)
    ends = [wilson(k, total) for k in range(total + 1)]
    assert max(end.hi - end.lo for end in ends) < float(aim) + 1e-12
    fewer = [wilson(k, total - 1) for k in range(total)]
    assert max(end.hi - end.lo for end in fewer) >= float(aim) - 1e-12


def test_a_rate_names_the_steps_above_it():
    lifts = judged().verdict.lifts
    assert "4 more repeats (K = 5): a flip rate" in lifts
    assert "seal a treatment field and a primary comparison before the next run: a difference between two arms" in lifts
    assert not any("repeat" in line for line in judged(repeats=5).verdict.lifts)


def test_what_was_sealed_already_is_not_asked_for_again():
    comparison = Comparison(primary=("a", "b"))
    assert any("seal a treatment field before" in line for line in judged(comparison=comparison).verdict.lifts)
    whole = judged(comparison=comparison, treatment=("model_id",)).verdict.lifts
    assert any("`denominator compare`" in line for line in whole)


def test_few_tasks_say_how_many_are_missing_for_a_rate():
    rows, labels = by_outcome(**{"pass": 5})
    assert "GL024 few-tasks: 3 more solvable tasks for a rate" in judge(ledger(rows, labels), terms()).verdict.lifts


def test_a_refused_result_gets_no_steps_above_a_rate():
    lifts = judged(missing=("budget.wall_s",)).verdict.lifts
    assert lifts and all(line.startswith("GL") for line in lifts)


def test_one_repeat_cannot_speak_of_the_next_run_and_several_can():
    fresh = "say that a fresh run of these tasks would give the same number"
    assert fresh in judged().verdict.may_not
    assert fresh not in judged(repeats=2).verdict.may_not


def test_counts_get_no_flip_rate_and_a_rate_does():
    assert "Flip rate between repeats: 0.000" in judged(repeats=3).verdict.sentence
    capped = judged(repeats=3, capped_at_counts=("a reason",))
    assert "Flip rate" not in capped.verdict.sentence
    flaky = judged(repeats=3, flaky_tasks=("t000",))
    assert "Flip rate" not in flaky.verdict.sentence


def test_the_sentence_says_why_these_tasks_and_cuts_an_essay():
    assert '"convenience"' in judged(selection="convenience").verdict.sentence
    assert "is not stated: it speaks for these tasks" in judged().verdict.sentence
    long = judged(selection="because " * 200).verdict.sentence
    assert len(long) < 1500 and '..."' in long


def test_a_refused_sentence_holds_no_context_that_tells_who_passed():
    sheet = judged(repeats=3)
    blocked = judged(repeats=3, changed=("the pack",))
    assert blocked.verdict.sentence.startswith("Refused:")
    for word in ("Classes", "Flip rate", "Seeds"):
        assert word not in blocked.verdict.sentence
    assert sheet.verdict.sentence != blocked.verdict.sentence


def test_the_order_of_rows_moves_no_byte():
    one = judged(repeats=3)
    made = ledger(list(reversed(one.sheet.ledger.rows)), [run_control("empty_patch_must_fail", "held")], source="own")
    other = judge(replace(made, declared=one.sheet.ledger.declared), one.sheet.terms)
    assert (one.verdict.sentence, one.verdict.may_not, one.verdict.lifts) == (
        other.verdict.sentence,
        other.verdict.may_not,
        other.verdict.lifts,
    )


def test_where_tasks_share_families_the_interval_of_the_sentence_is_theirs():
    alone, shared = judged(), judged(families=tuple((f"t{i:03}", f"repo-{i // 4}") for i in range(16)))
    assert "families" not in alone.verdict.sentence
    assert "over 4 families of tasks" in shared.verdict.sentence
    assert "clusters" in shared.verdict.sentence
    (wide,) = [one for one in shared.estimates if one.metric == "headline_by_cluster"]
    assert f"{float(wide.lo):.3f} to {float(wide.hi):.3f}" in shared.verdict.sentence
    assert any(MORE.match(line) for line in alone.verdict.lifts)
    assert not any(MORE.match(line) for line in shared.verdict.lifts)
