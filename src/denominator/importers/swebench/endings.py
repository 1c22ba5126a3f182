"""How an instance of the SWE-bench family can end, one line each, whichever file says it."""

from __future__ import annotations

from denominator.importers.foreign import failure
from denominator.records.facts import Hint
from denominator.records.foreign import Ending
from denominator.records.rows import PatchFacts, TestIds
from denominator.records.words import Grade, KilledBy, RunnerEnding

EMPTY_SHA = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
NO_PATCH = PatchFacts(sha256=EMPTY_SHA, bytes=0)
ONE = ("a test",)


def _broke(cause: str, phase: str = "verify") -> dict[str, object]:
    return {"first_unrecovered": failure(cause, "harness", phase)}


RESOLVED = Ending(
    word="report.json: resolved true",
    outcome="pass", origin="MODEL", facts={"grade": Grade.GREEN},
    why="the harness saw every test pass that must, and names them",
)  # fmt: skip
DENIED = Ending(
    word="report.json: resolved true, and a test that must pass stands under failure",
    outcome="fail", origin="MODEL",
    facts={"grade": Grade.GREEN, "tests": TestIds(expected=ONE, failed=ONE)},
    why="the report denies itself: a pass must keep every clause whose facts it holds; it blocks",
)  # fmt: skip
DENIED_BY_EXIT = Ending(
    word="report.json: resolved true, and the test command failed while its output names no failed test",
    outcome="unscoreable", origin="HARNESS", reason="grader_error", facts=_broke("grader_error"),
    why="a patch can print the passes that were counted; its exit status denies them, and it blocks",
)  # fmt: skip
NO_FIXED_TEST = Ending(
    word="report.json: resolved true, and FAIL_TO_PASS names no test that passed",
    outcome="unscoreable", origin="HARNESS", reason="grader_error", facts=_broke("grader_error"),
    why="a test that was skipped, or whose name was cut, is under neither success nor failure; nothing shows a fix, and it blocks",
)  # fmt: skip
NOT_FIXED = Ending(
    word="report.json: resolved false, a FAIL_TO_PASS test failed",
    outcome="fail", origin="MODEL", facts={"grade": Grade.RED},
    why="the defect is still there",
)  # fmt: skip
REGRESSION = Ending(
    word="report.json: resolved false, all of FAIL_TO_PASS passed, a PASS_TO_PASS test failed",
    outcome="fail", origin="MODEL", facts={"grade": Grade.RED},
    why="the defect is gone and something else broke; the history of that test with the reference patch can say flaky",
)  # fmt: skip
NO_TESTS = Ending(
    word="report.json: resolved false without tests_status, the test command ran to its end",
    outcome="fail", origin="MODEL", judged=True,
    why="the harness says no and names no test, as where printed passes and the exit code disagree",
)  # fmt: skip
NO_OUTPUT = Ending(
    word="report.json: resolved false without tests_status, the markers of the test output are not there",
    outcome="unscoreable", origin="HARNESS", reason="grader_error",
    facts={"runner_ending": RunnerEnding.INCOMPLETE},
    why="no test output came to its end, so nobody judged the patch",
)  # fmt: skip
SAID_RESOLVED = Ending(
    word="resolved_ids, resolved, or resolved: true", outcome="pass", judged=True,
    why="a list says that the instance was resolved; no test of it is named",
)  # fmt: skip
SAID_UNRESOLVED = Ending(
    word="unresolved_ids, or resolved: false", outcome="fail", origin="MODEL", judged=True,
    why="a list says that it was graded and not resolved; no test of it is named",
)  # fmt: skip
EMPTY = Ending(
    word='empty_patch_ids, no_generation, or a patch that is "" or null',
    outcome="abstain", origin="MODEL", facts={"patch": NO_PATCH},
    why="nothing was handed in; whether the agent gave up, met a limit or crashed is in the agent's own files only",
)  # fmt: skip
BAD_PATCH = Ending(
    word='run_instance.log: ">>>>> Patch Apply Failed"; or no_apply',
    outcome="fail", origin="MODEL", facts={"patch_made_by": "agent_text", "apply_exit": 1},
    why="the text that was handed in as a patch fits no tree",
)  # fmt: skip
TIMED_OUT = Ending(
    word='"Timeout error: N seconds exceeded", tests_timed_out, or test_timeout',
    outcome="unscoreable", origin="HARNESS", reason="harness_timeout", facts={"killed_by": KilledBy.VERIFY_TIMEOUT},
    why="the harness's own limit on the whole test command ended it: a hanging patch or a slow host, and no file says which",
)  # fmt: skip
BROKEN_REPORT = Ending(
    word="report.json is empty, cut, or no report",
    outcome="unscoreable", origin="HARNESS", reason="missing_artifact", facts=_broke("missing_artifact"),
    why="the harness counts it as completed and as an error; what it saw is lost",
)  # fmt: skip
ERROR = Ending(
    word="error_ids, failed_ids, or a folder without report.json, and no log says why",
    outcome="unscoreable", origin="HARNESS", reason="no_verdict", facts=_broke("harness_error"),
    why="the evaluation ended without a report",
)  # fmt: skip
NO_LOGS = Ending(
    word="no_logs, or generated and not with_logs",
    outcome="unscoreable", origin="HARNESS", reason="missing_artifact", facts=_broke("missing_artifact"),
    why="a patch was handed in, and no log of its tests is kept",
)  # fmt: skip
UNGRADED = Ending(
    word="a prediction, and no file says what became of it; or pending_ids",
    outcome="unscoreable", origin="HARNESS", reason="missing_artifact", facts=_broke("missing_artifact", "harness"),
    why="the agent handed in a patch and nobody graded it",
)  # fmt: skip
INSTALL_FAILED = Ending(
    word="install_fail", outcome="unscoreable", origin="HARNESS", reason="grader_error", facts=_broke("install_refused"),
    why="the environment of the instance could not be installed",
)  # fmt: skip
RESET_FAILED = Ending(
    word="reset_failed", outcome="unscoreable", origin="HARNESS", reason="grader_error", facts=_broke("grader_error"),
    why="the tree could not be set back before the tests",
)  # fmt: skip
TESTS_ERRORED = Ending(
    word="test_errored", outcome="unscoreable", origin="HARNESS", reason="grader_error",
    facts={"runner_ending": RunnerEnding.INTERNAL_ERROR},
    why="the test command broke, and nothing points at the patch",
)  # fmt: skip

