"""Run folders: what collected facts, a log's events and a report beside the row make of it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from denominator.importers import Imported, import_rows
from denominator.judge import judge
from denominator.pipeline.importing import import_paths
from denominator.records.rows import AttemptRow
from denominator.wire.canonical import canonical
from denominator.wire.codec import loads

RED = {"expected": 2, "passed": 1, "failed": 1}
ALL_ERRORS = {"expected": 3, "passed": 0, "failed": 0, "errors": 3}
GRADED = {"agent_exit": 0, "verify_exit": 1, "verify_report": RED}
UNGRADED = {"agent_exit": 0, "verify_exit": 1, "tests_executed": 0}
DEADLINE = {"killed_by": "harness_deadline", "wall_cap_s": 900}


def meta(facts: dict[str, Any], after: bool | None = None, **more: Any) -> bytes:
    told = {
        "run_id": "r1",
        "task_id": "t",
        "tests_without_agent_pass": False,
        "tests_after_pass": after,
        "facts": facts,
    }
    return json.dumps({**told, **more}).encode()


def log(*lines: str) -> bytes:
    stamped = (one if one[:1].isdigit() else f"10:00:{n:02}.000 {one}" for n, one in enumerate(lines))
    return "".join(f"{line}\n" for line in stamped).encode()


def take(facts: dict[str, Any], *lines: str, after: bool | None = None, **documents: Any) -> Imported:
    files = [("meta.json", meta(facts, after)), ("combined.log", log(*lines))]
    for name, found in documents.items():
        many = isinstance(found, list)
        data = "".join(json.dumps(row) + "\n" for row in found) if many else json.dumps(found)
        files.append((f"{name}.jsonl" if many else f"{name}.json", data.encode()))
    return import_rows(files)


def row_of(found: Imported) -> AttemptRow:
    return found.ledger.rows[0]


def ending(found: Imported) -> tuple[str, str]:
    """Whose it is, and the reason or, for a row of the model, the class."""
    draw = judge(found.ledger, found.terms).sheet.draws[0]
    return str(draw.origin), str(draw.reason or draw.failure_class)


def problems(found: Imported) -> list[str]:
    return [one.what for one in found.ledger.defects if one.kind == "bad_value"]


CALL = "harness/evt| provider_call seq=3"
ENDINGS: tuple[tuple[str, dict[str, Any], tuple[str, ...], bool | None, tuple[str, str]], ...] = (
    ("529", {"agent_exit": 1}, (f"{CALL} status=529 outcome=gave_up",), None, ("INFRA", "provider_error")),
    ("402", {"agent_exit": 1}, (f"{CALL} status=402 outcome=gave_up",), None, ("INFRA", "quota_exhausted")),
    (
        "spent", {"agent_exit": 1}, (f"{CALL} status=429 error=insufficient_quota outcome=gave_up",), None,
        ("INFRA", "quota_exhausted"),
    ),
    (
        "wrong model", {"agent_exit": 1}, (f"{CALL} status=404 error=model_not_found outcome=gave_up",), None,
        ("HARNESS", "provider_error"),
    ),
    (
        "window too small at once", {"agent_exit": 1},
        ("harness/evt| provider_call seq=1 status=400 error=context_length_exceeded outcome=gave_up",), None,
        ("HARNESS", "sandbox_config"),
    ),
    (
        "window outgrown", {"agent_exit": 1},
        ("harness/evt| provider_call seq=9 status=400 error=context_length_exceeded outcome=gave_up",), None,
        ("MODEL", "timeout"),
    ),
    (
        "an error without an outcome, nothing after it", {"agent_exit": 1}, (f"{CALL} status=503",), None,
        ("INFRA", "provider_error"),
    ),
    (
        "given up, answered later", GRADED,
        (f"{CALL} status=503 outcome=gave_up", "harness/evt| provider_call seq=4 status=200 outcome=ok"), False,
        ("MODEL", "test_fail"),
    ),
    ("a verdict outranks the provider", GRADED, (f"{CALL} status=503 outcome=gave_up",), False, ("MODEL", "test_fail")),
    (
        "paused until its cap", {**DEADLINE, "elapsed_s": 900},
        ("harness/evt| start", f"{CALL} status=429 retry_after=5000 outcome=pause",
         "10:15:00.000 harness/evt| wall_cap reached cap_s=900 signal=TERM"), None,
        ("INFRA", "provider_pause"),
    ),
    ("own deadline", {**DEADLINE, "agent_exit": 137, "oom_killed": False, "elapsed_s": 905}, (), None, ("MODEL", "timeout")),
    ("own deadline, rounded", {**DEADLINE, "elapsed_s": 899.4}, (), None, ("MODEL", "timeout")),
    ("a deadline that was not reached", {**DEADLINE, "elapsed_s": 120}, (), None, ("HARNESS", "harness_timeout")),
    ("a deadline that nobody declared", {"killed_by": "harness_deadline"}, (), None, ("HARNESS", "harness_timeout")),
    (
        "a budget of working time", {"killed_by": "harness_deadline", "working_s": 600, "elapsed_s": 3000, "limits": {"agent_working_s": 600}},
        (), None, ("MODEL", "timeout"),
    ),
    ("a cap by its event alone", {}, ("harness/evt| wall_cap reached cap_s=900 signal=TERM",), None, ("MODEL", "timeout")),
    (
        "evicted after its own cap", {**DEADLINE, "elapsed_s": 900, "pod_events": [{"at": "10:00:09.000", "reason": "Evicted"}]},
        ("harness/evt| wall_cap reached cap_s=900 signal=TERM",), None, ("MODEL", "timeout"),
    ),
    (
        "a claim that the clock denies", {"claimed_timeout_s": 1800, "elapsed_s": 183, "limits": {"agent_wall_s": 1800}}, (),
        None, ("HARNESS", "harness_timeout"),
    ),
    (
        "a claim that the log's clock denies", {"claimed_timeout_s": 1800},
        ("harness/evt| start", "10:03:03.000 harness/evt| agent_exit code=124"), None, ("HARNESS", "harness_timeout"),
    ),
    (
        "a claim that holds", {"claimed_timeout_s": 1800, "elapsed_s": 1800.4, "limits": {"agent_wall_s": 1800.0}}, (), None,
        ("MODEL", "timeout"),
    ),
    (
        "another, shorter limit", {"claimed_timeout_s": 600, "elapsed_s": 601, "limits": {"agent_wall_s": 1800}}, (), None,
        ("HARNESS", "harness_timeout"),
    ),
    ("137 and nobody knows", {"agent_exit": 137}, (), None, ("HARNESS", "unresolved")),
    ("137 and an unknown sender", {"agent_exit": 137, "killed_by": "gremlin"}, (), None, ("HARNESS", "unresolved")),
    ("stopped by an operator", {"agent_exit": 143, "killed_by": "operator"}, (), None, ("HARNESS", "harness_killed")),
    ("killed by its node", {"agent_exit": 137, "killed_by": "kubelet"}, (), None, ("INFRA", "evicted")),
    ("out of memory", {"agent_exit": 137, "oom_killed": True}, (), None, ("INFRA", "oom_sandbox")),
    (
        "out of memory by its event, consequences after it", {},
        ("harness/evt| sandbox_exit code=137 oom_killed=true", "harness/err| connect: Connection refused"), None,
        ("INFRA", "oom_sandbox"),
    ),
    (
        "a child out of memory", {**GRADED, "container": {"oom_kill_events": 2, "container_died": False}}, (), False,
        ("MODEL", "test_fail"),
    ),
    ("preempted", {"pod_events": [{"at": "10:00:01.000", "reason": "Preempted"}]}, (), None, ("INFRA", "evicted")),
    (
        "node lost", {"pod_events": [{"at": "2026-07-06T10:00:01Z", "reason": "NodeLost"}]},
        ("harness/err| sandbox not found (404)",), None, ("INFRA", "evicted"),
    ),
    ("an eviction that only the log has", {}, ("harness/evt| pod_event reason=Evicted",), None, ("INFRA", "evicted")),
    (
        "the provider first, the eviction later", {"pod_events": [{"at": "10:09:00.000", "reason": "Evicted"}]},
        (f"{CALL} status=503 outcome=gave_up",), None, ("INFRA", "provider_error"),
    ),
    (
        "the eviction first, the provider later", {"pod_events": [{"at": "09:59:00.000", "reason": "Evicted"}]},
        (f"{CALL} status=503 outcome=gave_up",), None, ("INFRA", "evicted"),
    ),
    (
        "scheduled after all", {**GRADED, "pod_events": [{"reason": "FailedScheduling"}, {"reason": "Started"}]}, (), False,
        ("MODEL", "test_fail"),
    ),
    ("never scheduled", {"agent_started": False, "pod_events": [{"reason": "FailedScheduling"}]}, (), None, ("INFRA", "env_flake")),
    (
        "an image that is not there", {"pod_events": [{"reason": "ImagePullBackOff", "message": "manifest unknown"}]}, (), None,
        ("HARNESS", "image_pull"),
    ),
    (
        "a registry that times out", {"pod_events": [{"reason": "ErrImagePull", "message": "dial tcp: i/o timeout"}]}, (), None,
        ("INFRA", "image_pull"),
    ),
    ("registry 503", {"image_pull": {"status": 503, "error": "service unavailable"}}, (), None, ("INFRA", "image_pull")),
    ("registry 401", {"image_pull": {"status": 401, "error": "unauthorized"}}, (), None, ("HARNESS", "image_pull")),
    ("wrong architecture", {"image_pull": {"error": "exec format error"}}, (), None, ("HARNESS", "image_pull")),
    ("pulled in the end", {**GRADED, "image_pull": {"status": 200, "retries": 2}}, (), False, ("MODEL", "test_fail")),
    (
        "a stream that was cut", {"agent_exit": 1, "provider": {"http_status": 200, "final_event": False, "gave_up": True}}, (),
        None, ("INFRA", "provider_stream_error"),
    ),
    (
        "a summary of answered calls is no error", {**GRADED, "provider": {"retries": 3, "wait_s": 41}}, (), False,
        ("MODEL", "test_fail"),
    ),
    ("a full disk and only errors", {**UNGRADED, "verify_report": ALL_ERRORS, "disk_free_mb": {"/tmp": 0.4, "/": 900}}, (), False, ("INFRA", "disk_full")),
    ("a full disk and a verdict", {**GRADED, "disk_free_mb": {"/tmp": 0}}, (), False, ("MODEL", "test_fail")),
    ("only errors", {"agent_exit": 0, "verify_exit": 1, "verify_report": ALL_ERRORS}, (), False, ("HARNESS", "grader_error")),
    ("errors and a text", {"agent_exit": 0, "verify_exit": 1, "verify_report": ALL_ERRORS}, ("verify/err| OSError: [Errno 28] x",), False, ("INFRA", "disk_full")),
    ("ENOSPC in the agent's text", GRADED, ("agent/out| No space left on device", "agent/err| ENOSPC"), False, ("MODEL", "test_fail")),
    ("the agent's text explains nothing", {"agent_exit": 1}, ("agent/out| No space left on device",), None, ("HARNESS", "unresolved")),
    ("a lone word of the verifier's output", UNGRADED, ("verify/out| Killed",), None, ("HARNESS", "unresolved")),
    ("a clean tree says the opposite", {**GRADED, "clean_reverify_exit": 0}, (), False, ("INFRA", "contaminated_workspace")),
    ("a clean tree says the same", {**GRADED, "clean_reverify_exit": 1, "workspace_reused_from": "r0"}, (), False, ("MODEL", "test_fail")),
    ("npm without a network", UNGRADED, ("verify/err| npm ERR! code EAI_AGAIN",), None, ("INFRA", "env_flake")),
    ("npm without a package", UNGRADED, ("verify/err| npm ERR! code E404",), None, ("HARNESS", "grader_error")),
    ("a clock that is wrong", UNGRADED, ("verify/err| curl: (60) SSL: certificate is not yet valid",), None, ("INFRA", "env_flake")),
    ("a port in use is no proof of flakiness", UNGRADED, ("verify/err| [Errno 98] Address already in use",), None, ("HARNESS", "unresolved")),
    ("set-up, no name", {"agent_started": False, "setup_exit": 128}, ("setup/err| fatal: unable to access 'https://x/': Could not resolve host: x",), None, ("INFRA", "clone_failed")),
    ("set-up, no right", {"agent_started": False, "setup_exit": 128}, ("setup/err| fatal: Authentication failed for 'https://x/'",), None, ("HARNESS", "sandbox_config")),
    ("a provider by its text alone", {"agent_exit": 1}, ("harness/err| openai.RateLimitError: Error code: 429 - slow",), None, ("INFRA", "provider_rate_limit")),
)  # fmt: skip


@pytest.mark.parametrize(
    ("facts", "lines", "after", "wanted"), [one[1:] for one in ENDINGS], ids=[one[0] for one in ENDINGS]
)
def test_endings(facts: dict[str, Any], lines: tuple[str, ...], after: bool | None, wanted: tuple[str, str]) -> None:
    found = take(facts, *lines, after=after)
    assert ending(found) == wanted
    assert problems(found) == []


def test_recovered_calls_are_facts_of_the_row() -> None:
    lines = [f"{CALL} status=429 retry_after={s} outcome=retry" for s in (6, 15, 20)]
    stamps = ("10:00:01", "10:00:07", "10:00:22")
    told = [f"{at}.000 {line}" for at, line in zip(stamps, lines, strict=True)]
    row = row_of(take(GRADED, *told, f"10:00:42.000 {CALL} status=200 outcome=ok", after=False))
    assert (row.provider_retries, row.paused_ms, row.first_unrecovered) == (3, 41_000, None)


def test_waiting_is_what_was_announced_and_never_longer_than_until_the_next_thing() -> None:
    pause = "10:00:41.000 harness/evt| provider_call seq=2 status=429 retry_after=2618 outcome=pause"
    early = take(
        {},
        "10:00:00.000 harness/evt| start",
        pause,
        "10:10:41.000 harness/evt| provider_call seq=2 status=200 outcome=ok",
    )
    assert row_of(early).paused_ms == 600_000
    open_end = take(
        {**DEADLINE, "wall_cap_s": 100, "elapsed_s": 100},
        "10:00:00.000 harness/evt| start", pause, "10:01:40.000 harness/evt| wall_cap reached cap_s=100",
    )  # fmt: skip
    row = row_of(open_end)
    assert (row.wall_ms, row.paused_ms, row.working_ms) == (100_000, 59_000, 41_000)


def test_fields_of_a_container_and_of_limits() -> None:
    container = {"exit_code": 137, "oom_killed": True, "limit_mb": 2048, "request_mb": 1024}
    row = row_of(take({"container": container, "limits": {"agent_wall_s": 1800, "per_command_s": 180}}))
    wanted = {"memory_mb": "2048", "memory_guaranteed_mb": "1024", "wall_s": "1800", "per_command_s": "180"}
    assert (row.oom, row.limits_enforced) == (True, wanted)


@pytest.mark.parametrize("written", ["KILL", "SIGKILL", 9])
def test_a_signal_is_read_however_it_is_written(written: object) -> None:
    row = row_of(take({**DEADLINE, "exit_signal": written, "elapsed_s": 905}))
    assert (row.agent_signal, row.killed_by) == (9, "budget_wall")


def test_events_fill_what_the_facts_leave_open() -> None:
    row = row_of(take({}, "agent/evt| agent_done exit=0 patch_bytes=12", "verify/evt| verify_done exit=1"))
    assert (row.agent_exit, row.verify_exit, row.agent_started, row.grade) == (0, 1, True, "red")
    assert row.patch.bytes == 12  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("facts", "line", "named"),
    [
        ({"agent_exit": 0}, "agent/evt| agent_exit code=1", "agent_exit: facts say 0, event 1 agent_exit says 1"),
        ({"verify_exit": 1}, "verify/evt| verify_done exit=0", "verify_exit: facts say 1"),
        ({"wall_cap_s": 900}, "harness/evt| wall_cap reached cap_s=1800", "wall_cap_s: facts say 900"),
        (
            {"container": {"oom_killed": False}},
            "harness/evt| sandbox_exit code=137 oom_killed=true",
            "container.oom_killed",
        ),
        (
            {"provider": {"last_status": 500, "gave_up": True}},
            f"{CALL} status=429 outcome=gave_up",
            "provider.last_status",
        ),
        ({"clean_reverify_exit": 1}, "verify/evt| clean_reverify exit=0", "clean_reverify_exit"),
    ],
)
def test_facts_and_events_that_disagree_are_named_and_nobody_chooses(
    facts: dict[str, Any], line: str, named: str
) -> None:
    found = take(facts, line)
    assert any(named in what for what in problems(found))
    assert ending(found) == ("HARNESS", "unresolved")


def test_two_events_that_disagree_are_named() -> None:
    found = take({}, "verify/evt| verify_done exit=1", "verify/evt| verify_done exit=0")
    assert problems(found) == [
        "facts and log disagree: verify_exit: event 1 verify_done says 1, event 2 verify_done says 0"
    ]


def test_a_fact_of_the_wrong_kind_is_a_problem_and_unknown_ones_are_named() -> None:
    found = take({"wall_cap_s": "900", "weather": "wet", "container": {"limit_mb": 1}})
    assert problems(found) == ["facts.wall_cap_s: a string is not a number: '900'"]
    assert "columns kept, not judged: facts.weather" in " ".join(found.report.notes)
    assert json.loads(row_of(found).extra["facts"])["weather"] == "wet"


def test_a_text_is_kept_as_a_hint_and_moves_no_verdict() -> None:
    found = take(GRADED, "harness/err| OSError: [Errno 28] No space left on device", after=False)
    hint = row_of(found).hints[0]
    assert (hint.cause, hint.family, hint.writer, hint.stream) == ("disk_full", "disk", "harness", "harness/err")
    assert hint.ref == hashlib.sha256(log("harness/err| OSError: [Errno 28] No space left on device")).hexdigest()
    draw = judge(found.ledger, found.terms).sheet.draws[0]
    assert (draw.origin, draw.exit, "text_hint" in draw.tags) == ("MODEL", "fail", True)


def test_the_network_of_the_envelope_is_read() -> None:
    for written, word in ((False, "off"), ("none", "off"), (True, "open"), ("gateway", "gateway")):
        assert take(GRADED, after=False, manifest={"env": {"network": written}}).terms.network == word
    assert take(GRADED, after=False).terms.network == ""


SUITE = b'<testsuite tests="2" failures="%d"><testcase name="test_a">%s</testcase><testcase name="test_b"/></testsuite>'
PRINTED = log("verify/out| PASSED tests/test_p.py::test_a", "verify/out| PASSED tests/test_p.py::test_b")


@pytest.mark.parametrize(("inner", "lies"), [(b"<failure/>", True), (b"", False)])
def test_printed_passes_are_held_against_the_report(inner: bytes, lies: bool) -> None:
    report = SUITE % (len(inner) > 0, inner)
    exit_code = 1 if inner else 0
    files = [
        ("meta.json", meta({"agent_exit": 0, "verify_exit": exit_code})),
        ("combined.log", PRINTED),
        ("report.xml", report),
    ]
    row = row_of(import_rows(files))
    assert row.forged_output is lies
    assert row.grade == ("red" if inner else "green")


def test_printed_passes_are_held_against_counts_only_where_the_report_denies_every_test() -> None:
    lines = ("verify/out| PASSED tests/test_p.py::test_a",)
    denied = {"agent_exit": 0, "verify_exit": 1, "verify_report": {"expected": 2, "passed": 0, "failed": 2}}
    assert row_of(take(denied, *lines, after=False)).forged_output is True
    assert row_of(take(GRADED, *lines, after=False)).forged_output != True  # noqa: E712


def test_a_report_that_denies_the_collected_counts_is_a_problem() -> None:
    report = SUITE % (1, b"<failure/>")
    facts = {"agent_exit": 0, "verify_exit": 1, "verify_report": {"expected": 2, "passed": 0, "failed": 2}}
    found = import_rows([("meta.json", meta(facts, False)), ("report.xml", report)])
    assert problems(found) == ["verify_report.passed: says 0, the report beside it says 1"]


def test_restored_tests_give_the_grade_and_changed_settings_are_tampering() -> None:
    facts = {
        "agent_exit": 0,
        "in_place": {"exit": 0},
        "restored": {"exit": 1, "failed": ["a"]},
        "changed": ["src/a.py", "conftest.py"],
    }
    found = take(facts, after=True, task={"id": "t", "allowed_files": ["src/*.py"]})
    row = row_of(found)
    assert (row.grade, row.tampering) == ("red", ("runner",))
    facts["changed"] = ["src/a.py", "tests/test_a.py"]
    row = row_of(take(facts, after=True, task={"id": "t", "allowed_files": ["src/*.py"]}))
    assert (row.grade, row.tampering) == ("red", ())


def batch(*more: tuple[str, bytes]) -> Imported:
    a, b = meta({"image_pull": {"status": 429}}, run_id="ra"), meta({"image_pull": {"status": 404}}, run_id="rb")
    return import_rows([("runs/a/meta.json", a), ("runs/b/meta.json", b), *more])


def test_runs_of_one_task_are_repeats_of_a_batch_and_keep_their_folder_and_run_id() -> None:
    found = batch(("runs/b/combined.log", log("setup/err| toomanyrequests: x")))
    rows = found.ledger.rows
    assert [(row.key.run_id, row.key.repeat, row.source.file) for row in rows] == [
        ("runs", 1, "runs/a/meta.json"), ("runs", 2, "runs/b/meta.json"),
    ]  # fmt: skip
    assert [row.extra["run_id"] for row in rows] == ['"ra"', '"rb"']
    assert [len(row.hints) for row in rows] == [0, 1]


def test_each_run_folder_may_have_its_own_card_and_the_same_manifest() -> None:
    cards = [
        (f"runs/{name}/task.json", json.dumps({"id": "t", "allowed_files": [f"{name}/*"]}).encode()) for name in "ab"
    ]
    manifests = [(f"runs/{name}/manifest.json", b'{"task_ids": ["t"], "repeats": 2}') for name in "ab"]
    rows = [(f"runs/{name}/meta.json", meta({**GRADED, "changed": ["a/x"]}, False, run_id=name)) for name in "ab"]
    found = import_rows([*rows, *cards, *manifests])
    assert [row.patch.outside for row in found.ledger.rows] == [(), ("a/x",)]  # type: ignore[union-attr]
    assert found.ledger.declared_n == 2


def test_a_log_that_belongs_to_no_single_row_is_kept_aside() -> None:
    rows = b'{"task_id": "a", "tests_after_pass": true}\n{"task_id": "b", "tests_after_pass": true}\n'
    found = import_rows([("rows.jsonl", rows), ("combined.log", log(f"{CALL} status=503 outcome=gave_up"))])
    assert all(row.first_unrecovered is None and row.hints == () for row in found.ledger.rows)
    assert [use.role for use in found.report.files if use.name == "combined.log"] == ["kept aside"]


def test_checksums_are_held_against_the_files_of_their_own_folder() -> None:
    data = meta({"image_pull": {"status": 429}}, run_id="ra")
    sums = f"{hashlib.sha256(data).hexdigest()}  meta.json\n".encode()
    assert [one.kind for one in batch(("runs/a/SHA256SUMS", sums)).ledger.defects if one.blocks] == []
    assert [one.kind for one in batch(("runs/b/SHA256SUMS", sums)).ledger.defects if one.blocks] == ["digest_mismatch"]


def test_the_log_is_part_of_what_was_read() -> None:
    one, other = take(GRADED, "agent/out| x", after=False), take(GRADED, "agent/out| y", after=False)
    assert one.terms.digest != other.terms.digest


@pytest.mark.parametrize("size", [10, 200_000])
def test_digest_true_size_and_both_ends_of_a_log_are_kept(tmp_path: Path, size: int) -> None:
    folder, out = tmp_path / "run", tmp_path / "out"
    folder.mkdir()
    data = log(f"{CALL} status=429 outcome=gave_up") + b"10:00:09.000 agent/out| \xff" + b"x" * size + b"\n"
    (folder / "meta.json").write_bytes(meta({"agent_exit": 1}))
    (folder / "combined.log").write_bytes(data)
    import_paths([folder], None, [], out)
    sha = hashlib.sha256(data).hexdigest()
    index = loads((out / "logs" / "index.json").read_bytes(), "index")
    assert [(one["name"], one["sha256"], one["bytes"]) for one in index] == [("combined.log", sha, len(data))]
    if size < 100_000:
        assert (out / "logs" / f"{sha}.log").read_bytes() == data
    else:
        assert (out / "logs" / f"{sha}.head").read_bytes() == data[:65_536]
        assert (out / "logs" / f"{sha}.tail").read_bytes() == data[-65_536:]


BASE = {"task_id": "t"}


@pytest.mark.parametrize(
    ("lines", "facts", "wanted"),
    [
        ([{"arm": "oracle", "verify_exit": 0}, {"arm": "nop", "verify_exit": 1}], GRADED, ("MODEL", "test_fail")),
        ([{"arm": "oracle", "verify_exit": 1, "tests_executed": 2}] * 3, GRADED, ("HARNESS", "bad_task")),
        ([{"arm": "gold", "status": "pass", "date": "2026-01-01"}, {"arm": "gold", "status": "fail", "date": "2026-02-01"}], GRADED, ("HARNESS", "pack_expired")),
        ([{"arm": "gold", "status": "pass", "date": "2026-02-01"}, {"arm": "gold", "status": "fail", "date": "2026-02-01"}], GRADED, ("FLAKY_TEST", "env_flake")),
        ([{"agent": None, "status": "pass"}, {"agent": None, "status": "fail"}], GRADED, ("FLAKY_TEST", "env_flake")),
        ([{"agent": None, "status": "pass"}, {"agent": None, "status": "fail"}], {"agent_exit": 1}, ("HARNESS", "unresolved")),
        ([{"agent": "A", "status": "pass"}, {"agent": None, "status": "fail"}], GRADED, ("MODEL", "test_fail")),
        ([{"arm": "nop", "verify_exit": 127}, {"arm": "oracle", "verify_exit": 127}], UNGRADED, ("HARNESS", "grader_error")),
        ([{"arm": "nop", "verify_exit": 1}, {"arm": "oracle", "verify_exit": 0}], UNGRADED, ("HARNESS", "unresolved")),
    ],
)  # fmt: skip
def test_agent_off_results(lines: list[dict[str, Any]], facts: dict[str, Any], wanted: tuple[str, str]) -> None:
    after = False if "verify_report" in facts else None
    assert ending(take(facts, after=after, baseline=[{**BASE, **line} for line in lines])) == wanted


def test_a_task_that_no_arm_can_grade_blocks_and_is_named() -> None:
    lines = [{**BASE, "arm": arm, "verify_exit": 127, "tests_executed": 0} for arm in ("oracle", "nop", "oracle")]
    found = take({"agent_exit": 0, "verify_exit": 127, "tests_executed": 0}, baseline=lines)
    broken = [one for one in found.ledger.defects if one.kind == "broken_task"]
    assert [(one.keys, one.blocks) for one in broken] == [(("t",), True)]
    assert row_of(found).baseline_collects is False
    assert "t: 3 agent-off results: 0 green, 0 red, 3 without a test that ran" in found.report.notes


def test_only_results_at_the_stated_concurrency_count() -> None:
    lines = [
        {**BASE, "agent": None, "concurrency": n, "status": status}
        for n, status in ((1, "pass"), (8, "fail"), (8, "pass"))
    ]
    wide = take(GRADED, after=False, baseline=lines, manifest={"concurrency": 8})
    narrow = take(GRADED, after=False, baseline=lines[:2], manifest={"concurrency": 8})
    assert (ending(wide), ending(narrow)) == (("FLAKY_TEST", "env_flake"), ("MODEL", "test_fail"))
    assert "1 agent-off results at another concurrency were not used" in wide.report.notes


@pytest.mark.parametrize("status", [124, 126, 127])
def test_a_clean_verifier_that_never_ran_is_no_second_grading(status: int) -> None:
    found = take({"agent_exit": 0, "verify_exit": 0, "clean_reverify_exit": status}, after=True)
    assert not row_of(found).regraded
    assert ending(found)[0] == "MODEL"


def test_a_wait_beyond_every_number_is_no_duration() -> None:
    found = take(GRADED, "harness/evt| provider_call seq=1 status=429 retry_after=1e999999 outcome=retry",
                 "harness/evt| provider_call seq=1 status=200")  # fmt: skip
    assert ending(found) == ("MODEL", "test_fail")


@pytest.mark.parametrize("gold", [{"verify_exit": 127}, {"verify_exit": 124}, {"verify_exit": 5, "tests_executed": 0}])
def test_a_reference_patch_on_which_no_test_ran_is_not_red(gold: dict[str, int]) -> None:
    document = json.dumps({"run_id": "r", "task_id": "t", "tests_without_agent_pass": False, "tests_after_pass": False,
                           "gold": gold}).encode()  # fmt: skip
    found = import_rows([("meta.json", document)])
    assert row_of(found).gold_now == "none" and "t" not in found.terms.bad_tasks
    assert ending(found) == ("MODEL", "test_fail")


def test_an_event_whose_value_is_none_is_named_and_the_row_keeps_its_place() -> None:
    meta = {"run_id": "r", "task_id": "t", "tests_without_agent_pass": False, "tests_after_pass": None, "facts": {}}
    log = b"10:00:00.000 harness/evt| agent_done exit=ok\n10:00:01.000 verify/evt| verify_done exit=soon\n"
    found = import_rows([("meta.json", json.dumps(meta).encode()), ("combined.log", log)])
    (row,) = found.ledger.rows
    told = " ".join(defect.what for defect in found.ledger.defects)
    assert "agent_done" in told
    assert "verify_done" in told
    assert canonical(found.ledger)
    assert row.grade == "none"
