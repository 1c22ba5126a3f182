"""Labels, metrics and gate over a ledger file of a million rows, beside msgspec that only decodes the same file.

The peer decodes every line into a full typed Struct of the row, its fields in the order of the record, and throws it away, in
one process; ours reads the lines strictly, labels them, makes the draws, all metrics, all findings, the verdict and the card,
and reads in as many processes as the product uses for such a file (`pipeline/row_ranges.py`: one a core, up to four). Both
read the same file on disk in the same run, in turn: seconds on the clock and processor seconds of all processes are printed
for both, and of each side the least of all rounds counts, because other programs only ever add to it. The goal is for the
clock, so it wants a machine where nothing else runs; on one core it is that of the processor. A second peer has its fields in
the order of the file, which msgspec reads quicker; its ratio is printed, not asserted.

Memory is that of all processes of a side at one time: what each has for itself and its share of what several have (PSS),
looked at twenty times a second; and never less than the highest resident memory that any of them had by itself. Where the
system does not tell shares, it is unknown, and the limit is not kept.

The file is made here with a seed: 300 kinds of rows in any order, solvable tasks with retries, controls, token counts,
digests and times of their own, and test ids and paths of each task. Run `python benchmarks/bench_judge.py [ROWS [REPEATS]]`
(default 1,000,000 rows, 5 repeats a task, so 200,000 tasks; with 1 repeat every row has a task of its own). It exits 1 when
a limit is passed. Ratios are asserted from 500,000 rows on: below, kinds and rules that are paid once outweigh the rows. The limit
for memory holds with a task of its own for every row too.
"""

from __future__ import annotations

import dataclasses
import json
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
import types
import typing
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import msgspec

from denominator.pipeline.judging_file import judge_file, open_ledger
from denominator.pipeline.row_ranges import by_cores
from denominator.records.declarations import Declaration, DeclaredTasks
from denominator.records.facts import SurfaceFacts, TestCounts, ToolFacts
from denominator.records.keys import AttemptKey
from denominator.records.rows import AttemptRow, Failure, PatchFacts, Tally, TestIds, Usage
from denominator.records.seals import Terms
from denominator.records.values import NotMeasured
from denominator.wire.canonical import canonical

ROWS, ENOUGH = 1_000_000, 500_000
KINDS = 300
REPEATS = 5
RETRIED = 20
CONTROLS = 20
WALL_MAX, CPU_MAX = 2.0, 3.0
"""Ours by the peer. The first is the goal; the second keeps what is reached from being lost."""
MEMORY_MAX_MB = 300
LOOK_S = 0.05
ROUNDS = 3


# --- the file


def kinds(pick: random.Random) -> list[AttemptRow]:
    """Rows that end in different ways, as a run of ours writes them."""
    return [kind(pick) for _ in range(KINDS)]


def kind(pick: random.Random) -> AttemptRow:
    """One of them; what differs from row to row is put in later."""
    grade = pick.choice(["green"] * 5 + ["red"] * 4 + ["none"])
    cause = pick.choice(["provider_rate_limit", "disk_full", "grader_error", "oom_sandbox"])
    failed = Failure(seq=1, cause=cause, writer="harness", phase=pick.choice(["agent", "verify"]))
    tests = pick.randrange(2, 9)
    passed = tests if grade == "green" else pick.randrange(tests)
    unread = NotMeasured("not read")
    return AttemptRow(
        key=AttemptKey("run-2026", "task", 1, 1), slice="solvable", started=True, closed=True, incarnations=1,
        stratum=pick.choice(["parsing", "async", "money"]), started_at="2026-11-29T10:00:00Z", cold_start=False,
        stop_reason={"green": "pass", "red": "tests_red"}.get(grade, "harness"), agent_exit=pick.choice([0, 0, 0, 1]),
        killed_by=pick.choice(["nobody"] * 9 + ["budget_wall"]), agent_signal=0, oom=False, after_cap=False, grade=grade,
        grading_level="G3", grade_stage="finished" if grade != "none" else "not_started",
        verify_exit=0 if grade == "green" else 1, verify_signal=0, tests_hidden=True, asked=False, abstained=False,
        runner="pytest", runner_ending="passed" if grade == "green" else "failed", sentinels=Tally(expected=2, failed=2),
        counter_tests=Tally(expected=1, failed=1), first_unrecovered=failed if grade == "none" else None,
        test_counts=TestCounts(expected=tests, passed=passed, failed=tests - passed, errors=0, skipped=0),
        limits_enforced={"memory": "536870912 cgroup v2", "wall": "5000 ms harness", "processes": "64 cgroup v2"},
        asked_model="made-up-1", served_models=("made-up-1",), access_class="metered", server_class="hosted",
        provider_retries=pick.choice([0, 0, 1]), canary_searched=True, forged_output=False,
        tools=ToolFacts(source="traffic", calls=9, with_results=9, complete=True) if pick.random() < 0.9 else unread,
        surfaces=SurfaceFacts(source="patch", used=1), baseline_ref="b" * 64, grader_sha="c" * 64,
        notes=("the sandbox was built anew",) if pick.random() < 0.1 else (),
    )  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Form:
    """A kind of row as a line with gaps, in the order of `gaps`, and its test ids for any task."""

    line: str
    gaps: tuple[str, ...]
    tests: int
    passed: int


