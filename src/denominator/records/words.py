"""The closed vocabularies: one word, one meaning (docs/formats/words.md)."""

from __future__ import annotations

from enum import StrEnum


class Slice(StrEnum):
    """Which part of a pack a task belongs to; rates are of the solvable slice only."""

    SOLVABLE = "solvable"
    NEGATIVE = "negative"
    CANARY = "canary"
    FLOOR = "floor"


class Control(StrEnum):
    """What a control task or run control promises beforehand."""

    MUST_FAIL = "must_fail"
    KNOWN_BAD_MUST_FAIL = "known_bad_must_fail"
    EMPTY_PATCH_MUST_FAIL = "empty_patch_must_fail"
    GOLD_MUST_PASS = "gold_must_pass"
    NOOP_MUST_STAY_GREEN = "noop_must_stay_green"
    MUST_STAY_RED = "must_stay_red"
    READ_ONLY_SENTINEL = "read_only_sentinel"
    MUST_ASK = "must_ask"
    CANARY = "canary"
    FLOOR = "floor"
    NARRATION = "narration"


MUST_NOT_PASS = (
    Control.MUST_FAIL,
    Control.KNOWN_BAD_MUST_FAIL,
    Control.MUST_STAY_RED,
    Control.EMPTY_PATCH_MUST_FAIL,
)
"""Controls that any pass violates."""

SHOWS_FALSE_PASS = (*MUST_NOT_PASS, Control.MUST_ASK)
"""Controls that could have shown a false pass; only clean ones of these bound the false-pass rate."""


class ControlState(StrEnum):
    """Judgement on a control; never a pass or a fail in a rate."""

    HELD = "held"
    VIOLATED = "violated"
    INCONCLUSIVE = "inconclusive"


class Outcome(StrEnum):
    """How a declared draw ended."""

    PASS = "pass"
    FAIL = "fail"
    ABSTAIN = "abstain"
    UNSCOREABLE = "unscoreable"


class Origin(StrEnum):
    """Whose ending it was."""

    MODEL = "MODEL"
    HARNESS = "HARNESS"
    INFRA = "INFRA"
    FLAKY_TEST = "FLAKY_TEST"


class FailureClass(StrEnum):
    """How a row ended, in the classes of the failure ledger."""

    PASS = "pass"
    COMPILE_FAIL = "compile_fail"
    TEST_FAIL = "test_fail"
    TIMEOUT = "timeout"
    NO_PATCH = "no_patch"
    OVER_EDIT = "over_edit"
    CENSORED = "censored"
    UNRESOLVED = "unresolved"


class Mix(StrEnum):
    """Why a MODEL row ended so: one primary bucket."""

    PASS_CONTRACT = "PASS_CONTRACT"
    PASS_WEAK = "PASS_WEAK"
    ASSUME_API = "ASSUME_API"
    TOOL_LOOP = "TOOL_LOOP"
    MISSING_ASK = "MISSING_ASK"
    SCOPE_SLIP = "SCOPE_SLIP"
    TIMEOUT = "TIMEOUT"
    SCORER_RED = "SCORER_RED"


class Grade(StrEnum):
    """A fact: what the grader saw."""

    GREEN = "green"
    RED = "red"
    TAMPERED = "tampered"
    NONE = "none"


class GradingLevel(StrEnum):
    """How far the solution is kept from the verdict; recorded per task, printed on the card."""

    G0 = "G0"
    G1 = "G1"
    G2 = "G2"
    G3 = "G3"


class StopReason(StrEnum):
    """What ended an attempt; closed."""

    PASS = "pass"
    TESTS_RED = "tests_red"
    NO_PATCH = "no_patch"
    APPLY_ERROR = "apply_error"
    FORBIDDEN_PATH = "forbidden_path"
    TIMEOUT = "timeout"
    BUDGET = "budget"
    TRANSPORT = "transport"
    INFRA = "infra"
    HARNESS = "harness"


class KilledBy(StrEnum):
    """Who sent the signal that ended a process."""

    NOBODY = "nobody"
    BUDGET_WALL = "budget_wall"
    BUDGET_WORKING = "budget_working"
    BUDGET_OUTPUT = "budget_output"
    BUDGET_DISK = "budget_disk"
    BUDGET_TOKENS = "budget_tokens"
    BUDGET_TOOL_CALLS = "budget_tool_calls"
    BUDGET_CALLS = "budget_calls"
    KERNEL_OOM = "kernel_oom"
    HARNESS_STOP = "harness_stop"
    VERIFY_TIMEOUT = "verify_timeout"
    SELF = "self"