MISSING_MODULE = Ending(
    word="failure reason missing_module (ambiguous), no test is named",
    outcome="unscoreable", origin="HARNESS", reason="grader_error",
    facts={"runner_ending": RunnerEnding.COLLECTION_ERROR},
    why="a module is missing, of the image or of the patch, and no file says which",
)  # fmt: skip
NOT_COLLECTED = Ending(
    word="failure reason no_tests_collected (ambiguous), no test is named",
    outcome="unscoreable", origin="HARNESS", reason="grader_error", facts={"runner_ending": RunnerEnding.NOTHING_RAN},
    why="no test was found, and no file says whether the patch did that",
)  # fmt: skip
AMBIGUOUS = {"missing_module": MISSING_MODULE, "no_tests_collected": NOT_COLLECTED, "tests_timed_out": TIMED_OUT}
"""Reasons that swebench 5 reads in logs and takes for a sign only. A report that names tests outranks them."""


def _infra(reason: str, cause: str, origin: str, means: str, why: str) -> Ending:
    return Ending(
        word=f"failure reason {reason} (environment)", outcome="unscoreable", origin=origin, reason=means,
        facts=_broke(cause), why=why,
    )  # fmt: skip


ENVIRONMENT = {
    "browser_launch_failed": _infra(
        "browser_launch_failed", "sandbox_config", "HARNESS", "sandbox_config", "the image has no browser that starts"
    ),
    "display_unavailable": _infra(
        "display_unavailable", "sandbox_config", "HARNESS", "sandbox_config", "the box has no display for the tests"
    ),
    "out_of_memory": _infra(
        "out_of_memory", "oom_sandbox", "INFRA", "oom_sandbox", "the box had too little memory for the tests"
    ),
    "container_unavailable": _infra(
        "container_unavailable", "sandbox_unreachable", "INFRA", "env_flake", "the engine gave no container"
    ),
    "network_unreachable": _infra(
        "network_unreachable", "network_down", "INFRA", "env_flake", "the tests needed a network that was not there"
    ),
}
"""Reasons that swebench 5 calls failures of the environment; it leaves them in the denominator, and so do we."""
ENVIRONMENT_UNNAMED = Ending(
    word="infra_failure_ids, or infra_failure true, without a reason",
    outcome="unscoreable", origin="HARNESS", reason="no_verdict", facts=_broke("harness_error"),
    why="the harness blames the environment and does not say for what",
)  # fmt: skip


def _text(cause: str, origin: str, reason: str) -> Ending:
    hint = Hint(cause=cause, family="", writer="harness", stream="harness/err", offset=0, length=0)
    return Ending(
        word=f"no report, and an error in run_instance.log speaks of {cause}",
        outcome="unscoreable", origin=origin, reason=reason, facts={"hints": (hint,)},
        why="a known text in the harness's own log: low confidence, a person must look",
    )  # fmt: skip


TEXTS = {
    cause: _text(cause, origin, reason)
    for cause, origin, reason in (
        ("apply_error", "HARNESS", "apply_error"),
        ("clock_skew", "INFRA", "env_flake"),
        ("clone_failed", "INFRA", "clone_failed"),
        ("clone_refused", "HARNESS", "sandbox_config"),
        ("disk_full", "INFRA", "disk_full"),
        ("evicted", "INFRA", "evicted"),
        ("grader_error", "HARNESS", "grader_error"),
        ("host_limit", "INFRA", "env_flake"),
        ("image_missing", "HARNESS", "image_pull"),
        ("image_throttled", "INFRA", "image_pull"),
        ("image_unavailable", "INFRA", "image_pull"),
        ("install_refused", "HARNESS", "grader_error"),
        ("io_error", "INFRA", "env_flake"),
        ("missing_artifact", "HARNESS", "missing_artifact"),
        ("network_down", "INFRA", "env_flake"),
        ("oom_sandbox", "INFRA", "oom_sandbox"),
        ("sandbox_config", "HARNESS", "sandbox_config"),
        ("sandbox_start", "HARNESS", "sandbox_config"),
        ("sandbox_unreachable", "INFRA", "env_flake"),
        ("tls_broken", "HARNESS", "sandbox_config"),
    )
}

OF_REPORTS = (
    RESOLVED,
    DENIED,
    DENIED_BY_EXIT,
    NO_FIXED_TEST,
    NOT_FIXED,
    REGRESSION,
    NO_TESTS,
    NO_OUTPUT,
    BROKEN_REPORT,
)
OF_LISTS = (SAID_RESOLVED, SAID_UNRESOLVED, EMPTY, ERROR, UNGRADED)
OF_LOGS = (BAD_PATCH, TIMED_OUT, *TEXTS.values())
OF_REASONS = (*ENVIRONMENT.values(), ENVIRONMENT_UNNAMED, MISSING_MODULE, NOT_COLLECTED)
OF_OLD_LISTS = (NO_LOGS, INSTALL_FAILED, RESET_FAILED, TESTS_ERRORED)
EVERY = (*OF_REPORTS, *OF_LISTS, *OF_LOGS, *OF_REASONS)
