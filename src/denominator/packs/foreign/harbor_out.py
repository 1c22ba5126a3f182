"""A pack of ours as Harbor task folders, with what Harbor cannot hold listed."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from denominator.packs.foreign.ours import digest_of, stated
from denominator.packs.layout import TaskPaths, task_paths
from denominator.records.packs import FoundPack, Task
from denominator.wire.names import safe_name
from denominator.wire.toml_text import text
from denominator.wire.trees import read_file, read_tree

SCHEMA = "1.4"
LOST = (
    "who holds the verdict: Harbor's test.sh runs in the container that the agent worked in (docs/formats/grading.md)",
    "exact ids and sentinels: Harbor knows one reward, so a test that did not run and one that passed look alike to it",
    "the pack's digest and baseline: a task folder of Harbor has a digest of its own",
)


@dataclass(slots=True)
class Exported:
    """Files by path below the new folder, which of them may be run, and what is lost (of all, and by task)."""

    files: dict[str, bytes] = field(default_factory=dict)
    executable: set[str] = field(default_factory=set)
    lost: dict[str, list[str]] = field(default_factory=dict)


def harbor_tasks(found: FoundPack, image: str, kit: Mapping[str, bytes]) -> Exported:
    """Every task of a pack as a task folder. `image` is what its Dockerfile starts from, `kit` the
    modules that hidden tests ask a solution through."""
    out = Exported()
    for task in found.pack.tasks:
        _task(out, found, task, task_paths(found, task), image, kit)
    return out


def _task(out: Exported, found: FoundPack, task: Task, paths: TaskPaths, image: str, kit: Mapping[str, bytes]) -> None:
    home = safe_name(task.id)
    lost = out.lost.setdefault(task.id, [])
    hidden = dict(_tree(paths.hidden)) if paths.hidden.is_dir() else {}
    if not hidden:
        lost.append("nothing hidden grades it: its command runs tests that the agent can change")
    if task.slice != "solvable":
        lost.append(
            f"its slice {task.slice}: Harbor counts it like any other task, so its mean is no rate of this pack"
        )
    if task.verify.runner == "pytest":
        lost.append(f"pytest: the image must hold it ({image} may not)")
    if task.verify.report:
        lost.append(f"its {task.verify.report} report: the exit status alone decides")
    spec = dict(_tree(paths.spec)) if paths.spec.is_dir() else {}
    lost += ["what its agent may change: Harbor looks at no paths"] if task.allowed or task.forbidden else []
    repo = dict(_tree(paths.repo))
    executable = [f"hidden/{name}" for name, (_, run) in hidden.items() if run]
    executable += [f"repo/{name}" for name, (_, run) in repo.items() if run]
    out.files |= {
        f"{home}/task.toml": _toml(found, task, _digest(hidden), executable).encode(),
        f"{home}/instruction.md": paths.prompt.read_bytes(),
        f"{home}/environment/Dockerfile": _dockerfile(image, bool(spec)).encode(),
        **{f"{home}/environment/repo/{name}": data for name, (data, _) in repo.items()},
        **{f"{home}/environment/spec/{name}": data for name, (data, _) in spec.items()},
        **{f"{home}/tests/hidden/{name}": data for name, (data, _) in hidden.items()},
        **{f"{home}/tests/lib/{name}": data for name, data in kit.items()},
        f"{home}/tests/test.sh": test_sh(task).encode(),
    }
    out.executable |= {f"{home}/tests/test.sh"}
    out.executable |= {f"{home}/environment/repo/{name}" for name, (_, run) in repo.items() if run}
    out.executable |= {f"{home}/tests/hidden/{name}" for name, (_, run) in hidden.items() if run}
    if paths.gold.is_file():
        out.files[f"{home}/solution/gold.patch"] = paths.gold.read_bytes()
        out.files[f"{home}/solution/solve.sh"] = b"#!/bin/sh\nset -eu\ncd /app\npatch -p1 < /solution/gold.patch\n"
        out.executable |= {f"{home}/solution/solve.sh"}


def _digest(hidden: Mapping[str, tuple[bytes, bool]]) -> str:
    """The digest of its hidden files, as the lock of a pack has it."""
    runnable = {name for name, (_, run) in hidden.items() if run}
    return digest_of({name: data for name, (data, _) in hidden.items()}, runnable) if hidden else ""


def _tree(folder: Path) -> Iterator[tuple[str, tuple[bytes, bool]]]:
    for entry in read_tree(folder).entries:
        if entry.kind == "file":
            yield entry.path, (read_file(folder, entry.path), entry.mode == 0o755)


def _dockerfile(image: str, spec: bool) -> str:
    more = "COPY spec/ /spec/\n" if spec else ""
    return f"FROM {image}\nWORKDIR /app\nCOPY repo/ /app/\n{more}"


def _toml(found: FoundPack, task: Task, hidden_tree: str, executable: Collection[str]) -> str:
    return f"""\
schema_version = {text(SCHEMA)}

[task]
name = {text(f"{found.pack.id}/{safe_name(task.id)}")}
version = {text(found.pack.version)}
description = {text(task.title)}

{stated(task, hidden_tree, executable)}
[verifier]
timeout_sec = {task.verify.timeout_s}.0
"""


def test_sh(task: Task) -> str:
    """What gives the reward of an exported task."""
    verify = task.verify
    runs = {
        "unittest": "python3 -B -m unittest {ids}",
        "pytest": "python3 -B -m pytest -q -p no:cacheprovider --rootdir=/tests/hidden {ids}",
    }
    run = runs.get(verify.runner)
    if run is None:
        passes = f"sh -c {shlex.quote(verify.command)}"
    else:
        prefix = "/tests/hidden/" if verify.runner == "pytest" else ""
        passes = run.format(ids=" ".join(shlex.quote(prefix + one) for one in verify.expected_tests))
    wrong = (
        [run.format(ids=shlex.quote(one)) for one in verify.counter_tests]
        if run and verify.runner == "unittest"
        else []
    )
    counters = "".join(f"! {one} >/dev/null 2>&1 || green=0\n" for one in wrong)
    return f"""\
#!/bin/sh
# Expected tests must pass, counter-tests must fail; the reward says whether both held.
mkdir -p /logs/verifier
export HIDDEN=/tests/hidden REPORT=/tmp/report SUT_DIR=/app PYTHONPATH=/tests/hidden:/tests/lib:/app:/app/src
cd /app || exit 1
green=1
{passes} || green=0
{counters}echo "$green" > /logs/verifier/reward.txt
"""
