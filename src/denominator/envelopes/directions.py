"""For every sealed field: which way is weaker? One table, so that no field is left undecided.

A field that is `neutral` moves the experiment to another place without making it easier to please: model, agent, order,
seeds, who runs it. Whether two results may be set side by side is not asked here (that is `compare`). Keys are paths
without the parts in brackets: `task.verify.timeout_s` for `task[page-count].verify.timeout_s`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation

from denominator.records.events import Json

Weaker = Callable[[Json, Json], bool]
"""(before, now): is it weaker now? A value that is not there is null."""

LEVELS = ("G3", "G2", "G1", "G0")
ON_TIMEOUT = ("fail", "grade")
NETWORKS = ("none", "gateway")
TESTS = ("exact", "midp")


def neutral(*_: Json) -> bool:
    """No value of it is weaker than another."""
    return False


def changed(before: Json, now: Json) -> bool:
    """Nobody can say which way is weaker, so every change needs a reason."""
    return before is not None and before != now


def raised(before: Json, now: Json) -> bool:
    """A larger number is weaker; no limit at all is the largest. What is no number needs a reason when it changes."""
    if before is None or before == now:
        return False
    if now is None:
        return True
    pair = _numbers(before, now)
    return pair is None or pair[1] > pair[0]


def lowered(before: Json, now: Json) -> bool:
    """A smaller number is weaker, and none at all is the smallest."""
    if before is None or before == now:
        return False
    pair = None if now is None else _numbers(before, now)
    return pair is None or pair[1] < pair[0]


def widened(before: Json, now: Json) -> bool:
    """A larger margin is weaker; without one before or now another question is asked."""
    return before not in (None, "") and now not in (None, "") and raised(before, now)


def shrunk(before: Json, now: Json) -> bool:
    """A list from which something was taken away."""
    return bool(_entries(before) - _entries(now))


def grown(before: Json, now: Json) -> bool:
    """A list to which something was added; no list at all allows everything."""
    if before is None:
        return False
    return now is None or bool(_entries(now) - _entries(before))


def given_up(before: Json, now: Json) -> bool:
    """Something that was there and is not, or is of another kind."""
    return bool(before) and before != now


def dropped(before: Json, now: Json) -> bool:
    """Something that was there and is not."""
    return before is not None and now is None


def begun(before: Json, now: Json) -> bool:
    """Something that was not on and now is."""
    return bool(now) and not before


def waived(before: Json, now: Json) -> bool:
    """A waiver that is new or lasts longer; `until` is an ISO date."""
    return isinstance(now, str) and (not isinstance(before, str) or now > before)


def ranked(*words: str) -> Weaker:
    """Words from strict to weak; a word that is not among them needs a reason."""

    def weaker(before: Json, now: Json) -> bool:
        if before is None or before == now:
            return False
        return before not in words or now not in words or words.index(str(now)) > words.index(str(before))

    return weaker


def clause(before: Json, now: Json) -> bool:
    """A rule of the house that was dropped, bounds another number, or bounds it less."""
    if not isinstance(before, Mapping):
        return False
    if not isinstance(now, Mapping) or any(before.get(name) != now.get(name) for name in ("metric", "of")):
        return True
    limits = {name: (before.get(name) or None, now.get(name) or None) for name in ("at_least", "at_most")}
    return lowered(*limits["at_least"]) or raised(*limits["at_most"])


def _numbers(before: Json, now: Json) -> tuple[Decimal, Decimal] | None:
    try:
        pair = Decimal(str(before)), Decimal(str(now))
    except InvalidOperation:
        return None
    return pair if all(number.is_finite() for number in pair) else None


def _entries(value: Json) -> set[str]:
    return {str(one) for one in value} if isinstance(value, (list, tuple)) else set()


ENVELOPE: Mapping[str, Weaker] = {
    "schema_version": neutral,
    "question": neutral,
    "pack": neutral,
    "arm.label": neutral,
    "arm.agent": neutral,
    "arm.agent_version": neutral,
    "arm.model.id": neutral,
    "arm.model.snapshot": neutral,
    "arm.model.endpoint": neutral,
    "arm.model.access_class": neutral,
    "arm.model.server_class": neutral,
    "arm.model.temperature": neutral,
    "arm.model.seed": neutral,
    "arm.model.max_output_tokens": raised,
    "arm.model.key_env": neutral,
    "arm.command": neutral,
    "arm.env": neutral,
    "arm.mounts": neutral,
    "arm.script": neutral,
    "arm.harness_commit": neutral,
    "budget.wall_s": raised,
    "budget.working_s": raised,
    "budget.tokens": raised,
    "budget.tool_calls": raised,
    "budget.calls": raised,
    "budget.output_bytes": raised,
    "budget.attempts": raised,
    "budget.repeats": lowered,
    "budget.incarnations_max": raised,
    "policy.on_timeout": ranked(*ON_TIMEOUT),
    "policy.retry.verdict": raised,
    "policy.retry.rate_limited": raised,
    "policy.retry.server_error": raised,
    "policy.retry.timeout": raised,
    "policy.retry.other_4xx": raised,
    "policy.retry.infra": raised,
    "policy.retry.backoff_s": neutral,
    "policy.never_started_allowed": grown,
    "policy.tool_loop_n": raised,
    "sandbox.backend": neutral,
    "sandbox.network": ranked(*NETWORKS),
    "sandbox.memory_mb": raised,
    "sandbox.processes": raised,
    "sandbox.disk_mb": raised,
    "sandbox.file_mb": raised,
    "sandbox.open_files": raised,
    "sandbox.python": neutral,
    "sandbox.site": neutral,
    "sandbox.image": neutral,
    "run.concurrency": neutral,
    "run.warmup_tasks": neutral,
    "run.order_seed": neutral,
    "run.seeds": neutral,
    "run.min_free_disk_mb": lowered,
    "run.baseline_repeats": lowered,
    "run.run_cap_tokens": raised,
    "ceilings.invalid_rate": raised,
    "ceilings.infra_rate": raised,
    "ceilings.retry_rate": raised,
    "ceilings.replay_flips": raised,
    "metric.headline": changed,
    "metric.scorer": changed,
    "cite.sentence": neutral,
    "cite.rule": changed,
    "treatment": neutral,
    "comparison.primary": neutral,
    "comparison.family": shrunk,
    "comparison.looks": raised,
    "comparison.question": neutral,
    "comparison.margin": widened,
    "comparison.test": ranked(*TESTS),
    "comparison.alpha": raised,
    "comparison.delivered_floor": lowered,
    "terms.allowance": neutral,
    "terms.reset_rule": neutral,
    "terms.source": neutral,
    "terms.read_on": neutral,
    "terms.quota_assumed": begun,
    "terms.permanence_assumed": begun,
    "gateway.retries": raised,
    "gateway.retry_on": grown,
    "gateway.wait_max_s": raised,
    "gateway.bodies": neutral,
    "gateway.cassette": neutral,
    "gateway.probe": neutral,
    "gateway.volatile": grown,
    "gateway.fault": neutral,
    "provenance.operator": neutral,
    "provenance.purpose": neutral,
    "allow": waived,
    "clause": clause,
}
"""Leaves of an envelope; `allow` and `clause` are compared whole, `loosen` is the answer and not a term."""

TASK: Mapping[str, Weaker] = {
    "id": neutral,
    "title": neutral,
    "slice": changed,
    "expected": changed,
    "reason": neutral,
    "license": neutral,
    "allowed": grown,
    "verify.runner": changed,
    "verify.timeout_s": raised,
    "verify.level": ranked(*LEVELS),
    "verify.expected_tests": shrunk,
    "verify.counter_tests": shrunk,
    "verify.command": changed,
    "verify.report": changed,
    "verify.service": changed,
    "verify.generated_counter_tests": given_up,
    "source.kind": neutral,
    "source.url": neutral,
    "source.commit": neutral,
    "control": given_up,
    "family": given_up,
    "multi_file": neutral,
    "forbidden": shrunk,
    "required_files": shrunk,
    "canary": given_up,
    "spec_paths": grown,
    "packages": grown,
    "environment.image": neutral,
    "schema_version": neutral,
}
"""Leaves of a task."""

LOCKED: Mapping[str, Weaker] = {
    "id": neutral,
    "digest": neutral,
    "prompt_sha256": neutral,
    "base_tree": neutral,
    "hidden_tree": changed,
    "gold_sha256": neutral,
    "image": neutral,
}
"""Leaves of a task's digests; another prompt or another base is another question, which `compare` refuses."""

DIRECTIONS: Mapping[str, Weaker] = {
    **ENVELOPE,
    **{f"task.{name}": weaker for name, weaker in {**TASK, **LOCKED}.items()},
    "task": dropped,
    "may_rerun": begun,
}
"""Every key with its direction. `task` is whether the task is there, `may_rerun` one line of the cause table."""
