"""What was sealed changes under a running run, or a control shows that the tests prove nothing: then there is no number."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import denominator
from e2e import runs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.xdist_group("run-changes"),
]
TASK = "clamp-low"
HIDDEN = ("headline", "resolved_rate", "contract_pass_rate", "first_complete_pass_rate")


def solver(task: str) -> dict[str, object]:
    script = "; ".join(["cd /work", *(f"[ ! -e {name} ] || {runs.SOLVE[task]}" for task, name in FILES.items())])
    return {"label": "solver", "agent": "command", "command": ["sh", "-c", script]}


FILES = {"clamp-low": "bounds.py", "count-words": "wordy.py"}


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


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, runs.Done]:
    """A run that works with a copy of the package; while its first agent is about to begin, a hidden test and the grader change."""
    folder = tmp_path_factory.mktemp("changed")
    runs.make_pack(folder, TASK)
    source = folder / "src" / "denominator"
    shutil.copytree(Path(denominator.__file__).parent, source, ignore=shutil.ignore_patterns("__pycache__", "data"))
    (source / "data").mkdir()
    (folder / "envelope.toml").write_text(runs.envelope([solver(TASK)], budget={"repeats": 2}, run={"concurrency": 1}))
    env = {"PYTHONPATH": str(source.parent), "DENOMINATOR_FAILPOINTS": "agent.before=sleep:2500@1"}
    process = runs.start(folder, "run", "envelope.toml", "--run-id", "c", "--json", env=env)
    place = folder / "runs" / "c"
    deadline = time.monotonic() + 90
    while not list(place.glob(f"work/{TASK}.1.1/agent")) and time.monotonic() < deadline:
        time.sleep(0.02)
    with (place / "pack" / "tasks" / TASK / "hidden" / "test_bounds_values.py").open("a") as hidden:
        hidden.write("# easier now\n")
    with (source / "adapters" / "graders" / "kit" / "sut" / "session.py").open("a") as kit:
        kit.write("# kinder now\n")
    return folder, runs.Done(process)


def test_a_hidden_test_or_a_grader_that_changed_ends_attempts_and_blocks(changed: tuple[Path, runs.Done]) -> None:
    folder, done = changed
    assert done.code == 1, done.err
    rows = list(runs.ledger_of(folder, "c").rows)
    causes = [(row.first_unrecovered.cause, row.first_unrecovered.phase) for row in rows if row.first_unrecovered]
    assert causes == [("changed_seal", "verify"), ("changed_seal", "setup")]
    assert [row.grade for row in rows] == ["none", "none"]
    events = [e.payload["what"] for e in runs.opened(folder, "c").journal.events() if e.kind == "run.changed"]
    assert events == [f"the hidden tests of {TASK}", "the grader", f"the files of {TASK}"]
    card = done.json["runs"][0]["card"]
    assert card["verdict"]["status"] == "blocked"
    assert "changed-seal" in {f["allow_name"] for f in card["verdict"]["findings"] if f["severity"] == "block"}


def test_a_changed_pack_is_not_resumed(changed: tuple[Path, runs.Done]) -> None:
    folder, _ = changed
    again = runs.cli(folder, "resume", "c")
    assert again.code == 2
    assert "differs from the lock" in again.err


@pytest.fixture(scope="module")
def green(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, runs.Done, runs.Done]:
    """A pack whose first task is green without anybody; the second one is solved honestly."""
    folder = tmp_path_factory.mktemp("green")
    root = runs.make_pack(folder, TASK, "count-words")
    task = root / "tasks" / TASK
    runs.edit(task / "repo" / "bounds.py", "return min(value, high)", "return max(low, min(value, high))")
    (task / "gold.patch").unlink()
    runs.lock(root)
    (folder / "envelope.toml").write_text(runs.envelope([solver(TASK)]))
    told = runs.cli(folder, "run", "envelope.toml", "--run-id", "g", "--json")
    return folder, told, runs.cli(folder, "card", "g")


def test_an_empty_patch_that_passes_violates_its_control_and_blocks(green: tuple[Path, runs.Done, runs.Done]) -> None:
    folder, told, _ = green
    assert told.code == 1, told.err
    card = told.json["runs"][0]["card"]
    states = {line["name"]: line["state"] for line in card["controls"]}
    assert states["empty_patch_must_fail"] == "violated"
    assert card["verdict"]["status"] == "blocked"
    grades = {row.key.task_id: row.grade for row in runs.ledger_of(folder, "g").rows}
    assert grades == {TASK: "green", "count-words": "green"}, "there is something to withhold"


def test_a_withheld_number_is_nowhere_in_what_is_said(green: tuple[Path, runs.Done, runs.Done]) -> None:
    folder, told, shown = green
    card = told.json["runs"][0]["card"]
    estimates = {one["metric"]: one for one in card["estimates"]}
    for name in HIDDEN:
        for part in ("value", "numerator", "lo", "hi"):
            assert set(estimates[name][part]) == {"not_measured"}, (name, part)
    keys = {path.rpartition(".")[2] for path, _ in leaves(card["equation"])} | {
        p.rpartition(".")[2] for p, _ in leaves(card["strata"])
    }
    assert "pass" not in keys and "fail" not in keys
    for text in (told.out, told.err, shown.out, shown.err, (folder / "runs" / "g" / "card.json").read_text()):
        assert not re.search(r"\bpass(?:ed)?\W{0,4}\d", text), text
        assert not re.search(r"count-words[^\n]*: (?:pass|tests_red)", text), text
    log = [json.loads(line)["text"] for line in (folder / "runs" / "g" / "run.log").read_text().splitlines()]
    assert sorted(log) == [f"{task} repeat 1 attempt 1: graded" for task in (TASK, "count-words")]
