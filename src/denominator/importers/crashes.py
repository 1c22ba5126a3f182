"""Endings that are the class of an exception: what each class says of whose failure it was.

Agent harnesses write the name of the exception that ended an attempt. The name is a fact of the harness, not a word of the
agent: it names a cause of the cause table. What an LLM client raises is read as everywhere (`readers.provider`). A class that
nobody listed is the harness's own: no verdict, and nobody else's fault is assumed.
"""

from __future__ import annotations

import re

from denominator.importers.foreign import failure
from denominator.readers.provider import CONTENT, CONTEXT, REFUSED, ProviderError, cause_of
from denominator.records.foreign import Ending
from denominator.records.words import KilledBy, Phase, StopReason, Writer


def _each(words: str) -> list[str]:
    return words.split()


CLIENT = frozenset(
    _each("""
    RateLimitError TooManyRequestsError OverloadedError InternalServerError ServiceUnavailableError BadGatewayError
    APIError APIStatusError APIConnectionError APITimeoutError Timeout APIResponseValidationError RetryError
    AuthenticationError PermissionDeniedError NotFoundError BadRequestError UnsupportedParamsError
    UnprocessableEntityError ContentPolicyViolationError ContextWindowExceededError
    """)
)
"""Classes of clients of model providers."""
OF_CLIENTS = ("RateLimitError", "AuthenticationError", "APIConnectionError", "APIError")
"""Some clients put their own name before these."""
CONTEXT_CLASSES = frozenset(("ContextWindowExceeded", "ContextWindowExceededError"))
CAUSES = {
    "BudgetExceededError": "quota_exhausted",
    "InsufficientQuotaError": "quota_exhausted",
    "TotalCostLimitExceededError": "run_cap",
    "InvalidRequestError": REFUSED,
    "KeyboardInterrupt": "harness_killed",
    "SystemExit": "harness_killed",
    "DockerPullError": "image_unavailable",
    "ImageNotFound": "image_missing",
    **dict.fromkeys(
        _each("CalledProcessError TimeoutExpired DeploymentStartupError DeploymentNotStartedError DockerException"),
        "sandbox_start",
    ),
    **dict.fromkeys(
        _each("SwerexException SessionNotInitializedError SessionDoesNotExistError"), "sandbox_unreachable"
    ),
    **dict.fromkeys(("SSLError", "SSLCertVerificationError"), "tls_broken"),
    **dict.fromkeys(
        _each("""
        ConnectionError ConnectError ConnectTimeout ReadTimeout ReadError RemoteProtocolError ChunkedEncodingError
        ServerDisconnectedError ClientConnectorError ConnectionResetError ConnectionRefusedError ConnectionAbortedError
        URLError
        """),
        "network_down",
    ),
}
"""Other classes that name a cause by themselves."""


def _line(cause: str, origin: str, reason: str, why: str, writer: str, phase: str = Phase.AGENT) -> Ending:
    classes = sorted(name for name in (*CLIENT, *CAUSES) if _cause(name) == cause)
    return Ending(
        word=", ".join(classes) or "any other class of exception",
        outcome="unscoreable", origin=origin, reason=reason, why=why,
        facts={"first_unrecovered": failure(cause, writer, phase)},
    )  # fmt: skip


def _cause(name: str) -> str:
    """The cause that a class names; "" of one that nobody listed."""
    if name in CAUSES:
        return CAUSES[name]
    short = name if name in CLIENT else next((one for one in OF_CLIENTS if name.endswith(one)), "")
    return str(cause_of(ProviderError(words=(short,)))) if short else ""


