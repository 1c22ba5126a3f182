"""One attack, twice: against the careless grader in one shared tree, then through agent sandbox, patch, clean tree, grading."""

import json
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from denominator.adapters.graders.clean_tree import CleanTree
from denominator.ports import GradeOrder, Job, Limits, Mount
from denominator.records.packs import Task, Verify
from denominator.wire.trees import apply_patch, copy_tree, diff_trees, matches, read_tree

HERE = Path(__file__).parent
CORPUS = HERE / "corpus"
PYTHON = "/usr/bin/python3"
LIMITS = Limits(
    wall_s=60,
    memory_bytes=512 << 20,
    processes=64,
    disk_bytes=128 << 20,
    file_bytes=32 << 20,
    open_files=256,
    output_bytes=1 << 20,
)
VALUES = [f"test_hidden.py::test_value[xs{n}-{e}]" for n, e in enumerate(["2", "2.5", "1", "1.5", "5.0"])]
# variant -> runner, level, expected ids, counter ids
VARIANTS = {
    "values": ("pytest", "G2", [*VALUES, "test_hidden.py::test_no_mutation"], "test_shapes.py::test_shape[xs{}]"),
    "oracle": ("pytest", "G2", ["test_hidden.py::test_against_reference"], "test_shapes.py::test_shape"),
    "helpers": ("pytest", "G2", ["test_hidden.py::test_values"], "test_shapes.py::test_shape"),
    "unittest": (
        "unittest",
        "G2",
        ["test_hidden.T.test_even", "test_hidden.T.test_two"],
        "test_shapes.Shapes.test_shape",
    ),
    "sut": (
        "unittest",
        "G3",
        ["test_hidden.Median.test_values", "test_hidden.Median.test_no_mutation"],
        "test_shapes.Shapes.test_shape",
    ),
}


@dataclass
class Attack:
    """One folder of the corpus."""

    id: str
    naive: str
    task: str = "values"
    grader: str = "exit"
    test_cmd: str = "python -m pytest -q tests"
    upstream: bool = False
    extra: dict = field(default_factory=dict)

    @property
    def patch(self) -> Path:
        return CORPUS / self.id / "patch"


def load_attacks() -> dict[str, Attack]:
    found = {}
    for path in sorted(CORPUS.glob("*/expected.json")):
        data = json.loads(path.read_text())
        known = {k: data.pop(k) for k in ("id", "naive", "task", "grader", "test_cmd", "upstream") if k in data}
        found[known["id"]] = Attack(**known, extra=data)
    return found


def run_naive(sandbox, venv: Path, attack: Attack, limit_s: int) -> tuple[str, str]:
    """The careless grader's word, and its log for a failing test to show."""
    job = Job(
        argv=("/bin/bash", "/naive.sh"),
        role="agent",
        limits=LIMITS,
        mounts=(
            Mount(host=HERE / "naive.sh", inside="/naive.sh"),
            Mount(host=CORPUS, inside="/corpus"),
            Mount(host=venv, inside="/venv"),
        ),
        env={
            "ATTACK": attack.id,
            "TASK": attack.task,
            "GRADER": attack.grader,
            "TEST_CMD": attack.test_cmd,
            "UPSTREAM": "yes" if attack.upstream else "",
            "LIMIT_S": str(limit_s),
        },
        report=True,
    )
    ended = sandbox.run(job)
    return ended.report.decode().strip(), f"{ended.start_error}\n{ended.stdout.decode()}\n{ended.stderr.decode()}"


def make_base(folder: Path) -> Path:
    """The base tree as a pack holds it: files, no history."""
    subprocess.run(["bash", CORPUS / "_task/mkrepo.sh", folder], check=True, capture_output=True)
    shutil.rmtree(folder / ".git")
    return folder


def make_workspace(sandbox, base: Path, folder: Path) -> Path:
    """A fresh repository with one commit, owned by the agent."""
    fresh = folder.with_name("fresh")
    copy_tree(base, fresh)
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.invalid", "-C", str(fresh)]
    for words in (["init", "-q", "."], ["add", "-A"], ["commit", "-q", "-m", "base"]):
        subprocess.run([*git, *words], check=True, capture_output=True)
    work = sandbox.workspace(folder, role="agent", slot=0, disk_bytes=LIMITS.disk_bytes)
    shutil.copytree(fresh, work, dirs_exist_ok=True)
    sandbox.hand_over(work, role="agent", slot=0)
    return work


def run_agent(sandbox, attack: Attack, work: Path, out: Path, venv: Path, run: Path, upstream: str):
    """The agent phase: the attack's overlay and script, with every variable that it hopes for."""
    script = (
        f"[ -d /corpus/{attack.id}/patch ] && cp -r /corpus/{attack.id}/patch/. . && chmod -R u+w .\n"
        f"[ -f /corpus/{attack.id}/agent.sh ] && bash /corpus/{attack.id}/agent.sh\n:"
    )
    job = Job(
        argv=("/bin/bash", "-c", script),
        role="agent",
        limits=LIMITS,
        workdir=work,
        outdir=out,
        mounts=(
            # The attack only: the corpus next to it holds the hidden tests.
            Mount(host=CORPUS / attack.id, inside=f"/corpus/{attack.id}"),
            Mount(host=venv, inside="/venv"),
        ),
        env={
            "OUT": "/out",
            "RUNDIR": str(run),
            "VIRTUAL_ENV": "/venv",
            "PATH": "/venv/bin:/usr/bin:/bin",
            "HIDDEN_TESTS_DIR": str(run / "pack/hidden"),
            "UPSTREAM": upstream,
        },
    )
    return sandbox.run(job)


def make_hidden(variant: str, folder: Path) -> Path:
    """The pack's hidden folder with our counter-tests."""
    folder.mkdir(parents=True)
    for source in (CORPUS / "_task" / variant / "hidden", HERE / "counter" / variant):
        for path in source.glob("*.py"):
            shutil.copyfile(path, folder / path.name)
    return folder


def make_task(variant: str, timeout_s: int) -> Task:
    runner, level, expected, counter = VARIANTS[variant]
    counters = [counter.format(f"{n}-{e}") for n, e in enumerate((7, 8))] if "{}" in counter else [counter]
    verify = Verify(
        runner=runner,
        level=level,
        timeout_s=timeout_s,
        expected_tests=tuple(expected),
        counter_tests=tuple(counters),
    )
    return Task(
        id="median",
        title="",
        slice="solvable",
        expected="pass",
        reason="",
        license="MIT",
        allowed=("**",),
        verify=verify,
    )


def grade(sandbox, variant: str, hidden: Path, base: Path, work: Path, dest: Path, allowed, site: Path, timeout_s: int):
    """Patch by trees, apply what is allowed to the pristine base, grade in a fresh sandbox."""
    applied(base, work, dest, allowed)
    return graded(sandbox, variant, hidden, dest, site, timeout_s)


def applied(base: Path, work: Path, dest: Path, allowed) -> str:
    """The tree that is graded, at `dest`, and its digest."""
    patch, blobs = diff_trees(read_tree(base), work, read_tree(work))
    apply_patch(base, patch, blobs.__getitem__, dest, lambda change: matches(allowed, change.path))
    return read_tree(dest).digest


def graded(sandbox, variant: str, hidden: Path, tree: Path, site: Path, timeout_s: int):
    """What the grader says of a tree."""
    order = GradeOrder(
        task=make_task(variant, timeout_s),
        tree=tree,
        hidden=hidden,
        limits=LIMITS,
        python=PYTHON,
        site=str(site),
    )
    return CleanTree().grade(order, sandbox)
