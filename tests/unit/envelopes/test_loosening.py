"""What a seal demands less than the last one: every field has a direction, and each direction works on a whole seal."""

from __future__ import annotations

from dataclasses import fields, replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.envelopes import demo_envelope
from denominator.envelopes.directions import (
    DIRECTIONS,
    ENVELOPE,
    LOCKED,
    TASK,
    changed,
    clause,
    grown,
    lowered,
    neutral,
    raised,
    ranked,
    shrunk,
    waived,
    widened,
)
from denominator.envelopes.fields import leaves
from denominator.envelopes.loosening import idle_reasons, known_field, loosened
from denominator.records.boxes import Box, SandboxFacts
from denominator.records.envelopes import Arm, Clause, Envelope, Reason
from denominator.records.findings import Waiver
from denominator.records.packs import LockedTask, Task, Verify
from denominator.records.seals import CauseRule, Plan, Seal, SealedTask
from denominator.records.values import NotMeasured
from denominator.wire.canonical import canonical
from denominator.wire.codec import from_json, loads

VERIFY = Verify(
    runner="unittest",
    timeout_s=60,
    level="G2",
    expected_tests=("a", "b"),
    counter_tests=("c",),
    command="x",
    report="r",
)
TASK_ONE = Task(
    id="one", title="t", slice="solvable", expected="pass", reason="r", license="MIT", allowed=("src/*",), verify=VERIFY,
    forbidden=("tests/*",), required_files=("a.py",), spec_paths=("docs/*",), packages=("requests",), control="must_fail",
    canary="secret-token", family="f",
)  # fmt: skip
LOCKED_ONE = LockedTask(id="one", digest="d", prompt_sha256="p", base_tree="b", hidden_tree="h" * 64, gold_sha256="g")
TWO = SealedTask(
    task=replace(TASK_ONE, id="two", control="", canary=""), locked=replace(LOCKED_ONE, id="two", digest="e")
)
BOX = Box(**{name: name for name in Box.__dataclass_fields__ if name != "schema_version"})
WAIVER = Waiver(rule="torn-tail", why="w", who="x", until="2026-06-30")
CLAUSE = Clause(name="floor", metric="headline", why="w", at_least="0.5", at_most="0.9")
BASE = replace(demo_envelope("oracle", "oracle", version="1"), allow=(WAIVER,), clause=(CLAUSE,))


def make(envelope=BASE, tasks=None, **over):
    made = {
        "envelope": envelope, "arm": envelope.arm[0], "pack_id": "p", "pack_version": "1", "pack_digest": "d",
        "pack_reason": "r", "pack_license": "MIT", "selection_rule": "all",
        "tasks": (SealedTask(task=TASK_ONE, locked=LOCKED_ONE), TWO) if tasks is None else tasks, "plan": Plan(draws=()),
        "rules_digest": "r", "causes": (CauseRule(cause="unknown", origin="HARNESS", may_rerun=False),), "box": BOX,
        "sandbox": SandboxFacts(name="bubblewrap", version="0.8", mode="root", usable=True, protections=()),
        "grader_sha": "g", "baseline_digest": "b", "unsandboxed": False, "version": "0", "commit": "c",
        "sealed_at": "2026-01-01T00:00:00Z",
    }  # fmt: skip
    return Seal(**(made | over))


def at(record, path, value):
    """The record with another value at a path."""
    head, _, tail = path.partition(".")
    return replace(record, **{head: at(getattr(record, head), tail, value) if tail else value})


def envelope_with(path, value):
    """The base envelope with another value; an arm's field is the first arm's."""
    if path.startswith("arm."):
        return replace(BASE, arm=(at(BASE.arm[0], path.removeprefix("arm."), value), *BASE.arm[1:]))
    return at(BASE, path, value)


def paths(record, prefix=""):
    """Leaves of a record class with empty lists as leaves."""
    found = []
    for path, _ in leaves(record, prefix):
        found.append(path)
    return found


def test_every_field_of_an_envelope_and_a_task_has_a_direction():
    envelope = [p.replace("arm[0]", "arm") for p in paths(Envelope(arm=(Arm(),))) if p != "loosen"]
    assert sorted(ENVELOPE) == sorted(envelope)
    assert sorted(TASK) == sorted(paths(TASK_ONE))
    assert sorted(LOCKED) == sorted(paths(LOCKED_ONE))


def test_every_field_of_a_seal_is_compared_or_is_no_demand():
    compared = {"envelope", "arm", "tasks", "causes"}
    facts = {
        "pack_id", "pack_version", "pack_digest", "pack_reason", "pack_license", "selection_rule", "plan", "rules_digest",
        "box", "sandbox", "grader_sha", "baseline_digest", "version", "commit", "sealed_at", "previous", "loosened",
        "lineage", "house", "mounts", "cassette", "probe", "agent_reported", "unsandboxed", "schema_version",
        "provenance", "pack_audit",
    }  # fmt: skip
    assert {field.name for field in fields(Seal)} == compared | facts


