"""How an exercise of aider's benchmark can end."""

from __future__ import annotations

from denominator.importers.foreign import failure
from denominator.records.foreign import Ending
from denominator.records.words import Grade, Phase, RunnerEnding, Writer

FIRST = Ending(
    word="tests_outcomes=[true]", outcome="pass", origin="MODEL", facts={"grade": Grade.GREEN},
    why="the tests were green after the first try",
)  # fmt: skip
LATER = Ending(
    word="tests_outcomes=[false, ..., true]", outcome="pass", origin="MODEL", facts={"grade": Grade.GREEN},
    why="the tests were green after a later try, which had seen what they printed before",
)  # fmt: skip
RED = Ending(
    word="tests_outcomes=[false, ...]", outcome="fail", origin="MODEL", facts={"grade": Grade.RED},
    why="the tests were red after every try",
)  # fmt: skip
HUNG = Ending(
    word="tests_outcomes=[false, ...], as many test_timeouts", outcome="fail", origin="MODEL",
    facts={"runner_ending": RunnerEnding.TEST_TIMEOUT}, why="the tests ran into their time limit after every try",
)  # fmt: skip
NO_TESTS = Ending(
    word="tests_outcomes=[]", outcome="unscoreable", origin="HARNESS", reason="grader_error",
    facts={"runner_ending": RunnerEnding.NOTHING_RAN}, why="the result was written although no test was run",
)  # fmt: skip
EXCEPTION = Ending(
    word="exception", outcome="unscoreable", origin="HARNESS", reason="no_verdict",
    facts={"first_unrecovered": failure("harness_error", Writer.HARNESS, Phase.HARNESS)},
    why="the benchmark itself broke, and the class of the exception is no provider's",
)  # fmt: skip
UNREADABLE = Ending(
    word="a file that cannot be read", outcome="unscoreable", origin="HARNESS", reason="missing_artifact",
    facts={"first_unrecovered": failure("missing_artifact", Writer.HARNESS, Phase.HARNESS)},
    why="the exercise was begun and its result is lost",
)  # fmt: skip


def _provider(cause: str, outcome: str, origin: str, reason: str, why: str) -> Ending:
    facts = {"first_unrecovered": failure(cause, Writer.PROVIDER, Phase.AGENT)}
    return Ending(word=f"exception: {cause}", outcome=outcome, origin=origin, reason=reason, facts=facts, why=why)


RAISED = {
    "provider_rate_limit": _provider(
        "provider_rate_limit", "unscoreable", "INFRA", "provider_rate_limit",
        "the last exception is the client's RateLimitError",
    ),
    "provider_error": _provider(
        "provider_error", "unscoreable", "INFRA", "provider_error",
        "the last exception is one of the client's for an answer that did not come, or for a broken one",
    ),
    "provider_refused": _provider(
        "provider_refused", "unscoreable", "HARNESS", "provider_error",
        "the last exception is one of the client's for a request that was refused: a key, a name, a parameter",
    ),
    "context_window": _provider(
        "context_window", "unscoreable", "HARNESS", "sandbox_config",
        "the last exception is the client's ContextWindowExceededError; in which turn is not recorded",
    ),
    "content_refused": _provider(
        "content_refused", "fail", "MODEL", "", "the last exception is the client's ContentPolicyViolationError"
    ),
}  # fmt: skip
"""Endings by the cause of the exception."""

ENDINGS = (FIRST, LATER, RED, HUNG, NO_TESTS, EXCEPTION, UNREADABLE, *RAISED.values())
