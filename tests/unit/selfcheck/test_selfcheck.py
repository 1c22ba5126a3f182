"""`selfcheck` fails, and names what does not bite, when a rule is switched off, speaks of everybody, or a reader lets pass."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

import denominator.judge
from denominator.cli.main import run_cli
from denominator.gate import RULES
from denominator.gate.shape import block
from denominator.labels import FAMILIES
from denominator.packs.audit import Attack
from denominator.pipeline.pack_audit_attacks import Bout
from denominator.records.boxes import Protection, SandboxFacts
from denominator.records.bundles import Checked
from denominator.records.pack_audits import Fate
from denominator.records.selfchecks import Found, SelfCheck, SelfCheckLine
from denominator.selfcheck import attacks, bundles, imports, rules, running
from denominator.selfcheck.shipped import DATA, lay_examples
from denominator.testing.importer_damage import HARMLESS
from denominator.testing.importer_suite import ImporterBench
from denominator.wire.codec import to_json
from denominator.wiring.importers import importer, importer_names
from importer_examples import examples

BAD = (Found.MISSED, Found.ACCUSED, Found.UNKNOWN)


def by_name(lines) -> dict[str, SelfCheckLine]:
    return {one.name: one for one in lines}


def gate_with(monkeypatch, name: str, check) -> dict[str, SelfCheckLine]:
    """What is said of one rule when it does something else."""
    changed = tuple(replace(one, check=check) if one.entry.name == name else one for one in RULES)
    monkeypatch.setattr(denominator.judge, "GATE_RULES", changed)
    return by_name(rules.gate_lines(name))


def test_every_rule_of_the_gate_that_reads_rows_and_every_label_rule_is_shown():
    gate, labels = list(rules.gate_lines()), list(rules.label_lines())
    assert [one.name for one in (*gate, *labels) if one.found in BAD] == []
    assert len([one for one in gate if one.found == Found.CAUGHT]) == len(RULES)
    assert len(labels) == sum(len(family.rules) for family in FAMILIES)
    assert all(one.twin and one.rule for one in gate if one.found == Found.CAUGHT)
    assert all(one.seen for one in gate if one.found == Found.NOT_SHOWN)


def test_a_rule_that_is_switched_off_is_missed_by_name(monkeypatch):
    (line,) = gate_with(monkeypatch, "duplicate-rows", lambda _: ()).values()
    assert (line.found, line.name) == (Found.MISSED, "GL006 duplicate-rows")
    assert "an exact repeat: expected note, it said held" in line.seen


def test_a_rule_that_speaks_of_everybody_accuses_the_twin(monkeypatch):
    given = next(one for one in RULES if one.entry.name == "conflicting-rows").check

    def everybody(sheet):
        return tuple(given(sheet)) or (block("rows", "all of them", "none"),)

    (line,) = gate_with(monkeypatch, "conflicting-rows", everybody).values()
    assert line.found == Found.ACCUSED


def test_a_label_rule_that_is_switched_off_is_missed(monkeypatch):
    less = tuple(replace(one, rules=tuple(r for r in one.rules if r.entry.name != "out-of-memory")) for one in FAMILIES)
    explain = rules.explain_row
    monkeypatch.setattr(rules, "explain_row", lambda row, terms, said, _: explain(row, terms, said, less))
    missed = [one.name for one in rules.label_lines() if one.found == Found.MISSED]
    assert any(name.endswith("out-of-memory") for name in missed)


def test_tampering_with_the_bundle_of_an_import_is_caught(tmp_path):
    lines = list(bundles.import_bundle_lines(tmp_path))
    assert len(lines) > 20 and {one.found for one in lines} == {Found.CAUGHT}


def test_a_reader_that_lets_everything_pass_misses_it_all(tmp_path, monkeypatch):
    monkeypatch.setattr(bundles, "verify", lambda *_, **__: Checked(status="consistent", issuer="", sums_sha256=""))
    lines = list(bundles.import_bundle_lines(tmp_path))
    assert {one.found for one in lines} == {Found.MISSED}
    assert lines[0].rule == "head" and lines[0].seen == "it was called consistent"


def test_a_broken_input_that_an_importer_takes_for_a_pass_is_missed(tmp_path, monkeypatch):
    (tmp_path / "scratch").mkdir()
    name, example = next(one for one in lay_examples(tmp_path) if one[0] == "evalplus")
    bench = ImporterBench(importer=importer(name), examples=(example,), scratch=tmp_path / "scratch")
    assert imports._twin_fault(bench, example) == ""
    assert imports._twin_fault(bench, replace(example, rows=5)) != ""
    good = imports._line(bench, example, "missing", 2, "")
    assert good.found == Found.CAUGHT and ("refused" in good.seen or "named" in good.seen)
    assert imports._line(bench, example, "missing", 1, "it is accused").found == Found.ACCUSED
    monkeypatch.setattr(imports, "told_of", lambda *_: ([], f"{HARMLESS}: read"))
    assert imports._line(bench, example, "missing", 1, "").found == Found.NOT_SHOWN
    monkeypatch.setattr(imports, "told_of", lambda *_: (["1 more tasks pass than before"], ""))
    bad = imports._line(bench, example, "missing", 1, "")
    assert (bad.found, bad.name) == (Found.MISSED, "evalplus: missing") and "1 more tasks pass" in bad.seen


def test_every_format_ships_the_example_that_the_tests_write(tmp_path):
    found = dict(lay_examples(tmp_path / "shipped"))
    assert tuple(sorted(found)) == importer_names()
    for name, shipped in found.items():
        made = examples(name, _folder(tmp_path / name))[0]
        assert (shipped.path.name, shipped.part, shipped.rows) == (made.path.name, made.part, made.rows)
        if made.path.suffix != ".eval":  # a container of its own, with times in it
            assert contents(shipped.path) == contents(made.path, tmp_path / name), (
                f"{name}: python scripts/selfcheck_imports.py"
            )


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


def contents(path: Path, made_in: Path | None = None) -> dict[str, bytes]:
    files = [path] if path.is_file() else [one for one in path.rglob("*") if one.is_file()]
    found = {one.relative_to(path.parent).as_posix(): one.read_bytes() for one in files}
    return {name: data.replace(str(made_in).encode(), b"/runs") for name, data in found.items()} if made_in else found


@pytest.mark.parametrize(
    ("fate", "twin_fault", "found"),
    [
        (Fate.HELD, "", Found.CAUGHT),
        (Fate.STOPPED, "", Found.CAUGHT),
        (Fate.WON, "", Found.MISSED),
        (Fate.FORGED, "", Found.MISSED),
        (Fate.EXCLUDED, "", Found.MISSED),
        (Fate.NOT_PLAYED, "", Found.UNKNOWN),
        (Fate.HELD, "red", Found.ACCUSED),
        (Fate.WON, "red", Found.MISSED),
    ],
)
def test_only_an_attack_that_is_held_beside_a_green_twin_is_caught(fate, twin_fault, found):
    attack = Attack(kind="exits", name="hang", title="never comes back", beats="exit status")
    line = attacks._line(Bout(attack=attack, task_id="t", fate=fate, why="G3: why"), twin_fault)
    assert line.found == found and "exits.hang" in line.name and "hang__honest" in line.twin


def test_a_probe_that_gets_out_is_missed_where_the_sandbox_is_not_usable_and_said_where_it_is():
    one = Protection(name="seccomp", holds=False, how="no filter", detail="")
    facts = SandboxFacts(name="made-up", version="1", mode="root", usable=False, protections=(one,), why_not="seccomp")
    assert [line.found for line in attacks.probe_lines(facts)] == [Found.MISSED]
    (said,) = attacks.probe_lines(replace(facts, usable=True))
    assert said.found == Found.NOT_SHOWN and "does not hold here" in said.seen
    assert [line.found for line in attacks.probe_lines(replace(facts, protections=(replace(one, holds=True),)))] == [
        Found.CAUGHT
    ]


def parts(monkeypatch, *lines: SelfCheckLine) -> None:
    """The verb with these lines alone."""
    for name in ("gate_lines", "label_lines"):
        monkeypatch.setattr(running, name, lambda: iter(()))
    monkeypatch.setattr(running, "import_lines", lambda *_: iter(()))
    monkeypatch.setattr(running, "import_bundle_lines", lambda _: iter(lines))


def test_the_verb_leaves_with_1_and_names_the_gate_that_does_not_bite(monkeypatch, capsys):
    line = SelfCheckLine(kind="attack", name="a.b", rule="grader", twin="a.b__honest", found=Found.CAUGHT, seen="red")
    parts(monkeypatch, line)
    assert run_cli(["selfcheck", "--quick"]) == 0
    out = capsys.readouterr().out
    assert "attack: 1 of 1 caught" in out and "left out by --quick" in out and "a.b |" not in out
    for found, word in (("missed", "NOT CAUGHT"), ("accused", "TWIN ACCUSED"), ("unknown", "UNKNOWN")):
        parts(monkeypatch, line, replace(line, found=Found(found), name="c.d"))
        assert run_cli(["selfcheck", "--quick"]) == 1
        out = capsys.readouterr().out
        assert "1 of 2 caught" in out and "c.d | by grader | twin: a.b__honest" in out and word in out
    assert run_cli(["selfcheck", "--quick", "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in said["lines"] if one["found"] == "unknown"] == ["c.d"]


def test_counts_are_of_what_was_tried():
    line = SelfCheckLine(kind="k", name="n", rule="r", twin="t", found=Found.CAUGHT)
    made = SelfCheck(
        version="1", rules_digest="r", corpus_sha="c", quick=False, lines=(line, replace(line, found=Found.NOT_SHOWN))
    )
    assert made.holds and made.kinds == {"k": {"caught": 1, "not_shown": 1}} and to_json(made)


def test_what_ships_holds_nothing_else():
    assert sorted(one.name for one in DATA.iterdir()) == ["gate", "imports.zip", "labels", "pack", "rows"]
    with zipfile.ZipFile(str(DATA / "imports.zip")) as packed:
        assert all(not name.startswith(("/", "..")) for name in packed.namelist())


def test_a_quick_check_meets_every_format_and_every_kind_and_says_what_it_left_out(tmp_path, monkeypatch):
    def line(bench, _example, kind, _copies, _twin):
        name = f"{bench.importer.name}: {kind}"
        return SelfCheckLine(kind=imports.BROKEN, name=name, rule="", twin="", found=Found.CAUGHT, seen="")

    monkeypatch.setattr(imports, "_line", line)
    monkeypatch.setattr(imports, "_twin_fault", lambda *_: "")
    met = {}
    for quick in ("", "in a hurry"):
        folder = tmp_path / (quick or "whole")
        folder.mkdir()
        met[quick] = list(imports.import_lines(folder, 1, quick))
    whole, (*few, last) = ([one.name for one in met[""]], met["in a hurry"])
    assert all(one.found == Found.CAUGHT for one in met[""])
    names = [one.name for one in few]
    assert set(names) < set(whole) and len(names) < len(whole) / 2
    for part in (0, 1):
        assert {name.split(": ")[part] for name in names} == {name.split(": ")[part] for name in whole}
    assert (last.found, last.seen) == (Found.NOT_SHOWN, "in a hurry")
    assert last.name.startswith(f"{len(whole) - len(names)} of {len(whole)} pairs")
