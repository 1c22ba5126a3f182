"""What foreign rows say against themselves, their task's card, their baseline and their manifest."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

import pytest

from denominator.importers import Imported, import_rows
from denominator.importers.scope import Allowed, changed_paths, outside
from denominator.judge import judge
from denominator.records.judgements import Judged
from denominator.records.values import NotMeasured


def take(rows: list[dict[str, Any]], /, **documents: Any) -> tuple[Imported, Judged]:
    """Rows as rows.jsonl beside documents named by keyword (`task_json`); a list is JSONL."""
    files = [("rows.jsonl", lines(rows))]
    for name, found in documents.items():
        data = lines(found) if isinstance(found, list) else json.dumps(found).encode()
        files.append((name[::-1].replace("_", ".", 1)[::-1], data))
    imported = import_rows(files)
    return imported, judge(imported.ledger, imported.terms)


def lines(rows: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def exits(judged: Judged) -> dict[str, tuple[str, str, str]]:
    """task (with its repeat, where it has several) -> exit, origin, reason."""
    return {
        f"{draw.draw.task_id}{'' if draw.draw.repeat == 1 else draw.draw.repeat}": (
            draw.exit,
            draw.origin,
            draw.reason or draw.failure_class,
        )
        for draw in judged.sheet.draws
    }


def report(expected: int, passed: int, failed: int) -> dict[str, int]:
    return {"expected": expected, "passed": passed, "failed": failed}


@pytest.mark.parametrize(
    ("told", "ending"),
    [
        ({"exit_code": 0}, ("pass", "MODEL", "pass")),
        ({"exit_code": 0, "verify_report": report(3, 3, 0)}, ("pass", "MODEL", "pass")),
        ({"exit_code": 1, "verify_report": report(3, 2, 1)}, ("fail", "MODEL", "test_fail")),
        ({"exit_code": 0, "verify_report": report(3, 2, 1)}, ("unscoreable", "HARNESS", "grader_error")),
        ({"exit_code": 1, "verify_report": report(3, 3, 0)}, ("unscoreable", "HARNESS", "grader_error")),
        ({"exit_code": 0, "verify_report": report(3, 0, 0)}, ("unscoreable", "HARNESS", "grader_error")),
        ({"exit_code": 1, "verify_report": report(3, 0, 0)}, ("unscoreable", "HARNESS", "grader_error")),
        ({"exit_code": 1, "tests_executed": 0}, ("unscoreable", "HARNESS", "unresolved")),
        ({"exit_code": 0, "verify": {"state": "error"}}, ("unscoreable", "HARNESS", "grader_error")),
        ({"exit_code": 0, "verify": {"state": "timeout"}}, ("unscoreable", "HARNESS", "harness_timeout")),
    ],
)
def test_a_verdict_must_have_come_into_being(told: dict[str, Any], ending: tuple[str, str, str]) -> None:
    _, judged = take([{"task_id": "t", **told}])
    assert exits(judged) == {"t": ending}


def test_a_report_that_contradicts_itself_is_tampered_when_the_agent_left_its_files() -> None:
    row = {"task_id": "t", "exit_code": 0, "verify_report": report(2, 0, 2), "changed": ["src/a.py", "conftest.py"]}
    card = {"id": "t", "allowed_files": ["src/*.py"]}
    _, judged = take([row], task_json=card)
    assert exits(judged) == {"t": ("fail", "MODEL", "over_edit")}
    assert judged.sheet.draws[0].tags == ("scope_slip", "tampered")
    _, judged = take([row], task_json={**card, "allowed_files": ["src/*.py", "conftest.py"]})
    assert exits(judged) == {"t": ("unscoreable", "HARNESS", "grader_error")}


@pytest.mark.parametrize(
    ("changes", "slips"),
    [
        ([["M", "src/bill.py"]], ()),
        (["src/bill.py"], ()),
        ([["R", "tax.py", "src/bill.py"]], ("tax.py",)),
        ([["M", "src/../tax.py"]], ("tax.py",)),
        ([["T", "src/bill.py", "symlink->../../tax.py"]], ("../tax.py",)),
        ([["D", "tax.py"], ["M", "src/bill.py"]], ("tax.py",)),
        ([["M", "/etc/passwd"]], ("/etc/passwd",)),
        ([["M", "src/bill.py"], ["A", "src/__pycache__/bill.pyc"]], ()),
        ([["M", "src/secret.py"]], ("src/secret.py",)),
    ],
)
def test_paths_outside_the_allow_list(changes: list[Any], slips: tuple[str, ...]) -> None:
    allowed = Allowed(files=("src/*.py",), forbidden=("src/secret.py",), ignore=("**/__pycache__/**",))
    paths = changed_paths(changes)
    assert paths is not None
    assert outside(paths, allowed) == slips


@pytest.mark.parametrize("changes", ["src/a.py", [["M"]], [["M", 3]], [{}], [[]]])
def test_changes_that_are_none_are_refused_by_name(changes: Any) -> None:
    imported, _ = take([{"task_id": "t", "exit_code": 0, "changes": changes}])
    assert [one.kind for one in imported.ledger.defects if one.blocks] == ["bad_value"]


def test_the_canary_is_searched_in_the_patch_and_its_echo_reported() -> None:
    packed = base64.b64encode(b"xx CANARY-1 yy").decode()
    tasks = [{"id": f"k{n}", "slice": "canary", "canary": "CANARY-1"} for n in range(1, 6)]
    rows = [
        {"task_id": "k1", "verdict": "pass", "patch": "+# CANARY-1"},
        {"task_id": "k2", "verdict": "pass", "patch": f"+{packed}"},
        {"task_id": "k3", "verdict": "pass", "patch": "+clean"},
        {"task_id": "k4", "verdict": "fail", "patch": "+clean", "stdout": "the card says CANARY-1"},
        {"task_id": "k5", "verdict": "pass"},
    ]
    imported, judged = take(rows, tasks_jsonl=tasks)
    states = {one.task_id: one.state for one in judged.controls}
    assert states == {"k1": "violated", "k2": "violated", "k3": "held", "k4": "inconclusive", "k5": "inconclusive"}
    assert exits(judged)["k1"][0] == "fail"
    assert [one.keys for one in imported.ledger.defects if one.kind == "canary_echo"] == [("k4",)]


def test_attempt_numbers_are_trials_only_where_each_row_is_rewarded_or_repeats_are_declared() -> None:
    rewards = [{"task_id": "t", "attempt": k, "reward": r} for k, r in ((1, 1), (2, 0), (3, None))]
    imported, judged = take(rewards)
    assert [one[0] for one in exits(judged).values()] == ["pass", "fail", "unscoreable"]
    assert any("read as trials" in note for note in imported.report.notes)
    _, judged = take(rewards, manifest_json={"max_attempts": 3})
    assert exits(judged) == {"t": ("pass", "MODEL", "pass")}
    outcomes = [{"task_id": "t", "attempt": k, "outcome": o} for k, o in ((1, "fail"), (2, "pass"))]
    _, judged = take(outcomes)
    assert exits(judged) == {"t": ("fail", "MODEL", "test_fail")}
    assert any(one.allow_name == "undeclared-retries" and one.severity == "block" for one in judged.findings)
    _, judged = take(outcomes, manifest_json={"repeats": 2, "task_ids": ["t"]})
    assert [one[0] for one in exits(judged).values()] == ["fail", "pass"]


@pytest.mark.parametrize(
    ("policy", "blocks"), [("none", True), ("no retries.", True), ("2 retries on HTTP 5xx", False), ({"5xx": 2}, False)]
)
def test_a_policy_that_allows_no_second_try_allows_none(policy: Any, blocks: bool) -> None:
    rows = [{"task_id": "t", "attempt": k, "outcome": o} for k, o in ((1, "fail"), (2, "pass"))]
    _, judged = take(rows, manifest_json={"retry_policy": policy, "task_count": 1})
    found = [one for one in judged.findings if one.allow_name == "undeclared-retries" and one.severity == "block"]
    assert bool(found) == blocks


@pytest.mark.parametrize(
    ("told", "ending"),
    [
        ({"timeout": True, "wall_s": 183, "wall_cap": 1800}, ("unscoreable", "HARNESS", "harness_timeout")),
        ({"timeout": True, "wall_s": 1801, "wall_cap": 1800}, ("fail", "MODEL", "timeout")),
        ({"timeout": True}, ("fail", "MODEL", "timeout")),
        ({"stopped_by": "agent", "wall_s": 6, "wall_cap": 300, "exit_code": 1}, ("fail", "MODEL", "test_fail")),
        ({"stopped_by": "harness", "wall_s": 301, "wall_cap": 300, "exit_code": 1}, ("fail", "MODEL", "timeout")),
        ({"agent_wall_s": 1250, "declared_budget_s": 900, "exit_code": 0}, ("unknown", "MODEL", "unresolved")),
        ({"stop": "cap", "exit_code": None}, ("unscoreable", "INFRA", "quota_exhausted")),
    ],
)
def test_a_claimed_limit_is_held_against_the_clock(told: dict[str, Any], ending: tuple[str, str, str]) -> None:
    _, judged = take([{"task_id": "t", "exit_code": None, **told}])
    assert exits(judged) == {"t": ending}


@pytest.mark.parametrize(
    ("error", "turn", "ending"),
    [
        ({"status": 429}, 3, ("unscoreable", "INFRA", "provider_rate_limit")),
        ({"status": 402}, 3, ("unscoreable", "INFRA", "quota_exhausted")),
        ({"status": 429, "code": "insufficient_quota"}, 3, ("unscoreable", "INFRA", "quota_exhausted")),
        ({"status": 503}, 3, ("unscoreable", "INFRA", "provider_error")),
        ({"status": 408}, 3, ("unscoreable", "INFRA", "provider_error")),
        ({"status": 401}, 3, ("unscoreable", "HARNESS", "provider_error")),
        ({"http_status": 200, "final_event": False}, 3, ("unscoreable", "INFRA", "provider_stream_error")),
        ({"status": 400, "class": "ContextWindowExceededError"}, 31, ("fail", "MODEL", "timeout")),
        ({"status": 400, "class": "ContextWindowExceededError"}, 1, ("unscoreable", "HARNESS", "sandbox_config")),
        ({"status": 500, "message": "maximum context length is 16384 tokens"}, 1,
         ("unscoreable", "HARNESS", "sandbox_config")),
        ({"status": 429, "gave_up": False}, 3, ("fail", "MODEL", "test_fail")),
    ],
)  # fmt: skip
def test_whose_a_providers_error_is(error: dict[str, Any], turn: int, ending: tuple[str, str, str]) -> None:
    _, judged = take([{"task_id": "t", "outcome": "fail", "turn": turn, "provider_error": error}])
    assert exits(judged) == {"t": ending}


def test_another_verify_script_gave_no_verdict() -> None:
    rows = [{"task_id": t, "outcome": "pass", "verify_sha_used": sha} for t, sha in (("a", "aaaa"), ("b", "ffff"))]
    _, judged = take(rows, manifest_json={"verify_sha": {"a": "aaaa", "b": "aaaa"}, "task_count": 2})
    assert exits(judged) == {"a": ("pass", "MODEL", "pass"), "b": ("unscoreable", "HARNESS", "grader_error")}
    assert any(one.allow_name == "changed-seal" and one.severity == "block" for one in judged.findings)


def gold(status: str, date: str) -> dict[str, str]:
    return {"task_id": "t", "arm": "gold", "date": date, "status": status}


@pytest.mark.parametrize(
    ("baseline", "reason"),
    [
        ([{"task_id": "t", "status": s} for s in ("pass", "fail")], "env_flake"),
        ([{"task_id": "t", "status": "pass"}] * 3, "bad_task"),
        ([gold("fail", "2026-01-01")], "bad_task"),
        ([gold("pass", "2026-01-01"), gold("fail", "2026-07-01")], "pack_expired"),
        ([gold("pass", "2026-07-01"), gold("fail", "2026-01-01")], "test_fail"),
        ([{"task_id": "t", "status": s, "concurrency": 1} for s in ("pass", "fail")], "test_fail"),
        ([{"task_id": "t", "status": s, "concurrency": 8} for s in ("pass", "fail")], "env_flake"),
    ],
)
def test_the_baseline_at_the_runs_own_concurrency(baseline: list[dict[str, Any]], reason: str) -> None:
    manifest = {"concurrency": 8, "task_count": 1}
    _, judged = take([{"task_id": "t", "tests_after_pass": False}], baseline_jsonl=baseline, manifest_json=manifest)
    assert exits(judged)["t"][2] == reason


def test_checksums_are_held_against_what_was_read() -> None:
    rows = lines([{"task_id": "a", "passed": True}])
    good, bad = hashlib.sha256(rows).hexdigest(), "0" * 64
    for digest, kinds in ((good, []), (bad, ["digest_mismatch"])):
        sums = f"{digest}  rows.jsonl\n{bad}  not-here.txt\n".encode()
        found = import_rows([("rows.jsonl", rows), ("SHA256SUMS", sums)])
        assert [one.kind for one in found.ledger.defects if one.blocks] == kinds


def test_a_claimed_rate_is_checked_and_never_repeated_as_a_condition() -> None:
    rows = [{"task_id": f"t{n}", "outcome": "pass" if n < 16 else "fail"} for n in range(20)]
    for claim, possible in ((0.85, True), (0.889, False), (0.8, True), ("88.9%", False)):
        imported, judged = take(rows, manifest_json={"task_count": 20, "pass_rate": claim, "temperature": 0.85})
        assert dict(imported.terms.environment) == {"temperature": "0.85"}
        blocked = [one for one in judged.findings if one.allow_name == "impossible-percent" and one.severity == "block"]
        assert bool(blocked) != possible, claim


def test_what_is_at_hand_and_was_not_judged_is_named() -> None:
    row = {"task_id": "t", "tests_after_pass": True, "mood": 3, "facts": {"agent_exit": 0, "weather": []}}
    files = [("meta.json", json.dumps(row).encode()), ("combined.log", b"x"), ("extra.json", b'{"a": 1}')]
    notes = " ".join(import_rows(files).report.notes)
    for name in ("combined.log", "extra.json", "mood", "facts.weather"):
        assert name in notes
    assert "agent_exit" not in notes
    imported, _ = take([{"task_id": "k", "checkpoint": "tests_run"}])
    assert any(note.startswith("not judged: patches applied twice") for note in imported.report.notes)


def test_usage_that_nobody_knows_is_no_zero() -> None:
    imported, _ = take([{"task_id": "t", "accepted": True, "prompt_tokens": None}])
    assert isinstance(imported.ledger.rows[0].usage.prompt, NotMeasured)
