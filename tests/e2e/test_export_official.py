"""What others check our exports with: the datastore's validator, Harbor's model, readers of JUnit and of statements, pandas.

Each has an environment of its own, made from its locked list (minutes, once).
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from denominator.exporters.atif import trajectory, written
from denominator.exporters.every_eval_ever import EXPORTER as AGGREGATE
from denominator.exporters.every_eval_ever_rows import EXPORTER as DATASTORE
from denominator.exporters.frames import pandas_types
from denominator.exporters.intoto import EXPORTER as STATEMENT
from denominator.exporters.junit import EXPORTER as JUNIT
from denominator.exporters.table import EXPORTER as TABLE
from denominator.pipeline.bundle_gathering import Wish
from denominator.pipeline.exporting import export, export_into, export_of
from denominator.pipeline.import_bundling import Asked, bundle_import
from denominator.pipeline.results import save_imported
from denominator.pipeline.slip_statement import statement_of
from denominator.slips.tiers import standing_of
from denominator.wiring.importers import all_importers
from denominator.wiring.signing import signer
from e2e.environment import environment, newer_python
from slip_data import entry, slip
from unit.exporters.export_lab import run_of
from unit.exporters.test_every_eval_ever_rows import mixed
from unit.exporters.trace_lab import STORY, Kept, call, trace, traffic

pytestmark = pytest.mark.e2e

HARBOR = """
import json, sys
from harbor.models.trajectories import Trajectory
for name in sys.argv[1:]:
    found = Trajectory.model_validate(json.load(open(name)))
    steps = [step for one in (found, *(found.subagent_trajectories or ())) for step in one.steps]
    print(json.dumps({
        "steps": len(steps), "calls": sum(len(step.tool_calls or ()) for step in steps),
        "prompt": found.final_metrics.total_prompt_tokens,
    }))
"""
READ_JUNIT = """
import json, sys
from junitparser import Error, Failure, JUnitXml, Skipped
states = {}
for suite in JUnitXml.fromfile(sys.argv[1]):
    for case in suite:
        states[case.name] = [type(one).__name__ for one in case.result if isinstance(one, (Error, Failure, Skipped))]
print(json.dumps(states))
"""
READ_STATEMENT = """
import json, sys
from google.protobuf import json_format
from in_toto_attestation.v1 import statement_pb2
from in_toto_attestation.v1.statement import Statement
found = Statement.copy_from_pb(json_format.Parse(open(sys.argv[1]).read(), statement_pb2.Statement()))
found.validate()
print(json.dumps({one.name: one.digest["sha256"] for one in found.pb.subject}))
"""
READ_CSV = """
import json, sys
import pandas
frame = pandas.read_csv(sys.argv[1], dtype=json.loads(sys.argv[2]), keep_default_na=False, na_values=[""])
print(json.dumps({"types": sorted({str(one) for one in frame.dtypes}), "tasks": list(frame["task_id"]),
    "wall": [None if pandas.isna(one) else int(one) for one in frame["wall_ms"]]}))