LIMITS = {
    "budget.tokens": 1000,
    "budget.calls": 40,
    "run.run_cap_tokens": 5000,
    "arm.model.max_output_tokens": 100,
    "comparison.margin": "0.05",
}
WORDS = {
    "policy.on_timeout": ("fail", "grade"), "sandbox.network": ("none", "gateway"), "comparison.test": ("exact", "midp"),
    "verify.level": ("G2", "G1"), "verify.generated_counter_tests": (True, False),
}  # fmt: skip


def weaker_pair(key, now):
    """(strict, weak) values of a field."""
    direction = DIRECTIONS[key]
    if key.removeprefix("task.") in WORDS:
        return WORDS[key.removeprefix("task.")]
    if direction is changed:
        return now, "another"
    if direction in (raised, widened, lowered):
        strict = LIMITS.get(key, now)
        step = -1 if direction is lowered else 1
        weak = str(Decimal(strict) + Decimal("0.01") * step) if isinstance(strict, str) else strict + step
        return strict, weak
    if direction is shrunk:
        return ("a", "b"), ("a",)
    if direction is grown:
        return ("a",), ("a", "b")
    return (False, True) if isinstance(now, bool) else ("x", "")


KEYS = [key for key, way in ENVELOPE.items() if way is not neutral and key not in ("allow", "clause")]
VALUES = {path.replace("arm[0]", "arm"): value for path, value in leaves(BASE)}


@pytest.mark.parametrize("key", KEYS)
def test_a_weaker_field_of_the_envelope_is_found_and_a_stricter_one_is_not(key):
    strict, weak = weaker_pair(key, VALUES.get(key))
    tight, loose = make(envelope_with(key, strict)), make(envelope_with(key, weak))
    assert [one.field for one in loosened(tight, loose)] == [key]
    assert loosened(tight, tight) == ()
    back = [one.field for one in loosened(loose, tight)]
    assert back == ([key] if DIRECTIONS[key] is changed else [])


@pytest.mark.parametrize("key", [key for key, way in TASK.items() if way is not neutral])
def test_a_weaker_task_is_found(key):
    strict, weak = weaker_pair(f"task.{key}", dict(leaves(TASK_ONE))[key])
    first, second = (
        make(tasks=(SealedTask(task=at(TASK_ONE, key, value), locked=LOCKED_ONE), TWO)) for value in (strict, weak)
    )
    assert [one.field for one in loosened(first, second)] == [f"task[one].{key}"]
    assert loosened(first, first) == ()


def test_a_task_that_is_gone_is_one_finding_and_a_new_one_none():
    one, both = make(tasks=(TWO,)), make()
    assert [found.field for found in loosened(both, one)] == ["task[one]"]
    assert loosened(one, both) == ()


def test_hidden_tests_with_the_same_ids_and_other_bytes_need_a_reason():
    other = make(tasks=(SealedTask(task=TASK_ONE, locked=replace(LOCKED_ONE, hidden_tree="i" * 64)), TWO))
    assert [found.field for found in loosened(make(), other)] == ["task[one].hidden_tree"]


def test_a_rerun_that_was_not_allowed():
    causes = (CauseRule(cause="unknown", origin="HARNESS", may_rerun=True),)
    found = loosened(make(), make(causes=causes))
    assert [one.field for one in found] == ["may_rerun[unknown]"]
    assert loosened(make(causes=causes), make()) == ()


def test_no_sandbox_is_a_flag_that_is_stamped_and_capped_already():
    assert loosened(make(), make(unsandboxed=True)) == ()


def test_a_cap_that_is_taken_away():
    capped = make(at(BASE, "run.run_cap_tokens", 5000))
    free = make(at(BASE, "run.run_cap_tokens", NotMeasured("no cap declared")))
    (found,) = loosened(capped, free)
    assert (found.field, found.before, found.now) == ("run.run_cap_tokens", "5000", "null")
    assert loosened(free, capped) == ()


def test_a_margin_that_no_longer_is_asked_for_is_another_question():
    asked, not_asked = (make(at(BASE, "comparison.margin", value)) for value in ("0.05", ""))
    assert loosened(asked, not_asked) == () == loosened(not_asked, asked)


@pytest.mark.parametrize(
    ("other", "weaker"),
    [
        ({}, False),
        ({"at_least": "0.6"}, False),
        ({"at_least": "0.4"}, True),
        ({"at_least": ""}, True),
        ({"at_most": "0.95"}, True),
        ({"at_most": ""}, True),
        ({"of": "upper"}, True),
        ({"metric": "scoreable_rate"}, True),
        ({"why": "another reason"}, False),
        ({"name": "renamed"}, True),
    ],
)
def test_clauses_of_the_house(other, weaker):
    found = loosened(make(), make(replace(BASE, clause=(replace(CLAUSE, **other),))))
    assert [one.field for one in found] == (["clause[floor]"] if weaker else [])
    assert loosened(make(replace(BASE, clause=())), make()) == ()


