"""Scoring benches and foreign journals: what must hold whatever the rows are."""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from bench_data import bench, sheet, trials_of
from denominator.errors import DenominatorError
from denominator.faultbench.scoring import judge, score_paths
from denominator.gate.durability import BENCH_RULES, controls_of, judge_bench
from denominator.metrics.durability import measure_bench
from denominator.records.faults import CHECKPOINTS, Applied, FaultKind, Trial, fault_of
from denominator.records.trials import BenchReading, doubled
from denominator.records.values import NotMeasured
from denominator.wire.canonical import canonical
from denominator.wire.codec import from_json, to_json

FAULTS = ("patch_drafted:kill", "apply.renamed=kill", "tests_run:slow")
UNKNOWN = NotMeasured("not taken")
counts = st.one_of(st.integers(0, 3), st.just(UNKNOWN))
effects = st.lists(
    st.builds(Applied, workspace=st.sampled_from("vw"), times=counts, attempt=st.integers(1, 3)), max_size=3
).map(tuple)
trials = st.builds(
    Trial,
    bench_id=st.just("b1"),
    task_id=st.sampled_from("abcdefghij"),
    repeat=st.integers(1, 3),
    fault=st.sampled_from(("", *FAULTS)),
    control=st.sampled_from(("", "", "", "negative", "replay", "silent")),
    fired=st.booleans(),
    interrupted=st.one_of(st.booleans(), st.just(UNKNOWN)),
    ended=st.one_of(st.sampled_from(("pass", "fail", "abstain", "unscoreable")), st.just(UNKNOWN)),
    expected=st.sampled_from(("pass", "fail")),
    applied=effects,
    replay_calls=counts,
    replay_tokens=counts,
    replay_ms=counts,
    second_resume_noop=st.one_of(st.booleans(), st.just(UNKNOWN)),
    unknown_state=st.booleans(),
    manual_edit=st.booleans(),
    checkpoints=st.one_of(st.just(UNKNOWN), st.just(("context_loaded",)), st.just(())),
    tree_base=st.sampled_from(("t0", "t1")),
    tree_at_death=st.one_of(st.sampled_from(("t0", "t1")), st.just(UNKNOWN)),
)
rows = st.lists(trials, max_size=25)
PLAN = bench(tuple("abcdefghij"), FAULTS, 3)


def rates(found):
    return {one.metric: one for one in found}


@given(rows)
def test_a_trial_comes_back_from_its_row(found):
    for one in found:
        assert from_json(Trial, json.loads(canonical(to_json(one)))) == one


@given(st.sampled_from(CHECKPOINTS), st.sampled_from([*FaultKind]), st.integers(0, 99), st.integers(0, 9999))
def test_a_fault_comes_back_from_its_text(point, kind, nth, value):
    text = f"{point}:{kind}" + (f":{value}" if value else "") + (f"@{nth}" if nth else "")
    assert fault_of(text).text == text


@given(rows, st.randoms(use_true_random=False))
def test_the_order_of_trials_changes_nothing(found, random):
    shuffled = list(found)
    random.shuffle(shuffled)
    assert measure_bench(sheet(PLAN, found))[0].numerator == measure_bench(sheet(PLAN, shuffled))[0].numerator
    for one, other in zip(measure_bench(sheet(PLAN, found)), measure_bench(sheet(PLAN, shuffled)), strict=True):
        assert replace(one, rows_digest="") == replace(other, rows_digest="")


@given(rows, st.sampled_from("abcdefghij"), st.sampled_from(("pass", "fail")))
def test_one_more_trial_without_a_fault_never_moves_the_resume_success_rate(found, task, ended):
    more = [*found, Trial(bench_id="b1", task_id=task, repeat=3, ended=ended, second_resume_noop=UNKNOWN)]
    before, after = (rates(measure_bench(sheet(PLAN, one))) for one in (found, more))
    for metric in ("rsr", "double_apply_rate", "replay_calls", "replay_tokens", "replay_wall", "quiet_pass_rate"):
        assert replace(before[metric], rows_digest="") == replace(after[metric], rows_digest=""), metric


