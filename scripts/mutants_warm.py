"""One process that has every test read already, and a fork of it for each changed rule (`mutate.py` asks for it).

A change inside a function is put into the function that lives, a change of a table into the module that alone reads it; no
module is read again. Which tests can notice is seen once, by running them all and writing down whose functions each file
of tests calls: tests that call the changed function come first, then the rest of their files. Where that was never seen of
these files and time is short, each change first meets the tests that are about its module by their names, and only what
these let live waits for the rest. A change that cannot be made so (a class, a table that others import, what runs while
modules are read) is left to `mutate.py`.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import functools
import gc
import importlib.abc
import importlib.machinery
import importlib.util
import io
import json
import os
import pickle
import re
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, TextIO

from mutants_map import FIRST, Calls, Kept, close, dotted, order

KILLED, LIVED = 10, 11
LEAST_S = 20
SHORT_S = 120
"""With less time than this the tests that are close by name go first."""
OPTIONS = ("-qs", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not e2e and not slow", "--no-header", "--tb=no")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One change: its number, the module as `gate/few_tasks.py`, the whole new source, the line."""

    number: int
    module: str
    source: bytes
    line: int


@functools.cache
def original(path: Path) -> bytes:
    """As it was when it was asked for first: others may be writing."""
    return path.read_bytes()


@dataclass(slots=True)
class Warm:
    """A pytest plugin: collect, look once who calls what, then try each change in a fork."""

    source: Path
    trials: Sequence[Trial]
    out: TextIO
    until: float
    kept: Kept
    early: set[tuple[str, str]] = field(default_factory=set)
    failed: bool = False

    def pytest_runtest_logreport(self, report: Any) -> None:
        """One failure is enough."""
        self.failed = self.failed or report.failed

    def pytest_runtestloop(self, session: Any) -> bool:
        """In place of running the tests."""
        self.early = set(CALLED)
        calls = self.kept.read(session.items)
        if calls is None and self.until - time.monotonic() < SHORT_S:
            self.try_close(session.items)
        if calls is None and self.trials and time.monotonic() < self.until:
            calls = self.seen(session.items)
            if calls is not None:
                self.kept.write(session.items, calls)
        if calls is not None:
            self.tell(files={one: self.files(calls, one) for one in sorted({trial.module for trial in self.trials})})
            self.trials = self.after(session.items, calls, "lived")
        return True

    def try_close(self, items: Sequence[Any]) -> None:
        """With the tests that are about these modules by name; the changes that they let live are left."""
        near = close(items, [trial.module for trial in self.trials])
        calls = self.seen(near, stop=time.monotonic() + (self.until - time.monotonic()) / 3)
        if calls is None:
            self.trials = ()
        elif calls:
            self.tell(files={})
            self.trials = self.after(near, calls, "close")

    def after(self, items: Sequence[Any], calls: Sequence[Calls], word: str) -> list[Trial]:
        """Try each change with those that call it; what lived is said to have this fate, and is given back."""
        gc.unfreeze()  # what is frozen is not among the living
        gc.collect()
        functions = self.living()
        remember()
        gc.freeze()
        left = []
        for at, trial in enumerate(self.trials):
            if time.monotonic() > self.until:
                return [*left, *self.trials[at:]]
            changed = change(self.source, trial, functions)
            if changed is None or any((trial.module, name) in self.early for name in changed.names):
                self.tell(number=trial.number, fate="anew")
                continue
            chosen = order(items, calls, trial.module, changed.names)
            fate = self.tried(changed, [items[one] for one in chosen], sum(calls[one].seconds for one in chosen))
            if fate == "lived":
                left.append(trial)
            self.tell(number=trial.number, fate=word if fate == "lived" else fate, tests=len(chosen))
        return left

    def tell(self, **said: Any) -> None:
        """One line of JSON for the process that waits."""
        self.out.write(json.dumps(said) + "\n")
        self.out.flush()

    def files(self, calls: Sequence[Calls], module: str) -> list[str]:
        """Files of tests in which a function of the module is called."""
        return sorted({one.file for one in calls if any(file == module for file, _ in one.called)})

    def living(self) -> dict[tuple[str, str, int], list[FunctionType]]:
        """Functions by (module, qualified name, first line)."""
        found: dict[tuple[str, str, int], list[FunctionType]] = {}
        for one in gc.get_objects():
            if isinstance(one, FunctionType) and (name := self.module_of(one.__code__)):
                found.setdefault((name, one.__code__.co_qualname, one.__code__.co_firstlineno), []).append(one)
        return found

    def module_of(self, code: CodeType) -> str:
        """As `gate/few_tasks.py`; "" of what is not ours."""
        name = code.co_filename
        below = f"{self.source}/"
        return name[len(below) :] if name.startswith(below) else ""

    def seen(self, items: Sequence[Any], stop: float = float("inf")) -> list[Calls] | None:
        """Who calls what, found in a fork, of those that were run before `stop`; None where a test fails as it is."""
        read, write = os.pipe()
        child = os.fork()
        if not child:
            try:
                os.close(read)
                quiet()
                with os.fdopen(write, "wb") as told:
                    pickle.dump(self.look(items, stop), told)
            finally:
                os._exit(0)
        os.close(write)
        with os.fdopen(read, "rb") as told:
            found = told.read()
        os.waitpid(child, 0)
        return pickle.loads(found) if found else None  # noqa: S301 our own fork wrote it

    def look(self, items: Sequence[Any], stop: float) -> list[Calls] | None:
        """In the fork: run every test and write down what it calls."""
        found = []
        remember()
        for at, item in enumerate(items):
            if time.monotonic() > stop:
                break
            if at == 0 or items[at - 1].path != item.path:
                forget()
            CALLED.clear()
            began = time.monotonic()
            run(item, items[at + 1] if at + 1 < len(items) else None)
            found.append(Calls(str(item.path), time.monotonic() - began, set(CALLED)))
            if self.failed:
                self.tell(fails=item.nodeid)
                return None
        return found

    def tried(self, changed: Changed, items: Sequence[Any], seconds: float) -> str:
        """The fate of one change, in a fork."""
        child = os.fork()
        if not child:
            code = KILLED
            try:
                signal.alarm(int(LEAST_S + 3 * seconds))
                quiet()
                changed.make()
                forget()
                code = self.noticed(items)
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        return {LIVED: "lived", KILLED: "by tests", KILLED + 2: "by cases"}.get(code, "by time")

    def noticed(self, items: Sequence[Any]) -> int:
        """Run until one fails."""
        for at, item in enumerate(items):
            run(item, items[at + 1] if at + 1 < len(items) else None)
            if self.failed:
                return KILLED + 2 if item.path.name == FIRST else KILLED
        return LIVED


