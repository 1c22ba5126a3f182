"""Bounds of several runs: over every draw that any of them has or has declared, or over no number at all."""

from __future__ import annotations

from dataclasses import replace

from denominator.pipeline.audit_counts import Counted
from denominator.pipeline.audit_runs import Of, run_lines
from denominator.records.audits import AuditedCount, IdSets
from denominator.records.findings import Verdict
from denominator.records.keys import DrawKey
from denominator.records.values import NotMeasured

VERDICT = Verdict(status="blocked", rung="refused", sentence="")
FIT = Verdict(status="publishable", rung="rate_with_interval", sentence="")


def run(name, recorded, never=(), unnamed=0, passes=1):
    """A run of single draws whose every record has a score."""
    have, n = frozenset(DrawKey(one, 1) for one in recorded), len(recorded)
    counts = {"scheduled": n + len(never) + unnamed, "with a record": n, "scored": n}
    return Of(
        name=name,
        counted=Counted(passes, tuple(AuditedCount(name=key, n=value) for key, value in counts.items()), 0),
        verdict=VERDICT,
        recorded=have,
        known=have | {DrawKey(one, 1) for one in never},
        unnamed=unnamed,
        scored=n,
    )


def bounds(*runs):
    lines, ids = run_lines(runs)
    return [(one.least, one.most, one.absent) for one in lines], ids


def test_a_declared_draw_that_no_run_recorded_may_have_gone_either_way():
    found, ids = bounds(run("a", "xy", never="zw"), run("b", "x"))
    assert found == [("0.250000", "0.750000", 2), ("0.250000", "1.000000", 3)]
    assert ids == IdSets(union=2, intersection=1)


def test_without_a_plan_the_draws_that_any_run_has_are_all_there_are():
    found, _ = bounds(run("a", "xy"), run("b", "x"))
    assert found == [("0.500000", "0.500000", 0), ("0.500000", "1.000000", 1)]


def test_bounds_without_width_say_what_they_are():
    lines, _ = run_lines([run("a", "xy"), run("b", "x"), replace(run("c", "xy"), verdict=FIT)])
    assert [bool(one.no_width) for one in lines] == [True, False, True]
    assert lines[0].no_width.startswith("no width: each of the 2 draws has a score here")
    assert "the run is blocked" in lines[0].no_width
    assert "blocked" not in lines[2].no_width


def test_where_only_a_number_was_scheduled_nobody_knows_over_how_many():
    found, _ = bounds(run("a", "xy", unnamed=498), run("b", "x"))
    assert all(isinstance(least, NotMeasured) and isinstance(most, NotMeasured) for least, most, _ in found)
