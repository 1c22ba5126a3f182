"""Every field moved alone: imported manifests with outcomes, seals of ours, and runs through the command line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from denominator.cli.main import run_cli
from denominator.compare.comparable import comparable
from denominator.compare.fields import BY_NAME, CORE, FIELDS, blocks
from denominator.pipeline.sides import rows_result, side_of
from denominator.records.comparisons import Side
from denominator.records.packs import LockedTask
from denominator.records.seals import SealedMount
from denominator.records.values import NotMeasured
from e2e.comparing import compared
from e2e.runs import SOLVE, cli, envelope, make_pack
from unit.compare.arms import SEAL, blocked, put, sealed_rows, sealed_side

OUTCOMES = [{"task_id": f"t{n}", "passed": n % 3 != 0} for n in range(1, 10)]
BASE: dict[str, Any] = {one.name: f"{one.name}-1" for one in FIELDS} | {
    "model_id": "prov/fam", "model_snapshot": "fam-2026-08-01", "temperature": 0.0, "seed": 7, "max_output_tokens": 4096,
    "budget_tokens_per_task": 60000, "tool_timeout_s": 120, "retry_policy": "no retries on test failure", "max_attempts": 1,
    "repeats": 1, "on_timeout": "fail", "network": "off", "concurrency": 4, "wall_cap_s": 900, "mem_kill_mb": 2048,
    "mem_guaranteed_mb": 1024, "cpus": 2, "seeds": [7], "scorer": "tests", "tool_loop_n": 3, "house_reasons": ["r1"],
    "never_started_allowed": ["t90"], "invalid_rate_ceiling": "0.1", "infra_rate_ceiling": "0.1", "run_id": "A",
    "started_at_utc": "2026-10-18T09:00:00Z", "finished_at_utc": "2026-10-18T10:00:00Z", "terms_read_on": "2026-10-18",
    "sentence": "a fixed sentence", "name": "a pack", "locked_at": "2026-10-01T00:00:00Z",
    "env": {"mem_gb": 2}, "run_cap_tokens": "none",
}  # fmt: skip
OTHER: dict[str, Any] = {
    "temperature": 0.7, "seed": 8, "max_output_tokens": 1, "budget_tokens_per_task": 1, "tool_timeout_s": 1, "max_attempts": 2,
    "on_timeout": "grade", "network": "open", "concurrency": 8, "wall_cap_s": 1800, "mem_kill_mb": 6144, "cpus": 4,
    "mem_guaranteed_mb": 2048, "seeds": [8], "tool_loop_n": 4, "house_reasons": ["r2"], "never_started_allowed": ["t91"],
    "invalid_rate_ceiling": "0.2", "infra_rate_ceiling": "0.2", "started_at_utc": "2026-10-18T11:00:00Z",
    "finished_at_utc": "2026-10-18T12:00:00Z", "locked_at": "2026-10-02T00:00:00Z",
}  # fmt: skip
HELD_APART = {"repeats", "terms_read_on"}
"""`repeats` moves the declared draws too, `terms_read_on` is held against the days: each has tests of its own."""


def imported(folder: Path, name: str, manifest: dict[str, Any]) -> Side:
    """A manifest and its outcomes, read as files."""
    home = folder / name
    home.mkdir(exist_ok=True)
    (home / "run.manifest.json").write_text(json.dumps(manifest))
    (home / "outcomes.json").write_text(json.dumps(OUTCOMES))
    return side_of(name, rows_result([home])[1])


@pytest.fixture(scope="module")
def first(tmp_path_factory) -> Side:
    return imported(tmp_path_factory.mktemp("first"), "A", BASE)


@pytest.mark.parametrize("name", sorted(BY_NAME.keys() - HELD_APART))
def test_a_field_of_a_manifest_moved_alone(name, first, tmp_path):
    moved = BASE | {name: OTHER.get(name, f"{name}-2")}
    found = comparable(first, imported(tmp_path, "B", moved))
    verdict = {one.name: one.verdict for one in found.fields if one.verdict != "same"}
    assert set(verdict) == {name}
    if blocks(BY_NAME[name], "rate"):
        assert (found.status, blocked(found), verdict[name]) == ("not_comparable", {name}, BY_NAME[name].kind)
        assert found.reasons == tuple(one for one in found.reasons if one.startswith(f"{name} differs"))
    else:
        assert (found.status, verdict[name]) == ("comparable", "note")
        assert any(name in note for note in found.notes)


@pytest.mark.parametrize("name", sorted(BY_NAME.keys() - HELD_APART))
def test_a_field_of_a_manifest_that_one_side_leaves_out(name, first, tmp_path):
    placeholders = [{key: value for key, value in BASE.items() if key != name}, BASE | {name: "REPLACE"}]
    for number, left in enumerate(placeholders if name not in OTHER else placeholders[:1]):
        found = comparable(first, imported(tmp_path, f"B{number}", left))
        assert blocked(found) == ({name} if blocks(BY_NAME[name], "rate") else set())


def test_two_silent_manifests_name_everything_that_is_needed(tmp_path):
    found = comparable(imported(tmp_path, "A", {"run_id": "A"}), imported(tmp_path, "B", {"run_id": "B"}))
    assert found.status == "not_comparable" and blocked(found) == {one.name for one in CORE}


def test_harmless_differences(first, tmp_path):
    turned = dict(reversed(list(BASE.items()))) | {
        "temperature": 0,
        "run_id": "B",
        "runner": "free",
        "mem_kill_mb": 2048.0,
    }
    found = comparable(first, imported(tmp_path, "B", turned))
    assert found.status == "comparable"
    assert {one.name for one in found.fields if one.verdict == "note"} == {"run_id", "runner"}


def test_nested_and_foreign_names(first, tmp_path):
    nested = {key: value for key, value in BASE.items() if key not in ("mem_kill_mb", "max_attempts", "env")}
    nested |= {"env": {"mem_gb": 2, "mem_kill_mb": 2048}, "envelope": {"max_attempts": 1}}
    assert comparable(first, imported(tmp_path, "B", nested)).status == "comparable"
    foreign = imported(tmp_path, "C", nested | {"agent_timeout_multiplier": 2.0})
    assert blocked(comparable(first, foreign)) == {"agent_timeout_multiplier"}
    assert blocked(comparable(imported(tmp_path, "D", BASE | {"agent_timeout_multiplier": 1}), foreign)) == {
        "agent_timeout_multiplier"
    }


def test_a_treatment_that_both_manifests_declare(tmp_path):
    sides = [
        imported(
            tmp_path,
            name,
            BASE | {"treatment": ["model_id"], "model_id": f"prov/{name}", "model_snapshot": f"{name}-1"},
        )
        for name in ("A", "B")
    ]
    found = comparable(*sides)
    assert (found.status, found.treatment, found.declared_before) == ("comparable", ("model_id",), True)


def test_the_comparison_that_a_manifest_plans_is_kept(tmp_path):
    plan = {"primary": ["A", "B"], "margin": 0.05, "test": "midp", "looks": 2, "family": ["A:C"]}
    terms = imported(tmp_path, "A", BASE | {"comparison": plan}).sheet.terms
    assert (terms.comparison.primary, terms.comparison.margin, terms.comparison.test) == (("A", "B"), "0.05", "midp")
    assert (terms.comparison.looks, terms.comparison.family) == (2, ("A:C",))
    flat = imported(tmp_path, "B", BASE | plan).sheet.terms
    assert flat.comparison == terms.comparison and not {one.name for one in flat.conditions} & set(plan)


LOCKED = LockedTask(id="t01", digest="d", prompt_sha256="p", base_tree="b", hidden_tree="h")
SEALED: list[tuple[str, Any, set[str]]] = [
    ("arm.label", "second", set()),
    ("arm.agent_version", "2", {"agent_version"}),
    ("arm.command", ("agent", "--new"), {"agent_id"}),
    ("arm.env", {"MODE": "other"}, {"agent_env"}),
    ("arm.mounts", (), {"agent_mounts"}),
    ("mounts", (SealedMount(inside="/opt/agent", sha256="b" * 64),), {"agent_mounts"}),
    ("mounts", (), {"agent_mounts"}),
    ("arm.harness_commit", "deadbeef", {"harness_commit"}),
    ("arm.model.id", "prov/other", {"model_id"}),
    ("arm.model.snapshot", "big-2026-11-01", {"model_snapshot"}),
    ("arm.model.snapshot", "big", {"model_snapshot"}),
    ("arm.model.snapshot", "big-latest", {"model_snapshot"}),
    ("arm.model.temperature", "0", set()),
    ("arm.model.temperature", "0.1", {"temperature"}),
    ("arm.model.seed", "8", {"seed"}),
    ("arm.model.max_output_tokens", 1, {"max_output_tokens"}),
    ("arm.model.endpoint", "http://models.example.org/v1", set()),
    ("arm.model.endpoint", "https://other.example.org/v1", {"endpoint_host"}),
    ("arm.model.endpoint", "https://models.example.org/v2", {"endpoint_path"}),
    ("arm.model.access_class", "free_tier", {"access_class"}),
    ("arm.model.server_class", "dedicated", {"server_class"}),
    ("envelope.budget.tokens", 1, {"budget_tokens_per_task"}),
    ("envelope.budget.wall_s", 1, {"wall_cap_s"}),
    ("envelope.budget.working_s", 1, {"working_cap_s"}),
    ("envelope.budget.tool_calls", 1, {"tool_call_cap"}),
    ("envelope.budget.output_bytes", 1, {"output_cap_bytes"}),
    ("envelope.budget.attempts", 2, {"max_attempts"}),
    ("envelope.budget.repeats", 2, {"repeats"}),
    ("envelope.budget.incarnations_max", 1, {"incarnations_max"}),
    ("envelope.policy.on_timeout", "grade", {"on_timeout"}),
    ("envelope.policy.retry.server_error", 2, {"retry_policy"}),
    ("envelope.policy.never_started_allowed", ("t05",), {"never_started_allowed"}),
    ("envelope.policy.tool_loop_n", 4, {"tool_loop_n"}),
    ("envelope.sandbox.network", "none", {"network"}),
    ("envelope.sandbox.memory_mb", 1, {"mem_kill_mb"}),
    ("envelope.sandbox.processes", 1, {"processes"}),
    ("envelope.sandbox.disk_mb", 1, {"disk_mb"}),
    ("envelope.sandbox.file_mb", 1, {"file_mb"}),
    ("envelope.sandbox.open_files", 1, {"open_files"}),
    ("envelope.sandbox.site", "/opt/site", {"site_packages"}),
    ("envelope.run.concurrency", 1, {"concurrency"}),
    ("envelope.run.seeds", (8,), {"seeds"}),
    ("envelope.run.warmup_tasks", 3, {"warmup_tasks"}),
    ("envelope.run.run_cap_tokens", 9, {"run_cap_tokens"}),
    ("envelope.metric.headline", "other", {"headline_metric"}),
    ("envelope.metric.scorer", "schema", {"scorer"}),
    ("envelope.ceilings.invalid_rate", "0.5", set()),
    ("envelope.terms.allowance", "200 a day", {"endpoint_terms"}),
    ("envelope.provenance.operator", "somebody else", set()),
    ("envelope.cite.sentence", "another one", set()),
    ("tasks.locked", replace(LOCKED, prompt_sha256="q"), {"prompt_id"}),
    ("tasks.locked", replace(LOCKED, digest="e"), set()),
    ("tasks.locked", replace(LOCKED, hidden_tree="i"), {"task_slice_sha256"}),
    ("tasks.task.verify.timeout_s", 9, {"verify_timeout_s"}),
    ("tasks.task.verify.level", "G2", {"grading_levels"}),
    ("tasks.task.title", "prose", set()),
    ("grader_sha", "h" * 64, {"scoring_script_sha256"}),
    ("rules_digest", "s" * 64, {"rules_digest"}),
    ("causes", (), {"causes_digest"}),
    ("plan.order_digest", "p" * 64, set()),
    ("baseline_digest", "c" * 64, set()),
    ("version", "0.2.0", {"harness_version"}),
    ("sandbox.mode", "root", {"sandbox"}),
    ("sandbox.protections", (), {"sandbox"}),
    ("box.toolchain_digest", "u", {"toolchain_digest"}),
    ("box.toolchain_digest", NotMeasured("no interpreter"), {"toolchain_digest"}),
    ("box.container_image", "sha256:other", {"env_image_digest"}),
    ("box.container_image", NotMeasured("no sign of a container"), {"env_image_digest"}),
    ("box.cpu_count", "2", set()),
    ("box.cgroup_cpu_limit", "1", {"cpus"}),
    ("box.host", "another", set()),
    ("box.kernel", "another", set()),
    ("sealed_at", "2026-11-29T13:00:00.000Z", set()),
]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "value", "named"), SEALED, ids=[f"{path}={str(value)[:20]}" for path, value, _ in SEALED]
)
def test_a_field_of_a_seal_moved_alone(path, value, named):
    rows = sealed_rows()
    if path == "tasks.locked":
        moved = replace(SEAL, tasks=tuple(replace(one, locked=replace(value, id=one.task.id)) for one in SEAL.tasks))
    else:
        moved = put(SEAL, path, value)
    found = comparable(sealed_side("A", SEAL, rows), sealed_side("B", moved, rows))
    assert blocked(found) == named
    assert found.status == ("not_comparable" if named else "comparable"), found.reasons
    if not named:
        assert moved == SEAL or found.notes


def test_an_agent_is_what_its_mounts_hold_wherever_they_lie():
    rows = sealed_rows()
    elsewhere = put(SEAL, "arm.mounts", ("/elsewhere/agent=/opt/agent",))
    found = comparable(sealed_side("A", SEAL, rows), sealed_side("B", elsewhere, rows))
    assert found.status == "comparable", found.reasons


def test_a_seal_leaves_no_field_open_that_a_rate_needs():
    found = comparable(sealed_side("A", SEAL), sealed_side("B", SEAL))
    assert found.status == "comparable" and not [one for one in found.fields if one.blocks]


def test_runs_of_ours_through_the_command_line(tmp_path, capsys):
    """One small run, then runs that differ from it in one field each; the agent differs where it was meant to."""
    make_pack(tmp_path, "clamp-low", "double-it")
    script = {"agent": "command", "harness_commit": "c0ffee", "command": ["sh", "-c", f"{SOLVE['clamp-low']}; true"]}
    _run(tmp_path, "base", envelope([{"label": "a", **script}]))
    here = ("--runs-dir", tmp_path / "runs")
    _run(tmp_path, "other", envelope([{"label": "b", **script, "command": ["true"]}]))
    meant = compared(capsys, "base", "other", *here)
    assert meant.code != 3 and meant.found["comparability"]["treatment"] == ["agent_id"], meant.printed
    _run(tmp_path, "small", envelope([{"label": "a", **script}], sandbox={"memory_mb": 255}))
    moved = compared(capsys, "base", "small", *here)
    assert (moved.code, moved.blocking()) == (3, {"mem_kill_mb": "conditions"})


def _run(folder: Path, name: str, text: str) -> None:
    (folder / f"{name}.toml").write_text(text)
    said = cli(folder, "run", f"{name}.toml", "--run-id", name)
    assert said.code in (0, 1), said.err


def test_manifests_through_the_command_line(tmp_path, capsys):
    for name, manifest in (("a", BASE), ("b", BASE | {"run_id": "B"}), ("c", BASE | {"mem_kill_mb": 6144})):
        imported(tmp_path, name, manifest)
        assert run_cli(["import", "rows", str(tmp_path / name), "-o", str(tmp_path / f"kept-{name}")]) in (0, 1)
    capsys.readouterr()
    for kind in ("", "kept-"):
        same = compared(capsys, tmp_path / f"{kind}a", tmp_path / f"{kind}b")
        assert same.code != 3 and same.blocking() == {}
        moved = compared(capsys, tmp_path / f"{kind}a", tmp_path / f"{kind}c")
        assert (moved.code, moved.blocking()) == (3, {"mem_kill_mb": "conditions"})
        assert "mem_kill_mb" in moved.printed