@given(rows)
def test_counts_stay_inside_their_denominators_and_values_inside_their_ends(found):
    for one in measure_bench(sheet(PLAN, found)):
        if isinstance(one.value, str) and one.unit not in ("calls", "tokens", "ms"):
            assert 0 <= one.numerator <= one.denominator
            assert isinstance(one.lo, NotMeasured) or float(one.lo) <= float(one.value) <= float(one.hi)
        if one.denominator == 0:
            assert isinstance(one.value, NotMeasured) and str(one.value)


@given(rows)
def test_what_passes_given_a_pass_is_no_more_than_what_was_interrupted(found):
    read = BenchReading(sheet(PLAN, found))
    of = rates(measure_bench(read.sheet))
    if isinstance(of["rsr_given_pass"].denominator, int) and isinstance(of["rsr"].denominator, int):
        assert of["rsr_given_pass"].denominator <= of["rsr"].denominator
    assert set(read.interrupted) <= set(read.faulted) <= set(read.durable)


@given(effects)
def test_twice_means_more_than_one_on_one_workspace(applied):
    one = Trial(bench_id="b1", task_id="a", applied=applied)
    sums: dict[str, int] = {}
    for each in applied:
        sums[each.workspace] = sums.get(each.workspace, 0) + (each.times if isinstance(each.times, int) else 0)
    assert (doubled(one) is True) == any(total > 1 for total in sums.values())
    split = replace(one, applied=tuple(replace(each, workspace=f"{at}") for at, each in enumerate(applied)))
    assert (doubled(split) is True) == any(isinstance(each.times, int) and each.times > 1 for each in applied)


@given(rows)
@settings(max_examples=60)
def test_a_blocked_bench_has_no_figure_left_and_an_open_one_has_held_controls(found):
    made = judge(sheet(PLAN, found))
    assert (made.judged.verdict.status == "blocked") == bool(made.judged.verdict.withheld) == made.judged.withheld
    assert made.judged.verdict.status == "blocked", "not every planned trial is there"
    for one in (*made.card.durability, *made.card.capability):
        for number in (one.numerator, one.value, one.lo, one.hi):
            assert isinstance(number, NotMeasured)
    assert isinstance(made.card.double_applied, NotMeasured)


@given(rows)
@settings(max_examples=60)
def test_no_rule_crashes_whatever_the_trials_are(found):
    made = sheet(PLAN, found)
    made = replace(made, controls=controls_of(made))
    made = replace(made, estimates=measure_bench(made))
    said = judge_bench(made, BENCH_RULES, frozenset()).findings
    assert not [one for one in said if one.severity == "unknown"]
    assert {one.code for one in said} == {rule.entry.code for rule in BENCH_RULES}


points = st.fixed_dictionaries(
    {
        "task_id": st.sampled_from(("k1", "k2", "k3")),
        "checkpoint": st.sampled_from(CHECKPOINTS),
        "payload_digest": st.sampled_from(("d1", "d2")),
    },
    optional={
        "attempt": st.integers(1, 3),
        "epoch": st.integers(1, 3),
        "ts": st.integers(0, 10**6),
        "wall_ms": st.integers(0, 50),
        "rolled_back": st.booleans(),
        "kind_of_nobody": st.text(max_size=3),
    },
)
verdicts = st.dictionaries(
    st.sampled_from(("k1", "k2", "k3")),
    st.fixed_dictionaries({"interrupted": st.booleans(), "status": st.sampled_from(("pass", "fail", "unscoreable"))}),
    max_size=3,
)


