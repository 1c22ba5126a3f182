"""The folder of one instance: its report, wrapped or flat, the harness's log, the end of the test output, the graded patch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from denominator.errors import InputError
from denominator.importers.swebench.logs import Output, RunLog, read_output, read_run_log
from denominator.importers.swebench.trees import OUTPUT, PATCH, REPORT, REPORT_BYTES, RUN_LOG, Tree, instance_report
from denominator.readers.logs import SIGNATURES
from denominator.readers.logs.match import Matcher
from denominator.records.foreign import Told
from denominator.wire.sources import Source, loose_json

PATCH_BYTES = 64 << 20
T = TypeVar("T")


@dataclass(slots=True)
class Folder:
    """What is there of an instance. `report` is empty where there is none; `fault` says why one cannot be read."""

    where: str
    report: Mapping[str, object] = field(default_factory=dict)
    fault: str = ""
    log: RunLog = field(default_factory=RunLog)
    output: Output | None = None
    patch: bytes | None = None

    @property
    def tests(self) -> Mapping[str, object] | None:
        """The table of tests, or nothing."""
        found = self.report.get("tests_status")
        return found if isinstance(found, dict) else None


class FolderReader:
    """Reads the folders of a tree; known texts are compiled once. Members that cannot be read are told."""

    def __init__(self, files: Source, tree: Tree, told: Told) -> None:
        self._files, self._tree, self._told = files, tree, told
        self._matcher = Matcher(SIGNATURES)

    def folder(self, instance: str) -> Folder:
        """One instance of the tree."""
        found = Folder(next(filter(None, (self._tree.member(instance, one) for one in (RUN_LOG, OUTPUT, REPORT)))))
        if name := self._tree.member(instance, REPORT):
            found.where = name
            self._report(found, name, instance)
        if name := self._tree.member(instance, RUN_LOG):
            found.log = self._safe(name, lambda: read_run_log(self._files, name, self._matcher), RunLog())
        if (name := self._tree.member(instance, OUTPUT)) and (
            found.tests is None or found.report.get("resolved") is True
        ):
            found.output = read_output(self._files, name)
        if name := self._tree.member(instance, PATCH):
            found.patch = self._safe(name, lambda: self._files.read(name, PATCH_BYTES), None)
        return found

    def _report(self, found: Folder, name: str, instance: str) -> None:
        try:
            document = loose_json(self._files.read(name, REPORT_BYTES), name)
        except InputError as error:
            found.fault = error.what
            return
        found.report = instance_report(document, instance)
        if not found.report:
            found.fault = f"is no report of {instance}"

    def _safe(self, name: str, read: Callable[[], T], otherwise: T) -> T:
        try:
            return read()
        except InputError as error:
            self._told.say("unreadable_member", name, error.what, blocks=False)
            return otherwise
