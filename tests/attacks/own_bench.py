"""The tasks that attacks of our own are played on, and what a grading says of one attack or its twin."""

import ast
import functools
import json
import time
from dataclasses import dataclass, replace
from pathlib import Path

from attacks import phases
from denominator.adapters.graders.clean_tree import CleanTree
from denominator.adapters.sandboxes.bubblewrap import Bubblewrap
from denominator.adapters.sandboxes.prepare import Weakened
from denominator.ports import GradeOrder, Job, Mount
from denominator.records.packs import Task, Verify
from unit.adapters.graders.grading import LIMITS, write

OWN = phases.HERE / "own"
TIMEOUT_S = 45


@dataclass(frozen=True, slots=True)
class Bench:
    """One task: folders of hidden files, expected ids, and how it is graded."""

    hidden: tuple[Path, ...]
    expected: tuple[str, ...]
    counters: tuple[str, ...] = ()
    service: str = ""
    level: str = "G3"
    runner: str = "unittest"
    command: str = ""
    report: str = ""


def in_process(variant: str) -> Bench:
    """A task of the shared corpus at G2."""
    runner, level, expected, counter = phases.VARIANTS[variant]
    folders = (phases.CORPUS / "_task" / variant / "hidden", phases.HERE / "counter" / variant)
    counters = tuple(dict.fromkeys(counter.format(word) for word in ("0-7", "1-8")))
    return Bench(folders, tuple(expected), counters, level=level, runner=runner)


TASKS = {
    "calls": Bench(
        (phases.HERE / "counter/sut",),
        ("test_hidden.Median.test_values", "test_hidden.Median.test_no_mutation"),
        ("test_shapes.Shapes.test_shape",),
    ),
    "tool": Bench(
        (OWN / "_task/tool",),
        ("test_tool.Tool.test_sorted", "test_tool.Tool.test_more"),
        ("test_counter.Counter.test_reverse",),
    ),
    "app": Bench(
        (OWN / "_task/app",),
        ("test_app.App.test_totals",),
        ("test_counter.Counter.test_wrong",),
        "exec /usr/bin/python3 app.py",
    ),
    "stubs": Bench((OWN / "_task/stubs",), ("test_pay.Pay.test_once",), ("test_counter.Counter.test_free",)),
    "unittest": in_process("unittest"),
    "values": in_process("values"),
    "report": Bench(
        (OWN / "_task/report",),
        ("/work/median.test.js::median > even", "/work/median.test.js::median > two"),
        level="G1",
        runner="command",
        command='/usr/bin/python3 -B "$HIDDEN/check.py"',
        report="jest-json",
    ),
}


@functools.cache
def attacks() -> dict[str, dict]:
    """Every folder's expected.json by its id, in the order of their numbers."""
    found = [json.loads(path.read_text()) for path in OWN.glob("*/expected.json")]
    return {each["id"]: each for each in sorted(found, key=lambda each: int(each["id"].partition("-")[0]))}


def order(name: str, kind: str, folder: Path, site: str) -> GradeOrder:
    """The grading of the attack, or of its twin."""
    bench = TASKS[attacks()[name]["task"]]
    files = {path.name: path.read_text() for source in bench.hidden for path in source.glob("*.py")}
    verify = Verify(
        runner=bench.runner,
        level=bench.level,
        timeout_s=TIMEOUT_S,
        expected_tests=bench.expected,
        counter_tests=bench.counters,
        service=bench.service,
        command=bench.command,
        report=bench.report,
    )
    task = Task(
        id="own", title="", slice="solvable", expected="pass", reason="", license="MIT", allowed=("**",), verify=verify
    )
    return GradeOrder(
        task=task,
        tree=write(folder / kind, {path.name: path.read_text() for path in (OWN / name / kind).iterdir()}),
        hidden=write(folder / "hidden", files),
        limits=LIMITS,
        python="/usr/bin/python3",
        site=site,
    )


def judge(sandbox, folder: Path, name: str, site: str = "") -> tuple[str, str, str]:
    """The level, and the grades of attack and twin: the attack stays in the denominator, in time, and its twin passes.

    It earns nothing, unless its `expected.json` says that it may win below G3.
    """
    bench, start = TASKS[attacks()[name]["task"]], time.monotonic()
    attack = CleanTree().grade(order(name, "attack", folder, site), sandbox)
    took = time.monotonic() - start
    twin = CleanTree().grade(order(name, "twin", folder, site), sandbox)
    said = [(each.grade, each.why, each.broken, each.ended.stderr[-1500:]) for each in (attack, twin)]
    may_win = attacks()[name].get(bench.level.lower()) == "may win"
    assert attack.grade in ("red", "tampered", *(("green",) if may_win else ())) and not attack.broken, said
    assert took < TIMEOUT_S + 30, said
    assert (twin.grade, twin.level) == ("green", bench.level), said
    return bench.level, attack.grade, twin.grade


@functools.cache
def designs() -> dict[str, str]:
    """Every careless design by its name, with what is careless about it. Their file is read, not run."""
    tree = ast.parse((OWN / "_task/careless.py").read_text())
    words = {node.name: ast.get_docstring(node) or "" for node in tree.body if isinstance(node, ast.FunctionDef)}
    table = next(
        node.value for node in tree.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "DESIGNS"
    )
    names = [node.id for node in table.generators[0].iter.elts]
    return {name.replace("_", "-"): words[name] for name in names}


CARELESS = replace(LIMITS, wall_s=30, file_bytes=1 << 36)
PIDFD_GETFD = 438  # which our own filter refuses: one of the attacks is about nothing else


def careless(name: str, kind: str, folder: Path, venv: Path) -> tuple[str, str]:
    """What the careless design of an attack says of it or of its twin, in a throw-away sandbox, and why.

    The word is pass, fail or excluded. Who is killed or stopped says nothing, and a careless harness drops the draw.
    """
    entry = attacks()[name]
    bench = TASKS.get(entry["task"])
    hidden = [path for source in bench.hidden for path in source.glob("*.py")] if bench else []
    if bench is None:
        phases.make_hidden("values", folder / "from")
        phases.make_base(folder / "base")
        hidden = list((folder / "from").glob("test_hidden.py"))
    (folder / "base").mkdir(exist_ok=True)
    (folder / "door").mkdir()
    (folder / "door").chmod(0o777)
    script = 'cd /work && { [ -f /attack/agent.sh ] || cp /attack/* .; } && exec /venv/bin/python -B /careless.py "$0"'
    job = Job(
        argv=("/bin/sh", "-c", script, entry["careless"]),
        role="agent",
        limits=CARELESS,
        mounts=(
            Mount(host=OWN / name / kind, inside="/attack"),
            Mount(host=OWN / "_task/careless.py", inside="/careless.py"),
            Mount(host=write(folder / "careless", {path.name: path.read_text() for path in hidden}), inside="/hidden"),
            Mount(host=folder / "base", inside="/base"),
            Mount(host=folder / "door", inside="/door", writable=True),
            Mount(host=venv, inside="/venv"),
        ),
        report=True,
    )
    box = Bubblewrap(weakened=Weakened(calls=(PIDFD_GETFD,)))
    try:
        ended = box.run(job)
    finally:
        box.close()
    how = f"{ended.start_error}{ended.exit_code} {ended.killed_by} {ended.stderr.decode(errors='replace')[-600:]}"
    said = [line for line in ended.report.decode(errors="replace").splitlines() if line in ("pass", "fail", "excluded")]
    return "" if ended.start_error else [*said, "excluded"][0], how
