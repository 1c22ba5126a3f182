"""What the card of a bench says: counts or a rate, what stands beside them, and what is said when nothing may be printed."""

from __future__ import annotations

from dataclasses import replace

from bench_data import TWICE, bench, scored
from denominator.gate.durability import BENCH_RULES
from denominator.gate.durability.verdict import judge_bench
from denominator.records.values import NotMeasured

EIGHT = tuple("abcdefgh")
NOT_RECORDED = NotMeasured("no usage was recorded")
PERFORMANCE = frozenset({"rsr", "double_apply_rate", "replay_calls", "replay_tokens", "replay_wall"})


def verdict(*given, **more):
    return scored(*given, **more).judged.verdict


def test_seven_tasks_are_counts_and_eight_are_a_rate():
    few, enough = verdict(bench(EIGHT[:7])), verdict(bench(EIGHT))
    assert (few.status, few.rung, few.exit, few.withheld) == ("publishable", "counts", 0, ())
    assert "14 of 14 interrupted trials over 7 tasks" in few.sentence and "no rate is claimed" in few.sentence
    assert few.may_not[0] == "print a percentage" and few.lifts == ("GL088 few-bench-tasks: 1 more task for a rate",)
    assert (enough.status, enough.rung) == ("publishable", "rate_with_interval")
    assert "after resume: 100.0 % (95 % interval" in enough.sentence
    assert "print a percentage" not in enough.may_not
    assert enough.lifts == ("the same bench of another runner on the same tasks and plan: two cards side by side",)


def test_what_has_to_stand_beside_the_figure():
    plan = bench(EIGHT, repeats=3)
    said = verdict(plan).sentence
    for part in (
        "b1: 48 of 48 ", "Applied twice: 0 of 48 trials.", "Spent again: 48 calls, 4800 tokens, 960 ms.",
        "Without faults 24 of 24 ended in a correct pass.", "Controls: 4 of 4 held.",
        "4 checkpoints, 2 planned faults, 3 repeats. Bench ", "says nothing of review quality",
    ):  # fmt: skip
        assert part in said, part
    once = verdict(bench(EIGHT)).sentence
    assert "2 planned faults. Bench " in once and "repeat" not in once


def test_what_nobody_recorded_is_named_and_not_left_out():
    interrupted = [f"{task}#1 {fault}" for task in EIGHT for fault in ("patch_drafted:kill", "patch_applied:kill")]
    said = verdict(bench(EIGHT), {name: {"replay_tokens": NOT_RECORDED} for name in interrupted}).sentence
    assert "Spent again: 16 calls, 320 ms. Spent again, not recorded: tokens." in said


def test_an_effect_that_was_applied_twice_is_counted_and_blocks():
    plan = bench(EIGHT)
    found = scored(plan, {"a#1 patch_applied:kill": {"applied": TWICE}}).judged
    assert "applied-twice" in {one.allow_name for one in found.findings if one.severity != "held"}


def test_a_violated_control_gives_no_aggregate_and_says_what_it_means():
    found = verdict(bench(EIGHT), {"a#1": {"ended": "fail"}})
    assert (found.status, found.rung, found.exit) == ("blocked", "refused", 1)
    assert found.sentence.startswith("NO_AGGREGATE: no resume success rate, no double-apply count and no replay cost")
    assert "Violated: positive (harness broken)." in found.sentence and "violated-bench-control" in found.sentence
    assert found.may_not[0] == "print a resume success rate, a double-apply count or a replay cost"
    assert "rsr" in found.withheld and " of 16" not in found.sentence


def test_a_bench_that_is_blocked_without_a_violated_control_says_so_in_other_words():
    found = verdict(bench(EIGHT), {"a#1 patch_drafted:kill": None})
    assert found.status == "blocked" and "NO_AGGREGATE" not in found.sentence and "Violated" not in found.sentence
    assert found.sentence.startswith("No resume success rate") and "unfinished-bench" in found.sentence


def test_a_rule_that_crashes_is_unknown_and_unknown_never_passes():
    def crash(_sheet):
        raise ValueError("a bug")

    sheet = scored(bench(EIGHT)).judged.sheet
    rules = tuple(replace(one, check=crash) if one.entry.name == "single-shot-tasks" else one for one in BENCH_RULES)
    found = judge_bench(sheet, rules, PERFORMANCE).verdict
    (said,) = [one for one in found.findings if one.allow_name == "single-shot-tasks"]
    assert (str(said.severity), found.status) == ("unknown", "blocked")
    assert said.what == "the rule could not be evaluated: ValueError"
    assert any(line.startswith(f"{said.code} single-shot-tasks: this is a bug of ours") for line in found.lifts)
