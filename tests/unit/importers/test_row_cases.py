"""Each row case of tests/cases/import gives its right answer, read from its case.json by one table of meanings."""

from __future__ import annotations

import json
from base64 import b64decode
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from denominator.importers import Imported, import_rows
from denominator.judge import judge
from denominator.records.judgements import Judged
from denominator.records.values import NotMeasured
from denominator.wire.names import original_name, safe_name

CASES = Path(__file__).parents[2] / "cases" / "import"
NAMES = sorted(path.name for path in CASES.iterdir())


def load(name: str) -> tuple[Imported, Judged, dict[str, Any]]:
    files = [(path.name, path.read_bytes()) for path in (CASES / name).iterdir()]
    imported = import_rows(files)
    answer = json.loads((CASES / name / "case.json").read_text("utf-8"))["right_answer"]
    return imported, judge(imported.ledger, imported.terms), answer


def fraction(judged: Judged, metric: str) -> str:
    found = judged.sheet.estimate(metric)
    assert found is not None
    return f"{found.numerator}/{found.denominator}"


def rate(judged: Judged, metric: str) -> float:
    found = judged.sheet.estimate(metric)
    assert found is not None
    assert isinstance(found.value, str)
    return float(round(Decimal(found.value), 3))


def interval(judged: Judged, metric: str) -> list[float]:
    found = judged.sheet.estimate(metric)
    assert found is not None
    return [float(round(Decimal(str(found.lo)), 3)), float(round(Decimal(str(found.hi)), 3))]


def exits(judged: Judged, word: str) -> int:
    return sum(draw.exit == word for draw in judged.sheet.draws)


def ids(judged: Judged, word: str) -> list[str]:
    return [draw.draw.task_id for draw in judged.sheet.draws if draw.exit == word]


def wall_s(imported: Imported, task: str) -> float:
    row = next(row for row in imported.ledger.rows if row.key.task_id == task)
    assert isinstance(row.wall_ms, int)
    return row.wall_ms / 1000


def kinds(imported: Imported, kind: str) -> list[Any]:
    return [defect for defect in imported.ledger.defects if defect.kind == kind]


NUMBERS = {
    "headline": lambda i, j: fraction(j, "headline"),
    "headline_if_forced": lambda i, j: fraction(j, "headline"),
    "headline_rate": lambda i, j: rate(j, "headline"),
    "rate_over_lock": lambda i, j: rate(j, "headline"),
    "headline_ci95": lambda i, j: interval(j, "headline"),
    "secondary": lambda i, j: fraction(j, "scoreable_rate"),
    "secondary_rate": lambda i, j: rate(j, "scoreable_rate"),
    "vanishing_rate": lambda i, j: rate(j, "scoreable_rate"),
    "secondary_ci95": lambda i, j: interval(j, "scoreable_rate"),
    "unscoreable_rate": lambda i, j: rate(j, "unscoreable_rate"),
    "invalid_rate": lambda i, j: rate(j, "unscoreable_rate"),
    "pass": lambda i, j: exits(j, "pass"),
    "pass_all": lambda i, j: exits(j, "pass"),
    "fail": lambda i, j: exits(j, "fail"),
    "unscoreable": lambda i, j: exits(j, "unscoreable"),
    "never_started": lambda i, j: ids(j, "never_started"),
    "never_finished": lambda i, j: [key for one in kinds(i, "never_finished") for key in one.keys],
    "declared": lambda i, j: i.ledger.declared_n,
    "scheduled_n": lambda i, j: i.ledger.declared_n,
    "locked_n": lambda i, j: i.ledger.declared_n,
    "rows": lambda i, j: len(i.ledger.rows) + i.report.deduplicated,
    "exits": lambda i, j: len(j.sheet.draws),
    "deduplicated": lambda i, j: i.report.deduplicated,
    "complete_rows": lambda i, j: len(i.ledger.rows),
    "torn_bytes": lambda i, j: i.report.torn[0].length,
    "physical_lines": lambda i, j: i.report.physical_lines,
    "bad_lines": lambda i, j: [int(one.where.rsplit(":", 1)[1]) for one in kinds(i, "bad_line")],
    "rows_if_repaired": lambda i, j: len(i.ledger.rows) + sum(len(one.recoverable) for one in i.report.repairable),
    "w1_wall_s": lambda i, j: wall_s(i, "w1"),
    "w2_wall_s": lambda i, j: wall_s(i, "w2"),
}
NOT_OURS = {"rate_authors_wanted"}


