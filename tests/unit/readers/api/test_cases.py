"""The reader of used surfaces on small cases: files of text, one topic each (see `read_cases` for their form)."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from denominator.readers.api import INVENTED, ApiInputs, Surface, surfaces

FOLDER = Path(__file__).parent / "cases"


@dataclass
class Case:
    """Files before, files of the patch, specification, and what must come out."""

    name: str
    repo: dict[str, bytes] = field(default_factory=dict)
    patch: dict[str, bytes | None] = field(default_factory=dict)
    spec: dict[str, bytes] = field(default_factory=dict)
    declared: list[str] = field(default_factory=list)
    python: str = "3.11"
    expect: list[str] = field(default_factory=list)


def read_cases(path: Path) -> list[Case]:
    """`== name` begins a case, `-- word argument` a part of it: repo, patch, latin1, delete, spec, declared, python, expect."""
    cases: list[Case] = []
    for block in ("\n" + path.read_text(encoding="utf-8")).split("\n== ")[1:]:
        name, _, rest = block.partition("\n")
        case = Case(name.strip())
        for part in ("\n" + rest).split("\n-- ")[1:]:
            head, _, body = part.partition("\n")
            word, _, argument = head.partition(" ")
            data = (body.rstrip("\n") + "\n").encode("latin-1" if word == "latin1" else "utf-8")
            if word in ("repo", "spec"):
                getattr(case, word)[argument] = data
            elif word in ("patch", "latin1", "delete"):
                case.patch[argument] = None if word == "delete" else data
            elif word == "declared":
                case.declared.append(argument)
            elif word == "python":
                case.python = argument
            else:
                assert word == "expect", word
                case.expect = [line for line in body.splitlines() if line.strip()]
        cases.append(case)
    return cases


CASES = [(path.stem, case) for path in sorted(FOLDER.glob("*.txt")) for case in read_cases(path)]


def said(surface: Surface) -> str:
    return f"{surface.state} {surface.kind} {surface.name}"


LANGUAGES = all(
    importlib.util.find_spec(n) for n in ("tree_sitter", "tree_sitter_javascript", "tree_sitter_typescript")
)
NEEDS = pytest.mark.skipif(not LANGUAGES, reason="needs the extra languages")
EVERY = [
    pytest.param(case, id=f"{topic}: {case.name}", marks=[NEEDS] if topic == "scripts" else []) for topic, case in CASES
]


@pytest.mark.parametrize("case", EVERY)
def test_case(case: Case) -> None:
    found = surfaces(
        ApiInputs(
            repository=case.repo, patch=case.patch, spec=case.spec, declared=tuple(case.declared), python=case.python
        )
    )
    every = {said(s) for s in found}
    assert {said(s) for s in found if s.state == INVENTED} == {e for e in case.expect if e.startswith(INVENTED)}
    assert set(case.expect) <= every, sorted(every)
    for surface in (s for s in found if s.kind != "file"):
        assert surface.text and surface.line >= 1 and surface.column >= 1
        last = re.split(r"\W+", surface.name.rstrip("=)"))[-1]
        if surface.kind in ("name", "attribute", "keyword") and 'f"' not in surface.text:
            lines = (
                (case.patch[surface.path] or b"")
                .decode("latin-1" if "coding: latin" in surface.path else "utf-8", "replace")
                .splitlines()
            )
            assert lines[surface.line - 1][surface.column - 1 :].startswith(last), surface


def test_there_are_enough_cases_and_each_says_something() -> None:
    assert len(CASES) >= 60
    assert all(case.expect for _, case in CASES)
