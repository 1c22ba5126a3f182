"""Aggregate documents in a source, and the results in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from denominator.errors import InputError
from denominator.wire.sources import Source, loose_json

MOST = 4 << 20
"""Bytes of an aggregate document; larger ones are none."""
LOOKED_AT = 1 << 16
NEEDED = ("schema_version", "evaluation_id", "model_info", "evaluation_results")
SAMPLES = "_samples.jsonl"


@dataclass(frozen=True, slots=True)
class Result:
    """One result: its file, place in it, the document, the table of it, the file of rows ("" none), the name of the run."""

    file: str
    at: int
    document: Mapping[str, Any]
    table: Mapping[str, Any]
    samples: str = ""
    name: str = ""

    @property
    def where(self) -> str:
        """The result as a place."""
        return f"{self.file}#/evaluation_results/{self.at}"

    def text(self, name: str) -> str:
        """A short text of the result."""
        return text(self.table.get(name))

    def inner(self, *names: str) -> Mapping[str, Any]:
        """A table inside the result; empty where there is none."""
        found: Any = self.table
        for name in names:
            found = table(found).get(name)
        return table(found)


def table(value: object) -> Mapping[str, Any]:
    """An object, or an empty one."""
    return value if isinstance(value, Mapping) else {}


def text(value: object) -> str:
    """A text, cut."""
    return value.strip()[:500] if isinstance(value, str) else ""


MAKES: tuple[Callable[[Result], str], ...] = (
    lambda one: one.text("evaluation_result_id") or text(one.document.get("evaluation_id")),
    lambda one: f"{text(one.document.get('evaluation_id'))} {one.text('evaluation_name')}",
    lambda one: f"{one.file}#{one.at}",
)
"""Names of a result, the most telling first; the last one is always its own."""


def results_of(files: Source) -> tuple[list[Result], dict[str, str]]:
    """Every result with a name of its own, and files that look like documents and cannot be read. Never raises."""
    faults: dict[str, str] = {}
    found = [one for file in files.names() if file.endswith(".json") for one in _of_file(files, file, faults)]
    names: dict[int, str] = {}
    for make in MAKES:
        often = Counter(map(make, found))
        for at, one in enumerate(found):
            if make(one) and often[make(one)] == 1:
                names.setdefault(at, make(one))
    return [
        Result(one.file, one.at, one.document, one.table, one.samples, names[at]) for at, one in enumerate(found)
    ], faults


def title_of(one: Result) -> str:
    """What a person chooses by."""
    metric = text(one.inner("metric_config").get("metric_name")) or text(one.inner("metric_config").get("metric_id"))
    model = text(table(one.document["model_info"]).get("id"))
    said = f"{one.text('evaluation_name')[:80]}, {metric[:80] or 'no metric named'}, {model[:80]}"
    return said + ("" if one.samples else ", without rows")


def _of_file(files: Source, file: str, faults: dict[str, str]) -> Iterator[Result]:
    try:
        if files.size(file) > MOST:
            return
        with files.open(file) as stream:
            head = stream.read(LOOKED_AT)
        if b'"evaluation_' not in head and b'"detailed_evaluation_results"' not in head:
            return
        document = loose_json(files.read(file, MOST), file)
    except InputError as error:
        faults[file] = error.what
        return
    if not isinstance(document, dict) or not all(name in document for name in NEEDED):
        return
    results = document["evaluation_results"]
    samples = _samples(files, file, document)
    for at, one in enumerate(results if isinstance(results, list) else ()):
        if isinstance(one, dict):
            yield Result(file, at, document, one, samples)


def _samples(files: Source, file: str, document: Mapping[str, Any]) -> str:
    """The file of rows: in the folder of its document, under the name that it says or by the datastore's rule."""
    folder = file.rpartition("/")[0]
    named = text(table(document.get("detailed_evaluation_results")).get("file_path")).rpartition("/")[2]
    known = set(files.names())
    for name in (named, file.rpartition("/")[2].removesuffix(".json") + SAMPLES):
        whole = f"{folder}/{name}" if folder else name
        if name and whole in known and whole != file:
            return whole
    return ""
