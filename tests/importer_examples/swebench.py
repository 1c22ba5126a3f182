"""Runs of the SWE-bench harness as it lays them out: report, folders of instances, predictions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from denominator.testing.importer_bench import Example
from foreign_data import written

MODEL, FOLDER, RUN = "lab/coder-1", "lab__coder-1", "night.2"
ROOT = f"logs/run_evaluation/{RUN}/{FOLDER}"
REPORT = f"{FOLDER}.{RUN}.json"
FIX, OLD = "tests/test_a.py::test_fix", "tests/test_a.py::test_old"
STAMP = "2026-01-02 03:04:05,678 - INFO - "
ENDED = "+ : '>>>>> Start Test Output'\nPASSED tests\n+ : '>>>>> End Test Output'\n"
PATCH = "diff --git a/a.py b/a.py\n"
TEXTS = {
    "apply_error": "error: patch failed: a.py:3",
    "clone_failed": "fatal: unable to access 'https://git.invalid/': Could not resolve host: git.invalid",
    "disk_full": "OSError: [Errno 28] No space left on device",
    "network_down": "dial tcp: lookup registry.invalid: no such host",
    "sandbox_unreachable": "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?",
}


def examples(folder: Path) -> Sequence[Example]:
    """A whole run; its report alone; its logs alone with the older flat reports; two runs in one folder."""
    whole = run(folder / "whole")
    lists = run_report(resolved_ids=["p__q-1"], unresolved_ids=["p__q-3"], error_ids=["p__q-2"])
    alone = written(folder / "alone", {REPORT: lists}) / REPORT
    thinned = written(folder / "thinned", {REPORT: lists | {"error_ids": []}}) / REPORT
    flat = written(folder / "flat", {f"logs/p__q-{n}/report.json": report(n == 1) for n in (1, 2)})
    two = written(folder / "two", {"a.one.json": lists, "b.two.json": lists})
    return (
        Example(path=whole, rows=len(members())),
        Example(path=alone, rows=3, thinned=thinned),
        Example(path=flat, rows=2),
        Example(path=two, rows=3, part="b.two"),
    )


def members() -> dict[str, dict[str, Any]]:
    """Instances with every ending that folders show and that blocks nothing: folder members by id."""
    infra = {"infra_failure": True}
    found: dict[str, dict[str, Any]] = {
        "p__q-1": {"report.json": wrapped("p__q-1", report(True))},
        "p__q-2": {"report.json": wrapped("p__q-2", report(False, failed=[FIX]))},
        "p__q-3": {"report.json": wrapped("p__q-3", report(False, failed=[OLD]))},
        "p__q-4": {"report.json": wrapped("p__q-4", bare()), "test_output.txt": ENDED},
        "p__q-5": {
            "report.json": wrapped("p__q-5", bare()),
            "test_output.txt": "+ : '>>>>> Start Test Output'\nkilled",
        },
        "p__q-6": {"report.json": "", "run_instance.log": STAMP + ">>>>> Applied Patch:\n"},
        "p__q-7": {"run_instance.log": STAMP + ">>>>> Patch Apply Failed:\nerror: corrupt patch at line 3"},
        "p__q-8": {
            "run_instance.log": STAMP + "go\n",
            "test_output.txt": "x\n\n\nTimeout error: 1800 seconds exceeded.",
        },
        "p__q-9": {"run_instance.log": STAMP + "Creating container for p__q-9...\n"},
        "p__q-10": {"report.json": wrapped("p__q-10", bare() | infra)},
    }
    for number, reason in enumerate(REASONS, 11):
        mark = {"infra_failure": reason in REASONS[:5], "infra_failure_reason": reason}
        found[f"p__q-{number}"] = {"report.json": wrapped(f"p__q-{number}", bare() | mark)}
    for number, text in enumerate(TEXTS.values(), 30):
        error = f"2026-01-02 03:04:05,678 - ERROR - Error in evaluating model for p__q-{number}: {text}\n"
        found[f"p__q-{number}"] = {"run_instance.log": STAMP + "Creating container...\n" + error}
    return found


REASONS = (
    "browser_launch_failed", "display_unavailable", "out_of_memory", "container_unavailable", "network_unreachable",
    "missing_module", "no_tests_collected", "tests_timed_out",
)  # fmt: skip


def run(folder: Path) -> Path:
    """A run of every one of `members`, with predictions, and one more that nobody handed in anything for."""
    found = {f"{ROOT}/{task}/{name}": content for task, held in members().items() for name, content in held.items()}
    found |= {f"{ROOT}/{task}/patch.diff": PATCH for task in members()}
    found["logs/run_evaluation/" + RUN + "/run.json"] = {
        "dataset": "lab/bench",
        "split": "test",
        "created_at": "2026-01-02T03:00:00Z",
    }
    found["preds.json"] = predictions(list(members()))
    return written(folder, found)


def predictions(ids: Sequence[str], patch: str | None = PATCH) -> dict[str, Any]:
    """A table of predictions."""
    return {one: {"instance_id": one, "model_name_or_path": MODEL, "model_patch": patch} for one in ids}


def report(resolved: bool, failed: Sequence[str] = ()) -> dict[str, Any]:
    """An instance's own report; what is not failed has passed."""
    failed = failed or ([] if resolved else [FIX])
    table = {
        name: {
            "success": [one for one in tests if one not in failed],
            "failure": [one for one in tests if one in failed],
        }
        for name, tests in (("FAIL_TO_PASS", [FIX]), ("PASS_TO_PASS", [OLD]))
    }
    return {
        "patch_is_None": False,
        "patch_exists": True,
        "patch_successfully_applied": True,
        "resolved": resolved,
        "tests_status": table,
    }


def bare() -> dict[str, Any]:
    """A report that names no test."""
    return {
        "patch_is_None": False,
        "patch_exists": True,
        "patch_successfully_applied": False,
        "resolved": False,
        "infra_failure": False,
    }


def wrapped(task: str, inner: Mapping[str, Any]) -> dict[str, Any]:
    """A report under its id, as the harness writes it."""
    return {task: dict(inner)}


def run_report(**lists: Any) -> dict[str, Any]:
    """A run report: completed, submitted and the counts follow from the lists that are given."""
    names = ("resolved_ids", "unresolved_ids", "error_ids", "empty_patch_ids", "incomplete_ids")
    found: dict[str, Any] = {name: [] for name in names} | lists
    handed = [one for name in names[:4] for one in found[name]]
    found.setdefault("submitted_ids", list(dict.fromkeys(handed)))
    found.setdefault("completed_ids", [*found["resolved_ids"], *found["unresolved_ids"]])
    every = {one for name in names for one in found[name]}
    counts = {"total_instances": len(every), "submitted_instances": len(found["submitted_ids"])}
    counts |= {"resolved_instances": len(found["resolved_ids"]), "completed_instances": len(found["completed_ids"])}
    counts |= {"error_instances": len(found["error_ids"])}
    return counts | found | {"schema_version": 2}


def lines(rows: Sequence[Mapping[str, Any]]) -> str:
    """JSON lines."""
    return "".join(json.dumps(one) + "\n" for one in rows)
