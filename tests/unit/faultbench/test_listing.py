"""`faultbench list`: all that a plan may name, once, from the tables that the code itself reads."""

from __future__ import annotations

import json

from denominator.catalog.failpoints import FAILPOINTS
from denominator.cli.main import run_cli
from denominator.records.faults import CHECKPOINTS, BenchControl, FaultKind, fault_of


def test_every_name_that_a_plan_may_use_is_listed_and_can_be_planned(capsys):
    assert run_cli(["faultbench", "list", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in found["checkpoints"]] == [str(point) for point in CHECKPOINTS]
    assert [one["name"] for one in found["kinds"]] == [str(kind) for kind in FaultKind]
    assert [one["name"] for one in found["failpoints"]] == [one.name for one in FAILPOINTS]
    assert [one["name"] for one in found["controls"]] == [str(name) for name in BenchControl]
    for one in found["kinds"]:
        fault_of(f"patch_applied:{one['name']}")
    for one in found["failpoints"]:
        assert not fault_of(f"{one['name']}=kill@2").at_checkpoint


def test_the_text_says_what_each_does(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    assert run_cli(["faultbench", "list"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    for word in ("CHECKPOINT:KIND", "SIGKILL", "interrupts nothing", "wrote too early", "apply.renamed"):
        assert word in said
