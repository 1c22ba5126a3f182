"""A bench of ours from its two files: `bench.json` (the plan, written first) and `trials.jsonl` (one row a trial)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from denominator.errors import InputError, Problem
from denominator.records.durability import BenchSheet, BenchTerms
from denominator.records.faults import Bench, BenchBox, BenchEndpoint, Trial
from denominator.records.rows import Defect
from denominator.records.trials import name_of
from denominator.records.values import NotMeasured
from denominator.wire.bounded import read_bytes
from denominator.wire.canonical import canonical, sha256_bytes
from denominator.wire.codec import check_version, from_json, loads, to_json
from denominator.wire.jsonl import Line, Lines, read_jsonl

BENCH_FILE = "bench.json"
TRIALS_FILE = "trials.jsonl"
MAX_BYTES = 1 << 30
MOST = 40


def read_bench(folder: Path) -> tuple[BenchSheet, tuple[str, ...]]:
    """The sheet of a bench, without controls and estimates. InputError for a row that cannot be read: nothing is skipped."""
    data = read_bytes(folder / BENCH_FILE)
    document = loads(data, BENCH_FILE)
    check_version(document, (1,), BENCH_FILE)
    bench = from_json(Bench, document, BENCH_FILE)
    lines = read_jsonl(read_bytes(folder / TRIALS_FILE, MAX_BYTES, "run the bench first"), TRIALS_FILE)
    trials, defects = trials_of(lines, bench)
    return BenchSheet(terms=terms_of(bench, sha256_bytes(data)), trials=trials, defects=defects), ()


def trials_of(lines: Lines, bench: Bench) -> tuple[tuple[Trial, ...], tuple[Defect, ...]]:
    """Trials in the order of their keys, identical rows once; what is wrong with the rows that could be read."""
    problems = [
        Problem(f"{lines.where}:{bad.number}", f"{bad.key}: {bad.what}" if bad.key else bad.what) for bad in lines.bad
    ]
    read: list[tuple[Line, Trial]] = []
    for line in lines.rows:
        try:
            read.append((line, from_json(Trial, line.value, f"{lines.where}:{line.number}")))
        except InputError as error:
            problems += error.problems or [Problem(f"{lines.where}:{line.number}", error.what)]
    if problems:
        raise InputError(
            f"{len(problems)} rows cannot be read, so nothing is counted",
            where=lines.where,
            fix="get the rows again, or run these trials again",
            problems=problems[:MOST],
        )
    kept, repeated = _once(read, lines.where)
    return tuple(sorted((one for _, one in kept), key=_place)), (
        *_torn(lines),
        *repeated,
        *_foreign(kept, bench, lines.where),
    )


def _place(one: Trial) -> tuple[str, int, str, str, bytes]:
    return one.task_id, one.repeat, one.fault, one.control, canonical(to_json(one))


def _once(read: Iterable[tuple[Line, Trial]], where: str) -> tuple[list[tuple[Line, Trial]], list[Defect]]:
    """An identical row counts once; two different rows for one trial block, and both stay."""
    kept: list[tuple[Line, Trial]] = []
    defects: list[Defect] = []
    first: dict[tuple[str, int, str, str], tuple[int, Trial]] = {}
    for line, one in read:
        key = (one.task_id, one.repeat, one.fault, one.control)
        if key not in first:
            first[key] = (line.number, one)
            kept.append((line, one))
            continue
        number, other = first[key]
        same = other == one
        what = f"{name_of(one)} stands in line {number} too" + (
            ", identical: counted once" if same else ", and differs"
        )
        defects.append(
            Defect(
                kind="duplicate_row" if same else "conflicting_rows",
                where=f"{where}:{line.number}",
                what=what,
                blocks=not same,
            )
        )
    return kept, defects


def _torn(lines: Lines) -> Iterator[Defect]:
    if lines.torn is not None:
        torn = lines.torn
        what = f"the last line was cut while it was written: {torn.length} bytes from byte {torn.offset} are kept aside"
        yield Defect(kind="torn_tail", where=f"{lines.where}@{torn.offset}", what=what, blocks=False)
    for number in lines.blank:
        yield Defect(kind="blank_line", where=f"{lines.where}:{number}", what="the line is empty", blocks=False)


def _foreign(kept: Iterable[tuple[Line, Trial]], bench: Bench, where: str) -> Iterator[Defect]:
    """Rows of another bench, task, fault or repeat than the plan has."""
    faults = {fault.text for fault in bench.plan.faults}
    for line, one in kept:
        wrong = []
        if one.bench_id != bench.bench_id:
            wrong.append(f"bench {one.bench_id!r}")
        if one.task_id not in bench.task_ids:
            wrong.append(f"task {one.task_id!r}")
        if not one.control and one.fault and one.fault not in faults:
            wrong.append(f"fault {one.fault!r}")
        if not 1 <= one.repeat <= bench.plan.repeats:
            wrong.append(f"repeat {one.repeat}")
        if wrong:
            yield Defect(
                kind="foreign_row", where=f"{where}:{line.number}", what=f"not of this plan: {', '.join(wrong)}"
            )


def terms_of(bench: Bench, digest: str) -> BenchTerms:
    """What was planned."""
    skipped = {one.fault: one.why for one in bench.skipped}
    return BenchTerms(
        origin="bench",
        name=bench.bench_id,
        digest=digest,
        pack=bench.pack_id,
        taskset_digest=bench.taskset_digest,
        runner=bench.runner.name,
        runner_digest=bench.runner.digest,
        checkpoints=bench.runner.checkpoints,
        tasks=bench.task_ids,
        faults=tuple(fault.text for fault in bench.plan.faults if fault.text not in skipped),
        skipped=tuple(skipped.items()),
        repeats=bench.plan.repeats,
        seed=bench.plan.seed,
        quick=bench.plan.quick,
        single_shot=bench.single_shot,
        controls=bench.controls,
        environment=(*_box(bench.box), *_endpoint(bench.endpoint), *_plan(bench)),
        version=bench.version,
    )


def _plan(bench: Bench) -> Iterator[tuple[str, str]]:
    yield "plan", bench.plan.name + (" (--quick: a first look)" if bench.plan.quick else "")
    if bench.declared:
        yield "declared", bench.declared
    if not bench.sandboxed:
        yield "sandbox", "none: the command ran with the rights of who benched it"


def _box(box: BenchBox) -> Iterator[tuple[str, str]]:
    parts = (
        ("python", box.python),
        ("os", box.os),
        ("container", box.container_digest),
        ("cpus", box.cpus),
        ("memory", box.memory_bytes),
        ("disk", box.disk),
    )
    yield "box", ", ".join(f"{name} {_shown(value)}" for name, value in parts)


def _endpoint(endpoint: BenchEndpoint) -> Iterator[tuple[str, str]]:
    if endpoint == BenchEndpoint():
        return
    dated = f"{_shown(endpoint.allocation)} ({_shown(endpoint.allocation_date)})"
    parts = (f"model {_shown(endpoint.model_id)}", f"allocation {dated}", endpoint.provider_notes)
    yield "endpoint", ", ".join(part for part in parts if part)


def _shown(value: object) -> str:
    return "not recorded" if isinstance(value, NotMeasured) else str(value)