OTHER = _line(
    "harness_error", "HARNESS", "no_verdict", "an exception that names no cause: the harness broke", Writer.HARNESS
)
CONTEXT_AT_ONCE = Ending(
    word="ContextWindowExceeded, ContextWindowExceededError: in the first call",
    outcome="unscoreable", origin="HARNESS", reason="sandbox_config",
    why="the prompt alone did not fit the served window: no answer was possible",
    facts={"first_unrecovered": failure(CONTEXT, Writer.PROVIDER, Phase.AGENT)},
)  # fmt: skip
CONTEXT_LATER = Ending(
    word="ContextWindowExceeded, ContextWindowExceededError: later",
    outcome="fail", origin="MODEL", why="the conversation grew beyond the window, which is its budget of tokens",
    facts={"stop_reason": StopReason.BUDGET, "killed_by": KilledBy.BUDGET_TOKENS},
)  # fmt: skip
RUN_CAP = Ending(
    word="TotalCostLimitExceededError",
    outcome="unscoreable", origin="INFRA", reason="quota_exhausted", facts={"run_cap_cut": True},
    why="the cost limit of the whole run cut it, not a budget of its own",
)  # fmt: skip
REFUSED_CONTENT = Ending(
    word="ContentPolicyViolationError",
    outcome="fail", origin="MODEL", why="the provider refused the content: an answer of its own kind",
    facts={"first_unrecovered": failure(CONTENT, Writer.PROVIDER, Phase.AGENT)},
)  # fmt: skip
BY_CAUSE: dict[str, Ending] = {
    "provider_rate_limit": _line(
        "provider_rate_limit", "INFRA", "provider_rate_limit", "the provider throttled, and it gave up", Writer.PROVIDER
    ),
    "quota_exhausted": _line(
        "quota_exhausted", "INFRA", "quota_exhausted", "the account behind the key was spent", Writer.PROVIDER
    ),
    "provider_error": _line(
        "provider_error", "INFRA", "provider_error", "the provider did not answer, and it gave up", Writer.PROVIDER
    ),
    REFUSED: _line(
        REFUSED, "HARNESS", "provider_error", "the provider refused the request: key, model or parameters", Writer.PROVIDER
    ),
    "network_down": _line("network_down", "INFRA", "env_flake", "the network failed under the harness", Writer.HARNESS),
    "tls_broken": _line("tls_broken", "HARNESS", "sandbox_config", "a certificate was refused", Writer.HARNESS),
    "sandbox_start": _line(
        "sandbox_start", "HARNESS", "sandbox_config", "the box could not be started", Writer.SANDBOX, Phase.SETUP
    ),
    "sandbox_unreachable": _line(
        "sandbox_unreachable", "INFRA", "env_flake", "the box stopped to answer", Writer.SANDBOX
    ),
    "image_unavailable": _line(
        "image_unavailable", "INFRA", "image_pull", "the image could not be pulled", Writer.SANDBOX, Phase.SETUP
    ),
    "image_missing": _line(
        "image_missing", "HARNESS", "image_pull", "there is no such image", Writer.SANDBOX, Phase.SETUP
    ),
    "harness_killed": _line(
        "harness_killed", "HARNESS", "harness_killed", "the harness was interrupted", Writer.HARNESS
    ),
    CONTENT: REFUSED_CONTENT,
    "run_cap": RUN_CAP,
}  # fmt: skip
CRASHES: tuple[Ending, ...] = (*BY_CAUSE.values(), CONTEXT_AT_ONCE, CONTEXT_LATER, OTHER)
"""One line for every cause that a class can name, and the one for all others."""

_CLASS = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*\Z")
_RAISED = re.compile(r"\braised (?:\w+\.)*([A-Z]\w*)>")
_BEGINS = re.compile(r"(?:\A|\b[Ee]rror: )(?:\w+\.)*((?:[A-Z]\w*)?(?:Error|Exception|Exceeded|Timeout))(?=[:(\[])")
"""A class in a message of the harness: where it names what a future raised, or right where the message of an error begins."""
MESSAGE = 2000


def is_class(word: str) -> bool:
    """Can this word be the name of a class?"""
    return len(word) < 120 and _CLASS.match(word) is not None


def crash_of(name: str, calls: int | None = None) -> Ending:
    """The ending that the class of an exception is. `calls`: model calls that were started; unknown counts as several."""
    short = name.rpartition(".")[2]
    if short in CONTEXT_CLASSES:
        return CONTEXT_AT_ONCE if calls is not None and calls <= 1 else CONTEXT_LATER
    return BY_CAUSE.get(_cause(short), OTHER)


def class_in(message: str) -> str:
    """The class of an exception that a message of the harness names in a fixed place; "" where it names none."""
    found = _RAISED.search(message[:MESSAGE]) or _BEGINS.search(message[:MESSAGE])
    return found.group(1) if found else ""
