"""Seals: whole or refused, written once, read back byte for byte."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from denominator.envelopes import Sealing, arm_named, demo_envelope, make_seal, seal_digest, terms_of
from denominator.envelopes.terms import sandbox_stamps
from denominator.errors import BlockedError, Exit, IncompleteError, InputError, MachineError
from denominator.packs import load_pack, make_lock
from denominator.pipeline.baseline_store import box_digest
from denominator.pipeline.results import sealed_terms
from denominator.pipeline.sealing import plan_of, read_seal, read_sealed, seal_run, write_seal
from denominator.records.boxes import Box, SandboxFacts
from denominator.records.packs import Baseline
from denominator.records.seals import CauseRule, Seal
from denominator.records.values import NotMeasured
from denominator.wire.canonical import canonical, digest
from denominator.wire.codec import to_json
from denominator.wire.trees import EMPTY_TREE
from unit.packs.making import edit, make_pack

BOX = Box(**{name: name for name in Box.__dataclass_fields__ if name != "schema_version"})
FACTS = SandboxFacts(name="bubblewrap", version="0.8", mode="root", usable=True, protections=())
AROUND = Sealing(
    rules_digest="r" * 64,
    causes=(CauseRule(cause="unknown", origin="HARNESS", may_rerun=False),),
    box=BOX,
    sandbox=FACTS,
    grader_sha="g" * 64,
    version="0.1.0",
    commit="c" * 40,
    sealed_at="2026-11-29T12:00:00.000Z",
)
ENVELOPE = demo_envelope("oracle", "oracle", version="1")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    pack = make_pack(tmp_path / "tiny")
    (pack / "pack.lock").write_bytes(canonical(make_lock(load_pack(pack), None, "test")))
    return pack


def baseline(root: Path, **other) -> Baseline:
    made = Baseline(
        pack_digest=load_pack(root).lock.digest,
        box_digest=box_digest(BOX),
        concurrency=2,
        repeats=3,
        taken_at="2026-11-29T11:00:00.000Z",
        runs=(),
        grader_sha="g" * 64,
    )
    return replace(made, **other)


def seal(root: Path, envelope=ENVELOPE, around=AROUND, **other) -> Seal:
    return seal_run(envelope, envelope.arm[0], load_pack(root), baseline(root, **other), around)


def test_a_seal_names_everything_by_digest(root):
    made = seal(root)
    lock = load_pack(root).lock
    assert (made.pack_digest, made.tasks[0].locked) == (lock.digest, lock.tasks[0])
    assert made.baseline_digest == digest(baseline(root))
    assert made.plan == plan_of(ENVELOPE, load_pack(root)) and len(made.plan.draws) == 1
    assert (made.rules_digest, made.grader_sha, made.box, made.unsandboxed) == ("r" * 64, "g" * 64, BOX, False)
    assert seal_digest(made) == seal_digest(seal(root))


def test_an_incomplete_envelope_is_refused_with_all_fields(root):
    bare = replace(ENVELOPE, question=NotMeasured("later"), pack="TODO")
    with pytest.raises(IncompleteError) as caught:
        seal(root, bare)
    assert {problem.where for problem in caught.value.problems} == {"question", "pack"}
    assert caught.value.exit == Exit.USAGE


def test_a_pack_that_moved_is_refused(root):
    edit(root / "tasks/sums/prompt.md", "two", "three")
    with pytest.raises(InputError, match="not what its lock says"):
        seal(root)


def test_an_unlocked_pack_is_refused(root):
    (root / "pack.lock").unlink()
    found = load_pack(root)
    with pytest.raises(InputError, match="not locked"):
        seal_run(ENVELOPE, ENVELOPE.arm[0], found, replace(BASELESS, pack_digest="x"), AROUND)
    with pytest.raises(InputError, match="not locked"):
        make_seal(ENVELOPE, ENVELOPE.arm[0], found, plan_of(ENVELOPE, found), BASELESS, AROUND)


@pytest.mark.parametrize(("last", "refused"), [("2026-11-28", True), ("2026-11-29", False), ("soon", True)])
def test_a_pack_after_its_last_day_is_refused(root, last, refused):
    (root / "pack.lock").unlink()
    edit(root / "pack.toml", 'version = "1.0.0"', f'version = "1.0.0"\nexpires = "{last}"')
    (root / "pack.lock").write_bytes(canonical(make_lock(load_pack(root), None, "test")))
    if not refused:
        assert seal(root).pack_id == "tiny"
        return
    with pytest.raises(
        BlockedError, match="pack_expired: the pack holds until 2026-11-28" if last != "soon" else "no date"
    ):
        seal(root)


def test_terms_name_expired_tasks_apart_from_bad_ones(root):
    known = {"expired": ("sums",), "ungraded": ("later",)}
    terms = terms_of(seal(root, **known), baseline=baseline(root, **known))
    assert (terms.expired_tasks, terms.bad_tasks, terms.flaky_tasks) == (("sums",), (), ())


BASELESS = Baseline(pack_digest="", box_digest="", concurrency=2, repeats=3, taken_at="2026-11-29T11:00:00Z", runs=())


@pytest.mark.parametrize(
    ("other", "word"),
    [
        ({"taken_at": "2026-11-28T11:59:59.000Z"}, "24 hours"),
        ({"taken_at": "2026-11-29T12:00:01.000Z"}, "clock went back"),
        ({"box_digest": "x"}, "another box"),
        ({"grader_sha": "x"}, "another grader"),
        ({"pack_digest": "x"}, "pack digest"),
        ({"concurrency": 1}, "concurrency"),
        ({"repeats": 2}, "repeats"),
    ],
)
def test_a_baseline_of_other_conditions_is_refused(root, other, word):
    with pytest.raises(InputError) as caught:
        seal(root, **other)
    assert word in str(caught.value)


@pytest.mark.parametrize(
    "around",
    [
        replace(AROUND, sandbox=replace(FACTS, usable=False, why_not="no bwrap")),
        replace(AROUND, sandbox=replace(FACTS, name="docker")),
        replace(AROUND, sandbox=replace(FACTS, name="bare")),
        replace(AROUND, unsandboxed=True),
    ],
    ids=["unusable", "another", "bare without saying so", "saying so without bare"],
)
def test_a_machine_without_the_sandbox_is_refused(root, around):
    with pytest.raises(MachineError):
        seal(root, around=around)


def test_without_a_sandbox_the_seal_says_so_and_the_claim_is_capped(root):
    bare = replace(AROUND, sandbox=replace(FACTS, name="bare"), unsandboxed=True)
    made = seal(root, around=bare)
    assert made.unsandboxed and terms_of(made).capped_at_counts


def test_a_weak_sandbox_caps_the_claim_by_what_was_sealed(root):
    made = seal(root, around=replace(AROUND, sandbox=replace(FACTS, mode="weak, user")))
    (reason,) = terms_of(made).capped_at_counts
    assert not made.unsandboxed and reason.startswith(f"run in a weak sandbox ({FACTS.name}): ")
    assert sandbox_stamps(made) == (f"WEAK SANDBOX ({FACTS.name})",)
    assert sandbox_stamps(seal(root)) == () and not replace(FACTS, mode="weakened").weak


def test_a_seal_is_written_once_and_read_back(root, tmp_path):
    made = seal(root)
    write_seal(tmp_path / "seal.json", made)
    assert read_seal(tmp_path / "seal.json") == made
    before = (tmp_path / "seal.json").read_bytes()
    with pytest.raises(InputError, match="never edited"):
        write_seal(tmp_path / "seal.json", replace(made, version="9"))
    assert (tmp_path / "seal.json").read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == ["seal.json"]


def test_an_edited_seal_is_refused(root, tmp_path):
    path = tmp_path / "seal.json"
    write_seal(path, seal(root))
    path.write_bytes(path.read_bytes().replace(b'"', b' "', 1))
    with pytest.raises(InputError, match="edited after sealing"):
        read_seal(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_seal(tmp_path / "none.json")
    path.write_bytes(canonical(replace(seal(root), schema_version=2)))
    with pytest.raises(InputError) as caught:
        read_seal(path)
    assert "schema_version 2" in str(caught.value)


NEW_KEYS = ("previous", "loosened", "lineage", "house")


def older(made: Seal) -> bytes:
    """The seal as a version would have written it that did not know some of its keys yet."""
    document = to_json(made)
    for key in NEW_KEYS:
        del document[key]
    for key in ("comparison", "clause", "loosen"):
        del document["envelope"][key]
    return canonical(document) + b"\n"


def test_a_seal_without_keys_of_this_version_is_read_and_keeps_the_digest_of_its_bytes(root, tmp_path):
    path, made = tmp_path / "seal.json", seal(root)
    path.write_bytes(older(made))
    found, digest_of = read_sealed(path)
    assert found == made == read_seal(path)
    assert digest_of == sha256(older(made).rstrip(b"\n")).hexdigest() != seal_digest(made)


def test_terms_of_an_older_seal_and_baseline_name_what_is_stored(root, tmp_path):
    beside = to_json(baseline(root))
    del beside["flaky"]
    stored = canonical(beside)
    (tmp_path / "baseline.json").write_bytes(stored + b"\n")
    made = replace(seal(root), baseline_digest=sha256(stored).hexdigest())
    (tmp_path / "seal.json").write_bytes(older(made))
    found, terms = sealed_terms(tmp_path)
    assert (found, terms.changed) == (made, ())
    assert terms.digest == sha256(older(made).rstrip(b"\n")).hexdigest()
    (tmp_path / "baseline.json").write_bytes(canonical(baseline(root, flaky=("sums",))) + b"\n")
    assert len(sealed_terms(tmp_path)[1].changed) == 1


def test_a_new_seal_has_one_digest_made_or_read(root, tmp_path):
    write_seal(tmp_path / "seal.json", seal(root))
    assert read_sealed(tmp_path / "seal.json")[1] == seal_digest(seal(root))


def test_arms_are_found_by_label():
    two = replace(ENVELOPE, arm=(ENVELOPE.arm[0], replace(ENVELOPE.arm[0], label="b")))
    assert arm_named(ENVELOPE, None) == ENVELOPE.arm[0] == arm_named(two, "oracle")
    for label in (None, "c"):
        with pytest.raises(InputError) as caught:
            arm_named(two, label)
        assert "oracle, b" in caught.value.fix


# Terms


def test_terms_say_what_the_gate_needs(root):
    made = seal(root)
    terms = terms_of(made, baseline=baseline(root), changed=("the grader",))
    assert (terms.origin, terms.digest, terms.changed) == ("seal", seal_digest(made), ("the grader",))
    assert (terms.invalid_ceiling, terms.infra_ceiling, terms.on_timeout, terms.scorer) == (
        "0.10",
        "0.10",
        "fail",
        "tests",
    )
    assert (terms.repeats, terms.attempts, terms.retry_declared) == (1, 1, True)
    assert (terms.grading_levels, terms.hidden_tests, terms.missing) == (("G2",), True, ())
    assert (terms.capped_at_counts, terms.causes) == ((), AROUND.causes)


def test_terms_name_flaky_and_bad_tasks_of_the_sealed_baseline(root):
    known = {"flaky": ("sums",), "wrong": ("other",)}
    terms = terms_of(seal(root, **known), baseline=baseline(root, **known))
    assert (terms.flaky_tasks, terms.bad_tasks, terms.changed) == (("sums",), ("other",), ())


def test_another_baseline_than_the_sealed_one_is_a_change(root):
    terms = terms_of(seal(root), baseline=baseline(root, flaky=("sums",)))
    assert len(terms.changed) == 1 and "baseline" in terms.changed[0]


def test_a_seal_with_holes_is_incomplete_to_the_gate(root):
    made = seal(root)
    holed = replace(
        made, envelope=replace(made.envelope, metric=replace(made.envelope.metric, scorer=NotMeasured("x")))
    )
    terms = terms_of(holed)
    assert (terms.missing, terms.scorer) == (("metric.scorer",), "")


def test_a_task_without_ids_has_no_hidden_tests(root):
    made = seal(root)
    task = made.tasks[0]
    bare = replace(task, task=replace(task.task, verify=replace(task.task.verify, expected_tests=())))
    assert not terms_of(replace(made, tasks=(bare,))).hidden_tests


def test_a_task_without_hidden_files_has_no_hidden_tests_whatever_ids_it_names(root):
    made = seal(root)
    assert terms_of(made).hidden_tests
    task = made.tasks[0]
    seen = replace(task, locked=replace(task.locked, hidden_tree=EMPTY_TREE))
    assert seen.task.verify.expected_tests
    assert not terms_of(replace(made, tasks=(seen,))).hidden_tests


def test_a_seal_says_whether_the_pack_was_audited(root):
    assert seal(root).pack_audit == "pack audit: not run"
    (root / "pack.audit.json").write_text("{")
    assert seal(root).pack_audit == "pack audit: not run (pack.audit.json cannot be read)"
