"""What is asked of two sides, held against the sides themselves before anything is compared."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from itertools import combinations

from denominator.compare.fields import FIELDS
from denominator.compare.observed import conditions
from denominator.envelopes.treatments import STATED
from denominator.errors import InputError, Problem
from denominator.pipeline.results import Result
from denominator.pipeline.sides import side_of
from denominator.records.field_names import our_name
from denominator.records.values import is_placeholder

Named = Sequence[tuple[str, Result]]


def refuse_twice(named: Named, verb: str) -> None:
    """One run on two sides shows no difference and no flip, whatever it is worth: it is refused, never compared."""
    for (name, first), (_, again) in combinations(named, 2):
        if _same(first, again):
            what = f"{name or first.ledger.run_id} is named twice: a run says nothing beside itself"
            raise InputError(what, where=verb, fix="name the run of the other arm")


def _same(first: Result, again: Result) -> bool:
    """The same run of ours, or the very same rows of the very same files; manifests alone are held against each other."""
    if first.ledger.source == again.ledger.source == "own":
        return (first.ledger.run_id, first.terms.digest) == (again.ledger.run_id, again.terms.digest)
    return bool(first.ledger.rows) and first.ledger == again.ledger and first.terms.digest == again.terms.digest


def refuse_unknown_fields(named: Named, treatment: Sequence[str] | None) -> None:
    """A treatment field that no side states and no condition is called is misspelt: the nearest names are told."""
    stated = {name for side, result in named for name in conditions(side_of(side, result))}
    known = sorted({*STATED, *(field.name for field in FIELDS), *stated})
    problems = []
    for told in treatment or ():
        if our_name(told) not in known:
            near = get_close_matches(our_name(told), known, n=3, cutoff=0.5)
            fix = f"one of: {', '.join(near)}" if near else "docs/formats/conditions.md lists the fields"
            problems.append(Problem("--treatment", f'"{told}" names no condition, and no side states it', fix))
    if problems:
        raise InputError("what is meant to differ is not known", problems=problems)


def reason_of(equal: str | None) -> str:
    """The reason of --equal; an empty one comes from a variable that was not set, and is none."""
    if equal is not None and is_placeholder(equal):
        raise InputError(
            "gives no reason", where="--equal", fix='say why: --equal "both ran on one host, one after the other"'
        )
    return (equal or "").strip()
