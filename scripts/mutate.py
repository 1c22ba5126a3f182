"""Mutants of our own rules: small wrong changes of gate/, labels/ and compare/, and the tests that must notice each.

    python scripts/mutate.py                              # every module; takes long
    python scripts/mutate.py gate/few_tasks.py labels     # these
    python scripts/mutate.py --changed --seconds 60       # what differs from the merge base, for so long (CI)

The mutator is that of `pack audit` with the kinds of `mutants_more.py`. Most are tried in a process that is warm
(`mutants_warm.py`), the rest by reading everything anew. A mutant is held against the shipped cases of `selfcheck`, then
against the tests that call what it changes. Survivors that docs/evidence/mutants.md explains are counted; others are listed,
and the exit code is 1; so are explanations of code that is no longer there. Words for people are no decisions: texts with a
space in them and catalog entries are left as they are.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import mutants_anew
import mutants_warm
from mutants_more import more_of

from denominator.packs.audit.mutants import Mutant, mutants_of, sampled

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "denominator"
EXPLAINED = ROOT / "docs" / "evidence" / "mutants.md"
PACKAGES = ("gate", "labels", "compare")
TESTS = {
    "gate": ("tests/unit/gate", "tests/properties/test_judging.py", "tests/properties/test_withheld.py"),
    "labels": ("tests/unit/labels", "tests/unit/review", "tests/properties/test_label_order.py"),
    "gate/durability": ("tests/unit/faultbench/test_scoring.py", "tests/properties/test_faultbench.py"),
    "gate/probing": ("tests/unit/pipeline/test_probing.py", "tests/properties/test_probe_scoring.py"),
    "compare": ("tests/unit/compare", "tests/properties/test_comparing.py", "tests/properties/test_comparable.py"),
}
WIDER = ("tests/unit/pipeline", "tests/unit/importers", "tests/unit/cli", "tests/unit/publish", "tests/unit/slips")
"""With --wider also these, for what the others let live."""


@dataclass(frozen=True, slots=True)
class One:
    """A mutant of a module, with the text of its line."""

    module: str
    mutant: Mutant
    text: str

    @property
    def key(self) -> tuple[str, str, str, str, str]:
        """What a row of the page is found by; it goes stale with the line."""
        digest = hashlib.sha256(self.text.encode()).hexdigest()[:8]
        return self.module, self.mutant.operator, digest, flat(self.mutant.before), flat(self.mutant.after)

    @property
    def line(self) -> str:
        """A survivor, as the row that the page would have."""
        module, operator, digest, before, after = self.key
        return f"LIVED {self.mutant.line}: | `{module}` | {operator} | `{digest}` | `{before}` | `{after}` |"


def main() -> int:
    """Try the mutants that were asked for; 1 when one lived that nobody explained."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("paths", nargs="*", help="files or folders below src/denominator (default: gate labels compare)")
    asked.add_argument("--changed", action="store_true", help="only modules that differ from the merge base")
    asked.add_argument("--seconds", type=float, default=0, help="begin no mutant after so long (0: no limit)")
    asked.add_argument("--most", type=int, default=0, help="at most so many of each module, chosen by digest")
    asked.add_argument("--no-anew", action="store_true", help="leave out what cannot be tried in the warm process")
    asked.add_argument("--only-lived", type=Path, help="only those that an earlier output lists as LIVED")
    asked.add_argument("--wider", action="store_true", help="with the tests of pipeline, importers, cli, publish too")
    args = asked.parse_args()
    os.chdir(ROOT)
    modules = list(chosen(args.paths or PACKAGES, changed() if args.changed else None))
    if not modules:
        print("mutants: no rule changed" if args.changed else "mutants: no such module")
        return 0 if args.changed else 2
    every = sorted((one for module in modules for one in ones(module, args.most)), key=lambda one: one.mutant.key)
    if args.only_lived:
        listed = args.only_lived.read_text(encoding="utf-8")
        every = [one for one in every if one.line.partition(": ")[2] in listed]
    began = time.monotonic()
    fates = tried(every, args.seconds, wider=args.wider, anew=not args.no_anew)
    if fates is None:
        return 2
    stale = [] if args.most or args.only_lived else gone(modules, every)
    return told(every, fates, stale, time.monotonic() - began)


