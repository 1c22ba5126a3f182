"""Whatever a row holds: one outcome, one origin, at most one bucket; unknown is never a pass; no text moves a verdict."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.labels import DEFAULT_CAUSES, explain_row, label_row, signature
from denominator.records.facts import Hint, Repetition, SurfaceFacts, ToolFacts
from denominator.records.facts import TestCounts as Counts
from denominator.records.rows import AttemptRow, Failure, PatchFacts, Source, Tally
from denominator.records.rows import TestIds as Ids
from denominator.records.values import NotMeasured
from denominator.records.words import (
    Control,
    FailureClass,
    Grade,
    KilledBy,
    Mix,
    Origin,
    Outcome,
    RunnerEnding,
    Slice,
    StopReason,
)
from judging_data import key, said, terms

GONE = NotMeasured("nobody said")
FLAG = st.sampled_from([True, False, GONE])
GRADE = st.sampled_from([*Grade, GONE])
IDS = st.sampled_from([(), ("a",), ("a", "b")])
PATHS = st.sampled_from([(), ("x",)])
CAUSE = st.sampled_from([*(rule.cause for rule in DEFAULT_CAUSES), "gremlins"])
PHASE = st.sampled_from(["run", "setup", "agent", "apply", "verify", "harness"])
WRITER = st.sampled_from(["harness", "provider", "sandbox", "verifier"])


def word(kind):
    return st.one_of(st.just(GONE), st.sampled_from([str(one) for one in kind]))


def number(*values):
    return st.sampled_from([*values, GONE])


def known(strategy):
    return st.one_of(st.just(GONE), strategy)


FAILURES = st.one_of(st.none(), st.builds(Failure, seq=st.integers(1, 9), cause=CAUSE, writer=WRITER, phase=PHASE))
PATCHES = st.builds(
    PatchFacts, sha256=st.just("p"), bytes=number(0, 10), touched=PATHS, outside=PATHS, forbidden=PATHS, refused=PATHS,
    base_tree=st.sampled_from(["", "b"]), final_tree=st.sampled_from(["", "b", "f"]),
)  # fmt: skip
TESTS = st.builds(Ids, expected=IDS, passed=IDS, failed=IDS, skipped=IDS, missing=IDS, other=IDS)
COUNTS = st.builds(Counts, expected=number(0, 3), passed=number(0, 2, 3), failed=number(0, 1), errors=number(0, 1))
REPEATS = st.lists(
    st.builds(Repetition, block=st.integers(1, 5), times=st.integers(1, 6), first=st.just(0)), max_size=2
)
TOOLS = st.builds(
    ToolFacts, source=st.just("tool_log"), calls=st.just(5), with_results=st.just(5), complete=st.booleans(),
    repeats=REPEATS.map(tuple),
)  # fmt: skip
SURFACES = st.builds(SurfaceFacts, source=st.just("patch"), used=st.just(2), invented=PATHS, unchecked=PATHS)
HINTS = st.lists(
    st.builds(
        Hint, cause=CAUSE, family=st.sampled_from(["sandbox", "disk", "git"]), writer=WRITER,
        stream=st.sampled_from(["setup/err", "verify/err", "harness/out"]), offset=st.integers(0, 99), length=st.just(5),
        ref=st.sampled_from(["", "d" * 64]),
    ),
    max_size=3,
).map(tuple)  # fmt: skip
TALLY = st.builds(Tally, expected=st.integers(0, 2), failed=st.integers(0, 2))
FIELDS = {
    "slice": st.sampled_from([str(one) for one in Slice]), "control": st.sampled_from(["", "", *map(str, Control), "new"]),
    "source": st.sampled_from([Source(), Source(kind="import", file="f", line=1)]), "closed": st.booleans(),
    "incarnations": st.integers(0, 3), "paused_ms": number(0, 5, 900), "working_ms": number(0, 70),
    "stop_reason": word(StopReason), "killed_by": word(KilledBy), "agent_exit": number(0, 1, 137),
    "agent_signal": number(0, 9), "oom": FLAG, "after_cap": FLAG, "run_cap_cut": st.booleans(),
    "first_unrecovered": FAILURES, "grade": st.sampled_from([str(one) for one in Grade]),
    "grade_stage": st.sampled_from([GONE, "not_started", "runner_started", "collected", "finished", "install"]),
    "verify_exit": number(0, 1, 137, 139), "verify_signal": number(0, 9, 11), "tests": known(TESTS),
    "sentinels": known(TALLY), "counter_tests": known(TALLY), "tests_hidden": FLAG, "tests_written_by_agent": FLAG,
    "patch": known(PATCHES), "provider_retries": number(0, 3), "asked": FLAG, "abstained": FLAG,
    "required_missing": PATHS, "canary_hits": PATHS, "canary_searched": FLAG, "green_without_agent": FLAG,
    "agent_started": FLAG, "runner_ending": word(RunnerEnding), "runner_blames_patch": FLAG, "baseline_collects": FLAG,
    "test_counts": known(COUNTS), "gold_now": GRADE, "regraded": GRADE, "workspace_reused": FLAG,
    "sentinel_changed": FLAG, "tampering": st.sampled_from([(), ("runner",), ("verdict",), ("tests", "startup")]), "forged_output": FLAG,
    "leaks_read": PATHS, "looked_beyond": PATHS, "canary_echo": FLAG, "patch_made_by": word(["harness", "agent_text"]),
    "apply_exit": number(0, 1), "already_applied": FLAG, "weak_tests": st.sampled_from([(), ("mock",)]),
    "tools": known(TOOLS), "surfaces": known(SURFACES), "hints": HINTS,
}  # fmt: skip
SOME_FIELDS = st.lists(st.sampled_from(sorted(FIELDS)), unique=True).flatmap(
    lambda names: st.fixed_dictionaries({name: FIELDS[name] for name in names})
)
ROWS = SOME_FIELDS.map(lambda made: AttemptRow(**({"key": key("t"), "slice": "solvable", "started": True} | made)))
TERMS = st.builds(
    lambda on_timeout, named, network: terms(on_timeout=on_timeout, network=network, **dict.fromkeys(named, ("t",))),
    st.sampled_from(["", "fail", "grade"]),
    st.lists(st.sampled_from(["flaky_tasks", "bad_tasks", "expired_tasks"]), max_size=2),
    st.sampled_from(["", "off", "gateway"]),
)
SAYS = st.dictionaries(st.sampled_from(["outcome", "mix", "reason", "failure_class", "tag"]), st.sampled_from(
    ["pass", "fail", "abstain", "unscoreable", "TOOL_LOOP", "ASSUME_API", "evicted", "compile_fail", "odd"]
), max_size=2).map(lambda found: {axis: said("t", axis, value) for axis, value in found.items()})  # fmt: skip


def by_axis(labels):
    axes: dict[str, list[str]] = {}
    for label in labels:
        axes.setdefault(label.axis, []).append(label.value)
    return axes


@settings(max_examples=150, deadline=None)
@given(ROWS, TERMS, SAYS)
def test_every_row_gets_one_exit_one_origin_and_at_most_one_bucket(row, given_terms, says):
    labels = label_row(row, given_terms, says)
    axes = by_axis(labels)
    assert not [label.why for label in labels if label.why.startswith("the rule")]
    assert len(axes["outcome"]) == len(axes["origin"]) == len(axes["failure_class"]) == 1
    assert axes["outcome"][0] in (*Outcome, "unknown")
    assert axes["origin"][0] in list(Origin)
    assert axes["failure_class"][0] in list(FailureClass)
    assert len(axes.get("reason", [])) == (axes["outcome"] == ["unscoreable"] and axes["failure_class"] == ["censored"])
    assert len(axes.get("mix", [])) <= 1
    assert set(axes.get("mix", [])) <= set(map(str, Mix))
    assert len(axes.get("control", [])) == bool(row.control)
    tags = axes.get("tag", [])
    assert len(tags) == len(set(tags))


@settings(max_examples=150, deadline=None)
@given(ROWS, TERMS, SAYS)
def test_the_axes_agree(row, given_terms, says):
    axes = by_axis(label_row(row, given_terms, says))
    outcome, origin = axes["outcome"][0], axes["origin"][0]
    mix, failure_class = axes.get("mix", [""])[0], axes["failure_class"][0]
    assert (outcome == "pass") == (failure_class == "pass")
    assert (mix in ("PASS_WEAK", "PASS_CONTRACT")) <= (outcome == "pass")
    assert bool(mix) <= (origin == "MODEL")
    assert (outcome == "unscoreable") <= (origin != "MODEL")
    assert (outcome in ("pass", "abstain")) <= (origin == "MODEL" or bool(says) or bool(row.control))


@settings(max_examples=150, deadline=None)
@given(ROWS, TERMS, SAYS)
def test_what_a_pass_from_facts_can_never_hold(row, given_terms, says):
    if by_axis(label_row(row, given_terms, says))["outcome"] != ["pass"]:
        return
    noop = row.control == Control.NOOP_MUST_STAY_GREEN
    assert row.grade != "tampered"
    assert not row.tampering
    if noop:
        return
    assert not row.leaks_read
    assert not row.canary_hits
    assert not (row.required_missing and row.asked is not True and row.abstained is not True)
    assert not (isinstance(row.patch, PatchFacts) and (row.patch.outside or row.patch.forbidden))
    assert not (isinstance(row.surfaces, SurfaceFacts) and row.surfaces.invented)
    if row.source.kind == "import" and not isinstance(row.runner_ending, NotMeasured):
        assert row.runner_ending in (RunnerEnding.PASSED, RunnerEnding.UNKNOWN)
    if row.source.kind == "own":
        assert row.grade == "green"


@settings(max_examples=150, deadline=None)
@given(ROWS, TERMS, HINTS)
def test_texts_move_no_label_of_a_row_with_a_verdict(row, given_terms, hints):
    """A red reference patch says that no verdict is one; there a text may say why, and nothing else."""
    graded = row.source.kind == "own" or isinstance(row.runner_ending, NotMeasured)
    row = replace(row, hints=(), gold_now=GONE, agent_started=GONE)
    if row.grade == "none" or not graded:
        return
    before = [one for one in label_row(row, given_terms) if one.value != "text_hint"]
    after = label_row(replace(row, hints=hints), given_terms)
    assert [one for one in after if one.value != "text_hint"] == before
    assert any(one.value == "text_hint" for one in after) == bool(hints)


@settings(max_examples=80, deadline=None)
@given(ROWS, HINTS)
def test_a_label_from_a_text_alone_is_low(row, hints):
    tried = explain_row(replace(row, hints=hints), terms())
    for one in tried:
        if one.rule.entry.name == "text-hint":
            assert all(judgement.confidence == "low" for judgement in one.said)


@settings(max_examples=80, deadline=None)
@given(ROWS, ROWS, TERMS)
def test_equal_signatures_give_equal_judgements(row, other, given_terms):
    def core(one):
        return [
            (label.axis, label.value, label.by, label.why, label.confidence) for label in label_row(one, given_terms)
        ]

    if signature(row, given_terms) == signature(other, given_terms):
        assert core(row) == core(other)
    moved = replace(row, wall_ms=5, key=key(row.key.task_id, 2, 3), notes=("x",))
    assert signature(moved, given_terms) == signature(row, given_terms)
    assert core(moved) == core(row)


@settings(max_examples=80, deadline=None)
@given(ROWS, TERMS)
def test_the_chain_of_rules_names_one_winner_and_a_reason_for_each_loser(row, given_terms):
    for axis in ("ending", "failure_class", "mix", "control"):
        tried = [one for one in explain_row(row, given_terms) if one.axis == axis]
        assert all(one.why_not for one in tried[:-1])
        assert [bool(one.said) for one in tried[:-1]] == [False] * (len(tried) - 1 if tried else 0)