def told(judged: Judged) -> str:
    return "\n".join(f"{one.allow_name} {one.what}" for one in judged.findings if one.severity in ("block", "unknown"))


@pytest.mark.parametrize("name", NAMES)
def test_numbers(name: str) -> None:
    imported, judged, answer = load(name)
    for key, value in answer.get("numbers", {}).items():
        if key not in NOT_OURS:
            assert NUMBERS[key](imported, judged) == value, key


@pytest.mark.parametrize("name", NAMES)
def test_verdict(name: str) -> None:
    _, judged, answer = load(name)
    word = answer.get("verdict", "").split()
    if not word:
        return
    publishable = word[0] == "PUBLISHABLE"
    assert judged.verdict.status == ("publishable" if publishable else "blocked")
    assert judged.verdict.exit == (0 if publishable else 1)
    if word[0] == "NO_AGGREGATE":
        assert "NO_AGGREGATE" in judged.verdict.sentence
    if not publishable:
        shown = [one.metric for one in judged.estimates if not isinstance(one.value, NotMeasured)]
        assert not {"headline", "scoreable_rate", "resolved_rate"} & set(shown)


@pytest.mark.parametrize("name", NAMES)
def test_blocks_name_their_ids_and_numbers(name: str) -> None:
    _, judged, answer = load(name)
    for block in answer.get("blocks", []):
        head, _, rest = block.partition(":")
        words = {"dataset_size_mismatch": "dataset-size-mismatch", "ledger_does_not_balance": "unbalanced-ledger"}
        assert words.get(head, head.replace("_", "-")) in told(judged)
        for word in rest.replace(",", " ").split():
            if word.isdigit() or word in ("f2", "f6"):
                assert word in told(judged)


@pytest.mark.parametrize("name", NAMES)
def test_what_must_never_be_said(name: str) -> None:
    """The numbers that the case forbids are in no estimate that may be printed, nor in the sentence."""
    _, judged, answer = load(name)
    shown = {f"{one.numerator}/{one.denominator}" for one in judged.estimates if not isinstance(one.value, NotMeasured)}
    rates = {str(one.value)[:5] for one in judged.estimates if not isinstance(one.value, NotMeasured)}
    if judged.verdict.status == "blocked":
        for forbidden in answer.get("must_not", []):
            assert forbidden not in shown
            assert forbidden not in rates
            assert f" {forbidden} " not in judged.verdict.sentence


def test_033_a_rate_equal_to_the_ceiling_does_not_block_one_above_does() -> None:
    folder = CASES / "033-errored-rows-leave-denominator"
    rows = (folder / "runs.jsonl").read_bytes()
    for ceiling, status in (("0.1", "publishable"), ("0.10", "publishable"), ("0.09", "blocked")):
        manifest = b'{"dataset": {"task_count": 20}, "invalid_rate_ceiling": %s}' % ceiling.encode()
        imported = import_rows([("manifest.json", manifest), ("runs.jsonl", rows)])
        assert judge(imported.ledger, imported.terms).verdict.status == status


def test_033_controls_none_declared_is_a_note_that_caps_at_counts() -> None:
    _, judged, _ = load("033-errored-rows-leave-denominator")
    assert any("none declared" in one.what and one.severity == "note" for one in judged.findings)
    assert judged.verdict.rung == "counts"


def test_034_names_the_ids() -> None:
    _, judged, _ = load("034-tasks-never-started")
    assert "t03, t07" in told(judged)


def test_035_strata_by_the_prefix_of_the_id() -> None:
    imported, judged, _ = load("035-whole-suite-of-errors-vanishes")
    assert imported.terms.strata == (("A", 4), ("B", 4), ("C", 4))
    of_c = [draw.exit for draw in judged.sheet.draws if draw.stratum == "C"]
    assert of_c == ["unscoreable"] * 4


