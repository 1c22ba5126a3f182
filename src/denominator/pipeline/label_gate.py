"""`gate --ci`: before a card holds up other people's work, two people have to agree on its labels (METHODS M1)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from denominator.pipeline.results import Result
from denominator.pipeline.reviewing import Subject, agreement_of
from denominator.records.reviews import AxisAgreement
from denominator.stats.labelers import LEAST_ITEMS

NOBODY = "nobody has labelled rows of this result on a blind sheet"
NEXT = "denominator review export {name} -o sheets, two people, review import, then review agreement {name}"


def reliable(found: Iterable[AxisAgreement]) -> bool:
    """Is some pair of labelers reliable on every axis that was labelled? Without an axis nobody is."""
    axes = tuple(found)
    return bool(axes) and all(any(pair.reliable for pair in one.pairs) for one in axes)


def why_no_gate(folder: Path, result: Result) -> str:
    """Why the labels of this result cannot gate a CI job yet; "" where they can.

    They are the labels of people beside this very run or import, against which the rules that judge it made theirs:
    other rules than were sealed block the result itself.
    """
    found = agreement_of(Subject(name=folder.name, folder=folder, result=result))
    if reliable(found):
        return ""
    odd = [f"{one.axis}: {_short(one)}" for one in found if not any(pair.reliable for pair in one.pairs)]
    return f"labels are not shown to be reliable: {'; '.join(odd) or NOBODY}"


def _short(one: AxisAgreement) -> str:
    """What the axis lacks: rows that two people labelled, or agreement on them."""
    most = max((pair.items for pair in one.pairs), default=0)
    if most < LEAST_ITEMS:
        return f"{most} rows labelled by two people, it takes {LEAST_ITEMS}"
    return f"alpha of {most} rows below .80, or its lower end below .667"
