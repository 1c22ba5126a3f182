"""lm-eval (lm-evaluation-harness): `results_<time>.json` and `samples_<task>_<time>.jsonl` of one model.

What is read: the file of results for conditions, plan and printed numbers; the file of samples line by line for the rows. A run is
one task under one filter, and one metric where several are printed: each of them is another number. Which one is meant
is for a person to choose.

Traps
- There is a line for each document and each filter. Filters read the same answers in different ways: they are no repeats, and
  counting lines counts every document several times. Only the lines of the chosen filter are rows.
- With `repeats` the answers stand in `resps` of one line, and the filter makes one of them. They are one draw; that there
  were several is told.
- `effective` below `original` means that `--limit` was used. Scheduled are all documents of the task (`original`); those that
  were not run have no row.
- A metric of 0 or 1 a document is a verdict. Every other value (a likelihood, an overlap, a list) is not: the row has no
  verdict, and no number is made. The same holds for a metric of which less is wanted.
- Without `--log_samples` there are printed numbers and no rows: that is refused.
- Groups print a mean over tasks. It is kept as printed, and it is no rate of a task.
- `total_evaluation_time_seconds` is a text, and it is of all tasks together.
- `git_hash` is of the folder that lm-eval was started in, which may be another repository.
- `task_hashes` digest the documents with their prompts and targets as they were run: under a limit only those.
- Several processes can write a document twice. Equal lines count once; lines that differ block.
- A cache of answers (`use_cache`) makes answers older than the run. Which ones is not recorded; that there was one is told.

What was done about each stands beside it. Values of arguments that name keys, and paths, are not carried over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from decimal import Decimal

from denominator.errors import InputError
from denominator.importers.foreign import at, chosen, foreign_row, readable_id
from denominator.importers.formats.lm_eval import stated
from denominator.importers.formats.lm_eval.results import NO_FILTER, Run, runs_of, table
from denominator.records.foreign import Ending, ForeignRow, ForeignRun, Part, Recognition, Told
from denominator.records.values import NotMeasured
from denominator.records.words import Grade
from denominator.wire.sources import Source, loose_lines
from denominator.wire.sources.loose import Line

RIGHT = Ending(
    word="metric 1", outcome="pass", origin="MODEL", facts={"grade": Grade.GREEN}, why="the metric says correct"
)
WRONG = Ending(
    word="metric 0", outcome="fail", origin="MODEL", facts={"grade": Grade.RED}, why="the metric says incorrect"
)
OPEN = Ending(
    word="another value of the metric", outcome="unscoreable", origin="HARNESS", reason="no_verdict", judged=True,
    why="the metric is no verdict on one document, and nobody draws a line from which on it is a pass",
)  # fmt: skip
MISSING = Ending(
    word="no value of the metric", outcome="unscoreable", origin="HARNESS", reason="no_verdict", judged=True,
    why="the line holds no value of the metric that was chosen",
)  # fmt: skip
NAMED = 50
HASHES = ("doc_hash", "prompt_hash", "target_hash")
NO_USAGE = NotMeasured("lm-eval records no tokens and no times of single documents")


class LmEval:
    """A task under a filter."""

    name = "lm-eval"
    title = "lm-eval: results and samples of a task under a filter"
    endings = (RIGHT, WRONG, OPEN, MISSING)
    cannot_tell: Mapping[str, str] = {
        "model_snapshot": "lm-eval records the name of a model; which snapshot was loaded or answered it does not",
        "agent_id": "lm-eval asks models directly: there is no agent",
        "agent_version": "lm-eval asks models directly: there is no agent",
        "harness_commit": "lm-eval records the commit of the folder that it was started in, which may be another repository",
        "scoring_script_sha256": "lm-eval records names of metrics and filters, no digest of their code",
        "env_image_digest": "lm-eval records nothing of the image it runs in",
        "budget_tokens_per_task": "lm-eval has no budget of tokens for a document",
        "wall_cap_s": "lm-eval has no limit of time for a document",
        "retry_policy": "lm-eval records nothing of calls that were made again",
        "network": "lm-eval records nothing of the network",
        "tool_list_digest": "lm-eval gives models no tools",
        "tool_timeout_s": "lm-eval gives models no tools",
        "pass_from": "lm-eval draws no line from which on a metric has passed",
        "controls": "lm-eval knows no tasks that must fail",
    }

    def recognise(self, files: Source) -> Recognition | None:
        """Files of results and of samples by their names, then by the keys that lm-eval writes."""
        try:
            runs, _ = runs_of(files)
        except InputError:
            return None
        if not runs:
            return None
        parts = tuple(Part(name=run.name, title=_title(run)) for run in runs)
        return Recognition(
            why=f"{len(parts)} tasks by filter and metric, in files named as lm-eval names them", parts=parts
        )

    def read(self, files: Source, part: str = "") -> ForeignRun:
        """One task under one filter."""
        runs, faults = runs_of(files)
        if not runs:
            what = "; ".join(f"{name}: {fault}" for name, fault in list(faults.items())[:3])
            raise InputError(f"holds no result of lm-eval{f' ({what})' if what else ''}", where=files.name)
        one = chosen([Part(name=run.name) for run in runs], part, files.name)
        run = next(found for found in runs if found.name == one.name)
        if not run.samples:
            what = f"prints numbers of {run.task} and holds none of its rows"
            fix = "name the folder that holds samples_*.jsonl too; without --log_samples there are none"
            raise InputError(what, where=run.results, fix=fix)
        told = Told(files={run.samples: "rows"} | ({run.results: "results"} if run.results else {}))
        for name, fault in faults.items():
            told.say("broken_file", name, fault, blocks=False)
        plan, document = stated.plan_of(run, told), stated.document(run)
        told.published.extend(stated.published(run))
        told.notes.extend(stated.notes(run))
        return ForeignRun(
            name=run.name,
            arm=str(document.get("model_id", "")),
            version=str(document.get("harness_version", "")),
            document=document,
            declared=plan,
            rows=_Rows(files, run, told, {name for group in plan.tasks for name in group.tasks}).rows(),
            told=told,
            unknown=stated.unknown(run, document),
        )


def _title(run: Run) -> str:
    counts = table(run.of_task("n-samples"))
    many = (
        f", {counts['effective']} of {counts['original']} documents"
        if {"effective", "original"} <= counts.keys()
        else ""
    )
    return f"{run.task[:80]}, filter {run.filter or NO_FILTER}, {run.metric[:80] or 'no metric'}{many}" + (
        "" if run.samples else ", without rows"
    )


class _Rows:
    def __init__(self, files: Source, run: Run, told: Told, planned: set[str]) -> None:
        self._files, self._run, self._told, self._planned = files, run, told, planned
        self._seen: dict[str, str] = {}
        self._filters: Counter[str] = Counter()
        self._open: dict[str, dict[str, None]] = {}
        self._falls = stated.falls(run) is True

    def rows(self) -> Iterator[ForeignRow]:
        for line in loose_lines(self._files, self._run.samples):
            where = f"{self._run.samples}:{line.number}"
            if line.fault or not isinstance(line.value, dict):
                self._told.say("torn_tail" if line.torn else "bad_line", where, line.fault or "is no JSON object")
                continue
            filter_ = str(line.value.get("filter", NO_FILTER))[:200]
            self._filters[filter_] += 1
            if filter_ != (self._run.filter[:200] or next(iter(self._filters))):
                continue
            if found := self._row(line, where):
                yield found
        self._tell()

    def _row(self, line: Line, where: str) -> ForeignRow | None:
        row = line.value
        given = row.get("doc_id")
        own = str(given) if isinstance(given, int) and not isinstance(given, bool) else given
        task = readable_id(self._told, where, own)
        if not task or not self._first(task, line.sha256, where):
            return None
        if self._planned and task not in self._planned:
            self._note("not_scheduled", task)
        metric = self._metric(row, task)
        ending, value = self._ending(row, metric, task)
        answers = row.get("resps")
        many = (
            max((len(one) for one in answers if isinstance(one, list)), default=1) if isinstance(answers, list) else 1
        )
        if many > 1:
            self._note("repeats_in_one_row", task)
        kept = {name: row[name] for name in HASHES if isinstance(row.get(name), str) and len(row[name]) <= 128}
        kept |= {"metric": metric, "value": value if isinstance(value, bool | int | Decimal) else type(value).__name__}
        kept |= {"answers": many} if many > 1 else {}
        return foreign_row(
            stated.run_id(self._run), ending, task, importer="lm-eval", extra=kept, wall_ms=NO_USAGE,
            source=at(self._run.samples, line=line.number, sha256=line.sha256),
        )  # fmt: skip

    def _metric(self, row: Mapping[str, object], task: str) -> str:
        """The metric that was chosen; where no file names one, the only one of the line."""
        if self._run.metric:
            return self._run.metric
        names = row.get("metrics")
        known = [one for one in names if isinstance(one, str)] if isinstance(names, list) else []
        if len(known) > 1:
            self._note("several_metrics", task)
        return known[0] if len(known) == 1 else ""

    def _ending(self, row: Mapping[str, object], metric: str, task: str) -> tuple[Ending, object]:
        value = row.get(metric) if metric else None
        if value is None:
            self._note("no_value", task)
            return MISSING, value
        verdict = isinstance(value, bool | int | Decimal) and value in (0, 1) and not self._falls
        if not verdict:
            self._note("no_pass_line", task)
            return OPEN, value
        return (RIGHT if value == 1 else WRONG), value

    def _first(self, task: str, sha: str, where: str) -> bool:
        if (before := self._seen.get(task)) is None:
            self._seen[task] = sha
            return True
        same = before == sha
        what = f"document {task} stands twice under this filter" + (
            "" if same else ", with different lines; the first counts"
        )
        self._told.say("duplicate_rows" if same else "conflicting_rows", where, what, task, blocks=not same)
        return False

    def _note(self, kind: str, task: str) -> None:
        self._open.setdefault(kind, {})[task] = None

    def _tell(self) -> None:
        for kind, tasks in sorted(self._open.items()):
            what, blocks = TELLING[kind]
            self._told.say(
                kind, self._run.samples, f"{len(tasks)} documents: {what}", *tuple(tasks)[:NAMED], blocks=blocks
            )
        if not self._run.filter and len(self._filters) > 1:
            many = f"holds lines of {len(self._filters)} filters, and no file of results says which of them count"
            what = f"{many}: the first one is read"
            self._told.say("several_filters", self._run.samples, what)
        elif len(self._filters) > 1:
            each = ", ".join(f"{name} {many}" for name, many in sorted(self._filters.items()))
            self._told.notes.append(f"lines by filter: {each}; filters read the same answers and are no repeats")
        if self._run.filter and self._filters and not self._filters[self._run.filter]:
            what = f"no line is of the filter {self._run.filter}"
            self._told.say("no_rows", self._run.samples, what)


TELLING: dict[str, tuple[str, bool]] = {
    "no_pass_line": ("the metric is no verdict of 0 or 1 on one document, or less of it is wanted", True),
    "no_value": ("the line holds no value of the metric", True),
    "not_scheduled": ("the task has no such document", True),
    "repeats_in_one_row": ("several answers were drawn, and the filter made one of them: it is one draw", False),
    "several_metrics": ("the line holds several metrics, and no file of results says which of them counts", True),
}

IMPORTER = LmEval()
