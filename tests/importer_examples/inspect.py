"""Logs of Inspect: as `.eval` and as `.json`, one that was never finished, and a folder with a task that was retried."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from backports.zstd import zipfile

from denominator.testing.importer_bench import Example

ZSTD, DEFLATE = 93, 8
USAGE = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
TRACE = "Traceback (most recent call last):\n  File x\n"
Log = dict[str, Any]


def sample(id_: object, epoch: int = 1, score: object = "C", **over: Any) -> dict[str, Any]:
    """A sample that one scorer judged; `score` None: not judged. `over` goes on top, None takes a field away."""
    began = f"2026-01-05T10:00:{epoch:02d}.250000+00:00"
    events = [
        {"event": "span_begin", "uuid": "u"},
        {
            "event": "sample_init",
            "sample": {"input": f"do {id_}", "target": "x", "id": id_},
            "state": {"a": [1, {"b": 2}]},
        },
        {"event": "model", "model": "acme/m", "output": {"choices": []}, "cache": None},
    ]
    found = {
        "id": id_, "epoch": epoch, "input": f"do {id_}", "target": "x", "output": {"model": "acme/m-2026", "choices": []},
        "scores": {} if score is None else {"tests": {"value": score, "explanation": "t", "history": []}},
        "metadata": {"k": "v"}, "events": events, "model_usage": {"acme/m": USAGE}, "started_at": began,
        "completed_at": began, "total_time": 2.5, "working_time": 1.5, "uuid": f"{id_}-{epoch}", "error_retries": [],
    } | over  # fmt: skip
    return {name: value for name, value in found.items() if value is not None}


def error(message: str, traceback: str = "") -> dict[str, str]:
    """An error as Inspect writes it."""
    return {"message": message, "traceback": traceback, "traceback_ansi": traceback}


def log(ids: Sequence[object], samples: Sequence[Mapping[str, Any]], epochs: int = 1, **spec: Any) -> Log:
    """A log of version 2; `spec` goes into `eval`."""
    planned = {
        "eval_id": "e1", "run_id": "r1", "created": "2026-01-05T10:00:00+00:00", "task": "tiny", "task_id": "t1",
        "dataset": {"name": "pack", "samples": len(ids), "sample_ids": list(ids), "shuffled": False},
        "model": "acme/m", "model_generate_config": {"temperature": 0.5, "seed": 7, "max_tokens": 900}, "model_args": {},
        "config": {"epochs": epochs, "fail_on_error": False, "message_limit": 6}, "packages": {"inspect_ai": "0.3.1"},
        "scorers": [{"name": "tests", "options": {}, "metrics": [{"name": "inspect_ai/accuracy"}]}],
    }  # fmt: skip
    total = len(ids) * epochs
    return {
        "version": 2, "status": "success", "eval": planned | spec,
        "plan": {"name": "plan", "steps": [{"solver": "behave", "params": {}}], "config": {}},
        "results": {
            "total_samples": total, "completed_samples": sum("error" not in one for one in samples),
            "scores": [{
                "name": "tests", "scorer": "tests", "reducer": "mean", "scored_samples": len(ids), "unscored_samples": 0,
                "params": {}, "metrics": {"accuracy": {"name": "accuracy", "value": 0.5, "params": {}}},
            }],
            "headline": {"scorer": "tests", "score": "tests", "metric": "accuracy"},
        },
        "stats": {
            "started_at": "2026-01-05T10:00:00+00:00", "completed_at": "2026-01-05T11:00:00+00:00",
            "model_usage": {"acme/m": {name: value * len(samples) for name, value in USAGE.items()}},
        },
        "samples": [dict(one) for one in samples],
    }  # fmt: skip


def thin(one: Mapping[str, Any]) -> dict[str, Any]:
    """The line of a sample in the summaries."""
    keep = ("id", "epoch", "scores", "model_usage", "started_at", "total_time", "working_time", "uuid")
    found = {name: one[name] for name in keep if name in one} | {"retries": len(one.get("error_retries") or ())}
    found |= {"error": one["error"]["message"]} if "error" in one else {}
    return found | ({"limit": one["limit"]["type"]} if "limit" in one else {}) | {"completed": True}


def members(of: Log, finished: bool = True) -> dict[str, bytes]:
    """The members of the `.eval` file that holds the log."""
    samples, start = of["samples"], {"version": 2, "eval": of["eval"], "plan": of["plan"]}
    lines = [thin(one) for one in samples]
    found = {"_journal/start.json": start}
    found |= {f"samples/{one['id']}_epoch_{one['epoch']}.json": one for one in samples}
    found["_journal/summaries/1.json"] = lines
    if finished:
        found |= {
            "summaries.json": lines,
            "header.json": {name: value for name, value in of.items() if name != "samples"},
        }
    return {name: json.dumps(value).encode() for name, value in found.items()}


def packed(path: Path, content: Mapping[str, bytes] | Sequence[tuple[str, bytes]], method: int = ZSTD) -> Path:
    """A zip file of members; of a sequence a name may stand twice."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pairs = content.items() if isinstance(content, Mapping) else content
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in pairs:
            archive.writestr(name, data)
    return path


def written(path: Path, of: Log, indent: int | None = 2) -> Path:
    """The `.json` log."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(of, indent=indent), encoding="utf-8")
    return path


def small() -> Log:
    """Two epochs of three samples: right, wrong, and one that broke off twice and was right then."""
    tries = [
        error("ConnectionError('x')", f"{TRACE}ConnectionError: x"),
        error("openai", f"{TRACE}openai.RateLimitError: 429"),
    ]
    config = {"epochs": 2, "retry_on_error": 2, "message_limit": 6}
    every = [
        sample("a"), sample("a", 2, "I"), sample("b", 1, float("nan")), sample("b", 2, 0, limit={"type": "message", "limit": 6}),
        sample("c", 1, "C", error_retries=tries), sample("c", 2, None, error=error("CancelledError('x')")),
    ]  # fmt: skip
    return log(("a", "b", "c"), every, 2, config=config)


def examples(folder: Path) -> Sequence[Example]:
    """Whole logs in both shapes; copies without one sample."""
    less = small()
    less["samples"] = less["samples"][1:]
    older = log(
        ("a", "b"), [sample("a"), sample("b", 1, "I")], created="2026-01-01T10:00:00+00:00", task_id="t2", eval_id="e0"
    )
    newer = log(
        ("a", "b"), [sample("a"), sample("b", 1, "C")], created="2026-01-04T10:00:00+00:00", task_id="t2", eval_id="e2"
    )
    packed(folder / "folder" / "new.eval", members(newer), DEFLATE)
    packed(folder / "folder" / "old.eval", members(older))
    written(folder / "folder" / "other.json", small())
    started = small() | {"status": "started"}
    return (
        Example(
            path=packed(folder / "a.eval", members(small())),
            rows=8,
            thinned=packed(folder / "less.eval", members(less)),
        ),
        Example(path=written(folder / "a.json", small()), rows=8, thinned=written(folder / "less.json", less)),
        Example(path=packed(folder / "started.eval", members(started, finished=False)), rows=8),
        Example(path=folder / "folder", part="new.eval", rows=2),
    )
