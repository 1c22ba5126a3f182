"""What the gate must know of a seal beside the rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from denominator.envelopes.blamed import blamed
from denominator.envelopes.complete import complete
from denominator.envelopes.conditions import conditions_of
from denominator.envelopes.sealing import seal_digest
from denominator.records.packs import Baseline
from denominator.records.seals import Seal, Terms
from denominator.records.values import NotMeasured
from denominator.wire.canonical import digest
from denominator.wire.trees import EMPTY_TREE

NETWORKS = {"none": "off", "gateway": "gateway"}
"""The envelope's words for what an agent can reach, as the terms of foreign runs say it too."""


def terms_of(
    seal: Seal,
    *,
    seal_sha: str = "",
    baseline: Baseline | None = None,
    baseline_sha: str = "",
    changed: Iterable[str] = (),
) -> Terms:
    """The terms of a run of ours. `changed` are sealed digests that no longer hold, in words.

    `seal_sha` and `baseline_sha` are the digests of what was read, as it is stored; what was only just made has those of
    its own canonical form.

    A baseline other than the sealed one is itself a change; without one no task is called flaky or bad here.
    """
    envelope = seal.envelope
    verifies = [sealed.task.verify for sealed in seal.tasks]
    return Terms(
        origin="seal",
        name=f"{seal.pack_id} {seal.pack_version}, arm {seal.arm.label}",
        digest=seal_sha or seal_digest(seal),
        invalid_ceiling=_text(envelope.ceilings.invalid_rate),
        infra_ceiling=_text(envelope.ceilings.infra_rate),
        replay_ceiling=_text(envelope.ceilings.replay_flips),
        retry_ceiling=_text(envelope.ceilings.retry_rate),
        on_timeout=_text(envelope.policy.on_timeout),
        scorer=_text(envelope.metric.scorer),
        headline=_text(envelope.metric.headline),
        sentence=_text(envelope.cite.sentence),
        repeats=_count(envelope.budget.repeats),
        attempts=_count(envelope.budget.attempts),
        retry_declared=not any(isinstance(number, NotMeasured) for number in _retries(seal)),
        grading_levels=tuple(sorted({verify.level for verify in verifies})),
        hidden_tests=bool(verifies) and all(_has_tests(seal)),
        controls_declared=any(sealed.task.control for sealed in seal.tasks),
        never_started_allowed=envelope.policy.never_started_allowed,
        cassette=seal.cassette,
        probe=seal.probe,
        missing=tuple(problem.where for problem in complete(envelope)),
        changed=(*changed, *_other_baseline(seal, baseline, baseline_sha)),
        capped_at_counts=tuple(_lowering(seal)),
        causes=seal.causes,
        allow=envelope.allow,
        sealed_at=seal.sealed_at,
        tool_loop_n=envelope.policy.tool_loop_n,
        loosened=seal.loosened,
        previous=seal.previous,
        lineage=seal.lineage,
        network=NETWORKS.get(_text(envelope.sandbox.network), ""),
        arm=_text(seal.arm.label),
        conditions=conditions_of(seal),
        treatment=envelope.treatment,
        comparison=envelope.comparison,
        clauses=envelope.clause,
        cite_rule=_text(envelope.cite.rule),
        selection=seal.pack_reason,
        unpinned=tuple(_unpinned(seal)),
        families=tuple((sealed.task.id, sealed.task.family) for sealed in seal.tasks if sealed.task.family),
        flaky_tasks=baseline.flaky if baseline else (),
        bad_tasks=baseline.wrong if baseline else (),
        blamed=blamed(baseline.runs) if baseline else (),
        expired_tasks=baseline.expired if baseline else (),
    )


def sandbox_stamps(seal: Seal) -> tuple[str, ...]:
    """What must be printed across every result of a run, for the sandbox that was sealed."""
    if seal.unsandboxed:
        return ("NOT SANDBOXED",)
    return (f"WEAK SANDBOX ({seal.sandbox.name})",) if seal.sandbox.weak else ()


def _lowering(seal: Seal) -> Iterator[str]:
    """Why no more than counts may be claimed, by what was sealed of the sandbox."""
    if seal.unsandboxed:
        yield "run without a sandbox (--no-sandbox)"
    elif seal.sandbox.weak:
        lacking = ", ".join(each.name for each in seal.sandbox.protections if not each.holds)
        yield f"run in a weak sandbox ({seal.sandbox.name}): {lacking or 'nothing'} does not hold"


def _unpinned(seal: Seal) -> Iterable[tuple[str, str]]:
    """What METHODS M15 wants on a task card and the seal does not fix. Budgets hold for all tasks; no model has no tokens."""
    budget, no_model = seal.envelope.budget, seal.arm.model.id == "none"
    open_budgets = [
        name for name, value in (("timeout_s", budget.wall_s), ("token_budget", budget.tokens)) if not value
    ]
    for sealed in seal.tasks:
        locked = sealed.locked
        pins = [("repo_revision", locked.base_tree), ("prompt_sha256", locked.prompt_sha256)]
        pins += [("hidden_test_sha256", locked.hidden_tree), ("allowed_files", ",".join(sealed.task.allowed))]
        yield from ((sealed.task.id, name) for name, value in pins if not value)
        yield from ((sealed.task.id, name) for name in open_budgets if not (name == "token_budget" and no_model))


def _text(value: str | NotMeasured) -> str:
    """An unknown is an empty text here, which every rule treats as missing."""
    return value if isinstance(value, str) else ""


def _count(value: int | NotMeasured) -> int:
    return value if isinstance(value, int) else 1


def _retries(seal: Seal) -> tuple[int | NotMeasured, ...]:
    retry = seal.envelope.policy.retry
    return (retry.rate_limited, retry.server_error, retry.timeout, retry.infra)


def _has_tests(seal: Seal) -> list[bool]:
    """Does each task have hidden files, and ids that are counted or at G1 a command whose status is?"""
    return [
        one.locked.hidden_tree != EMPTY_TREE
        and (bool(one.task.verify.expected_tests) or (one.task.verify.level == "G1" and bool(one.task.verify.command)))
        for one in seal.tasks
    ]


def _other_baseline(seal: Seal, baseline: Baseline | None, stored: str) -> tuple[str, ...]:
    found = stored or digest(baseline)
    if baseline is None or found == seal.baseline_digest:
        return ()
    return (f"the baseline: sealed {seal.baseline_digest[:12]}, found {found[:12]}",)