class Reason(StrEnum):
    """Why a row is unscoreable; a house may add reasons before a run, as plain strings."""

    HARNESS_TIMEOUT = "harness_timeout"
    GRADER_ERROR = "grader_error"
    NO_VERDICT = "no_verdict"
    BAD_TASK = "bad_task"
    PACK_EXPIRED = "pack_expired"
    SANDBOX_CONFIG = "sandbox_config"
    ENV_FLAKE = "env_flake"
    MISSING_ARTIFACT = "missing_artifact"
    PROVIDER_RATE_LIMIT = "provider_rate_limit"
    PROVIDER_ERROR = "provider_error"
    PROVIDER_STREAM_ERROR = "provider_stream_error"
    PROVIDER_EMPTY = "provider_empty"
    PROVIDER_PAUSE = "provider_pause"
    QUOTA_EXHAUSTED = "quota_exhausted"
    DISK_FULL = "disk_full"
    OOM_SANDBOX = "oom_sandbox"
    EVICTED = "evicted"
    IMAGE_PULL = "image_pull"
    CLONE_FAILED = "clone_failed"
    CONTAMINATED_WORKSPACE = "contaminated_workspace"
    HARNESS_KILLED = "harness_killed"
    INJECTED_FAULT = "injected_fault"
    APPLY_ERROR = "apply_error"
    UNKNOWN_STATE = "unknown_state"


class RunnerEnding(StrEnum):
    """How a test runner ended, from its structured report first, its exit status second, never from text alone."""

    PASSED = "passed"
    ASSERTION_FAILED = "assertion_failed"
    ERRORS_ONLY = "errors_only"
    COLLECTION_ERROR = "collection_error"
    INTERNAL_ERROR = "internal_error"
    USAGE_ERROR = "usage_error"
    NOTHING_RAN = "nothing_ran"
    ALL_SKIPPED = "all_skipped"
    ALL_XFAILED = "all_xfailed"
    BUILD_FAILED = "build_failed"
    TEST_TIMEOUT = "test_timeout"
    WORKER_CRASHED = "worker_crashed"
    SIGNAL = "signal"
    COMMAND_MISSING = "command_missing"
    INCOMPLETE = "incomplete"
    DISAGREES = "disagrees"
    UNKNOWN = "unknown"


class Checkpoint(StrEnum):
    """The five durable points of one attempt, in order."""

    CONTEXT_LOADED = "context_loaded"
    PATCH_DRAFTED = "patch_drafted"
    PATCH_APPLIED = "patch_applied"
    TESTS_RUN = "tests_run"
    GRADE_RECORDED = "grade_recorded"


class Phase(StrEnum):
    """In which part of an attempt an event was written."""

    RUN = "run"
    SETUP = "setup"
    AGENT = "agent"
    APPLY = "apply"
    VERIFY = "verify"
    HARNESS = "harness"


class Writer(StrEnum):
    """Who wrote an event; words of agents are never evidence."""

    HARNESS = "harness"
    PROVIDER = "provider"
    SANDBOX = "sandbox"
    AGENT = "agent"
    VERIFIER = "verifier"


class Cause(StrEnum):
    """Why an attempt was promised."""

    PLAN = "plan"
    RETRY = "retry"
    RERUN = "rerun"


class Axis(StrEnum):
    """The axes of judgement."""

    OUTCOME = "outcome"
    ORIGIN = "origin"
    FAILURE_CLASS = "failure_class"
    MIX = "mix"
    TAG = "tag"
    REASON = "reason"
    CONTROL = "control"


class Severity(StrEnum):
    """What a finding does: unknown never passes."""

    BLOCK = "block"
    NOTE = "note"
    UNKNOWN = "unknown"
    HELD = "held"


class Rung(StrEnum):
    """The ladder of sentences, lowest first."""

    REFUSED = "refused"
    COUNTS = "counts"
    RATE = "rate_with_interval"
    DIRECTIONAL = "directional"
    ON_THIS_PACK = "established_on_this_pack"
    TASKS_LIKE_THESE = "established_for_tasks_like_these"
    NOT_WORSE = "not_worse_by_more_than_margin"
    EQUIVALENT = "equivalent_within_margin"


class SpreadReport(StrEnum):
    """What repeats of two arms on the same tasks amount to (METHODS M6); the first that holds, in this order."""

    NOT_SCREENABLE = "not_screenable"
    AHEAD = "ahead_on_w_of_l"
    CONCENTRATED = "concentrated_in_few_tasks"
    SATURATED = "pack_saturated"
    NO_DIFFERENCE = "no_detectable_difference"
