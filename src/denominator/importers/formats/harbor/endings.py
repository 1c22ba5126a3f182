"""How trials end in Harbor: by a reward, or by an exception type and what Harbor's own table makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from denominator.importers.foreign import failure
from denominator.records.foreign import Ending

PASSED = Ending(
    word="reward=1", outcome="pass", origin="MODEL", facts={"grade": "green"}, why="the verifier's reward is 1"
)
FAILED = Ending(
    word="reward=0", outcome="fail", origin="MODEL", facts={"grade": "red"}, why="the verifier's reward is 0"
)
OPEN = Ending(
    word="another reward", outcome="unscoreable", origin="HARNESS",
    why="a reward that is neither 0 nor 1 is no verdict while nobody says from which one on it is a pass",
)  # fmt: skip
SEVERAL = Ending(
    word="several rewards, none called reward", outcome="unscoreable", origin="HARNESS",
    why="nobody says which of the rewards is the pass",
)  # fmt: skip
UNREWARDED = Ending(
    word="no reward, no exception", outcome="unscoreable", origin="HARNESS", why="no verdict, and nothing says why not"
)
KILLED = Ending(
    word="no result.json", outcome="unscoreable", origin="HARNESS", reason="harness_killed",
    facts={"closed": False, "first_unrecovered": failure("harness_killed", "harness", "run")},
    why="the trial began, and its runner went before it could write a result",
)  # fmt: skip
BROKEN = Ending(
    word="result.json cannot be read", outcome="unscoreable", origin="HARNESS", reason="missing_artifact",
    facts={"first_unrecovered": failure("missing_artifact", "harness", "run")},
    why="the result was written and is damaged",
)  # fmt: skip

TIMEOUT = "AgentTimeoutError"
_LATE: Mapping[str, object] = {"stop_reason": "timeout", "killed_by": "budget_wall"}
LATE = {
    "reward=1": Ending(
        word=f"{TIMEOUT}, reward=1", outcome="pass", origin="MODEL", facts={**_LATE, "after_cap": True, "grade": "green"},
        why="its time was over, and what it left passes; Harbor grades what is left",
    ),
    "reward=0": Ending(
        word=f"{TIMEOUT}, reward=0", outcome="fail", origin="MODEL", failure_class="timeout",
        facts={**_LATE, "after_cap": True, "grade": "red"}, why="its time was over, and what it left fails",
    ),
    "": Ending(
        word=f"{TIMEOUT}, no reward", outcome="fail", origin="MODEL", failure_class="timeout", facts=_LATE,
        why="its own time was spent, and there is no verdict on what it left",
    ),
}  # fmt: skip

REFUSALS = ("AgentSafetyRefusalError", "ContentPolicyViolationError")
REWARD_STANDS = (
    "NonZeroAgentExitCodeError", "ContextWindowExceededError", "OutputTokenExceededError", "ContextLengthExceededError",
    "OutputLengthExceededError",
)  # fmt: skip
"""With these Harbor keeps the reward: the agent's program, its window or its model ended it, and the tests judged the rest."""
STANDING = (
    Ending(
        word="an exception with which the reward stands, reward=1", outcome="pass", origin="MODEL", facts=PASSED.facts,
        why="the exception is the agent's own, and what it left passes",
    ),
    Ending(
        word="an exception with which the reward stands, reward=0", outcome="fail", origin="MODEL", facts=FAILED.facts,
        why="the exception is the agent's own, and what it left fails",
    ),
)  # fmt: skip
UNJUDGED = Ending(
    word="an exception with which the reward stands, no reward", outcome="unscoreable", origin="HARNESS",
    why="Harbor keeps the first exception alone, so why there is no reward is not recorded",
)  # fmt: skip
REFUSED = Ending(
    word="a refusal, no reward", outcome="fail", origin="MODEL",
    facts={"first_unrecovered": failure("content_refused", "provider", "agent")},
    why="the model refused the task",
)  # fmt: skip
UNKNOWN_STANDING = (
    Ending(
        word="an unknown exception, reward=1", outcome="pass", origin="MODEL", facts=PASSED.facts,
        why="Harbor takes rewards as valid after any exception that it does not know; the verdict came after it",
    ),
    Ending(
        word="an unknown exception, reward=0", outcome="fail", origin="MODEL", facts=FAILED.facts,
        why="Harbor takes rewards as valid after any exception that it does not know; whose it was is told as a note",
    ),
)  # fmt: skip
OVERRIDDEN = Ending(
    word="a reward that the job's own error policy calls invalid", outcome="unscoreable", origin="HARNESS",
    why="the job says that a reward after this exception is none, and not whose the exception is",
)  # fmt: skip

