"""Where results and samples of lm-eval are in a source, and which runs they hold: one a task, filter and metric."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from denominator.errors import InputError
from denominator.wire.sources import Source, loose_json

RESULTS = re.compile(r"(?:.*/)?results(?:_(?P<stamp>[^/]+))?\.json\Z")
SAMPLES = re.compile(
    r"(?:.*/)?samples_(?P<task>[^/]+?)(?:_(?P<stamp>\d{4}-\d\d-\d\dT\d\d[-:]\d\d[-:]\d\d(?:\.\d+)?))?\.jsonl\Z"
)
SIGNS = ("n-shot", "n-samples", "lm_eval_version", "versions", "task_hashes")
"""Of the keys beside `results` every version writes some."""
RESULTS_BYTES = 16 << 20
PLAIN = frozenset(("alias", "name", "sample_len", "samples", "sample_count"))
STDERR = "_stderr"
ROW = re.compile(rb'\s*\{\s*"doc_id"\s*:')
NO_FILTER = "none"


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """One task under one filter and one metric. `document` is the file of results, empty where there is none."""

    name: str
    task: str
    filter: str
    metric: str
    samples: str
    results: str
    stamp: str
    document: Mapping[str, Any]

    def of_task(self, key: str) -> Any:
        """What the file of results says of this task under a key, or nothing."""
        return table(self.document.get(key)).get(self.task)


def table(value: object) -> Mapping[str, Any]:
    """A JSON object, or an empty one."""
    return value if isinstance(value, dict) else {}


def runs_of(files: Source) -> tuple[list[Run], dict[str, str]]:
    """Every run of a source, and what looks like its files and cannot be read, with the reason."""
    names, faults = files.names(), {}
    documents: dict[tuple[str, str], tuple[str, Mapping[str, Any]]] = {}
    for name in names:
        if found := RESULTS.match(name):
            try:
                if document := _results(files, name):
                    documents[_folder(name), found["stamp"] or ""] = (name, document)
            except InputError as error:
                faults[name] = error.what
    runs = [run for name in names for run in _of_samples(files, name, documents)]
    runs += [run for name, document in documents.values() for run in _without_samples(name, document, runs)]
    return _named(runs), faults


def _folder(name: str) -> str:
    return name.rpartition("/")[0]


def _results(files: Source, name: str) -> Mapping[str, Any]:
    """The document, or nothing where it is one of another program."""
    if files.size(name) > RESULTS_BYTES:
        raise InputError(f"holds more than {RESULTS_BYTES} bytes", where=name)
    found = table(loose_json(files.read(name, RESULTS_BYTES), name))
    return found if isinstance(found.get("results"), dict) and sum(sign in found for sign in SIGNS) > 1 else {}


def _of_samples(
    files: Source, name: str, documents: Mapping[tuple[str, str], tuple[str, Mapping[str, Any]]]
) -> Iterator[Run]:
    found = SAMPLES.match(name)
    if found is None:
        return
    stamp = found["stamp"] or ""
    results, document = documents.get((_folder(name), stamp), ("", {}))
    if not document and not _has_rows(files, name):
        return
    for filter_, metric in _views(found["task"], document):
        yield Run("", found["task"], filter_, metric, name, results, stamp, document)


def _has_rows(files: Source, name: str) -> bool:
    try:
        with files.open(name) as stream:
            return ROW.match(stream.read(256)) is not None
    except InputError:
        return False


def _views(task: str, document: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Filter and metric of every number that is printed of a task; "" and "" where no file prints any."""
    found = [key.rpartition(",") for key in table(table(document.get("results")).get(task)) if key not in PLAIN]
    views = [(filter_, metric) for metric, _, filter_ in found if metric and not metric.endswith(STDERR)]
    return views or [("", "")]


def _without_samples(name: str, document: Mapping[str, Any], runs: list[Run]) -> Iterator[Run]:
    """Tasks of which a file prints numbers, and no file holds the rows. Groups have no rows of their own."""
    here = {run.task for run in runs if run.results == name}
    found = RESULTS.match(name)
    stamp = (found["stamp"] or "") if found else ""
    groups = {key for key, parts in table(document.get("group_subtasks")).items() if parts}
    for task in table(document.get("results")):
        if task not in here and task not in groups:
            for filter_, metric in _views(task, document):
                yield Run("", task, filter_, metric, "", name, stamp, document)


def _named(runs: list[Run]) -> list[Run]:
    """Names as short as they can be: task and filter, the metric where there are several, the stamp where there are."""
    metrics: dict[tuple[str, str, str, str], set[str]] = {}
    for run in runs:
        metrics.setdefault((run.results, run.samples, run.task, run.filter), set()).add(run.metric)
    places = {(_folder(run.samples or run.results), run.stamp) for run in runs}
    named = []
    for run in runs:
        several = len(metrics[run.results, run.samples, run.task, run.filter]) > 1
        parts = [run.task, run.filter or NO_FILTER, *([run.metric] if several else [])]
        before = "/".join(one for one in (_folder(run.samples or run.results), run.stamp) if one)
        name = ",".join(parts) if len(places) == 1 or not before else f"{before}/{','.join(parts)}"
        named.append(Run(name, run.task, run.filter, run.metric, run.samples, run.results, run.stamp, run.document))
    return sorted(named, key=lambda run: run.name)
