"""Two arms as people have them: manifests with every field of METHODS M8, rows by marks, and one call of `compare`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from denominator.cli.main import run_cli
from denominator.wire.codec import loads

STATUS = {"P": "pass", "F": "fail", "A": "abstain", "U": "unscoreable"}
FIELDS: dict[str, Any] = {
    "started_at_utc": "2026-10-18T09:12:00Z", "operator": "op1", "task_slice_sha256": "3f9a", "agent_id": "cli",
    "harness_commit": "9c1b7de", "model_id": "prov/fam", "model_snapshot": "fam-2026-08-01", "temperature": 0.0, "seed": 7,
    "max_output_tokens": 4096, "budget_tokens_per_task": 60000, "tool_timeout_s": 120, "retry_policy": "no retries",
    "env_image_digest": "sha256:e1", "scoring_script_sha256": "s1", "runner": "laptop", "provider_region": "eu",
    "on_timeout": "fail",
}  # fmt: skip
GONE = object()


class Said:
    """What one comparison said: exit code, JSON document, text."""

    def __init__(self, code: int, out: str, text: str) -> None:
        self.code, self.raw, self.text = code, out, text
        self.document = loads(out, "stdout")
        self.found: dict[str, Any] = self.document.get("comparison", {})
        self.printed = " ".join(text.split())

    @property
    def verdict(self) -> dict[str, Any]:
        return dict(self.found["verdict"])

    @property
    def sentence(self) -> str:
        return str(self.verdict["sentence"])

    def estimate(self, metric: str) -> dict[str, Any]:
        return next(one for one in self.found["estimates"] if one["metric"] == metric)

    def blocking(self) -> dict[str, str]:
        return {one["name"]: one["verdict"] for one in self.found["comparability"]["fields"] if one["blocks"]}


def compared(capsys: pytest.CaptureFixture[str], *args: object) -> Said:
    """Run `compare` twice, as JSON and as text; both must end alike."""
    codes, outs = [], []
    for more in (["--json"], []):
        codes.append(run_cli(["compare", *map(str, args), *more]))
        outs.append(capsys.readouterr().out)
    assert codes[0] == codes[1]
    return Said(codes[0], *outs)


def manifest(folder: Path, name: str, **over: Any) -> Path:
    """A manifest with every field, some changed; `GONE` leaves one out."""
    path = folder / f"manifest-{name}.json"
    told = {key: value for key, value in ({"run_id": name} | FIELDS | over).items() if value is not GONE}
    path.write_text(json.dumps(told))
    return path


def rows(folder: Path, name: str, marks: Mapping[str, str], **columns: Any) -> Path:
    """Rows of one arm: one letter a repeat; `-` leaves the row out. `columns` by task or for all."""
    path, lines = folder / f"{name}.jsonl", []
    for task, letters in marks.items():
        for repeat, letter in enumerate(letters, 1):
            if letter == "-":
                continue
            more = {key: value[task] if isinstance(value, dict) else value for key, value in columns.items()}
            reason = {"reason": "env_flake"} if letter == "U" else {}
            row = {"run_id": name, "task_id": task, "repeat": repeat, "outcome": STATUS[letter], **reason, **more}
            lines.append(json.dumps(row))
    path.write_text("\n".join(lines) + "\n")
    return path


def table(both: int = 0, a_only: int = 0, b_only: int = 0, neither: int = 0) -> tuple[dict[str, str], dict[str, str]]:
    """Marks of two arms with this fourfold table, one draw a task."""
    pairs = ["PP"] * both + ["PF"] * a_only + ["FP"] * b_only + ["FF"] * neither
    names = [f"t{number:03}" for number in range(1, len(pairs) + 1)]
    marks = [dict(zip(names, (pair[side] for pair in pairs), strict=True)) for side in (0, 1)]
    return marks[0], marks[1]


def pair(folder: Path, a: Mapping[str, str], b: Mapping[str, str], **over: Any) -> list[object]:
    """Arguments for two arms whose manifests state everything; `over` of b only, `both_` keys of both."""
    shared = {key.removeprefix("both_"): over.pop(key) for key in list(over) if key.startswith("both_")}
    tasks = {"task_ids": sorted(a), "repeats": max(map(len, a.values()))}
    files = {"A": (rows(folder, "A", a), manifest(folder, "A", **tasks, **shared))}
    files["B"] = rows(folder, "B", b), manifest(folder, "B", **(tasks | shared | over))
    return ["--a", files["A"][0], "--a", files["A"][1], "--b", files["B"][0], "--b", files["B"][1]]


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every scalar of a JSON document with its path."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, f"{path}.{key}")
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from leaves(item, f"{path}[{number}]")
    else:
        yield path, value


def no_delta(said: Said) -> None:
    """Nothing in the document sets one arm against the other, and the text has no word for it."""
    found = said.found
    for key in ("estimates", "table", "transitions", "strata", "origins", "more_a", "more_b"):
        assert found[key] == [], key
    for key in ("test", "worst", "spread", "tasks", "repeats", "units"):
        assert "not_measured" in found[key], key
    for heading in ("NUMBERS", "TRANSITIONS", "TASKS\n", "WHOSE"):
        assert heading not in said.text, heading
