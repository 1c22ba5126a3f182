"""sb-cli: reports of SWE-bench's hosted evaluation, `<subset>__<split>__<run id>.json`.

What is read: the report, its copies `<...>-1.json` that a second call writes instead of an overwrite, `.response.json` (the whole
answer of the service), and a saved screen output (`.txt`, `.log`) with "Resolved (total)" and "Resolved (submitted)".

Traps
- Both percents are printed beside each other, over the dataset and over what was handed in; both are kept as published.
- A copy is the same run again: one that holds the same is told and left out; one that holds something else is a part of its own.
- pending_ids are not evaluated yet: a report with some is no result, and blocks. failed_ids are evaluations that broke: of the
  harness. completed can be 0 of 300 while everything was handed in.
- The service refuses ids that stand twice and mixed models, so that a report says nothing of either.
- The service keeps logs to itself: why an id failed is in no file.

What was done: as for the harness (page swebench): one state for each id, the first of pending, failed, error, empty, unresolved,
resolved, incomplete; scheduled are all ids of the lists, against total_instances. Counts are published.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from denominator.errors import InputError
from denominator.importers.foreign import chosen, digest
from denominator.importers.swebench import endings
from denominator.importers.swebench.discovery import find_reports, stem
from denominator.importers.swebench.hosted import NAMED, is_hosted, printed_percents
from denominator.importers.swebench.lists import REPORT_BYTES, is_report, read_report, report_of
from denominator.importers.swebench.runs import Run, plan_of, rows_of
from denominator.importers.swebench.submissions import submission_folders
from denominator.records.foreign import ForeignRun, Part, Published, Recognition, Told
from denominator.records.values import counted
from denominator.wire.sources import Source, loose_json

NAME = "sb-cli"
RESPONSE = ".response"
SCREENS = (".txt", ".log")
SCREEN_BYTES = 1 << 20
SHARE = re.compile(r"resolved.*(percent|pct|rate).*|resolved \((total|submitted)\)", re.IGNORECASE)


class SbCli:
    """Reports of the hosted evaluation."""

    name = NAME
    title = "sb-cli: reports of SWE-bench's hosted evaluation"
    endings = (*endings.OF_LISTS, *endings.OF_REASONS, endings.TIMED_OUT)
    cannot_tell: Mapping[str, str] = {
        "agent_id": "sb-cli records no agent",
        "agent_version": "sb-cli records no agent",
        "harness_version": "sb-cli records no version of the service that evaluated",
        "harness_commit": "sb-cli records no version of the service that evaluated",
        "model_id": "sb-cli records no model",
        "model_snapshot": "sb-cli records no model",
        "temperature": "sb-cli records nothing of the decoding",
        "seed": "sb-cli records nothing of the decoding",
        "max_output_tokens": "sb-cli records nothing of the decoding",
        "budget_tokens_per_task": "sb-cli records no limit of the agent",
        "wall_cap_s": "sb-cli records no limit of the agent",
        "tool_timeout_s": "sb-cli records no limit of the agent",
        "retry_policy": "sb-cli records no retries, neither of the agent nor of the service",
        "network": "sb-cli does not record whether the agent had a network",
        "env_image_digest": "sb-cli records no image",
        "scoring_script_sha256": "sb-cli records no digest of the grader",
        "task_slice_sha256": "sb-cli records no revision of the dataset",
        "on_timeout": "sb-cli does not record what became of work after a limit",
    }

    def recognise(self, files: Source) -> Recognition | None:
        """Run reports that are named as sb-cli names them, or that hold what only the service writes."""
        reports = _reports(files)
        if not reports:
            return None
        kept = _apart(files, reports)
        return Recognition(
            why=counted(len(reports), "report of the hosted evaluation", "reports of the hosted evaluation"),
            parts=tuple(Part(name=stem(one)) for one in kept),
        )

    def read(self, files: Source, part: str = "") -> ForeignRun:
        """One report."""
        kept = _apart(files, _reports(files))
        if not kept:
            raise InputError("holds no report of sb-cli", where=files.name)
        name = chosen([Part(name=stem(one)) for one in kept], part, files.name).name
        file = next(one for one in kept if stem(one) == name)
        told = Told(files={file: "run report"})
        run = Run(name, NAME, files, told)
        found = _document_of(files, file)
        run.report = read_report(files, file, told) if found is None else report_of(found, file, told, "/report")
        _copies(files, file, kept, told)
        _percents(files, file, told)
        if pending := run.report.ids.get("pending", ()):
            told.say("unfinished_run", file, f"{len(pending)} ids are not evaluated yet", *sorted(pending)[:20])
        return ForeignRun(
            name=name, arm=name, document=_document(file), declared=plan_of(run), rows=rows_of(run), told=told
        )


def _reports(files: Source) -> list[str]:
    """Reports of sb-cli, by name or by what they hold; an answer of the service counts where no report is beside it."""
    skip = submission_folders(files)
    plain = [name for name in find_reports(files, skip) if is_hosted(files, name)]
    answers = [name for name in files.names() if name.endswith(f"{RESPONSE}.json") and name not in plain]
    return [*plain, *(name for name in answers if _document_of(files, name) is not None)]


def _json(files: Source, name: str) -> Any:
    try:
        return loose_json(files.read(name, REPORT_BYTES), name) if files.size(name) <= REPORT_BYTES else None
    except InputError:
        return None


def _document_of(files: Source, name: str) -> Mapping[str, Any] | None:
    """The report inside of an answer; nothing where the file is the report itself."""
    found = _json(files, name)
    if isinstance(found, dict) and not is_report(found) and is_report(found.get("report")):
        inner: Mapping[str, Any] = found["report"]
        return inner
    return None


def _content(files: Source, name: str) -> str:
    """Digest of a report's values, whether it stands alone or in an answer."""
    return digest(_document_of(files, name) or _json(files, name))


