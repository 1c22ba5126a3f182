"""The rules that the house installed: entry points of the group `denominator.house_rules`, each a `denominator.gate.Rule`.

A rule that cannot be loaded is not left out: in its place stands one that is unknown, and unknown never passes.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from denominator.gate import RULES
from denominator.gate.house import admitted, broken, rule_problem
from denominator.gate.shape import Rule
from denominator.pipeline.rules import shape_of

GROUP = "denominator.house_rules"
SHORT = 12


@cache
def house_rules() -> tuple[Rule, ...]:
    """The rules of the house, by code."""
    return tuple(rule for rule, _ in _loaded())


def judging_rules() -> tuple[Rule, ...]:
    """Every rule that may have said something of a judged result: ours, then those of the house."""
    return (*RULES, *house_rules())


@cache
def house_lines() -> tuple[str, ...]:
    """`H001 no-fridays@1 4f2a...`: which rules they are, sealed before a run and printed on its card."""
    return tuple(f"{rule.entry.code} {rule.entry.name}@{rule.entry.version} {digest}" for rule, digest in _loaded())


@cache
def _loaded() -> tuple[tuple[Rule, str], ...]:
    taken = {name for rule in RULES for name in (rule.entry.code, rule.entry.name)}
    found = []
    for number, point in enumerate(sorted(entry_points(group=GROUP), key=lambda one: (one.name, one.value))):
        rule, digest = _load(point, number, taken)
        taken |= {rule.entry.code, rule.entry.name}
        found.append((rule, digest))
    return tuple(sorted(found, key=lambda pair: pair[0].entry.code))


def _load(point: EntryPoint, number: int, taken: set[str]) -> tuple[Rule, str]:
    try:
        made = point.load()
        why = rule_problem(made, taken)
        if not why:
            return admitted(made), _digest(made)
    except Exception as error:
        why = f"it cannot be loaded: {type(error).__name__}"
    return broken(f"H{999999 - number}", f"broken-{number}", f"{point.name} ({point.value}): {why}"), "none"


def _digest(rule: Rule) -> str:
    """Of the syntax tree of the rule's file, so that comments do not move it; "no-source" where there is none."""
    module = sys.modules.get(getattr(rule.check, "__module__", ""))
    try:
        source = inspect.getsource(module) if module is not None else ""
    except OSError:
        source = ""
    if not source:
        return "no-source"
    return hashlib.sha256(shape_of(source).encode("utf-8", "surrogatepass")).hexdigest()[:SHORT]


def other_house(sealed: tuple[str, ...], judging: tuple[str, ...] | None = None) -> Iterator[str]:
    """The rules of the house that judge now (those installed here, where no others are given) must be those that were sealed."""
    now = house_lines() if judging is None else judging
    if now != sealed:
        yield f"the rules of the house: sealed {', '.join(sealed) or 'none'}, judging {', '.join(now) or 'none'}"
