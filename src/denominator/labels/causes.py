"""The default cause table: what ended a row, whose it is, whether it may be re-run. The last line is the unknown one.

The rule set owns *origin* and *reason*; the seal owns *may_rerun* and may add causes of its own house.
"""

from __future__ import annotations

from collections.abc import Sequence

from denominator.records.seals import CauseRule

UNKNOWN_CAUSE = CauseRule(cause="unknown", origin="HARNESS", may_rerun=False, reason="")


def _rule(cause: str, origin: str, may_rerun: bool, reason: str) -> CauseRule:
    return CauseRule(cause=cause, origin=origin, may_rerun=may_rerun, reason=reason)


DEFAULT_CAUSES: tuple[CauseRule, ...] = (
    _rule("sandbox_start", "HARNESS", True, "sandbox_config"),
    _rule("sandbox_config", "HARNESS", False, "sandbox_config"),
    _rule("disk_full", "INFRA", True, "disk_full"),
    _rule("harness_error", "HARNESS", False, "no_verdict"),
    _rule("harness_killed", "HARNESS", True, "harness_killed"),
    _rule("harness_timeout", "HARNESS", False, "harness_timeout"),
    _rule("grader_error", "HARNESS", False, "grader_error"),
    _rule("provider_rate_limit", "INFRA", True, "provider_rate_limit"),
    _rule("provider_error", "INFRA", True, "provider_error"),
    _rule("provider_stream_error", "INFRA", True, "provider_stream_error"),
    _rule("provider_empty", "INFRA", True, "provider_empty"),
    _rule("provider_pause", "INFRA", True, "provider_pause"),
    _rule("quota_exhausted", "INFRA", False, "quota_exhausted"),
    _rule("provider_refused", "HARNESS", False, "provider_error"),
    _rule("context_window", "HARNESS", False, "sandbox_config"),
    _rule("content_refused", "MODEL", False, ""),
    _rule("relay_down", "HARNESS", True, "provider_error"),
    _rule("gateway_lost", "INFRA", True, "env_flake"),
    _rule("oom_sandbox", "INFRA", True, "oom_sandbox"),
    _rule("evicted", "INFRA", True, "evicted"),
    _rule("agent_missing", "HARNESS", False, "sandbox_config"),
    _rule("apply_error", "HARNESS", False, "apply_error"),
    _rule("changed_seal", "HARNESS", False, "contaminated_workspace"),
    _rule("image_throttled", "INFRA", True, "image_pull"),
    _rule("image_missing", "HARNESS", False, "image_pull"),
    _rule("image_unavailable", "INFRA", True, "image_pull"),
    _rule("sandbox_unreachable", "INFRA", True, "env_flake"),
    _rule("tls_broken", "HARNESS", False, "sandbox_config"),
    _rule("solution_memory", "MODEL", False, ""),
    _rule("clone_failed", "INFRA", True, "clone_failed"),
    _rule("clone_refused", "HARNESS", False, "sandbox_config"),
    _rule("network_down", "INFRA", True, "env_flake"),
    _rule("install_refused", "HARNESS", False, "grader_error"),
    _rule("stale_state", "INFRA", True, "contaminated_workspace"),
    _rule("host_limit", "INFRA", True, "env_flake"),
    _rule("io_error", "INFRA", True, "env_flake"),
    _rule("clock_skew", "INFRA", True, "env_flake"),
    _rule("double_apply", "HARNESS", False, "apply_error"),
    _rule("missing_artifact", "HARNESS", False, "missing_artifact"),
    _rule("cassette_mismatch", "HARNESS", False, "missing_artifact"),
    _rule("cassette_spent", "HARNESS", False, "missing_artifact"),
    _rule("cassette_damaged", "HARNESS", False, "missing_artifact"),
    _rule("injected_fault", "HARNESS", True, "injected_fault"),
    _rule("unknown_state", "HARNESS", False, "unknown_state"),
    UNKNOWN_CAUSE,
)

REASON_ORIGIN: dict[str, str] = {
    "harness_timeout": "HARNESS",
    "grader_error": "HARNESS",
    "no_verdict": "HARNESS",
    "bad_task": "HARNESS",
    "pack_expired": "HARNESS",
    "sandbox_config": "HARNESS",
    "missing_artifact": "HARNESS",
    "contaminated_workspace": "HARNESS",
    "harness_killed": "HARNESS",
    "apply_error": "HARNESS",
    "unknown_state": "HARNESS",
    "env_flake": "INFRA",
    "provider_rate_limit": "INFRA",
    "provider_error": "INFRA",
    "provider_stream_error": "INFRA",
    "provider_empty": "INFRA",
    "provider_pause": "INFRA",
    "quota_exhausted": "INFRA",
    "disk_full": "INFRA",
    "oom_sandbox": "INFRA",
    "evicted": "INFRA",
    "image_pull": "INFRA",
    "clone_failed": "INFRA",
    "injected_fault": "HARNESS",
}


def cause_rule(cause: str, sealed: Sequence[CauseRule] = ()) -> CauseRule:
    """The line for a cause: ours first, then a house's own, then the strict unknown one."""
    for table in (DEFAULT_CAUSES, sealed):
        for rule in table:
            if rule.cause == cause and rule.cause != UNKNOWN_CAUSE.cause:
                return rule
    return UNKNOWN_CAUSE