_SETUP, _AGENT, _VERIFY = "setup", "agent", "verify"
_CAUSES: tuple[tuple[str, str, str, str, str, str, tuple[str, ...]], ...] = (
    ("sandbox_start", "sandbox", _SETUP, "HARNESS", "sandbox_config", "the environment did not come up",
     ("EnvironmentStartTimeoutError", "SandboxBuildFailedError", "HealthcheckError")),
    ("harness_timeout", "harness", _SETUP, "HARNESS", "harness_timeout", "the agent was not installed in time",
     ("AgentSetupTimeoutError",)),
    ("sandbox_config", "harness", _SETUP, "HARNESS", "sandbox_config", "the harness lacks what the environment or agent needs",
     ("ServiceOperationsUnsupportedError", "VercelScopeError", "DspyImportError", "MissingExtraError")),
    ("oom_sandbox", "sandbox", _AGENT, "INFRA", "oom_sandbox", "the environment ran out of memory",
     ("SandboxLikelyOutOfMemoryError", "MemoryLimitExceededError")),
    ("sandbox_unreachable", "sandbox", _AGENT, "INFRA", "env_flake", "the environment could no longer be reached",
     ("SSHAccessError", "GKEExecStreamClosedError", "GKEPodNotFoundError", "RuntimeRequestError")),
    ("provider_rate_limit", "provider", _AGENT, "INFRA", "provider_rate_limit", "the provider throttled, and nothing recovered",
     ("ApiRateLimitError", "RateLimitError")),
    ("quota_exhausted", "provider", _AGENT, "INFRA", "quota_exhausted", "the account was spent",
     ("ApiUsageLimitError", "BudgetExceededError")),
    ("provider_error", "provider", _AGENT, "INFRA", "provider_error", "the provider failed, and nothing recovered",
     ("ApiError", "ApiInternalServerError", "ApiOverloadedError", "UnknownApiError", "ApiConnectionError",
      "InternalServerError", "ServiceUnavailableError", "APIConnectionError", "APIError", "Timeout")),
    ("provider_stream_error", "provider", _AGENT, "INFRA", "provider_stream_error", "the provider's answer broke off or was none",
     ("ApiConnectionClosedError", "ApiResponseStalledError", "APIResponseValidationError")),
    ("network_down", "harness", _AGENT, "INFRA", "env_flake", "the network was gone", ("NetworkConnectionError",)),
    ("provider_refused", "provider", _AGENT, "HARNESS", "provider_error", "the provider refused what was asked or who asked",
     ("UnsupportedModelParametersError", "BadRequestError", "UnprocessableEntityError", "UnsupportedParamsError",
      "AgentAuthenticationError", "AuthenticationError", "PermissionDeniedError", "ModelNotFoundError",
      "ApiProviderResourceNotFoundError", "NotFoundError")),
    ("grader_error", "verifier", _VERIFY, "HARNESS", "grader_error", "the verifier left no reward that can be read",
     ("RewardFileNotFoundError", "RewardFileEmptyError", "VerifierOutputParseError", "RegradeError")),
    ("grader_error", "harness", _VERIFY, "HARNESS", "grader_error", "the tests did not get in, or their files not out",
     ("AddTestsDirError", "DownloadVerifierDirError")),
    ("harness_killed", "harness", "run", "HARNESS", "harness_killed", "the job was cancelled", ("CancelledError",)),
)  # fmt: skip
"""Cause, who saw it, phase, origin, reason, why; the types that Harbor's table calls invalid rewards."""


def _ended(cause: str, writer: str, phase: str, origin: str, reason: str, why: str, name: str) -> Ending:
    facts: dict[str, object] = {"first_unrecovered": failure(cause, writer, phase)}
    if phase == _SETUP:
        facts["agent_started"] = False
    return Ending(word=name, outcome="unscoreable", origin=origin, reason=reason, facts=facts, why=why)


VERIFIER_LATE = Ending(
    word="VerifierTimeoutError", outcome="unscoreable", origin="HARNESS", reason="harness_timeout",
    facts={"killed_by": "verify_timeout"}, why="the verifier's own deadline passed",
)  # fmt: skip
INVALID: Mapping[str, Ending] = MappingProxyType(
    {
        **{name: _ended(*line[:6], name) for line in _CAUSES for name in line[6]},
        "VerifierTimeoutError": VERIFIER_LATE,
    }
)
"""Exception types after which Harbor's own table calls a reward invalid, whatever it is."""

ENDINGS: tuple[Ending, ...] = (
    PASSED, FAILED, OPEN, SEVERAL, UNREWARDED, *LATE.values(), *STANDING, UNJUDGED, REFUSED, *UNKNOWN_STANDING, OVERRIDDEN,
    *INVALID.values(), KILLED, BROKEN,
)  # fmt: skip