@dataclass(slots=True)
class Changed:
    """What to put where: new code of functions, new values of names; `names` are the functions that must be called."""

    names: tuple[str, ...]
    codes: Sequence[tuple[FunctionType, CodeType]] = ()
    values: tuple[str, str, bytes] | None = None

    def make(self) -> None:
        """In the fork that dies with it."""
        for function, code in self.codes:
            function.__code__ = code
        if self.values is not None:
            module, name, source = self.values
            made = {"__name__": module, "__builtins__": __builtins__}
            exec(compile(source, module, "exec", dont_inherit=True), made)  # noqa: S102 our own source
            setattr(sys.modules[module], name, made[name])


def run(item: Any, following: Any) -> None:
    """One test with its set-up and tear-down."""
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)


CALLED: set[tuple[str, str]] = set()
"""(module, qualified name) of what was called since it was emptied."""
HIT = "__hit__"


class Watched(importlib.abc.MetaPathFinder):
    """Reads these modules so that each of their functions says that it was called."""

    def __init__(self, source: Path, modules: frozenset[str]) -> None:
        self.source, self.modules = source, modules

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> importlib.machinery.ModuleSpec | None:
        """Only of these."""
        below = fullname.partition(".")[2].replace(".", "/")
        for one in (f"{below}.py", f"{below}/__init__.py"):
            if one in self.modules and fullname.startswith("denominator."):
                loader = Saying(fullname, self.source / one, one)
                return importlib.util.spec_from_file_location(fullname, self.source / one, loader=loader)
        return None


class Saying(importlib.machinery.SourceFileLoader):
    """Compiles one module with a first statement in each function."""

    def __init__(self, name: str, path: Path, module: str) -> None:
        super().__init__(name, str(path))
        self.module = module

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002
        """From the text as it was when first asked for, never from a cache."""
        tree = ast.parse(original(Path(self.path)))
        spoken(tree, self.module, "")
        return compile(tree, self.path, "exec", dont_inherit=True)