"""


def said(python: Path, code: str, *args: object) -> list[Any]:
    """What a program in another environment prints, a JSON document a line."""
    done = subprocess.run([python, "-c", code, *map(str, args)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    _keep(f"$ python -c ... {' '.join(Path(str(one)).name[:60] for one in args[:3])}\n{done.stdout}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def _keep(text: str) -> None:
    """DENOMINATOR_EVIDENCE names a file to which what was said is added."""
    if path := os.environ.get("DENOMINATOR_EVIDENCE"):
        with open(path, "a") as file:
            file.write(text)


@pytest.fixture(scope="module")
def python() -> Path:
    return environment("exports", python=newer_python()) / "bin" / "python"


def test_the_validator_of_every_eval_ever_accepts_document_and_rows(python: Path, tmp_path: Path) -> None:
    export_into(tmp_path / "out", mixed(), DATASTORE)
    names = sorted(str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*.json*"))
    command = [python, "-m", "every_eval_ever", "validate", "--format", "json", *names]
    done = subprocess.run(command, cwd=tmp_path / "out", capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    _keep(f"$ every_eval_ever validate --format json data/.../UUID.json data/.../UUID_samples.jsonl\n{done.stdout}")
    assert '"warnings": [\n' not in done.stdout
    assert len(names) == 2


def test_the_validator_accepts_the_document_alone(python: Path, tmp_path: Path) -> None:
    path = tmp_path / "data/made-up/lab/m-1/12345678-1234-4234-8234-123456789abc.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(export(run_of(), AGGREGATE))
    command = [python, "-m", "every_eval_ever", "validate", str(path.relative_to(tmp_path))]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_validator_sees_a_row_that_is_gone(python: Path, tmp_path: Path) -> None:
    export_into(tmp_path / "out", mixed(), DATASTORE)
    (samples,) = (tmp_path / "out").rglob("*_samples.jsonl")
    samples.write_bytes(b"".join(samples.read_bytes().splitlines(keepends=True)[1:]))
    names = sorted(str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*.json*"))
    done = subprocess.run(
        [python, "-m", "every_eval_ever", "validate", *names], cwd=tmp_path / "out", capture_output=True, timeout=300
    )
    assert done.returncode == 1


def test_harbor_reads_our_trajectories(tmp_path: Path) -> None:
    harbor = environment("harbor", "bench", newer_python()) / "bin" / "python"
    names = []
    for api in ("chat", "messages", "responses"):
        for streamed in (False, True):
            kept = Kept()
            calls = [*traffic(kept, api, streamed=streamed), call(9, kept, api, (), STORY[1], thread="b", first="help")]
            names.append(tmp_path / f"{api}-{streamed}.json")
            names[-1].write_bytes(written(trajectory(trace(calls, kept), export_of(run_of()))))
    names.append(tmp_path / "bare.json")
    names[-1].write_bytes(written(trajectory(trace(), export_of(run_of()))))
    found = said(harbor, HARBOR, *names)
    assert found[:-1] == [{"steps": 8, "calls": 4, "prompt": 300}] * 6
    assert found[-1]["steps"] == 1


def test_junitparser_reads_our_junit(python: Path, tmp_path: Path) -> None:
    (tmp_path / "report.xml").write_bytes(export(mixed(), JUNIT))
    (states,) = said(python, READ_JUNIT, tmp_path / "report.xml")
    assert (states["t01"], states["t03"], states["lost"], states["never"], states["n1"]) == (
        [],
        ["Failure"],
        ["Error"],
        ["Error"],
        [],
    )


def test_in_toto_reads_our_statement(python: Path, tmp_path: Path) -> None:
    result = run_of()
    save_imported(tmp_path / "kept", result.ledger, result.terms, result.card)
    (tmp_path / "run.intoto.json").write_bytes(export(result, STATEMENT, kept=tmp_path / "kept"))
    (subjects,) = said(python, READ_STATEMENT, tmp_path / "run.intoto.json")
    assert sorted(subjects) == ["card.json", "ledger.json", "terms.json"]


def test_in_toto_reads_the_statement_of_a_bundle_and_of_a_slip(python: Path, tmp_path: Path) -> None:
    results = Path(__file__).parents[2] / "docs" / "examples" / "vanishing"
    bundle_import(Asked(path=results), tmp_path / "b", Wish(), signer(), all_importers)
    (subjects,) = said(python, READ_STATEMENT, tmp_path / "b" / "statement.intoto.json")
    assert sorted(subjects) == ["card.json", "import.json", "ledger.json", "terms.json"]
    made = entry(slip())
    (tmp_path / "slip.intoto.json").write_bytes(statement_of(standing_of(made, [made])))
    (subjects,) = said(python, READ_STATEMENT, tmp_path / "slip.intoto.json")
    assert made.id in subjects.values() and len(subjects) == 2


def test_pandas_reads_our_csv_with_its_types(python: Path, tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_bytes(export(run_of(), TABLE))
    (found,) = said(python, READ_CSV, tmp_path / "rows.csv", json.dumps(pandas_types()))
    assert found["types"] == ["Int64", "boolean", "string"]
    assert (found["tasks"][0], found["wall"][0], found["wall"][-1]) == ("t01", 1500, None)
