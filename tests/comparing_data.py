"""Arms for tests of comparisons, from marks: one letter a repeat (P pass, F fail, U unscoreable, A abstain, - never started)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from denominator.judge import make_sheet
from denominator.records.comparisons import Comparability, Side
from denominator.records.envelopes import Comparison as Sealed
from denominator.records.findings import Finding, Verdict
from denominator.records.keys import DrawKey
from denominator.records.rows import Declared
from judging_data import foreign, key, ledger, said, terms

OUTCOMES = {"P": "pass", "F": "fail", "U": "unscoreable", "A": "abstain"}
Marks = Mapping[str, str]
PLAN = Sealed(primary=("A", "B"))


def arm(name: str, marks: Marks, **over: Any) -> Side:
    """A side that its own gate lets through. `family`, `stratum` by task; `plan` seals a comparison; terms by name."""
    family, stratum = over.pop("family", {}), over.pop("stratum", {})
    facts, plan, caps = over.pop("facts", {}), over.pop("plan", None), over.pop("caps", ())
    rows, labels, declared = [], [], []
    for task, letters in marks.items():
        for repeat, letter in enumerate(letters, 1):
            declared.append(Declared(draw=DrawKey(task, repeat), stratum=stratum.get(task, "")))
            if letter == "-":
                continue
            place = key(task, repeat)
            extra = {"family": f'"{family[task]}"'} if task in family else {}
            row = foreign(task, len(rows) + 1, key=place, extra=extra, stratum=stratum.get(task, ""))
            rows.append(replace(row, **facts.get(task, {})))
            labels.append(said(task, "outcome", OUTCOMES[letter], key=place))
            if letter == "U":
                labels.append(said(task, "reason", "env_flake", key=place))
    repeats = max((len(letters) for letters in marks.values()), default=1)
    sealed = {"origin": "seal", "comparison": plan, "arm": name} if plan is not None else {}
    made = terms(**({"repeats": repeats, "treatment": ("model_id",)} | sealed | over))
    return Side(name=name, sheet=make_sheet(ledger(rows, labels, declared), made), verdict=passed(), caps=caps)


def passed() -> Verdict:
    """The gate's word on a run whose rate may be printed."""
    return Verdict(status="publishable", rung="rate_with_interval", sentence="")


def blocked(side: Side, *names: str) -> Side:
    """The same side, stopped by rules of its own gate."""
    findings = tuple(Finding(code="GL999", allow_name=one, severity="block", subject="x", what="y") for one in names)
    return replace(side, verdict=Verdict(status="blocked", rung="refused", sentence="", findings=findings, exit=1))


def fine(**over: Any) -> Comparability:
    """Comparable, with a treatment that was sealed."""
    return Comparability(**({"status": "comparable", "fields": (), "treatment": ("model_id",)} | over))


def split(both: int = 0, a_only: int = 0, b_only: int = 0, neither: int = 0) -> tuple[Marks, Marks]:
    """Two arms of one draw a task with this fourfold table."""
    pairs = ["PP"] * both + ["PF"] * a_only + ["FP"] * b_only + ["FF"] * neither
    names = [f"t{n:03}" for n in range(1, len(pairs) + 1)]
    return (
        {name: pair[0] for name, pair in zip(names, pairs, strict=True)},
        {name: pair[1] for name, pair in zip(names, pairs, strict=True)},
    )
