"""Submissions to SWE-bench/experiments: a tree of three splits, one folder alone, and the boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from denominator.testing.importer_bench import Example
from foreign_data import written
from importer_examples.swebench import PATCH, lines, report, run_report

NEW = """\
assets: {logs: s3://bucket/lite/20260102_coder/logs, trajs: s3://bucket/lite/20260102_coder/trajs}
info: {name: Coder 1, site: https://coder.invalid, authors: somebody, resolved: 50.25}
tags:
  checked: false (See README.md for info on how to get your results verified)
  model: [lab-1]
  org: Lab
  system: {attempts: '1'}
"""
OLD = "name: Coder 0\noss: true\nsite: https://coder.invalid\nverified: true\n"
FIRST = ("no_generation", "generated", "with_logs", "install_fail", "reset_failed", "no_apply", "applied")
TEN = (*FIRST, "test_errored", "test_timeout", "resolved")


def examples(folder: Path) -> Sequence[Example]:
    """Format A with predictions; the ten lists; details of instances; a run report with an index; a board."""
    tree = written(folder / "tree", everything())
    thinned = everything()
    thinned[f"{SPLIT}/results/results.json"] |= {"unresolved_ids": [], "completed_ids": ["p__q-1"]}
    board = written(folder / "board", {"data/leaderboards.json": boards()})
    return (
        Example(path=tree, part="lite/20260102_coder", rows=5),
        Example(path=tree, part="lite/20240102_old", rows=9),
        Example(path=tree, part="bash-only/20260102_mini", rows=2),
        Example(path=tree, part="verified/20240102_java", rows=2, thinned=written(folder / "thinned", thinned)),
        Example(path=board, part="bash-only/20260102_mini", rows=2),
    )


SPLIT = "evaluation/java/verified/20240102_java"


def everything() -> dict[str, Any]:
    """Four submissions."""
    a = "evaluation/lite/20260102_coder"
    return {
        f"{a}/metadata.yaml": NEW,
        f"{a}/results/results.json": {
            "no_generation": ["p__q-2"],
            "no_logs": ["p__q-3"],
            "resolved": ["p__q-1", "p__q-1"],
        },
        f"{a}/all_preds.jsonl": lines(
            handed({"p__q-1": PATCH, "p__q-2": None, "p__q-3": PATCH, "p__q-4": PATCH, "p__q-5": ""})
        ),
        "evaluation/lite/20240102_old/metadata.yaml": OLD,
        "evaluation/lite/20240102_old/results/results.json": ten(),
        "evaluation/bash-only/20260102_mini/per_instance_details.json": details(),
        f"{SPLIT}/metadata.yaml": OLD,
        f"{SPLIT}/results/results.json": older(run_report(resolved_ids=["p__q-1"], unresolved_ids=["p__q-2"])),
        f"{SPLIT}/logs/p__q-1/report.json": {"p__q-1": report(True)},
        "evaluation/java/verified/index.json": {"p__q-1": {"repository": "p/q"}, "p__q-2": {"repository": "p/q"}},
    }


def older(found: dict[str, Any]) -> dict[str, Any]:
    """The shape in which the list of resolved ids is called resolved."""
    return {
        name.replace("resolved_ids", "resolved") if name == "resolved_ids" else name: one for name, one in found.items()
    }


def handed(patches: Mapping[str, str | None]) -> list[dict[str, Any]]:
    """Predictions of one model."""
    return [{"instance_id": one, "model_name_or_path": "coder", "model_patch": patch} for one, patch in patches.items()]


def ten() -> dict[str, list[str]]:
    """The older lists with every ending once: o-1 without a patch ... o-9 resolved."""
    found: dict[str, list[str]] = {name: [] for name in TEN}
    found["no_generation"] = ["o-1"]
    found["generated"] = [f"o-{number}" for number in range(2, 10)]
    found["with_logs"] = [f"o-{number}" for number in range(3, 10)]
    for number, name in enumerate(("install_fail", "reset_failed", "no_apply", "test_errored", "test_timeout"), 3):
        found[name] = [f"o-{number}"]
    found["applied"] = ["o-6", "o-7", "o-8", "o-9"]
    found["resolved"] = ["o-9"]
    return found


def details() -> dict[str, Any]:
    """Two instances with what they cost."""
    return {
        "p__q-1": {"resolved": True, "cost": 0.5, "api_calls": 12},
        "p__q-2": {"resolved": False, "cost": 0.0, "api_calls": 3},
    }


def boards() -> dict[str, Any]:
    """One submission on two boards, and one of which a percent is all that is known."""
    tags = ["Model: lab-1", "Org: Lab", "System: Attempts - 2+"]
    mini = {
        "name": "mini + lab-1",
        "folder": "20260102_mini",
        "resolved": 50.0,
        "checked": True,
        "tags": tags,
        "cost": 1.5,
    }
    bare = {"name": "Other", "folder": "20260102_other", "resolved": 64.93, "tags": [], "per_instance_details": None}
    return {
        "leaderboards": [
            {"name": "bash-only", "results": [mini | {"per_instance_details": details()}]},
            {"name": "Verified", "results": [mini, bare]},
        ]
    }