def test_a_new_or_longer_waiver_is_named_with_its_own_reason():
    longer = replace(BASE, allow=(replace(WAIVER, until="2026-12-31"), replace(WAIVER, rule="missing-controls")))
    found = loosened(make(), make(longer))
    assert [(one.field, one.why, one.who) for one in found] == [
        ("allow[missing-controls]", "w", "x"),
        ("allow[torn-tail]", "w", "x"),
    ]
    assert loosened(make(longer), make()) == ()


def test_the_reason_is_taken_from_the_envelope_and_half_a_reason_is_none():
    wide = at(BASE, "budget.wall_s", 10_000)
    whole = replace(wide, loosen=(Reason(field="budget.wall_s", why="slow disks", who="the lead"),))
    half = replace(wide, loosen=(Reason(field="budget.wall_s", why="slow disks", who=" "),))
    (found,) = loosened(make(), make(whole))
    assert (found.why, found.who) == ("slow disks", "the lead")
    (found,) = loosened(make(), make(half))
    assert (found.why, found.who) == ("", "")


def test_sealing_twice_does_not_settle_a_silent_loosening():
    wide = at(BASE, "budget.wall_s", 10_000)
    first = make()
    second = make(wide)
    second = replace(second, loosened=loosened(first, second))
    assert [one.field for one in loosened(second, make(wide))] == ["budget.wall_s"]
    assert loosened(second, make()) == ()
    told = make(replace(wide, loosen=(Reason(field="budget.wall_s", why="w", who="x"),)))
    told = replace(told, loosened=loosened(second, told))
    assert [(one.field, one.why) for one in told.loosened] == [("budget.wall_s", "w")]
    assert loosened(told, make(wide)) == ()


def test_a_task_that_went_in_silence_comes_back_as_it_was_or_needs_a_reason():
    first, second = make(), make(tasks=(TWO,))
    second = replace(second, loosened=loosened(first, second))
    weak = SealedTask(task=at(TASK_ONE, "verify.expected_tests", ("a",)), locked=LOCKED_ONE)
    assert loosened(second, make()) == ()
    assert [one.field for one in loosened(second, make(tasks=(weak, TWO)))] == ["task[one].verify.expected_tests"]


def test_the_canary_is_not_in_what_is_said():
    other = make(tasks=(SealedTask(task=replace(TASK_ONE, canary="other-token"), locked=LOCKED_ONE), TWO))
    for found in (*loosened(make(), other), *loosened(make(), make(tasks=()))):
        assert "secret-token" not in found.before and "other-token" not in found.now


def test_a_seal_with_loosenings_is_read_back_as_it_was_written():
    made = replace(make(), loosened=loosened(make(), make(tasks=())), previous="p" * 64, lineage="")
    assert from_json(Seal, loads(canonical(made), "seal"), "seal") == made


def test_reasons_that_answer_for_nothing_are_named():
    envelope = replace(BASE, loosen=(Reason(field="budget.wall_s", why="w", who="x"),))
    assert idle_reasons(envelope, loosened(make(), make(envelope))) == ("budget.wall_s",)
    assert known_field("task[x].verify.timeout_s") and known_field("clause[a b]")
    assert not known_field("budget.wall") and not known_field("question")


NUMBER = st.decimals(0, 100, places=2).map(str) | st.integers(0, 100)
NAMES = st.lists(st.sampled_from("abcdef"), unique=True)


@given(NUMBER, NUMBER)
def test_a_number_is_weaker_one_way_only(before, now):
    assert raised(before, now) == (Decimal(now) > Decimal(before))
    assert lowered(before, now) == (Decimal(now) < Decimal(before))
    assert not (raised(before, now) and lowered(before, now))
    assert raised(before, now) == lowered(now, before)


@given(NAMES, NAMES)
def test_a_list_is_weaker_where_something_is_missing_or_new(before, now):
    assert shrunk(before, now) == (not set(before) <= set(now))
    assert grown(before, now) == (not set(now) <= set(before))
    assert shrunk(before, now) == grown(now, before)


@given(st.sampled_from(["a", "b", "c"]), st.sampled_from(["a", "b", "c"]))
def test_words_have_an_order(before, now):
    assert ranked("a", "b", "c")(before, now) == (now > before)


def test_what_has_no_order_needs_a_reason():
    assert ranked("a", "b")("a", "z") and ranked("a", "b")("z", "a")
    assert raised("many", "few") and not raised("many", "many")
    assert waived(None, "2026-01-01") and waived("2026-01-01", "2026-01-02") and not waived("2026-01-02", None)
    assert clause({"metric": "m", "of": "value"}, None) and not clause(None, {"metric": "m"})
