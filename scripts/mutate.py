"""Mutants of our own rules: small wrong changes of gate/, labels/ and compare/, and the tests that must notice each.

    python scripts/mutate.py                              # every module; takes long
    python scripts/mutate.py gate/few_tasks.py labels     # these
    python scripts/mutate.py --changed --seconds 60       # what differs from the merge base, for so long (CI)

The mutator is that of `pack audit`. A mutant is first held against the shipped cases of `selfcheck`, then against the tests
of its package. Survivors that docs/evidence/mutants.md explains are counted; others are listed, and the exit code is 1.
Words for people are no decisions: texts with a space in them and catalog entries are left as they are.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import io
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import CodeType, ModuleType

from hypothesis.configuration import set_hypothesis_home_dir

from denominator.packs.audit.mutants import Mutant, mutants_of, sampled

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "denominator"
EXPLAINED = ROOT / "docs" / "evidence" / "mutants.md"
PACKAGES = ("gate", "labels", "compare")
TESTS = {
    "gate/durability": ("tests/unit/gate/durability",),
    "gate/probing": ("tests/unit/gate/probing",),
    "gate": (
        "tests/unit/gate",
        "tests/properties/test_judging.py",
        "tests/properties/test_withheld.py",
    ),
    "labels": (
        "tests/unit/labels",
        "tests/unit/review",
        "tests/properties/test_label_order.py",
        "tests/unit/importers",
    ),
    "compare": ("tests/unit/compare", "tests/properties/test_comparing.py", "tests/properties/test_comparable.py"),
}
IGNORED = tuple(f"--ignore=tests/unit/{one}" for one in ("gate/test_rule_cases.py", "labels/test_rule_cases.py"))
"""The cases were asked before."""
WALL_S = 180
KILLED, LIVED, DONE = 10, 11, 12


def main() -> int:
    """Try the mutants that were asked for; 1 when one lived that nobody explained."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("paths", nargs="*", help="files or folders below src/denominator (default: gate labels compare)")
    asked.add_argument("--changed", action="store_true", help="only modules that differ from the merge base")
    asked.add_argument("--seconds", type=float, default=0, help="begin no mutant after so long (0: no limit)")
    asked.add_argument("--most", type=int, default=0, help="at most so many of each module, chosen by digest")
    asked.add_argument("--jobs", type=int, default=2)
    args = asked.parse_args()
    modules = list(chosen(args.paths or PACKAGES, changed() if args.changed else None))
    if not modules:
        print("mutants: no rule changed" if args.changed else "mutants: no such module")
        return 0 if args.changed else 2
    every = [(one, mutant) for one in modules for mutant in decisions(one, args.most)]
    every.sort(key=lambda pair: pair[1].key)
    if unsound := broken(modules, every):
        print(f"mutants: tests of {unsound} fail without any mutant: repair them first")
        return 2
    end = time.monotonic() + args.seconds if args.seconds else float("inf")
    with ThreadPoolExecutor(args.jobs) as pool:
        fates = list(pool.map(lambda pair: one_fate(*pair) if time.monotonic() < end else "", every))
    if unsound := broken(modules, every):
        print(f"mutants: tests of {unsound} fail now without any mutant: the tree changed meanwhile, nothing is known")
        return 2
    return told(every, fates)


def broken(modules: Sequence[str], every: Sequence[tuple[str, Mutant]]) -> str:
    """One module of each set of tests, as it is, must be taken for a survivor; one that is not, or ""."""
    one_each = {next(prefix for prefix in TESTS if one.startswith(prefix)): one for one in modules}
    if not every:
        return ""
    as_is = ((one, replace(every[0][1], source=(SOURCE / one).read_bytes())) for one in one_each.values())
    return next((one for one, same in as_is if fate(one, same) != "lived"), "")


def one_fate(module: str, mutant: Mutant) -> str:
    """Its fate; a survivor is said at once."""
    found = fate(module, mutant)
    if found == "lived" and key_of(mutant) not in explained():
        print(line_of(mutant), file=sys.stderr, flush=True)
    return found


def line_of(one: Mutant) -> str:
    """A survivor in one line."""
    return f"LIVED {one.path}:{one.line} {one.operator}: `{flat(one.before)}` -> `{flat(one.after)}`"


def told(every: Sequence[tuple[str, Mutant]], fates: Sequence[str]) -> int:
    """Print the counts and the survivors."""
    known = explained()
    lived = [mutant for (_, mutant), one in zip(every, fates, strict=True) if one == "lived"]
    new = [one for one in lived if key_of(one) not in known]
    tried = sum(bool(one) for one in fates)
    counts = {name: fates.count(name) for name in ("by cases", "by tests", "by time")}
    said = ", ".join(f"{number} {name}" for name, number in counts.items())
    print(
        f"mutants: {tried} of {len(every)} tried: killed {said}; {len(lived)} lived, {len(lived) - len(new)} explained"
    )
    for one in sorted(new, key=lambda one: (one.path, one.line)):
        print(line_of(one))
    return 1 if new else 0


def chosen(paths: Sequence[str], among: set[str] | None) -> Iterator[str]:
    """Modules below src/denominator, as `gate/few_tasks.py`."""
    for path in paths:
        place = SOURCE / path.removeprefix("src/denominator/")
        files = sorted(place.rglob("*.py")) if place.is_dir() else [place] if place.is_file() else []
        names = (one.relative_to(SOURCE).as_posix() for one in files)
        yield from (one for one in names if among is None or one in among)