NUMBERS = (
    "queue_wait_ms", "setup_ms", "agent_ms", "grade_ms", "wall_ms", "prompt", "completion", "cached_read", "reasoning", "calls",
    "bytes",
)  # fmt: skip
DIGESTS = ("sha256", "base_tree", "final_tree", "report_sha")
GAPS = {name: 10**11 + at for at, name in enumerate(("repeat", *NUMBERS))}
GAP = re.compile(
    "|".join([*map(str, GAPS.values()), *(f"@{name}@" for name in (*DIGESTS, "task", "path"))]) + '|"@ids@[^"]*"'
)


def form(row: AttemptRow) -> Form:
    """The line of a row with gaps for what differs from row to row."""
    expected, passed = row.test_counts.expected, row.test_counts.passed
    ids = tuple(f"@ids@{n}" for n in range(expected))
    times = {name: GAPS[name] for name in ("queue_wait_ms", "setup_ms", "agent_ms", "grade_ms", "wall_ms")}
    usage = {name: GAPS[name] for name in ("prompt", "completion", "cached_read", "reasoning", "calls")}
    whole = replace(
        row,
        key=replace(row.key, task_id="@task@", repeat=GAPS["repeat"]),
        tests=TestIds(expected=ids, passed=ids[:passed], failed=ids[passed:]),
        patch=PatchFacts(
            sha256="@sha256@", bytes=GAPS["bytes"], touched=("@path@",), base_tree="@base_tree@", final_tree="@final_tree@",
            applied_tree="@final_tree@",
        ),
        usage=Usage(cache_write=0, complete=True, **usage), report_sha="@report_sha@", paused_ms=0, **times,
        working_ms=GAPS["agent_ms"],
    )  # fmt: skip
    text = canonical(whole).decode()
    names = {str(number): name for name, number in GAPS.items()}
    gaps = tuple(names.get(found, found) for found in GAP.findall(text))
    return Form(GAP.sub("%s", text.replace("%", "%%")), gaps, expected, passed)


