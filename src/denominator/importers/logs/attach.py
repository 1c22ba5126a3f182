"""Which log and which report belong to which row: those of its own folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from denominator.importers.files import basename, folder_of
from denominator.importers.raw import RawRow
from denominator.importers.report import FileUse
from denominator.readers.logs import LogRead, read_log

Files = Sequence[tuple[str, bytes]]
LOG = "combined.log"
NO_FORM = "no line of the form HH:MM:SS.mmm phase/stream| text, so all of it counts as the agent's"
REPORTS = ("report.xml", "junit.xml", "results.xml", "test-results.xml")


@dataclass(frozen=True, slots=True)
class Beside:
    """Logs and structured reports that came with the rows, by name."""

    logs: Mapping[str, LogRead]
    reports: Mapping[str, bytes]


def is_log(name: str) -> bool:
    """Is it a text log by its name?"""
    return basename(name).lower().endswith(".log")


def is_report(name: str) -> bool:
    """Is it a structured test report by its name?"""
    return basename(name).lower() in REPORTS


def beside_of(files: Files, logs: Sequence[LogRead]) -> tuple[Beside, list[tuple[str, bytes]]]:
    """The logs and reports among the files, those read beforehand included, and the other files."""
    given = {log.name: log for log in logs}
    reports = {name: data for name, data in files if is_report(name)}
    given |= {name: read_log(name, [data]) for name, data in files if is_log(name) and name not in given}
    return Beside(given, reports), [one for one in files if one[0] not in given and one[0] not in reports]


def attach(raws: Sequence[RawRow], beside: Beside) -> tuple[RawRow, ...]:
    """Rows that are alone in their folder get its log and its report."""
    alone = Counter(folder_of(row.file) for row in raws)
    return tuple(_with(row, beside) if alone[folder_of(row.file)] == 1 else row for row in raws)


def _with(row: RawRow, beside: Beside) -> RawRow:
    folder = folder_of(row.file)
    log = chosen([name for name in beside.logs if folder_of(name) == folder])
    reports = sorted(name for name in beside.reports if folder_of(name) == folder)
    return replace(
        row,
        log=beside.logs[log] if log else None,
        report=beside.reports[reports[0]] if len(reports) == 1 else None,
    )


def chosen(names: Iterable[str]) -> str:
    """The log of a folder: `combined.log`, else the only one."""
    listed = sorted(names)
    named = [name for name in listed if basename(name).lower() == LOG]
    return named[0] if named else listed[0] if len(listed) == 1 else ""


def unread(raws: Iterable[RawRow]) -> tuple[str, ...]:
    """A note for each log in whose form nobody can tell who wrote what."""
    logs = sorted({row.log.name for row in raws if row.log is not None and not row.log.formatted})
    return tuple(f"not read: {name}: {NO_FORM}; nothing in it moved a label" for name in logs)


def uses_of(raws: Iterable[RawRow], beside: Beside) -> Iterable[FileUse]:
    """What became of every log and report."""
    rows = list(raws)
    read = {row.log.name for row in rows if row.log is not None}
    held = {folder_of(row.file) for row in rows if row.report is not None}
    for name, log in sorted(beside.logs.items()):
        what = f"{log.size} bytes, sha256 {log.sha256[:12]}, {len(log.events)} events, {len(log.hits)} known texts"
        if name not in read:
            yield FileUse(name=name, role="kept aside", why=f"a log that belongs to no single row ({what})")
        elif not log.formatted:
            yield FileUse(name=name, role="log", why=f"{NO_FORM} ({what})")
        else:
            yield FileUse(name=name, role="log", why=what)
    for name in sorted(beside.reports):
        used = folder_of(name) in held
        yield FileUse(name=name, role="report" if used else "kept aside", why="a structured test report")
