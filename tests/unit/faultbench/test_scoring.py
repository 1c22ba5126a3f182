"""Scoring a bench: metrics by hand, what a failing control withholds everywhere, the page against its golden text."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bench_data import TWICE, bench, scored, sheet, trials_of, write
from denominator.cli.main import run_cli
from denominator.errors import InputError
from denominator.faultbench.scoring import score_paths
from denominator.metrics.durability import BENCH_METRICS, measure_bench
from denominator.publish.terminal.faultbench import durability_page
from denominator.publish.terminal.page import Page
from denominator.records.faults import Applied
from denominator.records.values import NotMeasured
from denominator.stats import decimal6, drawn_mean, wilson

GOLDEN = Path(__file__).parents[2] / "golden" / "faultbench"
EIGHT = tuple("abcdefgh")
UNKNOWN = NotMeasured("not taken")


def estimate(found, metric):
    card = found.card
    return next(one for one in (*card.capability, *card.efficiency, *card.durability) if one.metric == metric)


def test_a_clean_bench_of_eight_tasks_has_a_rate_with_the_task_as_its_unit():
    found = scored(bench(EIGHT))
    one = estimate(found, "rsr")
    drawn = drawn_mean([2] * 8, [2] * 8)
    assert (one.numerator, one.denominator, one.value) == (16, 16, "1.000000")
    assert (one.lo, one.hi) == (decimal6(drawn.interval.lo), decimal6(drawn.interval.hi))
    assert found.card.verdict.rung == "rate_with_interval" and found.exit == 0
    assert (estimate(found, "double_apply_rate").numerator, estimate(found, "double_apply_rate").denominator) == (0, 16)
    assert [(one.name, one.state) for one in found.card.controls] == [
        (name, "held") for name in ("positive", "negative", "replay", "silent")
    ]


def test_one_trial_a_task_is_wilsons_interval():
    found = scored(bench(EIGHT, faults=("patch_applied:kill",)), {"a#1 patch_applied:kill": {"ended": "fail"}})
    one = estimate(found, "rsr")
    assert (one.numerator, one.denominator, one.value) == (7, 8, "0.875000")
    assert (one.lo, one.hi) == tuple(map(decimal6, (wilson(7, 8).lo, wilson(7, 8).hi)))


def test_a_trial_without_an_end_is_lost_and_the_best_case_stands_beside():
    one = estimate(
        scored(bench(EIGHT, faults=("patch_applied:kill",)), {"a#1 patch_applied:kill": {"ended": UNKNOWN}}), "rsr"
    )
    assert (one.numerator, one.denominator) == (7, 8)
    assert one.by == (("without_verdict", "1"), ("if_all_passed", "1.000000"))


def test_nothing_interrupted_is_null_with_the_reason_in_both_rates():
    quiet = {f"{task}#1 patch_applied:kill": {"interrupted": False} for task in EIGHT}
    found = scored(bench(EIGHT, faults=("patch_applied:kill",)), quiet)
    for metric in ("rsr", "rsr_given_pass", "replay_calls", "replay_tokens", "replay_wall"):
        one = estimate(found, metric)
        assert one.value == one.lo == one.hi
        assert "nothing was interrupted" in str(one.value)


def test_given_pass_leaves_out_tasks_that_do_not_pass_without_faults():
    expected = {"expected": "fail"}
    changed = {"a#1": {"ended": "fail", **expected}, "a#1 patch_applied:kill": {"ended": "fail", **expected}}
    found = scored(bench(EIGHT, faults=("patch_applied:kill",)), changed)
    assert (estimate(found, "rsr").numerator, estimate(found, "rsr").denominator) == (7, 8)
    assert (estimate(found, "rsr_given_pass").numerator, estimate(found, "rsr_given_pass").denominator) == (7, 7)
    assert (estimate(found, "faultless_pass_rate").numerator, estimate(found, "faultless_pass_rate").denominator) == (
        7,
        8,
    )


def test_slow_and_clock_jump_stand_apart():
    plan = bench(EIGHT, faults=("patch_applied:kill", "tests_run:slow", "tests_run:clock_jump"))
    found = scored(plan, {"a#1 tests_run:slow": {"ended": "fail"}})
    assert estimate(found, "rsr").denominator == 8
    assert (estimate(found, "quiet_pass_rate").numerator, estimate(found, "quiet_pass_rate").denominator) == (15, 16)
    assert [line.fault for line in found.card.by_fault if line.apart] == ["tests_run:slow", "tests_run:clock_jump"]


@pytest.mark.parametrize(
    ("applied", "twice"),
    [
        ((Applied(workspace="w", times=1),), 0),
        ((Applied(workspace="w", times=2),), 1),
        ((Applied(workspace="w", times=1, attempt=1), Applied(workspace="w", times=1, attempt=2)), 1),
        ((Applied(workspace="w", times=1, attempt=1), Applied(workspace="v", times=1, attempt=2)), 0),
        ((Applied(workspace="w", times=0),), 0),
        ((), 0),
    ],
)
def test_an_effect_is_twice_on_one_workspace_and_never_across_a_reset(applied, twice):
    found = scored(bench(EIGHT, faults=("patch_applied:kill",)), {"a#1 patch_applied:kill": {"applied": applied}})
    assert estimate(found, "double_apply_rate").numerator == twice


def test_effects_that_nobody_counted_make_the_rate_unknown_but_not_what_was_seen():
    changed = {
        "a#1 patch_applied:kill": {"applied": (Applied(workspace="w", times=UNKNOWN),)},
        "b#1 patch_applied:kill": {"applied": TWICE},
    }
    one = estimate(scored(bench(EIGHT, faults=("patch_applied:kill",)), changed), "double_apply_rate")
    assert one.numerator == 1 and "not counted in 1 of 8" in str(one.value)


def test_a_cost_that_one_trial_did_not_record_is_unknown():
    found = scored(bench(EIGHT), {"a#1 patch_applied:kill": {"replay_tokens": UNKNOWN}})
    one = estimate(found, "replay_tokens")
    assert isinstance(one.numerator, NotMeasured) and "not recorded for 1 of 16 trials" in str(one.value)
    calls = estimate(found, "replay_calls")
    assert (calls.numerator, calls.denominator, calls.value) == (16, 16, "1.000000")


def test_a_single_shot_runner_has_no_durability():
    plan = bench(EIGHT)
    alone = bench(EIGHT, runner=type(plan.runner)(name="r", digest="d", command=("r",), checkpoints=("tests_run",)))
    found = scored(alone)
    for metric in ("rsr", "rsr_given_pass", "double_apply_rate", "replay_calls"):
        assert "single-shot" in str(estimate(found, metric).value)


CONTROLS = {
    "positive": ({"a#1": {"ended": "fail"}}, "harness broken"),
    "negative": ({"a#1 negative": {"tree_at_death": "t9"}}, "wrote too early"),
    "replay": ({"a#1 patch_drafted:kill": {"second_resume_noop": False}}, "journal not authoritative"),
    "silent": ({"a#1 silent": {"unknown_state": False}}, "runner guesses"),
}


@pytest.mark.parametrize("control", CONTROLS)
def test_one_failing_control_withholds_every_figure_in_every_form(control, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    changed, meaning = CONTROLS[control]
    changed = {**changed, "c#1 patch_applied:kill": {"ended": "fail", "replay_tokens": 7777, "applied": TWICE}}
    plan = bench(EIGHT, faults=("patch_drafted:kill", "patch_applied:kill"))
    folder = write(tmp_path / "bench", plan, trials_of(plan, changed))
    said = {}
    for form in ("text", "json", "github", "junit", "sarif"):
        assert run_cli(["faultbench", "score", str(folder), "--format", form, *(["-v"] if form == "text" else [])]) == 1
        found = capsys.readouterr()
        said[form] = " ".join((found.out + found.err).split())
        assert meaning in said[form], form
        for hidden in ("15/16", "1/16", "0.9375", "0.937", "0.938", "9277", "c#1"):
            assert hidden not in said[form].replace("c#1 n", ""), (form, hidden)
    card = json.loads(said["json"])["card"]
    for one in (*card["durability"], *card["capability"]):
        assert all("not_measured" in one[name] for name in ("value", "lo", "hi", "numerator")), one["metric"]
        assert one["withheld_by"] and not one["by"]
    assert all("not_measured" in line["recovered"] for line in card["by_fault"])
    assert "not_measured" in card["double_applied"]


PAGES = {
    "clean": (bench(EIGHT), {}),
    "lost-and-twice": (
        bench(("a", "b", "c"), faults=("patch_drafted:kill", "apply.renamed=kill", "tests_run:slow")),
        {
            "a#1 apply.renamed=kill": {"applied": TWICE, "ended": "fail"},
            "b#1 apply.renamed=kill": {"manual_edit": True, "replay_tokens": UNKNOWN},
            "c#1 patch_drafted:kill": {"fired": False, "interrupted": False},
        },
    ),
    "blocked": (bench(("a", "b", "c")), {"a#1 negative": {"tree_at_death": "t9"}, "b#1 patch_applied:kill": None}),
}


def page_of(name):
    page = Page(90, color=False)
    durability_page(page, scored(*PAGES[name]).card)
    return re.sub(r"rules [0-9a-f]{12}", "rules RULES", page.text())


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_as_it_was_read_by_a_person(name):
    assert page_of(name) == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


def test_rows_that_cannot_be_read_stop_the_scoring_with_their_places(tmp_path):
    plan = bench()
    folder = write(tmp_path / "bench", plan, trials_of(plan))
    path = folder / "trials.jsonl"
    lines = path.read_bytes().splitlines()
    lines[1] = lines[1].replace(b'"repeat":1', b'"repeat":"one"')
    lines[3] = lines[3].replace(b'"wall_ms":', b'"wall_ms":NaN,"x":')
    path.write_bytes(b"\n".join(lines) + b"\n")
    with pytest.raises(InputError) as caught:
        score_paths([folder])
    assert "trials.jsonl:2" in str(caught.value) and "trials.jsonl:4" in str(caught.value)


def test_a_torn_last_row_is_kept_aside_and_its_trial_is_missing(tmp_path):
    plan = bench()
    folder = write(tmp_path / "bench", plan, trials_of(plan))
    path = folder / "trials.jsonl"
    path.write_bytes(path.read_bytes()[:-40])
    found = score_paths([folder])
    told = " ".join(one.what for one in found.judged.findings)
    assert "torn_tail: the last line was cut" in told and found.exit == 1


def test_the_order_of_rows_changes_no_byte(tmp_path):
    plan = bench(EIGHT)
    trials = trials_of(plan)
    cards = [
        score_paths([write(tmp_path / name, plan, rows)]).card for name, rows in (("x", trials), ("y", trials[::-1]))
    ]
    assert cards[0] == cards[1]


def test_no_metric_file_is_unlisted():
    package = Path(__import__("denominator").__file__).parent / "metrics" / "durability"
    found = {path.stem for path in package.glob("*.py")} - {"__init__", "shape"}
    assert found == {metric.entry.name for metric in BENCH_METRICS}


def test_estimates_are_made_of_trials_alone():
    plan = bench(EIGHT)
    assert measure_bench(sheet(plan, trials_of(plan))) == measure_bench(sheet(plan, trials_of(plan)[::-1]))
