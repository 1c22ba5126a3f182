"""One changed rule tried by reading everything anew, in a fork that has read what no rule is part of."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import io
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import CodeType, ModuleType

from hypothesis.configuration import set_hypothesis_home_dir

WALL_S = 180
LIVED, DONE = 11, 12
QUIET = ("-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not e2e and not slow", "--no-header", "--tb=no")


def fate(source: Path, module: str, changed: bytes, tests: Sequence[str]) -> str:
    """How one mutant ended: the files of tests that hold cases come first."""
    child = os.fork()
    if not child:
        code = DONE
        try:
            code = trial(source, module, changed, sorted(tests, key=lambda one: not one.endswith("test_rule_cases.py")))
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return {DONE: "by tests", LIVED: "lived"}.get(os.waitstatus_to_exitcode(status), "by time")


def trial(source: Path, module: str, changed: bytes, tests: Sequence[str]) -> int:
    """In the child: import everything with the mutant in it, run the tests."""
    import pytest

    signal.alarm(WALL_S)
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    sys.stdout = sys.stderr = io.TextIOWrapper(io.FileIO(os.devnull, "w"), encoding="utf-8")
    name = "denominator." + module.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    sys.meta_path.insert(0, Mutated(name, changed, source / module))
    importlib.import_module(name)  # before pytest, whose own reader would come first
    return LIVED if pytest.main([*QUIET, *tests]) in (0, 5) else DONE


class Mutated(importlib.abc.MetaPathFinder, importlib.machinery.SourceFileLoader):
    """Gives one module from other source than its file holds."""

    def __init__(self, name: str, source: bytes, path: Path) -> None:
        super().__init__(name, str(path))
        self.source = source

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> importlib.machinery.ModuleSpec | None:
        """Only of the one."""
        if fullname != self.name:
            return None
        return importlib.util.spec_from_file_location(fullname, self.path, loader=self)

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002
        """Compiled anew, never from a cache."""
        return compile(self.source, self.path, "exec")


def keep_examples_in(home: str) -> None:
    """What fails under a mutant is no example to keep."""
    set_hypothesis_home_dir(home)


def read_what_is_no_rule() -> None:
    """Once, before the children."""
    import pytest  # noqa: F401

    kept = ("denominator", "denominator.errors", "denominator.catalog")
    below = ("denominator.records", "denominator.stats", "denominator.wire", "denominator._version")
    for name in [*sys.modules]:
        if name.startswith("denominator") and name not in kept and not name.startswith(below):
            del sys.modules[name]
