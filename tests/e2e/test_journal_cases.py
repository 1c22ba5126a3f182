"""Journals, faults and resume sets of other runners through the command line: each answer read from its case.json.

One table says what a kind of answer means in what we print; nothing in it knows a case by name, except where a `must` is prose.
`faultbench score` answers for journals of checkpoints, `resume --dry-run` for rows of outcomes.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from denominator.cli.main import run_cli
from denominator.wire.documents import DOCUMENTS
from denominator.wire.schema import schema as make_schema

CASES = Path(__file__).parents[1] / "cases" / "journal"
NAMES = sorted(path.name for path in CASES.iterdir())
VERBS = (["faultbench", "score"], ["resume", "--dry-run"])


@cache
def answer_of(name: str) -> dict[str, Any]:
    return json.loads((CASES / name / "case.json").read_text("utf-8"))["right_answer"]


class Said:
    """What one verb said of a case: exit code, JSON, text, errors; the folder before and after."""

    def __init__(self, folder: Path, codes: list[int], out: str, text: str, err: str) -> None:
        self.folder, self.code = folder, codes[0]
        assert len(set(codes)) == 1
        self.out, self.text, self.err = out, text, err
        self.everything = " ".join(f"{text} {out} {err}".split())
        document = json.loads(out) if out.strip() else {}
        self.card, self.plan = document.get("card", {}), document.get("resume", {})

    def estimate(self, metric: str) -> dict[str, Any]:
        lines = (self.card[line] for line in ("capability", "efficiency", "durability"))
        return next(one for line in lines for one in line if one["metric"] == metric)

    def findings(self, severity: str) -> str:
        return "\n".join(one["what"] for one in self.card["verdict"]["findings"] if one["severity"] == severity)


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], Said]:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.chdir(tmp_path)

    def run(name: str) -> Said:
        folder = tmp_path / name
        shutil.copytree(CASES / name, folder)
        is_journal = (folder / "journal.jsonl").exists() and not (folder / "runs.jsonl").exists()
        verb = VERBS[0] if is_journal else VERBS[1]
        before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        codes, outs, errs = [], [], []
        for more in (["--json"], []):
            codes.append(run_cli([*verb, str(folder), *more]))
            found = capsys.readouterr()
            outs.append(found.out)
            errs.append(found.err)
        assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
        return Said(folder, codes, outs[0], outs[1], errs[1])

    return run


def tasks_of(names: list[str]) -> list[str]:
    return sorted({name.partition("#")[0] for name in names})


def fraction(said: Said, metric: str) -> str | None:
    found = said.estimate(metric)
    if isinstance(found["numerator"], int) and isinstance(found["denominator"], int) and found["denominator"]:
        return f"{found['numerator']}/{found['denominator']}"
    assert "not_measured" in found["value"], "a value is there, or the reason why there is none"
    return None


NUMBERS: dict[str, Callable[[Said], Any]] = {
    "double_apply_tasks": lambda said: tasks_of(said.card["double_applied"]),
    "replays_without_effect": lambda said: said.card["replayed"],
    "redrafted": lambda said: tasks_of(said.card["redrafted"]),
    "rsr": lambda said: fraction(said, "rsr"),
    "rsr_given_pass": lambda said: fraction(said, "rsr_given_pass"),
    "capability": lambda said: fraction(said, "faultless_pass_rate"),
    "quiet": lambda said: fraction(said, "quiet_pass_rate"),
    "interrupted": lambda said: dict(map(tuple, said.card["trials"])).get("interrupted", 0),
    "complete_rows": lambda said: len(said.plan["kept"]),
    "torn_bytes": lambda said: int(re.search(r"(\d+) bytes from byte", said.plan["torn"][0])[1]),
    "rows_of_this_run": lambda said: len(said.plan["kept"]),
    "bad_lines": lambda said: [int(line) for line in re.findall(r"- runs\.jsonl:(\d+):", said.err)],
}
# Counts of a whole file of rows are what `import rows` says (test_cases_cli.py).
ELSEWHERE = ("physical_lines", "rows_if_repaired", "foreign_rows")


@pytest.mark.parametrize("name", NAMES)
def test_numbers(name: str, say: Callable[[str], Said]) -> None:
    said = say(name)
    for key, value in answer_of(name).get("numbers", {}).items():
        if key == "not_double":
            assert not set(value) & set(tasks_of(said.card["double_applied"]))
        elif key not in ELSEWHERE:
            assert NUMBERS[key](said) == value, key
        if key == "rsr" and value is None:
            assert not re.search(r"rsr +\d+/[1-9]", said.text)


@pytest.mark.parametrize("name", NAMES)
def test_exit_state_control_and_what_is_left_unscoreable(name: str, say: Callable[[str], Said]) -> None:
    answer, said = answer_of(name), say(name)
    if isinstance(answer.get("exit"), int):
        assert said.code == answer["exit"]
    if answer.get("exit") == "non-zero":
        assert said.code != 0
    states = answer.get("state", {})
    if isinstance(states, str):
        assert {one["state"] for one in said.card["states"]} == {states} and said.code == 5
    else:
        assert states.items() <= {one["task_id"]: one["state"] for one in said.card.get("states", ())}.items()
    for control, state in answer.get("control", {}).items():
        assert {one["name"]: one["state"] for one in said.card["controls"]}[control] == state
    if "unscoreable" in answer:
        assert dict(map(tuple, said.card["unscoreable"])) == answer["unscoreable"]
    if answer.get("rates") == "withheld":
        assert said.card["verdict"]["status"] == "blocked"
        for one in (*said.card["durability"], *said.card["capability"]):
            assert "not_measured" in one["numerator"] and "not_measured" in one["value"]


@pytest.mark.parametrize("name", NAMES)
def test_resume_sets(name: str, say: Callable[[str], Said]) -> None:
    answer, said = answer_of(name), say(name)
    if "resume_set" not in answer:
        return
    assert [row["task_id"] for row in said.plan["resume"]] == answer["resume_set"]
    assert said.plan["kept"] == answer.get("kept", said.plan["kept"])
    assert [task for task, _ in said.plan["left"]] == answer.get("left", [])
    assert said.plan["epoch"] == answer.get("epoch", 2)
    assert said.code == 0
    numbers = {row["task_id"]: row["attempt"] for row in said.plan["resume"]}
    assert answer.get("attempts", {}).items() <= numbers.items()
    for row in said.plan["resume"]:
        assert bool(row["supersedes"]) == (row["attempt"] > 1 and "begun" not in row["why"])
        assert f"{row['task_id']} attempt {row['attempt']}" in said.text
    assert not set(said.plan["kept"]) & {row["task_id"] for row in said.plan["resume"]}


@pytest.mark.parametrize("name", NAMES)
def test_what_is_refused_names_its_place_and_no_number_is_made(name: str, say: Callable[[str], Said]) -> None:
    answer, said = answer_of(name), say(name)
    for word in answer.get("refused", ()):
        assert word in said.err and said.code == 2 and not said.out
    for word in answer.get("said", ()):
        assert word in said.everything, word
    for word in answer.get("must_not_say", ()):
        assert word not in f"{said.text}{said.err}", word


def _old_rows_stay(said: Said) -> bool:
    again = [row for row in said.plan["resume"] if row["supersedes"]]
    return {row["attempt"] for row in again} == {2} and said.text.replace("\n    ", " ").count(
        "stays, superseded by epoch 2"
    ) == len(again)


MUST: dict[str, Callable[[Said], bool]] = {
    "keep 3 rows, report the torn tail with its byte offset, move it aside or truncate before appending": lambda said: (
        len(said.plan["kept"]) == 3
        and "from byte 309" in said.text
        and "before anything is appended" in said.everything
    ),
    "name line and offset": lambda said: "line 2 at byte 104" in said.err,
    "repair only on request and write a repair record": lambda said: (
        "recoverable on request: m1, m2" in said.err and "nothing was started" in said.err
    ),
    "new rows are attempt 2 and the old rows stay in the journal, marked superseded by a declared epoch": _old_rows_stay,
    "'is it done' needs only ids and terminal state; unknown keys are kept, never fatal": lambda said: said.code == 0,
    "if a row really cannot be read: stop and say so": lambda said: said.code == 0,
    "group by (task, attempt, checkpoint), not by (task, checkpoint)": lambda said: (
        tasks_of(said.card["double_applied"]) == ["k1"]
    ),
    "undefined, with the reason; the positive control is 'all tasks end in their expected verdict', tested separately": (
        lambda said: (
            "nothing was interrupted" in said.estimate("rsr")["value"]["not_measured"]
            and [(one["name"], one["state"]) for one in said.card["controls"]] == [("positive", "held")]
        )
    ),
    "say task, last checkpoint, and the two digests that disagree": lambda said: (
        re.search(
            r"w1 attempt 1, last checkpoint patch_drafted: the journal explains c0, the workspace is c0\+p1",
            said.everything,
        )
        is not None
    ),
    "the row becomes unscoreable (missing_artifact) or is restarted in a fresh tree by declared policy": lambda said: (
        said.card["unscoreable"] == [["w1", "missing_artifact"]]
    ),
    "journal is the truth for done-ness; the bundle check is separate": lambda said: (
        said.plan["kept"] == ["y1"]
        and "y1: its verdict is kept; its artifacts are gone, so it is not quotable" in said.everything
    ),
    "name the foreign rows": lambda said: "foreign rows: runs.jsonl:4, runs.jsonl:5" in said.everything,
    "offer a new run id or --resume of the SAME manifest hash": lambda said: (
        said.code == 2 and "take a new run id, or resume it under the manifest" in said.err and "1111" in said.err
    ),
    "injected faults are labelled injected, never INFRA in a result": lambda said: (
        said.card["unscoreable"] == [["n1", "injected_fault"]] and "INFRA" not in said.everything
    ),
    "same fault plan replays to the same journal": lambda said: any(
        one["allow_name"] == "unlike-repeats" for one in said.card["verdict"]["findings"]
    ),
}


@pytest.mark.parametrize("name", NAMES)
def test_what_must_be_said(name: str, say: Callable[[str], Said]) -> None:
    said = say(name)
    for must in answer_of(name).get("must", ()):
        assert MUST[must](said), must


@pytest.mark.parametrize("name", NAMES)
def test_what_is_printed_is_what_the_schemas_say(name: str, say: Callable[[str], Said]) -> None:
    said = say(name)
    for document, schema in ((said.card, "durability-card"), (said.plan, "resume-plan")):
        if document:
            jsonschema.validate(document, make_schema(DOCUMENTS[schema]))


def test_every_must_is_checked() -> None:
    assert set(MUST) == {must for name in NAMES for must in answer_of(name).get("must", ())}


def test_a_twin_of_the_negative_control_holds_and_gives_no_rate(say: Callable[[str], Said], capsys) -> None:
    folder = say("099-write-before-first-checkpoint").folder
    files = [str(folder / name) for name in ("journal.jsonl", "manifest.json", "workspace_twin.json")]
    assert run_cli(["faultbench", "score", *files, "--json"]) == 0
    card = json.loads(capsys.readouterr().out)["card"]
    assert [(one["name"], one["state"]) for one in card["controls"]] == [("negative", "held")]
    assert card["unscoreable"] == [["n1", "injected_fault"]]
    assert all("not_measured" in one["value"] for one in (*card["durability"], *card["capability"]))


def test_rows_of_outcomes_get_the_same_plan_from_both_verbs(say: Callable[[str], Said], capsys) -> None:
    folder = say("045-resume-takes-errors-as-done").folder
    outs = []
    for verb in VERBS:
        assert run_cli([*verb, str(folder), "--json"]) == 0
        outs.append(capsys.readouterr().out)
    assert outs[0] == outs[1]


def test_rows_of_another_harness_are_never_resumed_here(say: Callable[[str], Said], capsys) -> None:
    folder = say("045-resume-takes-errors-as-done").folder
    assert run_cli(["resume", str(folder)]) == 2
    assert "resume --dry-run" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["github", "junit", "sarif", "text"])
def test_findings_of_a_bench_in_every_format(form: str, say: Callable[[str], Said], capsys) -> None:
    folder = say("099-write-before-first-checkpoint").folder
    assert run_cli(["faultbench", "score", str(folder), "--format", form]) == 1
    said = capsys.readouterr().out
    assert "GL080" in said and "wrote too early" in " ".join(said.split())
