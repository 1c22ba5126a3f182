"""Packs and scripted agents that make the situations of the public cases happen for real: each scene is one attempt."""

from __future__ import annotations

import difflib
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from denominator.pipeline.results import Result, judge_run
from denominator.records.draws import JudgedDraw
from denominator.wire.names import safe_name
from e2e import runs
from e2e.runs import Done, cli, lines

Files = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One task of a lab's pack. `gold` holds the files that the reference patch changes; `more` goes into task.toml."""

    id: str
    repo: Files
    gold: Files
    hidden: Files
    verify: Mapping[str, Any]
    allowed: Sequence[str] = ("src/bill.py",)
    forbidden: Sequence[str] = ()
    more: Mapping[str, Any] = field(default_factory=dict)
    prompt: str = "The total is wrong. Mend it.\n"


def write_pack(folder: Path, *tasks: Task, lock: bool = True) -> Path:
    """A pack of these tasks, locked without its own checks where `lock`: some are packs that `pack lock` refuses."""
    root = folder / "pack"
    root.mkdir(parents=True)
    shutil.copyfile(runs.FOUR / "pack.toml", root / "pack.toml")
    if not any("control" in task.more for task in tasks):
        runs.edit(root / "pack.toml", "controls_min = 1", "controls_min = 0")
    for task in tasks:
        _write_task(root / "tasks" / safe_name(task.id), task)
    if lock:
        runs.lock(root)
    return root


def _write_task(place: Path, task: Task) -> None:
    for kind, files in (("repo", task.repo), ("hidden", task.hidden)):
        (place / kind).mkdir(parents=True)
        for name, text in files.items():
            (place / kind / name).parent.mkdir(parents=True, exist_ok=True)
            (place / kind / name).write_text(text)
    (place / "prompt.md").write_text(task.prompt)
    if task.gold:
        (place / "gold.patch").write_text("".join(_diff(name, task.repo, text) for name, text in task.gold.items()))
    head = {
        "schema_version": 1, "id": task.id, "title": "A bill", "slice": "solvable", "expected": "pass", "family": "bill",
        "reason": "a public case, played", "license": "MIT", "multi_file": len(task.gold) > 1,
        "allowed": list(task.allowed), "forbidden": list(task.forbidden), **task.more,
    }  # fmt: skip
    source, verify = '\n[source]\nkind = "folder"\n', {"timeout_s": 20, **task.verify}
    (place / "task.toml").write_text(lines(head) + source + "\n[verify]\n" + lines(verify))


def _diff(name: str, repo: Files, text: str) -> str:
    old = repo.get(name, "").splitlines(keepends=True)
    made = difflib.unified_diff(old, text.splitlines(keepends=True), f"a/{name}" if old else "/dev/null", f"b/{name}")
    return f"diff --git a/{name} b/{name}\n" + ("" if old else "new file mode 100644\n") + "".join(made)


@dataclass(frozen=True, slots=True)
class Played:
    """A run that has been played, judged: `rows` by task and repeat, its card, what the process said."""

    folder: Path
    told: Done
    result: Result
    card: dict[str, Any]

    def row(self, task: str, repeat: int = 1) -> JudgedDraw:
        """One draw, labelled."""
        draws = self.result.judged.sheet.draws
        return next(one for one in draws if (one.draw.task_id, one.draw.repeat) == (task, repeat))

    def findings(self) -> str:
        """What the gate says, one line a finding."""
        return "\n".join(f"{one['allow_name']} {one['what']}" for one in self.card["verdict"]["findings"])


def play(folder: Path, scenes: Mapping[str, Sequence[str]], **more: Any) -> Played:
    """Run the pack in `folder`: attempt k of a task plays the k-th script of its scenes; nothing where it has none."""
    write_envelope(folder, scenes, **more)
    return played(folder, cli(folder, "run", "envelope.toml", "--run-id", "r", "--json", env=more.get("env")))


def write_envelope(folder: Path, scenes: Mapping[str, Sequence[str]], **more: Any) -> None:
    """The scripts, and the envelope of the one agent that plays them."""
    place = folder / "scenes"
    for task, scripts in scenes.items():
        (place / task).mkdir(parents=True)
        for number, script in enumerate(scripts, 1):
            (place / task / f"{number}.sh").write_text(f"cd /work\n{script}\n")
    repeats = max(map(len, scenes.values()))
    script = 'f="/opt/scenes/$DENOMINATOR_TASK_ID/$DENOMINATOR_SEED.sh"; [ ! -f "$f" ] || exec sh "$f"'
    arm = {
        "label": "scripted", "agent": "command", "command": ["sh", "-c", script],
        "mounts": [f"{place}=/opt/scenes", *more.get("mounts", ())],
    }  # fmt: skip
    concurrency = more.get("concurrency", 2)
    text = runs.envelope(
        [arm],
        budget={"repeats": repeats},
        run={"seeds": list(range(1, repeats + 1)), "concurrency": concurrency},
        sandbox=more.get("sandbox", {}),
    )
    (folder / "envelope.toml").write_text(text)


def played(folder: Path, told: Done) -> Played:
    """What became of the run."""
    assert told.code in (0, 1), told.err
    return Played(folder, told, judge_run(runs.opened(folder, "r")), told.json["runs"][0]["card"])