def scored_journal(lines, told):
    with tempfile.TemporaryDirectory() as folder:
        journal, stated = Path(folder) / "journal.jsonl", Path(folder) / "verdicts.json"
        journal.write_text("".join(json.dumps(one) + "\n" for one in lines))
        if told:
            stated.write_text(json.dumps(told))
        return score_paths([Path(folder)])


def unplaced(made):
    """A card without the places of lines: they say where a row stood."""
    findings = tuple(
        replace(one, where="", what="" if one.allow_name == "bad-trials" else one.what) for one in made.judged.findings
    )
    verdict = replace(made.card.verdict, findings=findings)
    return replace(made.card, verdict=verdict)


@given(st.lists(points, min_size=1, max_size=12), verdicts, st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_the_order_of_rows_of_a_journal_changes_nothing(lines, told, random):
    shuffled = [dict(sorted(one.items(), key=lambda _: random.random())) for one in lines]
    random.shuffle(shuffled)
    assert unplaced(scored_journal(lines, told)) == unplaced(scored_journal(shuffled, told))


@given(st.lists(points, min_size=1, max_size=12))
@settings(max_examples=40)
def test_twice_in_a_journal_is_two_digests_in_one_attempt(lines):
    made = scored_journal(lines, {})
    found: dict[tuple[str, int], set[str]] = {}
    for one in lines:
        if one["checkpoint"] == "patch_applied" and not one.get("rolled_back"):
            found.setdefault((one["task_id"], one.get("attempt", 1)), set()).add(one["payload_digest"])
    expected = {task for (task, _), digests in found.items() if len(digests) > 1}
    assert {name.partition("#")[0] for name in made.card.double_applied} == expected


@given(
    st.lists(st.one_of(st.binary(max_size=60), points.map(lambda one: json.dumps(one).encode())), max_size=6),
    st.booleans(),
)
@settings(max_examples=80)
def test_whatever_the_bytes_are_they_are_scored_or_refused_in_words(lines, ended):
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "journal.jsonl").write_bytes(b"\n".join(lines) + (b"\n" if ended else b""))
        try:
            score_paths([Path(folder)])
        except DenominatorError as error:
            assert error.what and int(error.exit) == 2


WORDS = (
    "task_id interrupted status tree_digest base_digest checkpoint attempt faults plan repeats checkpoints single_shot"
    " expected dataset task_ids resume_policy runner k1 repeat fault"
)
words = st.sampled_from(WORDS.split())
leaves = st.one_of(
    st.none(), st.booleans(), st.integers(-1, 3), st.sampled_from(("k1", "pass", "context_loaded", "", "c0", "slow"))
)
documents = st.recursive(
    leaves, lambda one: st.one_of(st.lists(one, max_size=3), st.dictionaries(words, one, max_size=4)), max_leaves=12
)


@given(st.lists(st.dictionaries(words, documents, max_size=5), max_size=4), st.lists(documents, max_size=3))
@settings(max_examples=150)
def test_whatever_lies_beside_a_journal_is_read_or_refused_in_words(lines, beside):
    with tempfile.TemporaryDirectory() as folder:
        lines = [{"task_id": "k1", "checkpoint": "context_loaded", "payload_digest": "c0"}, *lines]
        (Path(folder) / "journal.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
        for at, one in enumerate(beside):
            (Path(folder) / f"{at}.json").write_text(json.dumps(one))
        try:
            card = score_paths([Path(folder)]).card
        except DenominatorError as error:
            assert error.what and int(error.exit) == 2
        else:
            assert from_json(type(card), json.loads(canonical(to_json(card)))) == card


@given(st.integers(0, 11))
@settings(max_examples=12)
def test_a_bench_of_every_owed_trial_is_open_and_without_one_it_is_not(gone):
    plan = bench(("a", "b"), FAULTS[:2])
    found = trials_of(plan)
    assert judge(sheet(plan, found)).exit == 0
    if gone < len(found):
        assert judge(sheet(plan, found[:gone] + found[gone + 1 :])).exit == 1