def _base(name: str) -> str:
    """A report and its copies share this."""
    return re.sub(r"-\d+\Z", "", name.removesuffix(".json").removesuffix(RESPONSE))


def _apart(files: Source, reports: Iterable[str]) -> list[str]:
    """The reports without copies that hold the same."""
    kept: dict[tuple[str, str], str] = {}
    for name in sorted(reports, key=lambda one: (RESPONSE in one, len(one), one)):
        kept.setdefault((_base(name), _content(files, name)), name)
    return list(kept.values())


def _copies(files: Source, file: str, kept: list[str], told: Told) -> None:
    for name in _reports(files):
        if name == file or _base(name) != _base(file):
            continue
        told.files[name] = "a copy of the report"
        if _content(files, name) == _content(files, file):
            told.say("same_run_again", name, f"holds what {file} holds; it counts once", blocks=False)
        elif name in kept:
            told.say(
                "same_run_again", name, f"another report of the same run, and it differs from {file}", blocks=False
            )


def _percents(files: Source, file: str, told: Told) -> None:
    """Percents that were printed: on a saved screen beside the report, or as values of an answer."""
    folder = file.rpartition("/")[0]
    for name in files.names():
        if name.rpartition("/")[0] == folder and name.endswith(SCREENS) and files.size(name) <= SCREEN_BYTES:
            told.published += (found := printed_percents(files.read(name, SCREEN_BYTES), name))
            told.files |= {name: "a saved screen"} if found else {}
        if name.endswith(f"{RESPONSE}.json") and _base(name) == _base(file):
            told.files.setdefault(name, "the answer of the service")
            told.published += _shares(_json(files, name), name)


def _shares(found: object, where: str) -> list[Published]:
    if not isinstance(found, dict):
        return []
    inner = found.get("report")
    pairs = [*found.items(), *(inner.items() if isinstance(inner, dict) else ())]
    return [
        Published(
            metric=key,
            value=str(value).rstrip("%"),
            unit="percent",
            role="rate",
            where=f"{where}#/{key}",
            unit_of="draws",
        )
        for key, value in pairs
        if SHARE.fullmatch(key) and re.fullmatch(r"[0-9]{1,3}(\.[0-9]+)?%?", str(value))
    ]


def _document(file: str) -> dict[str, object]:
    document: dict[str, object] = {"run_id": stem(file), "harness_name": "SWE-bench hosted", "scorer": "tests"}
    if found := NAMED.search(stem(file)):
        document["dataset"] = {"name": found[1], "split": found[2]}
    return document


IMPORTER = SbCli()
