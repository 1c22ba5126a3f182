"""How one attempt ended and whose ending it was: outcome, origin and reason at once; the first rule that applies wins.

A verdict outranks every failure event; without one the earliest failure that nothing recovered from decides; the agent's own
spent budget is the agent's; a runner that came to no verdict is the patch's only where it points there; a text comes near the
end; what nobody can explain is nobody's pass.
"""

from __future__ import annotations

from denominator.labels.endings import (
    agent_never_started,
    agents_diff_does_not_apply,
    already_green_control,
    applied_twice,
    asked_or_abstained,
    bad_task,
    build_broken,
    contaminated_workspace,
    cut_by_the_run_cap,
    every_clause_holds,
    failed_before_any_change,
    failed_before_grading,
    failed_in_grading,
    flaky_baseline,
    gold_is_red_here,
    green_but_no_pass,
    made_its_own_verdict,
    never_closed,
    no_verdict,
    nothing_was_tested,
    only_errors,
    out_of_memory,
    own_budget,
    pack_expired,
    patch_lost_by_harness,
    provider_pause,
    red,
    report_and_status_disagree,
    report_incomplete,
    runner_broke,
    runner_missing,
    runner_not_usable,
    runner_was_killed,
    silent,
    solution_ended_its_grading,
    source_names_an_assumed_surface,
    stop_reason,
    stopped_by_harness,
    tampered_report,
    test_hung,
    tests_not_collected,
    text_hint,
    verdict_after_its_cap,
    verifier_ran_out_of_time,
    word_of_the_source,
)
from denominator.labels.shape import Rule

ENDINGS: tuple[Rule, ...] = (
    # Who can write the verdict is believed in nothing.
    tampered_report.RULE,
    made_its_own_verdict.RULE,
    already_green_control.RULE,
    # What was graded is not the agent's work: nothing was changed, or it never reached the graded tree.
    agent_never_started.RULE,
    failed_before_any_change.RULE,
    applied_twice.RULE,
    agents_diff_does_not_apply.RULE,
    patch_lost_by_harness.RULE,
    # The same tests with the agent off, in the same box, or in a clean tree.
    flaky_baseline.RULE,
    gold_is_red_here.RULE,
    pack_expired.RULE,
    bad_task.RULE,
    contaminated_workspace.RULE,
    # A verdict, or the agent's own word that there is none.
    asked_or_abstained.RULE,
    verdict_after_its_cap.RULE,
    silent.RULE,
    source_names_an_assumed_surface.RULE,
    red.RULE,
    green_but_no_pass.RULE,
    every_clause_holds.RULE,
    # No verdict: the earliest failure that nothing recovered from, then who ended it.
    never_closed.RULE,
    failed_before_grading.RULE,
    cut_by_the_run_cap.RULE,
    own_budget.RULE,
    provider_pause.RULE,
    failed_in_grading.RULE,
    out_of_memory.RULE,
    stopped_by_harness.RULE,
    solution_ended_its_grading.RULE,
    verifier_ran_out_of_time.RULE,
    # No verdict: how the runner ended.
    test_hung.RULE,
    tests_not_collected.RULE,
    build_broken.RULE,
    only_errors.RULE,
    runner_broke.RULE,
    runner_not_usable.RULE,
    runner_missing.RULE,
    nothing_was_tested.RULE,
    runner_was_killed.RULE,
    report_incomplete.RULE,
    report_and_status_disagree.RULE,
    # No fact decides: a word, a text, what a foreign source says.
    stop_reason.RULE,
    text_hint.RULE,
    word_of_the_source.RULE,
    # Nothing decides.
    no_verdict.RULE,
)
