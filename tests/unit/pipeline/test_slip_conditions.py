"""What a slip pins of conditions: facts of rows beside what is stated, values by value, nothing that tells a withheld number."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

import pytest

from denominator.errors import Exit, InputError, OpenPromisesError, UnknownStateError
from denominator.pipeline.results import Result, judge_ledger
from denominator.pipeline.slip_conditions import TABLE, stated_and_observed
from denominator.pipeline.slipping import promised, slip_of_import, slip_of_run
from denominator.records.conditions import Condition
from denominator.records.seals import Seal
from denominator.records.slips import RawOutput, Slip
from denominator.records.values import NotMeasured
from denominator.slips.harness import harness_of
from denominator.slips.lineage import with_lineage
from denominator.slips.making import Pinned, slip_of
from denominator.slips.pair import check
from judging_data import by_outcome, ledger, own, terms
from slip_data import entry

STATED = {
    "task_slice_sha256": '"3f9a"', "agent_id": '"cli"', "harness_commit": '"9c1b7de"', "model_id": '"prov/fam"',
    "model_snapshot": '"fam-2026-08-01"', "temperature": "0", "seed": "7", "max_output_tokens": "4096",
    "budget_tokens_per_task": "60000", "tool_timeout_s": "120", "retry_policy": '"none"', "env_image_digest": '"e1"',
    "scoring_script_sha256": '"s1"', "harness_name": '"h"', "harness_version": '"1"', "dataset_version": '"2"',
}  # fmt: skip


def judged(rows: Any = None, labels: Any = None, declared: Any = None, **stated: Any) -> Result:
    given = {**STATED, **stated}
    conditions = tuple(Condition(name=name, value=value) for name, value in given.items())
    return judge_ledger(ledger(rows or many(), labels, declared), terms(conditions=conditions))


def many(**over: Any) -> list[Any]:
    return [own(f"t{n:02}", served_models=("fam-2026-08-01",), **over) for n in range(1, 11)]


def made(result: Result, number: int) -> Slip:
    sha = f"{number:064x}"
    pinned = Pinned(
        run_id=f"r{number}", raw=RawOutput(path="x", sha256=sha), ledger_sha256=sha, made_at="2026-11-30", rules_digest="9",
        table=TABLE, conditions=stated_and_observed(result),
    )  # fmt: skip
    return with_lineage(slip_of(result.ledger, result.terms, result.judged, pinned))


def moved(one: Result, other: Result) -> list[str]:
    verdict = check(entry(made(one, 1)), entry(made(other, 2)))
    return [name for name, _, _ in verdict.moved if not name.startswith("box.")]


STILL = moved(judged(), judged())


def test_what_the_same_import_does_not_state_matches_nothing():
    assert all(name.startswith(("budget.", "model.agent_version", "pack.")) for name in STILL)


def test_key_order_numbers_by_value_and_names_of_runs_move_nothing():
    harmless = {
        "operator": '"op2"',
        "runner": '"free"',
        "provider_region": '"us"',
        "run_id": '"B"',
        "temperature": "0.0",
    }
    other = judged(**{**dict(reversed(STATED.items())), **harmless})
    assert moved(judged(operator='"op1"', runner='"laptop"'), other) == STILL


@pytest.mark.parametrize("name", [name for name in STATED if name not in ("dataset_version",)])
def test_every_stated_field_of_an_envelope_moves_and_is_named(name):
    found = set(moved(judged(), judged(**{name: '"another"'}))) - set(STILL)
    assert found and any(name.partition("_")[2] in one or name in one for one in found), found


def test_served_hosts_and_limits_in_force_are_conditions_whatever_was_stated():
    hosts = moved(judged(many(served_hosts=("a",))), judged(many(served_hosts=("b",))))
    assert "harness.covers.served_host" in hosts
    limits = [many(limits_enforced={"memory_kill_mb": value}) for value in ("2048", "6144")]
    assert "harness.covers.limits_enforced.memory_kill_mb" in moved(judged(limits[0]), judged(limits[1]))


def test_a_run_that_two_hosts_served_matches_nothing():
    mixed = [replace(row, served_hosts=("a",) if at % 2 else ("b",)) for at, row in enumerate(many())]
    harness = harness_of(stated_and_observed(judged(mixed)), TABLE)
    assert isinstance(harness.digest, NotMeasured) and "served_host" in harness.digest.not_measured


def test_a_blocked_foreign_document_has_no_field_that_may_tell_the_number():
    rows, labels = by_outcome(**{"pass": 9, "fail": 5})
    open_, blocked = (judged(rows, labels, declared, score_summary='"nine of 14"') for declared in (None, 20))
    assert (open_.judged.verdict.status, blocked.judged.verdict.status) == ("publishable", "blocked")
    assert "nine of 14" in repr(made(open_, 1)) and "nine of 14" not in repr(made(blocked, 1))


def test_settings_of_the_box_are_yes_no_or_unknown():
    found = promised("no", "yes")
    assert (found.shared, found.reclaimable) == (False, True)
    assert isinstance(promised("", "").shared, NotMeasured)
    with pytest.raises(InputError, match="neither yes nor no"):
        promised("never", "")


@pytest.mark.parametrize(("exit_", "error"), [(Exit.OPEN, OpenPromisesError), (Exit.UNKNOWN_STATE, UnknownStateError)])
def test_a_run_that_has_not_ended_or_nobody_can_explain_gives_no_slip(tmp_path, exit_, error):
    box = promised("", "")
    with pytest.raises(error) as raised:
        slip_of_run(replace(judged(), exit=exit_), Seal, tmp_path / "r1", tmp_path / "slips", "2026-11-30", box)
    assert raised.value.exit == exit_ and not (tmp_path / "slips").exists()


def test_an_import_of_a_folder_has_the_digest_of_its_ledger(tmp_path):
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "ledger.json").write_text("{}")
    found = slip_of_import(
        judged(), tmp_path / "kept", tmp_path / "slips", "2026-11-30T00:00:00.000Z", promised("no", "no")
    )
    assert found.raw.path == "../kept/ledger.json" and found.box.shared is False
    assert found.ledger_sha256 == found.raw.sha256 == hashlib.sha256(b"{}").hexdigest()
