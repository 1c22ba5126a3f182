"""The lines of one filter as rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from decimal import Decimal

from denominator.importers.foreign import at, foreign_row, no_counts, readable_id
from denominator.importers.formats.lm_eval import stated
from denominator.importers.formats.lm_eval.results import NO_FILTER, Run
from denominator.records.foreign import Ending, ForeignRow, Told
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


class Rows:
    """The rows of a run, and what came up among its lines."""

    def __init__(self, files: Source, run: Run, told: Told, planned: set[str]) -> None:
        self._files, self._run, self._told, self._planned = files, run, told, planned
        self._seen: dict[str, str] = {}
        self._filters: Counter[str] = Counter()
        self._open: dict[str, dict[str, None]] = {}
        self._falls = stated.falls(run) is True

    def rows(self) -> Iterator[ForeignRow]:
        """Each line of the filter, once; then everything that was noticed."""
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
        if "no_pass_line" in self._open:
            no_counts(self._told)
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
