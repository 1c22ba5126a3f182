"""The gate of an endpoint bench: what each use asks for, clause by clause, with the honest neighbour of each refusal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from denominator.cli.probe_gate import LEVELS as OFFERED
from denominator.gate.probing import LEVELS, PROBE_RULES, Level, judge_probe
from denominator.records.probe_results import ProbeScore
from denominator.records.probe_words import INVALID, REASONS, Cls
from denominator.records.probes import Use
from denominator.records.values import NotMeasured
from probing_data import DECLARED, attempts, score, window


def blocks(made: ProbeScore, level: str) -> set[str]:
    found = judge_probe(made, Level(level), PROBE_RULES).findings
    return {one.allow_name for one in found if one.severity in ("block", "unknown")}


def notes(made: ProbeScore, level: str) -> set[str]:
    return {one.allow_name for one in judge_probe(made, Level(level), PROBE_RULES).findings if one.severity == "note"}


def declared(**over) -> Use:
    return replace(DECLARED, **over)


UNKNOWN = NotMeasured("not declared")
HALF_QUOTA = (
    *attempts(20),
    *attempts(20, window=2, cls="http_error", reason="rate_limited"),
    *attempts(3, group="malformed"),
)
NO_TOOLS = (*score().attempts, *attempts(6, group="tools", cls="tool_call_miss", reason="tool_choice_ignored"))
SLOW = (*attempts(20), *attempts(18, window=2), *attempts(2, window=2, cls="timeout", reason="total_deadline"))


@pytest.mark.parametrize("level", LEVELS)
def test_a_probe_with_everything_is_let_through_at_every_level(level):
    verdict = judge_probe(score(), level, PROBE_RULES)
    assert (verdict.exit, verdict.status) == (0, "publishable")
    assert "40 of 40" in verdict.sentence and "try further" in verdict.sentence


@pytest.mark.parametrize(
    ("rule", "over", "at", "below"),
    [
        ("few-probe-attempts", {"attempts": (*attempts(11), *attempts(3, group="malformed"))}, "prototype", ""),
        ("few-probe-attempts", {"attempts": (*attempts(29), *attempts(3, group="malformed"))}, "ci", "prototype"),
        ("no-malformed-control", {"attempts": attempts(40)}, "prototype", ""),
        ("unfinished-probe", {"missing": ("json-1 plain 3",)}, "prototype", ""),
        ("unfinished-probe", {"windows": ()}, "prototype", ""),
        ("probe-measures-quota", {"attempts": HALF_QUOTA}, "prototype", ""),
        ("data-not-allowed", {"use": declared(data_may_be_sent=False)}, "prototype", ""),
        ("data-not-allowed", {"use": declared(data_may_be_sent=UNKNOWN)}, "prototype", ""),
        ("few-probe-cases", {"cases": 19}, "prototype", ""),
        ("one-window", {"windows": (window(1),)}, "ci", "prototype"),
        ("one-window", {"windows": (window(1), window(2, False, "40 min later"))}, "ci", "prototype"),
        ("slow-for-the-job", {"use": declared(job_timeout_ms=UNKNOWN)}, "ci", "prototype"),
        ("slow-for-the-job", {"use": declared(job_timeout_ms=900)}, "ci", "prototype"),
        ("slow-for-the-job", {"attempts": SLOW}, "ci", "prototype"),
        ("no-fallback", {"use": declared(fallback="")}, "ci", "prototype"),
        ("no-fallback", {"use": declared(fallback="TODO")}, "ci", "prototype"),
        ("timeout-stops-merges", {"use": declared(timeout_stops_merges=True)}, "ci", "prototype"),
        ("timeout-stops-merges", {"use": declared(timeout_stops_merges=UNKNOWN)}, "ci", "prototype"),
        ("promise-never-kept", {"attempts": NO_TOOLS}, "ci", "prototype"),
        ("error-budget", {"use": declared(error_budget="")}, "internal", "ci"),
        (
            "error-budget",
            {"attempts": (*score().attempts, *attempts(11, cls="format_drift", reason="code_fence"))},
            "internal",
            "ci",
        ),
        ("firm-latency-promise", {"use": declared(firm_latency_promise=True)}, "internal", "ci"),
        ("firm-latency-promise", {"use": declared(firm_latency_promise=UNKNOWN)}, "internal", "ci"),
        ("no-monitoring", {"use": declared(monitoring="")}, "production", "internal"),
        ("no-data-policy", {"use": declared(data_policy="tbd")}, "production", "internal"),
        ("sla-needed", {"use": declared(sla_needed=True)}, "production", "internal"),
        ("sla-needed", {"use": declared(sla_needed=UNKNOWN)}, "production", "internal"),
    ],
)
def test_each_use_asks_for_its_own_and_for_all_below(rule, over, at, below):
    made = score(**over)
    for level in LEVELS[LEVELS.index(Level(at)) :]:
        assert rule in blocks(made, level), level
        verdict = judge_probe(made, level, PROBE_RULES)
        assert verdict.exit == 1 and "40 of 40" not in verdict.sentence
    if below:
        assert rule not in blocks(made, below)


def test_every_rule_has_a_refusal_here():
    (mark,) = test_each_use_asks_for_its_own_and_for_all_below.pytestmark
    assert {case[0] for case in mark.args[1]} == {rule.entry.name for rule in PROBE_RULES}


@pytest.mark.parametrize(
    ("rule", "over", "level"),
    [
        (
            "no-malformed-control",
            {"attempts": (*attempts(40), *attempts(3, group="malformed", cls="error_contract", reason="accepted"))},
            "prototype",
        ),
        ("promise-never-kept", {"attempts": NO_TOOLS}, "prototype"),
        ("slow-for-the-job", {}, "ci"),
        ("few-probe-cases", {"cases": 8, "use": declared(team_decision=UNKNOWN)}, "prototype"),
        (
            "probe-measures-quota",
            {"attempts": (*score().attempts, *attempts(1, cls="http_error", reason="rate_limited"))},
            "prototype",
        ),
        ("error-budget", {"use": declared(error_budget="0.01")}, "internal"),
    ],
)
def test_what_is_to_be_read_blocks_nothing(rule, over, level):
    made = score(**over)
    assert rule in notes(made, level)
    assert rule not in blocks(made, level)


def test_one_timeout_in_twenty_is_not_the_p95_and_two_are():
    one = (*attempts(19), *attempts(1, cls="timeout", reason="no_first_byte"), *attempts(3, group="malformed"))
    two = (*attempts(18), *attempts(2, cls="timeout", reason="no_first_byte"), *attempts(3, group="malformed"))
    assert "slow-for-the-job" not in blocks(score(attempts=one), "ci")
    assert "slow-for-the-job" in blocks(score(attempts=two), "ci")


def test_quota_and_unreached_addresses_break_no_budget():
    made = score(
        attempts=(*score().attempts, *attempts(2, cls="http_error", reason="rate_limited")),
        use=declared(error_budget="0"),
    )
    assert "error-budget" not in blocks(made, "internal")


def test_the_words_of_what_says_nothing_are_reasons():
    assert all(reason in REASONS[cls] and cls in tuple(Cls) for cls, reason in INVALID)


def test_the_command_offers_every_level():
    assert tuple(str(one) for one in LEVELS) == OFFERED


def test_every_clause_is_printed_held_ones_included():
    verdict = judge_probe(score(), Level.PRODUCTION, PROBE_RULES)
    assert {one.code for one in verdict.findings} == {rule.entry.code for rule in PROBE_RULES}


def test_a_rule_that_crashes_answers_no():
    broken = replace(PROBE_RULES[0], check=lambda score, level: 1 / 0)
    verdict = judge_probe(score(), Level.CI, (broken, *PROBE_RULES[1:]))
    assert verdict.exit == 1
    assert "could not be evaluated" in verdict.findings[0].what


def test_what_is_withheld_is_in_no_finding():
    """Misses of a window whose passes are withheld would give the passes away."""
    held = replace(window(1), withheld="20 of 63 attempts are invalid (20 rate_limited), above the ceiling of 0.05")
    made = (
        *attempts(17, cls="schema_miss", reason="extra_key"),
        *attempts(20, cls="http_error", reason="rate_limited"),
        *attempts(7, group="malformed", cls="error_contract", reason="accepted"),
    )
    shown = judge_probe(score(attempts=made, windows=(held,)), Level.INTERNAL, PROBE_RULES)
    texts = " ".join(f"{one.what} {one.fix}" for one in shown.findings)
    assert "extra_key" not in texts and "schema_miss" not in texts and "7 of" not in texts and "accepted" not in texts
    open_ = judge_probe(score(attempts=made, windows=(window(1),)), Level.INTERNAL, PROBE_RULES)
    told = " ".join(one.what for one in open_.findings)
    assert "0 of 17 attempts passed" in told and "7 of 7 malformed controls" in told
