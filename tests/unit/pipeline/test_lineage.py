"""Which seal a new one is held against."""

from __future__ import annotations

from dataclasses import replace

import pytest

from denominator.errors import InputError
from denominator.pipeline.lineage import FIRST, LAST, Wanted, lineage_of, said_of, sealed_after
from denominator.records.envelopes import Reason
from denominator.wire.canonical import canonical, digest
from unit.envelopes.test_loosening import BASE, at, make


def keep(root, name, seal):
    (root / name).mkdir()
    (root / name / "seal.json").write_bytes(canonical(seal) + b"\n")
    return seal


def sealed(when, pack="p", label="oracle", **over):
    arm = replace(BASE.arm[0], label=label)
    return make(replace(BASE, arm=(arm,)), pack_id=pack, sealed_at=when, **over)


def find(root, pack="p", label="oracle", wanted=LAST, run_id=""):
    said = []
    return lineage_of(root, pack, label, wanted, said.append, run_id), said


def test_the_last_seal_of_the_same_pack_and_arm(tmp_path):
    keep(tmp_path, "b", sealed("2026-01-01T00:00:00Z"))
    last = keep(tmp_path, "a", sealed("2026-01-03T00:00:00Z"))
    keep(tmp_path, "c", sealed("2026-01-02T00:00:00Z"))
    keep(tmp_path, "other-pack", sealed("2026-02-01T00:00:00Z", pack="q"))
    keep(tmp_path, "other-arm", sealed("2026-02-01T00:00:00Z", label="nop"))
    keep(tmp_path, "scratch-x", sealed("2026-02-01T00:00:00Z"))
    (tmp_path / "no-seal").mkdir()
    found, said = find(tmp_path)
    assert (found.previous, found.digest, said) == (last, digest(last), [])
    assert find(tmp_path, label="Oracle")[0].previous == last, "another case is no other arm"
    assert find(tmp_path, label="nobody")[0] == FIRST
    assert find(tmp_path / "nothing")[0] == FIRST


def test_a_seal_that_cannot_be_read_is_named_and_passed_over(tmp_path):
    last = keep(tmp_path, "a", sealed("2026-01-03T00:00:00Z"))
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "seal.json").write_text('{"pack_id":"p","sealed_at":"2026-05-05T00:00:00Z"')
    found, said = find(tmp_path)
    assert found.previous == last
    assert len(said) == 1 and "nothing is held against this seal" in said[0]


def test_a_date_elsewhere_in_a_seal_does_not_choose(tmp_path):
    old = sealed("2026-01-01T00:00:00Z")
    decoy = replace(old, arm=replace(old.arm, env={"sealed_at": "2027-01-01"}))
    keep(tmp_path, "a", decoy)
    last = keep(tmp_path, "b", sealed("2026-01-02T00:00:00Z"))
    assert find(tmp_path)[0].previous == last


def test_scratch_runs_have_no_predecessor(tmp_path):
    keep(tmp_path, "a", sealed("2026-01-03T00:00:00Z"))
    assert find(tmp_path, run_id="scratch-y")[0] == FIRST


def test_one_can_be_named_by_run_by_folder_and_by_file(tmp_path, monkeypatch):
    first = keep(tmp_path, "a", sealed("2026-01-01T00:00:00Z"))
    keep(tmp_path, "b", sealed("2026-01-03T00:00:00Z"))
    for name in ("a", str(tmp_path / "a"), str(tmp_path / "a" / "seal.json")):
        assert find(tmp_path, wanted=Wanted(previous=name))[0].previous == first
    with pytest.raises(InputError, match="is a seal of pack"):
        find(tmp_path, pack="q", wanted=Wanted(previous="a"))
    with pytest.raises(InputError, match="no run and no seal"):
        find(tmp_path, wanted=Wanted(previous="z"))


def test_a_new_lineage_says_why(tmp_path):
    keep(tmp_path, "a", sealed("2026-01-01T00:00:00Z"))
    found, _ = find(tmp_path, wanted=Wanted(new=" another agent "))
    made = sealed_after(make(at(BASE, "budget.wall_s", 10_000)), found)
    assert (made.previous, made.loosened, made.lineage) == ("", (), "another agent")


def test_what_a_person_should_know_before_the_run_is_paid_for(tmp_path):
    keep(tmp_path, "a", make())
    reason = Reason(field="budget.tool_calls", why="w", who="x")
    made = sealed_after(make(replace(at(BASE, "budget.wall_s", 10_000), loosen=(reason,))), find(tmp_path)[0])
    lines = list(said_of(made))
    assert lines[0].startswith("weaker than the previous seal without a reason: budget.wall_s")
    assert lines[1].startswith("[[loosen]] budget.tool_calls: it is not weaker")
    assert made.previous == digest(make())


@pytest.mark.parametrize("wanted", [Wanted(previous="a", new="b"), Wanted(new=" "), Wanted(previous="")])
def test_what_contradicts_itself_is_refused(wanted):
    with pytest.raises(InputError):
        wanted.check()
