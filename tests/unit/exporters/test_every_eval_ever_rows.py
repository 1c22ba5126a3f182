"""Every Eval Ever with rows: by both schemas, and read again by our own importer with the same passes of the same draws."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from denominator.errors import BlockedError
from denominator.exporters.every_eval_ever_rows import EXPORTER
from denominator.importers.formats.every_eval_ever import IMPORTER
from denominator.pipeline.exporting import export_into, export_of
from denominator.pipeline.foreign import Foreign, import_foreign
from denominator.pipeline.results import Result
from denominator.records.rows import Usage
from denominator.wire.sources import open_source
from judging_data import key, own
from unit.exporters.export_lab import conditions, run_of, solvable
from unit.exporters.test_junit import broken

SCHEMAS = Path(__file__).parents[2] / "data/schemas/every_eval_ever-0.3.0"
DOCUMENT, ROW = (json.loads((SCHEMAS / f"{name}.schema.json").read_text()) for name in ("eval", "instance_level_eval"))


def written(result: Result, folder: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Document and rows as they lie in the folder, sound by their schemas and by each other."""
    assert export_into(folder, result, EXPORTER)[0] == 2
    (samples,) = folder.rglob("*_samples.jsonl")
    path = samples.with_name(samples.name.replace("_samples.jsonl", ".json"))
    document = json.loads(path.read_text())
    rows = [json.loads(line) for line in samples.read_text().splitlines()]
    jsonschema.validate(document, DOCUMENT)
    for row in rows:
        jsonschema.validate(row, ROW)
    detail = document["detailed_evaluation_results"]
    assert detail["file_path"] == samples.relative_to(folder).as_posix()
    assert detail["checksum"] == hashlib.sha256(samples.read_bytes()).hexdigest()
    assert detail["total_rows"] == len(rows)
    return document, rows


def again(folder: Path) -> Foreign:
    return import_foreign(IMPORTER, open_source(folder))


def mixed() -> Result:
    """Passes, misses, an abstention, a draw that was evicted and one that never started."""
    rows = [
        *solvable(13),
        own("mute", "red", abstained=True, asked=True),
        broken("lost", "evicted", "sandbox", "agent"),
    ]
    return run_of(rows, more=("never",), never_started_allowed=("never",), invalid_ceiling="0.5", infra_ceiling="0.5")


def test_a_row_a_declared_draw_whose_mean_is_the_score(tmp_path: Path) -> None:
    document, rows = written(mixed(), tmp_path / "out")
    assert len(rows) == 16
    score = document["evaluation_results"][0]["score_details"]["score"]
    assert sum(row["evaluation"]["is_correct"] for row in rows) / len(rows) == score
    errors = {row["sample_id"]: row["error"] for row in rows if row["error"]}
    assert errors == {"lost": "unscoreable: INFRA: evicted", "never": "never started"}
    assert not any(row["messages"] for row in rows)


def test_the_same_passes_come_back_and_what_is_lost_is_known(tmp_path: Path) -> None:
    before = mixed()
    written(before, tmp_path / "out")
    after = again(tmp_path / "out")
    exits = {one.draw.task_id: one.exit for one in before.judged.sheet.of_slice("solvable")}
    back = {one.draw.task_id: one.exit for one in after.result.judged.sheet.of_slice("solvable")}
    lost = {"abstain": "fail", "never_started": "unscoreable"}
    assert back == {task: lost.get(exit_, exit_) for task, exit_ in exits.items()}
    assert after.result.judged.sheet.declared_n == 16
    assert [one for one in after.run.told.defects if one.blocks] == []
    published = {one.metric: (one.value, one.out_of) for one in after.run.told.published}
    assert published["pass rate over declared draws"][1] == 16
    assert not any(one.kind == "impossible_percent" for one in after.result.ledger.defects)


def test_the_same_headline_comes_back(tmp_path: Path) -> None:
    before = run_of()
    written(before, tmp_path / "out")
    after = again(tmp_path / "out").result
    one, other = (result.judged.sheet.estimate("headline") for result in (before, after))
    assert one is not None and other is not None
    assert (one.numerator, one.denominator, one.value, one.lo, one.hi) == (
        other.numerator, other.denominator, other.value, other.lo, other.hi,
    )  # fmt: skip


def test_repeats_and_conditions_come_back(tmp_path: Path) -> None:
    made = {"started_at": "2026-11-27T10:00:00Z"}
    rows = [
        own(f"t{n}", "green" if n % 3 else "red", key=key(f"t{n}", repeat), **made)
        for n in range(1, 9)
        for repeat in (1, 2)
    ]
    written(run_of(rows, repeats=2, conditions=conditions(repeats="2")), tmp_path / "out")
    after = again(tmp_path / "out")
    assert (after.result.judged.sheet.declared_n, len(after.result.ledger.rows)) == (16, 16)
    assert after.run.document["model_id"] == "lab/m-1"
    assert (after.run.document["wall_cap_s"], after.run.document["budget_tokens_per_task"]) == (600, 200000)


def test_tokens_are_written_where_both_sums_are_known(tmp_path: Path) -> None:
    used = Usage(prompt=90, completion=10, cached_read=40, calls=1, complete=True)
    rows = [*solvable(15), *solvable(16, usage=used)[15:]]
    _, found = written(run_of(rows), tmp_path / "out")
    told = {row["sample_id"]: row.get("token_usage") for row in found}
    assert told["t16"] == {"input_tokens": 90, "output_tokens": 10, "total_tokens": 100, "input_tokens_cache_read": 40}
    assert told["t01"] is None or "total_tokens" in told["t01"]


def test_the_same_run_gives_the_same_files(tmp_path: Path) -> None:
    every = [dict(EXPORTER.files(export_of(mixed()))) for _ in range(2)]
    assert every[0] == every[1]


@pytest.mark.parametrize(
    "result",
    [lambda: run_of(control="green"), lambda: run_of(solvable(4)), lambda: run_of(solvable(16), changed=("pack",))],
)
def test_a_withheld_rate_is_in_no_row(result: Any, tmp_path: Path) -> None:
    with pytest.raises(BlockedError):
        export_into(tmp_path / "out", result(), EXPORTER)
    assert not (tmp_path / "out").exists()