def test_036_final_rows_beat_errors_and_repeats_of_an_error_are_one_exit() -> None:
    imported, _, _ = load("036-errors-in-a-second-file")
    rows = {row.key.task_id: row for row in imported.ledger.rows}
    assert any("output_errors.jsonl:8" in note for note in rows["lib02"].notes)
    assert "output_errors.jsonl:1, output_errors.jsonl:2" in rows["lib11"].notes[0]
    assert rows["lib11"].incarnations == 1
    assert [row.key.task_id for row in imported.ledger.rows].count("lib11") == 1


def test_040_names_what_never_finished_and_yields_to_a_declared_absence() -> None:
    _, judged, _ = load("040-partial-batch-over-completed")
    assert "x30" in told(judged)
    folder = CASES / "040-partial-batch-over-completed"
    files = [(path.name, path.read_bytes()) for path in folder.iterdir() if path.name != "manifest.json"]
    files.append(("manifest.json", b'{"dataset": {"task_count": 30}, "never_started_allowed": ["x30"]}'))
    imported = import_rows(files)
    assert not [one for one in imported.ledger.defects if one.blocks]
    assert ids(judge(imported.ledger, imported.terms), "never_started") == ["x30"]


def test_043_the_torn_tail_is_kept_aside_with_its_place() -> None:
    imported, judged, answer = load("043-torn-last-line")
    torn = imported.report.torn[0]
    data = (CASES / "043-torn-last-line" / "runs.jsonl").read_bytes()
    assert data[torn.offset :] == b64decode(torn.base64)
    assert ids(judged, "never_started") == answer["resume_set"]
    assert str(torn.offset) in kinds(imported, "torn_tail")[0].what


def test_044_the_bad_line_is_named_with_offset_and_what_it_holds() -> None:
    imported, _, answer = load("044-two-writers-one-line")
    (bad,) = kinds(imported, "bad_line")
    assert list(bad.keys) == answer["recoverable"] == list(imported.report.repairable[0].recoverable)
    data = (CASES / "044-two-writers-one-line" / "runs.jsonl").read_bytes()
    assert f"byte {data.index(b'm1') - len(b'{_run_id_: _r44_, _task_id_: _')}" in bad.what
    assert {row.key.task_id for row in imported.ledger.rows} == {"m0", "m3"}


def test_083_every_bad_line_names_its_key() -> None:
    imported, _, _ = load("083-nan-and-infinity-rows")
    assert all("wall_clock_s" in one.what for one in kinds(imported, "bad_line"))


def test_085_clocks_give_notes_and_buckets_not_timeouts() -> None:
    imported, judged, answer = load("085-clock-went-back")
    assert [one.keys for one in kinds(imported, "clock_anomaly")] == [("w1",), ("w2",)]
    assert not any(one.blocks for one in kinds(imported, "clock_anomaly"))
    said = {(one.key.task_id, one.axis): one.value for one in judged.labels}
    assert {task: said[task, "mix"] for task in ("w1", "w2")} == answer["buckets"]
    assert "timeout" not in {value for (_, axis), value in said.items() if axis in ("mix", "failure_class")}


def test_086_refused_ids_and_one_reversible_name_each() -> None:
    imported, _, answer = load("086-names-that-break-paths")
    refused = {key for one in kinds(imported, "refused_id") for key in one.keys}
    assert refused == {one for one, word in answer["rows"].items() if word == "refuse"}
    assert not isinstance(imported.ledger.declared, NotMeasured)
    kept = [one.draw.task_id for one in imported.ledger.declared]
    assert not refused & set(kept)
    names = [safe_name(one) for one in kept]
    assert len({one.casefold() for one in names}) == len(kept) == 10
    assert dict(imported.report.safe_names)["a/b"] == safe_name("a/b") != "a/b"
    short = [one for one in kept if len(one) < 100]
    assert [original_name(safe_name(one)) for one in short] == short


def test_case_descriptions_are_no_input() -> None:
    imported, _, _ = load("033-errored-rows-leave-denominator")
    assert [use.role for use in imported.report.files if use.name == "case.json"] == ["ignored"]
