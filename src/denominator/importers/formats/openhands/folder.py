"""Which members of a source belong to a run of OpenHands benchmarks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from denominator.importers.agentruns import folder_of, head_of, last_of, run_names
from denominator.wire.sources import Source

ATTEMPTS = re.compile(r"output\.critic_attempt_([0-9]{1,4})\.jsonl\Z")
OUTPUT, ERRORS, OLD = "output.jsonl", "output_errors.jsonl", "output.swebench_eval.jsonl"
REPORT, METADATA, COSTS = "output.report.json", "metadata.json", "cost_report.jsonl"
INDEX, SCORES = "instance_results", "scores.json"
BESIDE = {
    "output.swebench.jsonl": "predictions that were handed to the harness",
    "ERROR_LOGS.txt": "log texts: not read",
}


@dataclass(slots=True)
class Folder:
    """The members of one run; `attempts` by number. `table`: a table of the index, and nothing else."""

    path: str
    attempts: dict[int, str] = field(default_factory=dict)
    members: dict[str, str] = field(default_factory=dict)
    reports: list[str] = field(default_factory=list)
    table: str = ""

    def of(self, last: str) -> str:
        """A member by its last part, "" where there is none."""
        return self.members.get(last, "")


def folders(files: Source) -> dict[str, Folder]:
    """Run name -> members, of every folder that shows itself as one."""
    found: dict[str, Folder] = {}
    tables: dict[str, Folder] = {}
    for name in files.names():
        last, base = last_of(name), folder_of(name)
        if last_of(base) == INDEX and last.endswith(".json"):
            above = folder_of(base)
            title = f"{last_of(above)}/{last.removesuffix('.json')}" if above else last.removesuffix(".json")
            one = Folder(above, table=name)
            scores = f"{above}/{SCORES}" if above else SCORES
            one.members[SCORES] = scores if scores in files.names() else ""
            tables[title if title not in tables else name] = one
            continue
        one = found.setdefault(base, Folder(base))
        if number := ATTEMPTS.match(last):
            one.attempts[int(number.group(1))] = name
        elif last in (OUTPUT, ERRORS, OLD, METADATA, COSTS, *BESIDE):
            one.members[last] = name
        elif last.endswith(".json") and last != SCORES:
            one.reports.append(name)
    own = [base for base, one in found.items() if _shows(files, one)]
    top = files.name.removesuffix(".jsonl").removesuffix(".zip")
    runs = {name: found[base] for name, base in run_names(own, top).items()}
    return runs | {name: one for name, one in tables.items() if _is_table(files, one.table)}


def _shows(files: Source, one: Folder) -> bool:
    """Does a file of rows begin as the tool writes them?"""
    for name in (*one.attempts.values(), one.of(OUTPUT), one.of(OLD), one.of(ERRORS)):
        if name:
            head = head_of(files, name)
            if b'"instance_id"' in head and b'"test_result"' in head:
                return True
    return _is_empty(files, one)


def _is_empty(files: Source, one: Folder) -> bool:
    """A run that wrote no row at all: its settings, and files of rows without anything in them."""
    rows = [name for name in (*one.attempts.values(), one.of(OUTPUT)) if name]
    if not rows or any(head_of(files, name, 64).strip() for name in rows):
        return False
    settings = head_of(files, one.of(METADATA)) if one.of(METADATA) else b""
    return bool(one.attempts) or all(mark in settings for mark in (b'"llm"', b'"max_iterations"'))


def _is_table(files: Source, name: str) -> bool:
    head = head_of(files, name)
    return b'"resolved"' in head and b'"cost"' in head