def spoken(tree: ast.Module | ast.ClassDef, module: str, above: str) -> None:
    """Put the statement into functions and methods."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            spoken(node, module, f"{above}{node.name}.")
        elif isinstance(node, ast.FunctionDef):
            said = ast.parse(f"{HIT}({(module, above + node.name)!r})").body[0]
            for one in ast.walk(said):
                if hasattr(one, "lineno"):
                    ast.copy_location(one, node.body[0])
            at = 1 if ast.get_docstring(node, clean=False) is not None else 0
            node.body.insert(at, said)


CACHES: list[Any] = []


def remember() -> None:
    """Find every cache of a function that there is."""
    CACHES[:] = [one for one in gc.get_objects() if isinstance(one, functools._lru_cache_wrapper)]


def forget() -> None:
    """Empty them."""
    for one in CACHES:
        with contextlib.suppress(Exception):
            one.cache_clear()


def quiet() -> None:
    """Nothing that a test prints is seen."""
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    sys.stdout = sys.stderr = io.TextIOWrapper(io.FileIO(os.devnull, "w"), encoding="utf-8")


def change(source: Path, trial: Trial, functions: dict[tuple[str, str, int], list[FunctionType]]) -> Changed | None:
    """How to make it while all is running, or None."""
    before = original(source / trial.module)
    path = str(source / trial.module)
    old, new = (compile(text, path, "exec", dont_inherit=True) for text in (before, trial.source))
    pairs = list(differing(old, new))
    if pairs and all(one is not None for one in pairs):
        put: list[tuple[FunctionType, CodeType]] = []
        names: list[str] = []
        for one in pairs:
            assert one is not None
            was, now = one
            if "<" in was.co_qualname:  # a lambda of the module: nobody sees it being called
                return None
            living = functions.get((trial.module, was.co_qualname, was.co_firstlineno), [])
            if not living or any(len(each.__code__.co_freevars) != len(now.co_freevars) for each in living):
                return None
            put.extend((each, now) for each in living)
            names.append(was.co_qualname)
        return Changed(tuple(names), put)
    return table(before, trial, source)


def differing(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType] | None]:
    """Pairs of functions that differ; None where a module or class body itself does."""
    if skeleton(old) != skeleton(new):
        yield None
        return
    for one, other in zip(old.co_consts, new.co_consts, strict=True):
        if isinstance(one, CodeType):
            if one.co_flags & 2:  # a function, not the body of a class
                if deep(one) != deep(other):
                    yield one, other
            else:
                yield from differing(one, other)


def skeleton(code: CodeType) -> tuple[Any, ...]:
    """A body without the functions in it."""
    consts = tuple(None if isinstance(one, CodeType) else (type(one), one) for one in code.co_consts)
    return code.co_code, code.co_names, consts


def deep(code: CodeType) -> tuple[Any, ...]:
    """All of it but the numbers of lines."""
    consts = tuple(deep(one) if isinstance(one, CodeType) else (type(one), one) for one in code.co_consts)
    return code.co_code, code.co_names, code.co_varnames, code.co_freevars, consts


def table(before: bytes, trial: Trial, source: Path) -> Changed | None:
    """A name that the module gives once and only its own functions read."""
    tree = ast.parse(before)
    name = next((made for node in tree.body for made in given(node) if spans(node, trial.line)), "")
    module = dotted(trial.module)
    if not name or any(isinstance(node, ast.ClassDef) for node in tree.body) or imported(source, module, name):
        return None
    readers = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            outside = [*node.args.defaults, *node.args.kw_defaults, *node.decorator_list]
            if any(reads(one, name) for one in outside if one is not None):
                return None
            if any(reads(one, name) for one in node.body):
                readers.append(node.name)
        elif reads(node, name):
            return None
    if not readers or module not in sys.modules:
        return None
    return Changed(tuple(readers), (), (module, name, trial.source))


def given(node: ast.stmt) -> list[str]:
    """The one name that an assignment gives."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [targets[0].id] if len(targets) == 1 and isinstance(targets[0], ast.Name) else []


def spans(node: ast.stmt, line: int) -> bool:
    """Does the line belong to it?"""
    return node.lineno <= line <= (node.end_lineno or node.lineno)


def reads(node: ast.AST, name: str) -> bool:
    """Is the name read in it?"""
    return any(isinstance(one, ast.Name) and one.id == name and isinstance(one.ctx, ast.Load) for one in ast.walk(node))


@functools.cache
def imported(source: Path, module: str, name: str) -> bool:
    """Does another module or a test take this name from it, or through the module?"""
    taken = re.compile(rf"from {re.escape(module)} import (\([^)]*\)|[^\n]*)")
    through = re.compile(rf"\w\.{name}\b")
    last = module.rpartition(".")[2]
    return any(
        any(re.search(rf"\b{name}\b", one) for one in taken.findall(text)) or (last in text and through.search(text))
        for text in texts(source)
    )


@functools.cache
def texts(source: Path) -> tuple[str, ...]:
    """All of ours and of the tests."""
    tests = source.parents[1] / "tests"
    return tuple(
        one.read_text(encoding="utf-8", errors="replace") for place in (source, tests) for one in place.rglob("*.py")
    )


def main(source: Path, trials: Sequence[Trial], tests: Sequence[str], out: TextIO, until: float) -> None:
    """In a process of its own: collect the tests, try the changes, write what became of each."""
    import pytest
    from hypothesis import Phase, settings

    settings.register_profile(
        "mutants", deadline=None, database=None, derandomize=True, phases=(Phase.explicit, Phase.generate)
    )
    settings.load_profile("mutants")
    for name in [*sys.modules]:
        if name == "denominator" or name.startswith("denominator."):
            del sys.modules[name]
    kept = Kept.of(source, [trial.module for trial in trials], tests)
    warm = Warm(source, trials, out, until, kept)
    setattr(builtins, HIT, CALLED.add)
    sys.meta_path.insert(0, Watched(source, frozenset(trial.module for trial in trials)))
    for one in {trial.module for trial in trials}:  # before pytest, whose own reader would come first
        importlib.import_module(dotted(one))
    pytest.main([*OPTIONS, *tests], plugins=[warm])
