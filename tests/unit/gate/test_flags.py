"""What a finding of a rule does beside blocking: a table, so that no flag changes unseen."""

from __future__ import annotations

from dataclasses import fields

from denominator.gate import RULES
from denominator.gate.shape import Rule

EXPECTED = {
    "caps": {
        "missing-envelope-fields",
        "seeds-differ",
        "missing-controls",
        "invalid-rate-above-ceiling",
        "in-process-grading",
        "lowered-claims",
        "failed-narration",
        "few-tasks",
        "non-test-scorer",
        "missing-hidden-tests",
        "wide-bounds",
        "flips-above-ceiling",
        "unsealed-concurrency",
        "no-negative-slice",
        "limits-differ",
        "missing-rerun-recipe",
        "flaky-baseline",
    },
    "hides_value": {"few-tasks", "wide-bounds", "flips-above-ceiling"},
    "no_aggregate": {"violated-control", "invalid-rate-above-ceiling", "infra-above-ceiling", "spent-quota"},
    "hides_split": {"violated-control"},
    "reads_split": {"seeds-differ", "wide-bounds", "owed-attempts"},
    "only_host": {"invalid-rate-above-ceiling"},
    "reads_rates": {"passes-by-retry", "cut-attempts"},
    "accuses": {"impossible-percent"},
    "late": {"house-clause"},
}


def test_each_flag_is_set_for_these_rules_and_for_no_other():
    flags = [one.name for one in fields(Rule) if one.name not in ("entry", "check", "held")]
    assert {flag: {rule.entry.name for rule in RULES if getattr(rule, flag)} for flag in flags} == EXPECTED
