"""The gate: a closed family of rules, one file each, and the verdict that they add up to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from denominator.gate import (
    armed_failpoints,
    bad_rows,
    changed_decoding,
    changed_prompt,
    changed_seal,
    changed_terms,
    conflicting_rows,
    cut_attempts,
    dataset_size_mismatch,
    duplicate_rows,
    failed_narration,
    few_seeds,
    few_tasks,
    flaky_baseline,
    flips_above_ceiling,
    foreign_rows,
    house_clause,
    impossible_percent,
    in_process_grading,
    inconclusive_control,
    infra_above_ceiling,
    invalid_rate_above_ceiling,
    limits_differ,
    lowered_claims,
    missing_controls,
    missing_envelope_fields,
    missing_hidden_tests,
    missing_rerun_recipe,
    mixed_access_classes,
    mixed_fingerprints,
    mixed_hosts,
    mixed_models,
    mixed_usage,
    no_negative_slice,
    no_on_timeout_policy,
    non_test_scorer,
    open_network,
    owed_attempts,
    passes_by_retry,
    played_draws,
    post_lock_exclusion,
    quantile_without_bound,
    seeds_differ,
    several_run_ids,
    several_runs,
    silent_loosening,
    single_date,
    spent_quota,
    stopped_early,
    strata_that_do_not_sum,
    torn_tail,
    unbalanced_ledger,
    undeclared_retries,
    unevaluated_labels,
    unfit_purpose,
    unfit_waiver,
    uninspectable_tasks,
    unknown_reason,
    unknown_state,
    unlike_probe,
    unmeasured_headline,
    unmet_cite_rule,
    unresolved_rows,
    unsealed_concurrency,
    violated_control,
    wide_bounds,
)
from denominator.gate.citing import cite
from denominator.gate.house import FAMILY, quieted
from denominator.gate.shape import Rule, Said, as_finding
from denominator.gate.verdict import holds_of, make_verdict
from denominator.gate.waivers import with_waivers
from denominator.gate.withhold import hidden_of, printable, quiet_terms, undigested, withheld_of
from denominator.records.findings import Finding
from denominator.records.judgements import Sheet
from denominator.records.words import Severity

__all__ = [
    "RULES",
    "Rule",
    "check_all",
    "cite",
    "hidden_of",
    "holds_of",
    "make_verdict",
    "printable",
    "quiet_terms",
    "undigested",
    "withheld_of",
]

RULES: tuple[Rule, ...] = (
    missing_envelope_fields.RULE,
    unbalanced_ledger.RULE,
    dataset_size_mismatch.RULE,
    foreign_rows.RULE,
    conflicting_rows.RULE,
    duplicate_rows.RULE,
    bad_rows.RULE,
    torn_tail.RULE,
    several_run_ids.RULE,
    seeds_differ.RULE,
    violated_control.RULE,
    inconclusive_control.RULE,
    missing_controls.RULE,
    unresolved_rows.RULE,
    invalid_rate_above_ceiling.RULE,
    infra_above_ceiling.RULE,
    changed_seal.RULE,
    impossible_percent.RULE,
    post_lock_exclusion.RULE,
    undeclared_retries.RULE,
    unknown_reason.RULE,
    no_on_timeout_policy.RULE,
    in_process_grading.RULE,
    lowered_claims.RULE,
    failed_narration.RULE,
    few_tasks.RULE,
    mixed_access_classes.RULE,
    mixed_models.RULE,
    mixed_hosts.RULE,
    mixed_fingerprints.RULE,
    changed_prompt.RULE,
    changed_decoding.RULE,
    changed_terms.RULE,
    non_test_scorer.RULE,
    missing_hidden_tests.RULE,
    spent_quota.RULE,
    strata_that_do_not_sum.RULE,
    wide_bounds.RULE,
    unknown_state.RULE,
    unmeasured_headline.RULE,
    unevaluated_labels.RULE,
    passes_by_retry.RULE,
    cut_attempts.RULE,
    unfit_waiver.RULE,
    silent_loosening.RULE,
    house_clause.RULE,
    single_date.RULE,
    flips_above_ceiling.RULE,
    unsealed_concurrency.RULE,
    no_negative_slice.RULE,
    limits_differ.RULE,
    few_seeds.RULE,
    open_network.RULE,
    missing_rerun_recipe.RULE,
    flaky_baseline.RULE,
    quantile_without_bound.RULE,
    several_runs.RULE,
    unmet_cite_rule.RULE,
    stopped_early.RULE,
    uninspectable_tasks.RULE,
    unfit_purpose.RULE,
    played_draws.RULE,
    mixed_usage.RULE,
    owed_attempts.RULE,
    armed_failpoints.RULE,
    unlike_probe.RULE,
)


def check_all(
    sheet: Sheet, rules: Sequence[Rule] = RULES, performance: frozenset[str] = frozenset()
) -> tuple[Finding, ...]:
    """What every rule says, the ones that hold included. A rule that crashes is unknown, and unknown never passes.

    `performance` names the metrics that are withheld when something blocks: a late rule sees what the others leave. Rules
    of the house are asked before the late rules here, so that a clause prints no number which one of them withholds.
    """
    found = {rule.entry.code: tuple(_one(rule, sheet)) for rule in rules if not rule.late}
    if any(rule.hides_split and any(map(_blocks, found.get(rule.entry.code, ()))) for rule in rules):
        found |= {rule.entry.code: (as_finding(rule.entry, SILENT),) for rule in rules if rule.reads_split}
    holds = holds_of(with_waivers((one for said in found.values() for one in said), sheet.terms), rules)
    if holds.over_ceiling:
        found |= {rule.entry.code: (as_finding(rule.entry, ABOVE),) for rule in rules if rule.reads_rates}
    late = [rule for rule in rules if rule.late]
    for asked in (
        [one for one in late if one.entry.family == FAMILY],
        [one for one in late if one.entry.family != FAMILY],
    ):
        left = _left(sheet, (one for said in found.values() for one in said), rules, performance)
        found |= {rule.entry.code: tuple(_one(rule, left)) for rule in asked}
    return quieted(with_waivers((finding for rule in rules for finding in found[rule.entry.code]), sheet.terms))


def _left(sheet: Sheet, found: Iterable[Finding], rules: Sequence[Rule], performance: frozenset[str]) -> Sheet:
    """The sheet with what may be printed after these findings, and no more."""
    holds = holds_of(with_waivers(found, sheet.terms), rules)
    withheld = withheld_of(sheet.estimates, performance, holds.over_ceiling)
    return replace(sheet, estimates=printable(sheet.estimates, withheld, holds.blockers, holds.value_hiders))


SILENT = Said(Severity.NOTE, "gate", "not said while a control is violated: it would tell how many passed")


ABOVE = Said(Severity.NOTE, "gate", "not said above the ceiling: no rate is shown but those of host and provider")


def _blocks(finding: Finding) -> bool:
    return finding.severity == Severity.BLOCK


def _one(rule: Rule, sheet: Sheet) -> Iterable[Finding]:
    try:
        said = tuple(rule.check(sheet))
    except Exception as error:
        what = f"the rule could not be evaluated: {type(error).__name__}"
        said = (Said(Severity.UNKNOWN, "gate", what, "", "this is a bug of ours: report the rule and the rows"),)
    return tuple(as_finding(rule.entry, one) for one in said or (Said(Severity.HELD, "all", rule.held),))
