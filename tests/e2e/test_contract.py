"""`contract`: locked once, scored through the one gate, on rows of others and on a run of our own."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from denominator.envelopes.contracts import lock as lock_document
from denominator.wire.canonical import canonical
from e2e import runs
from e2e.cli_lab import Said, process

Cli = Callable[..., Said]
LONG_AGO = "2020-01-01T00:00:00.000000Z"
IDS = [f"f{n}" for n in range(1, 9)]


def contract(**changes: Any) -> dict[str, Any]:
    """A contract over eight tasks and one control that may be locked."""
    base: dict[str, Any] = {
        "study": "How many of the eight tasks pass?",
        "claim": "k of 8 tasks passed",
        "task_ids": IDS,
        "metrics": {
            "task_pass": "tests_green AND patch_applies AND no_forbidden_path",
            "abstain": "never a pass",
            "timeout_s": 180,
            "post_lock_exclusion": "forbidden",
        },
        "controls": [{"task_id": "n1", "expected": "fail", "role": "must_fail"}],
        "access": {"host": "local", "model_access": "none", "quota_assumed": False, "permanence_assumed": False},
        "envelope": {
            "max_attempts": 1, "retry_policy": "none", "on_timeout": "fail", "invalid_rate_ceiling": "0.10",
        },
        "scorer": "tests",
        "hidden_tests": True,
    }  # fmt: skip
    return {**base, **changes}


def event(task: str, green: bool = True, **more: Any) -> dict[str, Any]:
    base = {
        "task_id": task,
        "tests_green": green,
        "patch_applies": True,
        "no_forbidden_path": True,
        "wall_seconds": 12.5,
    }
    return {key: value for key, value in {**base, **more}.items() if value is not ...}


def events(**changes: dict[str, Any] | None) -> list[dict[str, Any]]:
    """Eight rows, f2 and f6 red, and the control; `f3={...}` changes one, None leaves it out."""
    found = []
    for task in [*IDS, "n1"]:
        change = changes.get(task, {})
        if change is not None:
            found.append(event(task, **{"green": task not in ("f2", "f6", "n1"), **change}))
    return found


def write(folder: Path, rows: list[dict[str, Any]], name: str = "events.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def write_locked(path: Path, **changes: Any) -> dict[str, Any]:
    made = lock_document(contract(**changes), "study-1", LONG_AGO, str(path))
    path.write_bytes(canonical(made) + b"\n")
    return made


def probe(folder: Path, held: bool = True, tasks: list[str] = IDS) -> Path:
    rows = [
        {"task_id": task, "patch_bytes": 0 if held or n else 9, "held": held or bool(n)} for n, task in enumerate(tasks)
    ]
    path = folder / "narration_probe.json"
    path.write_text(json.dumps(rows))
    return path


@pytest.fixture
def locked(here: Path) -> dict[str, Any]:
    return write_locked(here / "c.json")


def score(cli: Cli, here: Path, rows: list[dict[str, Any]], *more: str) -> Said:
    write(here, rows)
    return cli("contract", "score", "c.json", "events.jsonl", *more)


def test_from_template_to_lock(here: Path, cli: Cli) -> None:
    assert cli("contract", "init", "c.json").code == 0
    assert cli("contract", "init", "c.json").code == 2
    refused = cli("contract", "lock", "c.json")
    assert refused.code == 2 and refused.err.count("is not filled in") >= 6
    (here / "c.json").write_text(json.dumps(contract()))
    done = cli("contract", "lock", "c.json", "-o", "locked.json", "--run-id", "s1", "--json")
    assert done.code == 0 and done.json["run_id"] == "s1" and len(done.json["sha256"]) == 64
    kept = (here / "locked.json").read_bytes()
    assert kept == canonical(json.loads(kept)) + b"\n"
    assert cli("contract", "lock", "c.json", "-o", "locked.json").code == 2
    assert (here / "locked.json").read_bytes() == kept
    again = cli("contract", "lock", "locked.json")
    assert again.code == 2 and "locked already" in again.err
    shown = cli("contract", "show", "locked.json", "--json").json
    assert (shown["state"], shown["sha256"], shown["problems"]) == ("locked", done.json["sha256"], [])
    assert "unlocked" in cli("contract", "show", "c.json").out
    assert (
        cli("contract", "lock", "c.json").code == 0
        and cli("contract", "show", "c.json", "--json").json["state"] == "locked"
    )


def test_a_clean_score(here: Path, cli: Cli, locked: dict[str, Any]) -> None:
    probe(here)
    said = score(cli, here, events(), "narration_probe.json", "--json", "-o", "kept")
    assert said.code == 0, said.out
    rate = said.json["rate"]
    assert (rate["k"], rate["n"], rate["contamination"]) == (6, 8, "unknown")
    assert rate["contract_sha256"] == locked["sha256"] and rate["pinned"] is True
    assert rate["narration_probe"]["state"] == "held"
    rows = {row["task_id"]: row for row in rate["rows"]}
    assert rows["f2"]["clauses"]["tests_green"] is False and rows["f1"]["clauses"]["tests_green"] is True
    assert rows["f1"]["clauses"]["within_timeout"] is True
    kept = here / "kept"
    assert sorted(one.name for one in kept.iterdir()) == [
        "card.json", "narration_probe.json", "rate.json", "scoring_contract.json",
    ]  # fmt: skip
    assert json.loads((kept / "rate.json").read_text()) == rate
    assert (kept / "narration_probe.json").read_bytes() == (here / "narration_probe.json").read_bytes()
    assert "{" not in rate["sentence"]
    text = cli("contract", "score", "c.json", "events.jsonl").out
    assert locked["sha256"] in text and "6 of 8" in text and "not run" in text and "contamination" in text


def test_the_same_score_from_a_folder_that_holds_the_contract_too(here: Path, cli: Cli) -> None:
    folder = here / "bundle"
    folder.mkdir()
    write_locked(folder / "scoring_contract.json")
    write(folder, events())
    probe(folder)
    said = cli("contract", "score", "bundle/scoring_contract.json", "bundle", "--json")
    assert (said.code, said.json["rate"]["k"], said.json["rate"]["n"]) == (0, 6, 8)


def test_access_is_named_in_words(here: Path, cli: Cli) -> None:
    access = {"host": "h.example", "model_access": "metered key", "quota_assumed": False, "permanence_assumed": False}
    write_locked(here / "c.json", access=access)
    sentence = score(cli, here, events(), "--json").json["rate"]["sentence"]
    assert "metered key" in sentence and "h.example" in sentence and "{" not in sentence


def test_what_is_known_of_contamination_is_printed(here: Path, cli: Cli) -> None:
    write_locked(here / "c.json", contamination="written after the model's cut-off")
    assert score(cli, here, events(), "--json").json["rate"]["contamination"] == "written after the model's cut-off"


def test_an_unlocked_contract_is_refused(here: Path, cli: Cli) -> None:
    (here / "c.json").write_text(json.dumps(contract()))
    said = score(cli, here, events())
    assert said.code == 2 and "not locked" in said.err and "of 8" not in said.out


def test_a_contract_that_was_changed_after_the_lock_is_refused(here: Path, cli: Cli, locked: dict[str, Any]) -> None:
    (here / "c.json").write_text(json.dumps({**locked, "task_ids": IDS[:6]}))
    said = score(cli, here, events())
    assert said.code == 2 and "does not match its sha256" in said.err and locked["sha256"] in said.err


@pytest.mark.parametrize(
    ("changes", "extra", "told"),
    [
        ({"f2": None, "f6": None}, [], "f2"),
        ({"f2": {"excluded_after_lock": True}, "f6": {"excluded_after_lock": True}}, [], "f6 was excluded after"),
        ({}, [event("f9")], "f9"),
        ({}, [event("f2", True)], "f2"),
        ({}, [event("f1")], "f1: the event of"),
        ({"f1": {"abstain": True, "task_pass": True}}, [], "f1"),
        ({"f1": {"task_pass": True, "no_forbidden_path": False}}, [], "no_forbidden_path is false"),
        ({"f1": {"task_pass": False}}, [], "task_pass is false"),
        ({"f1": {"started_at": "2019-12-31T23:59:59Z"}}, [], "before the contract was locked"),
    ],
    ids=[
        "missing",
        "excluded",
        "outside",
        "twice",
        "twice the same",
        "abstain passes",
        "pass without clause",
        "fail with clauses",
        "too early",
    ],
)
def test_what_blocks(
    changes: dict[str, Any], extra: list[Any], told: str, here: Path, cli: Cli, locked: dict[str, Any]
) -> None:
    said = score(cli, here, events(**changes) + extra, "--json")
    assert said.code == 1, said.out + said.err
    rate, card = said.json["rate"], said.json["card"]
    assert "not_measured" in rate["k"] and rate["status"] == "blocked" and rate["sentence"].startswith("Refused")
    blocks = [one["what"] for one in card["verdict"]["findings"] if one["severity"] in ("block", "unknown")]
    assert any(told in what for what in blocks), blocks
    text = cli("contract", "score", "c.json", "events.jsonl").out
    assert "4/6" not in text and "4 of 6" not in text and "6 of 6" not in text and "6/6" not in text


def test_rows_without_a_boolean_are_named_and_refused(here: Path, cli: Cli, locked: dict[str, Any]) -> None:
    said = score(
        cli, here, events(f1={"patch_applies": ...}, f3={"no_forbidden_path": "yes"}, f4={"wall_seconds": ...})
    )
    assert said.code == 2
    for told in (
        "f1: no boolean for patch_applies",
        "f3: no boolean for no_forbidden_path",
        "f4: no boolean for wall_seconds",
    ):
        assert told in said.err


def test_the_timeout_is_measured_again_and_stays_in_n(here: Path, cli: Cli, locked: dict[str, Any]) -> None:
    said = score(cli, here, events(f1={"wall_seconds": 999, "task_pass": True}, f3={"wall_seconds": 180}), "--json")
    rate = said.json["rate"]
    assert (rate["k"], rate["n"]) == (5, 8), said.out
    rows = {row["task_id"]: row for row in rate["rows"]}
    assert rows["f1"]["clauses"]["within_timeout"] is False and rows["f1"]["exit"] == "fail"
    assert rows["f3"]["clauses"]["within_timeout"] is True and rows["f3"]["exit"] == "pass"
    assert dict(said.json["card"]["mix"])["TIMEOUT"] == 1


def test_a_control_that_passes_blocks(here: Path, cli: Cli, locked: dict[str, Any]) -> None:
    said = score(cli, here, events(n1={"green": True}), "--json")
    assert said.code == 1 and "not_measured" in said.json["rate"]["rows"]


@pytest.mark.parametrize("tasks", [IDS[:7], [*IDS, "x9"]])
def test_a_probe_of_other_tasks_is_refused(tasks: list[str], here: Path, cli: Cli, locked: dict[str, Any]) -> None:
    probe(here, tasks=tasks)
    said = score(cli, here, events(), "narration_probe.json", "--json")
    assert said.code == 1 and "of other tasks" in said.out


def test_a_failed_probe_is_beside_the_rate_and_not_in_it(here: Path, cli: Cli, locked: dict[str, Any]) -> None:
    probe(here, held=False)
    said = score(cli, here, events(), "narration_probe.json", "--json")
    rate = said.json["rate"]
    assert (rate["k"], rate["n"], rate["narration_probe"]["state"], rate["rung"]) == (6, 8, "violated", "counts")


def test_below_eight_tasks_there_are_counts_only(here: Path, cli: Cli) -> None:
    write_locked(here / "c.json", task_ids=IDS[:7])
    probe(here, tasks=IDS[:7])
    said = score(cli, here, events(f8=None), "narration_probe.json", "--json")
    assert (said.code, said.json["rate"]["rung"], said.json["rate"]["k"]) == (0, "counts", 5)
    assert "no rate is claimed" in said.json["rate"]["sentence"]


def test_a_contract_of_others_without_sha256_is_counts_at_most(here: Path, cli: Cli) -> None:
    foreign = {
        "run_id": "r",
        "locked_at": "2026-05-01T08:00:00Z",
        "task_ids": IDS,
        "metrics": {"post_lock_exclusion": "forbidden"},
    }
    (here / "c.json").write_text(json.dumps(foreign))
    rows = [{"task_id": task, "task_pass": task != "f2"} for task in IDS]
    said = score(cli, here, rows, "--json")
    rate = said.json["rate"]
    assert (said.code, rate["pinned"], rate["rung"], rate["k"], rate["n"]) == (0, False, "counts", 7, 8)
    (here / "c.json").write_text(json.dumps({**foreign, "claim": "which vendor to buy"}))
    assert score(cli, here, rows, "--json").code == 1


def test_case_039(here: Path, cli: Cli) -> None:
    rows = [
        {"task_id": task, "task_pass": task in ("f1", "f3", "f4", "f8"), "excluded_after_lock": task in ("f2", "f6")}
        for task in IDS
    ]
    foreign = {
        "run_id": "r39",
        "locked_at": "2026-05-01T08:00:00Z",
        "task_ids": IDS,
        "metrics": {"post_lock_exclusion": "forbidden"},
    }
    (here / "c.json").write_text(json.dumps(foreign))
    said = score(cli, here, rows)
    assert (
        said.code == 1 and "GL018 post-lock-exclusion: f2" in said.out and "GL018 post-lock-exclusion: f6" in said.out
    )
    assert "pass 4 + fail 4" in said.out and "4/6" not in said.out and "4 of 6" not in said.out


def test_forks(here: Path, cli: Cli, locked: dict[str, Any]) -> None:
    assert cli("contract", "fork", "c.json", "--drop", "f2", "-o", "d.json").code == 2
    assert cli("contract", "fork", "c.json", "--drop", "zz", "--why", "x y", "-o", "d.json").code == 2
    assert (
        cli(
            "contract",
            "fork",
            "c.json",
            *[part for one in IDS for part in ("--drop", one)],
            "--why",
            "x y",
            "-o",
            "d.json",
        ).code
        == 2
    )
    assert not (here / "d.json").exists()
    done = cli(
        "contract",
        "fork",
        "c.json",
        "--drop",
        "f2",
        "--drop",
        "f6",
        "--why",
        "flaky fixtures",
        "-o",
        "d.json",
        "--json",
    )
    assert done.code == 0 and done.json["forked_from"] == locked["sha256"] and done.json["tasks"] == 6
    assert cli("contract", "fork", "d.json", "--drop", "f1", "--why", "x y", "-o", "e.json").code == 2
    assert score(cli, here, events()).code == 0
    assert cli("contract", "score", "d.json", "events.jsonl").code == 2
    assert cli("contract", "lock", "d.json").code == 0
    blocked = cli("contract", "score", "d.json", "events.jsonl", "--json")
    assert blocked.code == 1  # the rows of f2 and f6 are outside the new study's slice
    assert "flaky fixtures" in cli("contract", "show", "d.json").out


@pytest.mark.parametrize("bad", [b"", b"[]", b"{", b'{"a": 1, "a": 2}', b"\xff\xfe", b'{"task_ids": NaN}'])
def test_what_is_no_contract(bad: bytes, here: Path, cli: Cli) -> None:
    (here / "c.json").write_bytes(bad)
    write(here, events())
    for verb in (("lock", "c.json"), ("show", "c.json"), ("score", "c.json", "events.jsonl"),
                 ("fork", "c.json", "--drop", "f1", "--why", "x y", "-o", "d.json")):  # fmt: skip
        assert cli("contract", *verb).code == 2


def test_events_that_are_nowhere(here: Path, cli: Cli, locked: dict[str, Any]) -> None:
    assert cli("contract", "score", "c.json", "nowhere").code == 2
    assert cli("contract", "score", "c.json", "c.json").code == 2
    (here / "kept").mkdir()
    write(here, events())
    assert cli("contract", "score", "c.json", "events.jsonl", "-o", "kept").code == 2


# --- runs of our own

FOUR = {
    "task_ids": ["clamp-low", "count-words"],
    "controls": [{"task_id": "keep-sorted", "expected": "green", "role": "noop"}],
    "metrics": {
        "task_pass": "tests_green AND patch_applies AND no_forbidden_path AND no_tamper AND no_canary",
        "abstain": "never a pass",
        "timeout_s": 30,
        "post_lock_exclusion": "forbidden",
    },
}


def needs_bwrap(test: Any) -> Any:
    """The test makes or reads a run in the sandbox."""
    missing = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
    return pytest.mark.needs_bwrap(missing(test))


def of_lab(lab: Path, folder: Path, locked_at: str = LONG_AGO, run: str = "window-oracle", **changes: Any) -> Said:
    made = lock_document(contract(**{**FOUR, **changes}), "study-2", locked_at, "c.json")
    (folder / "c.json").write_bytes(canonical(made) + b"\n")
    return process(folder, "contract", "score", "c.json", run, "--runs-dir", str(lab / "runs"), "--json")


@needs_bwrap
def test_the_contracted_run(lab: Path, tmp_path: Path) -> None:
    said = of_lab(lab, tmp_path)
    assert said.code == 0, said.out + said.err
    rate = said.json["rate"]
    assert (rate["k"], rate["n"], rate["rung"], rate["narration_probe"]["state"]) == (2, 2, "counts", "not run")
    assert all(truth is True for row in rate["rows"] for truth in row["clauses"].values()), rate["rows"]
    assert said.json["card"]["run_id"] == "window-oracle"


@needs_bwrap
def test_a_failing_row_says_which_clause(lab: Path, tmp_path: Path) -> None:
    rate = of_lab(lab, tmp_path, run="window-script").json["rate"]
    rows = {row["task_id"]: row for row in rate["rows"]}
    assert rate["k"] == sum(row["exit"] == "pass" for row in rate["rows"]) == 1
    assert rows["count-words"]["clauses"]["tests_green"] is False
    assert rows["count-words"]["clauses"]["patch_applies"] is True


@needs_bwrap
@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"task_ids": ["clamp-low"]}, "outside the slice"),
        ({"task_ids": ["clamp-low", "count-words", "more"]}, "missing ids"),
        ({"controls": [{"task_id": "n9", "expected": "fail"}]}, "controls of the contract"),
        ({"metrics": {**FOUR["metrics"], "timeout_s": 31}}, "timeout"),
        ({"locked_at": "2999-01-01T00:00:00Z"}, "not after the contract was locked"),
    ],
)
def test_another_run_is_refused(changes: dict[str, Any], told: str, lab: Path, tmp_path: Path) -> None:
    said = of_lab(lab, tmp_path, **changes)
    assert said.code == 1, said.out + said.err
    assert "not_measured" in said.json["rate"]["k"]
    blocks = [one["what"] for one in said.json["card"]["verdict"]["findings"] if one["severity"] == "block"]
    assert any(told in what for what in blocks), blocks


READS = "grep -q 'nothing is edited' /in/prompt.md && exit 0; sed -i 's/return min(value, high)/return max(low, min(value, high))/' bounds.py; exit 0"
EDITS = "test -f bounds.py && echo '# seen' >> bounds.py; exit 0"


@pytest.mark.slow
@needs_bwrap
def test_locked_run_probed_scored(tmp_path: Path) -> None:
    runs.make_pack(tmp_path, "clamp-low", "keep-sorted")
    (tmp_path / "c.json").write_text(json.dumps(contract(**{**FOUR, "task_ids": ["clamp-low"]})))
    assert runs.cli(tmp_path, "contract", "lock", "c.json").code == 0
    arms = [
        {"label": label, "agent": "command", "command": ["/bin/sh", "-c", command]}
        for label, command in (("reads", READS), ("edits", EDITS))
    ]
    (tmp_path / "envelope.toml").write_text(runs.envelope(arms))
    done = runs.cli(tmp_path, "run", "envelope.toml", "--narration-probe", "--run-id", "p", "-q")
    assert done.code in (0, 1), done.err
    held = runs.cli(tmp_path, "contract", "score", "c.json", "p-reads", "-o", "kept", "--json")
    rate = held.json["rate"]
    assert (held.code, rate["k"], rate["n"], rate["narration_probe"]["state"]) == (0, 1, 1, "held"), held.out
    kept = json.loads((tmp_path / "kept" / "narration_probe.json").read_text())
    assert [(row["task_id"], row["patch_bytes"], row["held"]) for row in kept] == [
        ("clamp-low", 0, True),
        ("keep-sorted", 0, True),
    ]
    failed = runs.cli(tmp_path, "contract", "score", "c.json", "p-edits", "--json").json["rate"]
    assert (failed["k"], failed["narration_probe"]["state"]) == (0, "violated")
