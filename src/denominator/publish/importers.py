"""The generated pages of docs/importers: what is read of a format, how every ending is mapped, what it cannot tell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from denominator.records.foreign import Ending
from denominator.records.rows import Failure
from denominator.records.values import NotMeasured, counted

HEAD = "Generated from the importer; do not edit."
INDEX = f"""# Formats that are read

{HEAD} `denominator import NAME PATH` reads one run, `denominator import auto PATH` recognises the format, `denominator audit PATH`
sets what was published beside what the rows say. [What can be declared beside a format](../formats/importing.md).
"""


FACTS = """What is not in this table is a defect that blocks, never a guess. *States* are the facts of a row, from which
our own rules come to outcome, origin and reason."""
JUDGED = """Where it says *the source's word* there are no facts: labels of low confidence."""


@dataclass(frozen=True, slots=True)
class Format:
    """One format as its importer tells it; `doc` is the docstring of the module that the entry point names."""

    name: str
    title: str
    doc: str
    endings: tuple[Ending, ...]
    cannot_tell: Mapping[str, str]


def importer_pages(formats: Iterable[Format]) -> dict[str, str]:
    """One page a format and one index, by file name."""
    listed = sorted(formats, key=lambda one: one.name)
    lines = [f"- [{one.name}]({one.name}.md): {one.title}" for one in listed]
    return {"README.md": INDEX + "\n" + "\n".join(lines) + "\n", **{f"{one.name}.md": _page(one) for one in listed}}


def _page(one: Format) -> str:
    parts = [f"# {one.name}\n\n{HEAD}", f"{one.title}. `denominator import {one.name} PATH`", *_text(one.doc)]
    parts += ["## Endings", *_endings(one.endings), "## What it cannot tell", *_cannot(one.cannot_tell)]
    return "\n\n".join(parts) + "\n"


def _text(doc: str) -> Iterable[str]:
    """The paragraphs of a docstring, with lists apart from the line that introduces them."""
    for block in doc.strip().split("\n\n"):
        yield re.sub(r"(?m)^(?!- )(.*:)\n- ", r"\1\n\n- ", block)


def _endings(endings: tuple[Ending, ...]) -> Iterable[str]:
    """Every line of the table."""
    if not endings:
        yield "It holds no row of any attempt, so there are no endings."
        return
    yield f"{counted(len(endings), 'ending')}. {FACTS}" + (f" {JUDGED}" if any(one.judged for one in endings) else "")
    rows = ["| it writes | outcome | whose | reason | states | why |", "|---|---|---|---|---|---|"]
    for one in endings:
        cells = (f"`{one.word}`", one.outcome, one.origin or "-", one.reason or "-", _states(one), one.why)
        rows.append(f"| {' | '.join(map(_cell, cells))} |")
    yield "\n".join(rows)


def _states(one: Ending) -> str:
    """The facts in words."""
    told = [_fact(name, value) for name, value in one.facts.items()]
    told += ["the source's word"] if one.judged else []
    told += [f"class {one.failure_class}"] if one.failure_class else []
    return "; ".join(told) or "nothing"


def _fact(name: str, value: Any) -> str:
    if isinstance(value, Failure):
        return f"failure {value.cause}, seen by the {value.writer} in the phase {value.phase}"
    return f"{name} {_value(value)}"


def _value(value: Any) -> str:
    if isinstance(value, NotMeasured):
        return f"unknown ({value.not_measured})"
    if isinstance(value, bool):
        return "true" if value else "false"
    if is_dataclass(value) and not isinstance(value, type):
        known = {one.name: getattr(value, one.name) for one in fields(value)}
        return ", ".join(f"{name} {_value(each)}" for name, each in known.items() if _told(each)) or "empty"
    if isinstance(value, tuple | list):
        return ", ".join(map(_value, value)) or "none"
    return str(value)


def _told(value: object) -> bool:
    return not isinstance(value, NotMeasured) and value not in ("", (), None)


def _cell(text: str) -> str:
    """Text in a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


def _cannot(cannot_tell: Mapping[str, str]) -> Iterable[str]:
    """Field by field; the gate answers accordingly."""
    yield "No file of this format holds them, so they stay unknown unless they are declared:"
    yield "\n".join(f"- `{name}`: {why}" for name, why in sorted(cannot_tell.items())) or "- nothing"
