"""Broken inputs: an example of each format that is imported, damaged in every way, beside the whole one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from denominator.records.selfchecks import Found, SelfCheckLine
from denominator.selfcheck.shipped import lay_examples
from denominator.testing.damage import KIND_NAMES, damaged_by
from denominator.testing.importer_bench import example_run
from denominator.testing.importer_damage import HARMLESS
from denominator.testing.importer_suite import Example, ImporterBench, told_of
from denominator.wire.sources import open_source
from denominator.wiring.importers import importer

BROKEN = "broken input"
SHARE = 3
"""A quick check meets one pair in so many."""
TRIES = 3
"""So many copies are made for each that must be refused or named: some damage hits what nobody reads."""


def import_lines(folder: Path, copies: int, quick: str = "") -> Iterator[SelfCheckLine]:
    """One line for each format and kind of damage, of so many copies each.

    Where `quick` says why, only every third pair: each kind is met in some formats and each format by some kinds, and one
    line more says how many were left out.
    """
    examples, scratch = folder / "examples", folder / "scratch"
    examples.mkdir()
    scratch.mkdir()
    left_out = pairs = 0
    for at, (name, example) in enumerate(lay_examples(examples)):
        bench = ImporterBench(importer=importer(name), examples=(example,), scratch=scratch)
        twin_fault = _twin_fault(bench, example)
        kinds = [kind for number, kind in enumerate(KIND_NAMES) if not quick or (at + number) % SHARE == 0]
        left_out, pairs = left_out + len(KIND_NAMES) - len(kinds), pairs + len(KIND_NAMES)
        yield from (_line(bench, example, kind, copies, twin_fault) for kind in kinds)
    if left_out:
        name = f"{left_out} of {pairs} pairs of a format and a kind of damage"
        yield SelfCheckLine(kind=BROKEN, name=name, rule="", twin="", found=Found.NOT_SHOWN, seen=quick)


def _twin_fault(bench: ImporterBench, example: Example) -> str:
    run, rows = example_run(bench, example)
    found = [one.kind for one in run.told.defects if one.blocks] if example.rows else []
    return f"the whole one: {len(rows)} rows, {'+'.join(found)}" if found or len(rows) != example.rows else ""


def _line(bench: ImporterBench, example: Example, kind: str, copies: int, twin_fault: str) -> SelfCheckLine:
    files = open_source(example.path)
    members = {name: files.read(name) for name in files.names()}
    ways: Counter[str] = Counter()
    breaches: list[str] = []
    for seed in range(TRIES * copies):
        damage = damaged_by(kind, members, f"{bench.importer.name}/{kind}/{seed}")
        if damage is None:
            break
        found, how = told_of(bench, example, damage)
        breaches += [f"{damage.member}: {one}" for one in found]
        ways[how] += 1
        if sum(times for way, times in ways.items() if not way.startswith(HARMLESS)) >= copies:
            break
    met = ", ".join(f"{how} ({times})" for how, times in sorted(ways.items()) if how)
    line = {"kind": BROKEN, "name": f"{bench.importer.name}: {kind}", "rule": f"importer {bench.importer.name}"}
    found_as, seen = Found.CAUGHT, met
    if not ways:
        found_as, seen = Found.NOT_SHOWN, "no member of the example can be damaged so"
    elif breaches:
        found_as, seen = Found.MISSED, "; ".join(breaches)
    elif all(way.startswith(HARMLESS) for way in ways):
        found_as, seen = Found.NOT_SHOWN, "every copy was read, within the contract of importers"
    elif twin_fault:
        found_as, seen = Found.ACCUSED, twin_fault
    return SelfCheckLine(**line, twin=f"the whole one, {example.rows} rows", found=found_as, seen=seen)