def changed() -> set[str]:
    """What differs from where this branch left the main one; on that one itself, from the last tag or the commit before."""
    base = git("merge-base", "HEAD", "origin/HEAD") or git("merge-base", "HEAD", "origin/main")
    if not base or base == git("rev-parse", "HEAD"):
        base = git("describe", "--tags", "--abbrev=0") or git("rev-parse", "-q", "--verify", "HEAD~1")
    listed = git("diff", "--name-only", "--diff-filter=d", base, "--", "src/denominator").split() if base else []
    return {one.removeprefix("src/denominator/") for one in listed}


def git(*words: str) -> str:
    """What git prints; "" where it fails."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def decisions(module: str, most: int) -> Sequence[Mutant]:
    """The mutants of a module that are of decisions."""
    source = (SOURCE / module).read_bytes()
    tree = ast.parse(source)
    silent = {
        line
        for node in ast.walk(tree)
        if (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Entry")
        or (isinstance(node, ast.Assign) and any(getattr(one, "id", "") in ("FIX", "__all__") for one in node.targets))
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    lines = set(range(1, source.count(b"\n") + 2)) - silent
    named = set(subjects(tree))
    found = [
        one for one in mutants_of(module, source, lines) if not is_words(one) and (one.line, one.before) not in named
    ]
    return sampled(found, most) if most else found


def subjects(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, text as a literal) of what findings are said of: a word for people."""
    places = {"block": 0, "note": 0, "unknown": 0, "Said": 1, "from_defects": 1}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in places:
            given = node.args[places[node.func.id] : places[node.func.id] + 1]
            for one in given:
                if isinstance(one, ast.Constant):
                    yield from ((one.lineno, quote + str(one.value) + quote) for quote in "'\"")


def is_words(one: Mutant) -> bool:
    """A text for people, or the statement that is nothing but one."""
    return one.operator == "constant" and one.before[:1] in "\"'" and (" " in one.before or len(one.before) <= 2)


def flat(text: str) -> str:
    """On one line, fit for a table."""
    return re.sub(r"\s+", " ", text).replace("|", "\\|").replace("`", "'")[:120]


def key_of(one: Mutant) -> tuple[str, str, str]:
    """What a row of the page is found by."""
    return one.path, flat(one.before), flat(one.after)


def explained() -> set[tuple[str, str, str]]:
    """The rows of the page: | `module` | `before` | `after` | why |."""
    if not EXPLAINED.is_file():
        return set()
    rows = re.findall(r"^\| `([^`]+)` \| `([^`]*)` \| `([^`]*)` \| \S", EXPLAINED.read_text(encoding="utf-8"), re.M)
    return {(path, before, after) for path, before, after in rows}


# --- one mutant


def fate(module: str, mutant: Mutant) -> str:
    """How one mutant ended, in a process of its own."""
    child = os.fork()
    if not child:
        code = DONE
        try:
            code = trial(module, mutant)
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    return {KILLED: "by cases", DONE: "by tests", LIVED: "lived"}.get(code, "by time")


def trial(module: str, mutant: Mutant) -> int:
    """In the child: import everything anew with the mutant in it, ask the cases, then the tests."""
    signal.alarm(WALL_S)
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    sys.stdout = sys.stderr = io.TextIOWrapper(io.FileIO(os.devnull, "w"), encoding="utf-8")
    name = "denominator." + module.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    sys.meta_path.insert(0, Mutated(name, mutant.source, SOURCE / module))
    if not cases_hold(module):
        return KILLED
    return LIVED if tests_pass(module) else DONE


def cases_hold(module: str) -> bool:
    """Do the shipped cases still give what they must?"""
    with contextlib.suppress(SystemExit):
        from denominator.selfcheck import rules

        package, _, name = module.removesuffix(".py").rpartition("/")
        only = name.replace("_", "-")
        if package == "gate":
            made = rules.gate_lines(only if only in rules.rule_cases("gate") else "")
        elif package.startswith("labels"):
            made = rules.label_lines()
        else:
            return True
        return all(one.found in ("caught", "not_shown") for one in made)
    return False


def tests_pass(module: str) -> bool:
    """Do the tests of the package pass?"""
    import pytest

    if module.startswith("gate/") and module.count("/") == 1:
        quiet_too = ("--ignore=tests/unit/gate/durability", "--ignore=tests/unit/gate/probing")
    else:
        quiet_too = ()
    tests = next(tests for prefix, tests in TESTS.items() if module.startswith(prefix))
    there = [one for one in tests if (ROOT / one).exists()]
    quiet = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not e2e and not slow", "--no-header"]
    os.chdir(ROOT)
    return pytest.main([*quiet, *IGNORED, *quiet_too, *there]) in (0, 5)


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


def warm() -> None:
    """What no rule is part of is imported once, before the children."""
    import pytest  # noqa: F401

    kept = ("denominator", "denominator.errors", "denominator.catalog")
    below = ("denominator.records", "denominator.stats", "denominator.wire", "denominator._version")
    for name in [*sys.modules]:
        if name.startswith("denominator") and name not in kept and not name.startswith(below):
            del sys.modules[name]


if __name__ == "__main__":
    warm()
    with tempfile.TemporaryDirectory(prefix="denominator-mutants-") as home:
        set_hypothesis_home_dir(home)  # what fails under a mutant is no example to keep
        sys.exit(main())