def lines(count: int, repeats: int) -> Iterator[tuple[str, bool, str]]:
    """At least so many rows, task by task in any order: every repeat, some with a second attempt. Task, control?, line."""
    pick = random.Random(11)
    forms: dict[tuple[int, bool, int], Form] = {}
    known = kinds(random.Random(7))
    tasks = list(range(count // repeats))
    pick.shuffle(tasks)
    made = 0
    for task in tasks:
        control = task % (100 * CONTROLS) == 0
        for repeat in range(1, repeats + 1):
            number = pick.randrange(KINDS)
            again = pick.randrange(RETRIED) == 0
            for attempt in range(1, 2 + again):
                of = (number, control, 2 * again + attempt)
                if of not in forms:
                    forms[of] = form(variant(known[number], control, attempt, last=attempt == 1 + again))
                name = f"project-{task % 97}/issue-{task:06}"
                yield name, control, filled(pick, forms[of], name, task, repeat)
                made += 1
        if made >= count:
            return


def variant(row: AttemptRow, control: bool, attempt: int, *, last: bool) -> AttemptRow:
    """A kind as the first of two attempts, as the second, or as a control that stays red."""
    row = replace(row, key=replace(row.key, attempt=attempt), cause="retry" if attempt > 1 else "plan")
    if not last:
        row = replace(row, grade="none", stop_reason="harness")
    if control:
        row = replace(row, slice="negative", control="must_stay_red", grade="red", stop_reason="tests_red")
    return row


def filled(pick: random.Random, form_: Form, name: str, task: int, repeat: int) -> str:
    """One line: its own place, times, tokens, digests, and the tests and paths of its task."""
    values = {gap: str(pick.randrange(1, 10**6)) for gap in NUMBERS}
    values |= {f"@{gap}@": digest(pick) for gap in DIGESTS}
    values |= {"repeat": str(repeat), "@task@": name, "@path@": f"src/module_{task}.py"}
    test = f"tests/test_module_{task}.py::TestCase::test_behaviour_"
    return form_.line % tuple(values[gap] if gap in values else f'"{test}{gap[6:]}' for gap in form_.gaps)


def digest(pick: random.Random) -> str:
    """64 digits."""
    return f"{pick.getrandbits(256):064x}"


def write(folder: Path, count: int, repeats: int = REPEATS) -> int:
    """The ledger file with its terms and its declared draws; the number of its rows."""
    made, solvable, control = 0, dict[str, None](), dict[str, None]()
    with (folder / "ledger.jsonl").open("w", buffering=1 << 20) as out:
        for name, is_control, line in lines(count, repeats):
            out.write(line + "\n")
            (control if is_control else solvable)[name] = None
            made += 1
    terms = Terms(
        origin="seal", name="bench", digest="d" * 64, invalid_ceiling="0.30", infra_ceiling="0.30", on_timeout="fail",
        scorer="tests", headline="headline", sentence="", repeats=repeats, attempts=2, retry_declared=True,
        grading_levels=("G3",), hidden_tests=True, controls_declared=True,
    )  # fmt: skip
    (folder / "terms.json").write_bytes(canonical(terms))
    blocks = (
        DeclaredTasks(tasks=tuple(solvable), repeats=repeats),
        DeclaredTasks(tasks=tuple(control), repeats=repeats, slice="negative", control="must_stay_red"),
    )
    declared_n = (len(solvable) + len(control)) * repeats
    stated = Declaration(run_id="run-2026", declared_n=declared_n, tasks=blocks)
    (folder / "declared.json").write_bytes(canonical(stated))
    return made


# --- the two sides, each in a process of its own


def ours(folder: Path) -> dict[str, object]:
    """Judge the file, from its first byte to the card."""
    path = folder / "ledger.jsonl"
    with path.open("rb") as file:
        readers = len(by_cores(file))
    clock = Clock()
    with open_ledger(path) as file:
        result = judge_file(path, file)
        times = clock.read()
    exits = dict(sorted(result.card.equation_all.items()))
    return {**times, "mb": peak_mb(), "readers": readers, "status": result.judged.verdict.status, "exits": exits}


def peer(folder: Path, in_order_of_file: bool) -> dict[str, object]:
    """Decode every line of the file into a typed Struct of the whole row."""
    decode = msgspec.json.Decoder(typed(AttemptRow, in_order_of_file)).decode
    clock = Clock()
    count = 0
    with (folder / "ledger.jsonl").open("rb") as file:
        for line in file:
            decode(line)
            count += 1
    return {**clock.read(), "mb": peak_mb(), "rows": count}


class Clock:
    """Seconds since it was made: of the processor, in this process and those it waited for, and of the wall."""

    def __init__(self) -> None:
        self._cpu, self._wall = cpu_s(), time.perf_counter()

    def read(self) -> dict[str, float]:
        """Both."""
        return {"cpu": cpu_s() - self._cpu, "wall": time.perf_counter() - self._wall}


def cpu_s() -> float:
    """Processor seconds of this process and of all that it waited for."""
    return sum(one.ru_utime + one.ru_stime for one in used())


def used() -> list[resource.struct_rusage]:
    """What this process used, and what those did that it waited for."""
    return [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]


def peak_mb() -> int:
    """The highest resident memory that this process, or one that it waited for, had by itself."""
    return max(one.ru_maxrss for one in used()) // 1024


def together_mb(pid: int) -> int:
    """What a process and those below it have now, pages of several by their shares; 0 where the system does not tell."""
    try:
        shares = re.findall(r"^Pss:\s+(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
        below = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0
    return sum(map(int, shares)) // 1024 + sum(together_mb(int(child)) for child in below)


def typed(cls: type, sort: bool) -> type:
    """A Struct with every field of a record, typed; of two records in one field the one that has the keys of both."""
    made: dict[tuple[type, bool], type] = {}

    def struct(one: type, also_unknown: bool = False) -> type:
        if (one, also_unknown) not in made:
            hints = typing.get_type_hints(one)
            names = [field.name for field in dataclasses.fields(one)]
            fields = [(name, of(hints[name])) for name in (sorted(names) if sort else names)]
            if also_unknown:
                fields = [(name, kind | None, None) for name, kind in fields] + [("not_measured", str, "")]
            made[one, also_unknown] = msgspec.defstruct(one.__name__, fields, frozen=True, kw_only=True, gc=False)
        return made[one, also_unknown]

    def of(hint: typing.Any) -> typing.Any:
        origin, args = typing.get_origin(hint), typing.get_args(hint)
        if dataclasses.is_dataclass(hint):
            return struct(hint)
        if origin is tuple:
            return tuple[of(args[0]), ...]
        if args and origin not in (types.UnionType, typing.Union):
            return dict[args[0], of(args[1])]
        records = [one for one in args if dataclasses.is_dataclass(one) and one is not NotMeasured]
        if records and NotMeasured in args:
            return struct(records[0], also_unknown=True)
        return typing.Union[tuple(of(one) for one in args)] if args else hint  # noqa: UP007

    return struct(cls)


def apart(side: str, folder: Path) -> dict[str, typing.Any]:
    """One side of this file in a process of its own."""
    return measured(__file__, side, folder)


def measured(file: str, side: str, folder: Path) -> dict[str, typing.Any]:
    """One side of a benchmark in a process of its own, and the most memory that it had with all below it."""
    most = 0
    with subprocess.Popen([sys.executable, file, side, str(folder)], stdout=subprocess.PIPE) as child:
        while child.poll() is None:
            most = max(most, together_mb(child.pid))
            time.sleep(LOOK_S)
        said = child.stdout.read() if child.stdout else b""
    if child.returncode:
        sys.exit(child.returncode)
    found: dict[str, typing.Any] = json.loads(said)
    return {**found, "mb": max(found["mb"], most), "together": most > 0}


SIDES: dict[str, Callable[[Path], dict[str, object]]] = {
    "ours": ours,
    "peer": lambda folder: peer(folder, in_order_of_file=False),
    "quick": lambda folder: peer(folder, in_order_of_file=True),
}


def main(count: int, repeats: int) -> int:
    """Make the file, run the sides in turn, print, compare."""
    with tempfile.TemporaryDirectory(prefix="bench-judge-") as name:
        folder = Path(name)
        made = write(folder, count, repeats)
        size = (folder / "ledger.jsonl").stat().st_size
        rounds = [{side: apart(side, folder) for side in SIDES} for _ in range(ROUNDS)]
    last = rounds[-1]["ours"]
    print(
        f"{made} rows, {size / made:.0f} bytes each, {count // repeats} tasks, {KINDS} kinds; {last['status']}: {last['exits']}"
    )
    least = {side: {of: min(one[side][of] for one in rounds) for of in ("cpu", "wall")} for side in SIDES}
    for side, of in least.items():
        mb = max(one[side]["mb"] for one in rounds)
        print(f"{side:<6}{of['wall']:8.1f} s wall {of['cpu']:8.1f} s cpu {made / of['wall']:9.0f} rows/s {mb:5} MB")
    wall, cpu = (least["ours"][of] / least["peer"][of] for of in ("wall", "cpu"))
    quick = least["ours"]["wall"] / least["quick"]["wall"]
    memory = max(one["ours"]["mb"] for one in rounds)
    print(f"ours reads in {last['readers']} processes, the peer in one")
    print(f"ratio {wall:.2f} wall (goal and limit {WALL_MAX}), {cpu:.2f} cpu (limit {CPU_MAX}), to all fields typed")
    print(f"ratio {quick:.2f} wall to the same with its fields in the order of the file")
    told = all(one["ours"]["together"] for one in rounds)
    least_mb = f"{memory} MB" if told else f"unknown here, at least {memory} MB"
    print(f"memory of all processes: {least_mb} (goal and limit {MEMORY_MAX_MB})")
    kept = (wall <= WALL_MAX and cpu <= CPU_MAX) or count < ENOUGH
    return 0 if kept and told and memory <= MEMORY_MAX_MB else 1


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in SIDES:
        print(json.dumps(SIDES[sys.argv[1]](Path(sys.argv[2]))))
        sys.exit(0)
    given = [int(one) for one in sys.argv[1:3]]
    sys.exit(main(*given, *(ROWS, REPEATS)[len(given) :]))