def tried(every: Sequence[One], seconds: float, *, wider: bool, anew: bool) -> list[str] | None:
    """The fate of each, "" where time ran out; None where the tests fail as they are."""
    tests = list(dict.fromkeys(test for name, some in TESTS.items() for test in some if of(every, name)))
    tests = [one for one in [*tests, *(WIDER if wider else ())] if (ROOT / one).exists()]
    end = time.monotonic() + seconds if seconds else float("inf")
    fates, files, looked = [""] * len(every), dict[str, list[str]](), False
    trials = [
        mutants_warm.Trial(number=at, module=one.module, source=one.mutant.source, line=one.mutant.line)
        for at, one in enumerate(every)
    ]
    half = end if not seconds else end - seconds / 4
    for said in warm(lambda out: mutants_warm.main(SOURCE, trials, tests, out, half)):
        looked = looked or "files" in said
        files |= said.get("files", {})
        if "fate" in said:
            fates[said["number"]] = said["fate"]
            say(every[said["number"]], said["fate"])
    if not looked:
        print("mutants: tests cannot be read or fail without any mutant, repair them first", file=sys.stderr)
        return None
    for at, one in enumerate(every):
        if fates[at] == "anew":
            fits = anew and time.monotonic() < end
            known = files.get(one.module, [])
            fates[at] = mutants_anew.fate(SOURCE, one.module, one.mutant.source, known or tests) if fits else ""
            if fates[at] == "lived" and known:
                fates[at] = mutants_anew.fate(SOURCE, one.module, one.mutant.source, tests)
            say(one, fates[at])
    return fates


def of(every: Sequence[One], package: str) -> bool:
    """Is one of them of this package?"""
    return any(one.module.startswith(f"{package}/") for one in every)


def say(one: One, fate: str) -> None:
    """A survivor is said at once."""
    if fate == "lived" and one.key not in explained():
        print(one.line, file=sys.stderr, flush=True)


def warm(work: Callable[..., None]) -> Iterator[dict[str, Any]]:
    """What a fork writes, line by line."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(read)
            with os.fdopen(write, "w") as out, Path(os.devnull).open("w") as null:
                os.dup2(null.fileno(), 1)
                work(out)
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read) as lines:
        for line in lines:
            said = json.loads(line)
            if "fails" in said:
                print(f"mutants: fails as it is: {said['fails']}", file=sys.stderr)
            yield said
    os.waitpid(child, 0)


def told(every: Sequence[One], fates: Sequence[str], stale: Sequence[str], seconds: float) -> int:
    """Print the counts, the survivors and what is explained without need."""
    known = explained()
    lived = [one for one, fate in zip(every, fates, strict=True) if fate == "lived"]
    new = [one for one in lived if one.key not in known]
    for package in sorted({one.module.rpartition("/")[0] for one in every}):
        mine = [fate for one, fate in zip(every, fates, strict=True) if one.module.rpartition("/")[0] == package]
        print(f"  {package}: {counted(mine)}")
    print(f"mutants: {counted(fates)}, {len(lived) - len(new)} of these explained; {seconds:.0f} s")
    for one in sorted(new, key=lambda one: (one.module, one.mutant.line)):
        print(one.line)
    for row in stale:
        print(f"STALE {row}")
    return 1 if new or stale else 0


def counted(fates: Sequence[str]) -> str:
    """So many of each fate."""
    did = [one for one in fates if one not in ("", "anew", "close")]
    kinds = ", ".join(f"{did.count(name)} {name}" for name in ("by cases", "by tests", "by time"))
    open_ = f" ({fates.count('close')} more lived the tests of their names, for the others time ran out)"
    more = open_ if "close" in fates else ""
    return f"{len(did)} of {len(fates)} tried: killed {kinds}; {did.count('lived')} lived{more}"


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


def ones(module: str, most: int) -> Iterator[One]:
    """The mutants of a module that are of decisions, with their lines."""
    source = (SOURCE / module).read_bytes()
    lines = source.decode().splitlines()
    found = decisions(module, source)
    yield from (One(module, one, lines[one.line - 1].strip()) for one in (sampled(found, most) if most else found))


def decisions(module: str, source: bytes) -> Sequence[Mutant]:
    """The mutants of a module that are of decisions."""
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
    made = {one.source: one for one in (*more_of(module, source, lines), *mutants_of(module, source, lines))}
    return [one for one in made.values() if not is_words(one) and (one.line, one.before) not in named]


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


ROW = re.compile(r"^\| `([^`]+)` \| (\w+) \| `(\w+)` \| `([^`]*)` \| `([^`]*)` \| \S", re.M)


@cache
def explained() -> set[tuple[str, str, str, str, str]]:
    """The rows of the page: | `module` | operator | `digest of the line` | `before` | `after` | why |."""
    if not EXPLAINED.is_file():
        return set()
    return set(ROW.findall(EXPLAINED.read_text(encoding="utf-8")))


def gone(modules: Sequence[str], every: Sequence[One]) -> list[str]:
    """Rows of the page about these modules whose mutant nobody can make any more."""
    there = {one.key for one in every}
    return sorted(" | ".join(row) for row in explained() if row[0] in modules and row not in there)


if __name__ == "__main__":
    mutants_anew.read_what_is_no_rule()
    with tempfile.TemporaryDirectory(prefix="denominator-mutants-") as home:
        mutants_anew.keep_examples_in(home)
        sys.exit(main())
