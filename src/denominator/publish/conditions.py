"""Budgets and environment as a card prints them: text by name, unknowns with their reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields

from denominator.records.conditions import condition
from denominator.records.envelopes import Arm
from denominator.records.seals import Seal, Terms
from denominator.records.values import NotMeasured, counted, is_placeholder

BOX = (
    "kernel",
    "machine",
    "python",
    "cpu_count",
    "memory_bytes",
    "harness_version",
    "toolchain_python",
    "toolchain_digest",
)


def budgets_of(seal: Seal | None) -> dict[str, str]:
    """What one attempt may spend and how many there are."""
    if seal is None:
        return {}
    budget = seal.envelope.budget
    return {field.name: str(getattr(budget, field.name)) for field in fields(budget)}


def environment_of(seal: Seal | None, terms: Terms) -> dict[str, str]:
    """The box, the sandbox, the model; for foreign rows what the manifest declares."""
    found = dict(terms.environment)
    if seal is None:
        return found
    found |= {f"box.{name}": str(getattr(seal.box, name)) for name in BOX}
    found |= {
        "sandbox": f"{seal.sandbox.name} {seal.sandbox.version.removeprefix(seal.sandbox.name).strip()} ({seal.sandbox.mode})",
        "sandbox.does_not_hold": ", ".join(_missing(seal)) or "nothing",
        "sandbox.network": str(seal.envelope.sandbox.network),
        "model.id": str(seal.arm.model.id),
        "model.snapshot": str(seal.arm.model.snapshot),
        "agent": f"{seal.arm.agent!s} {seal.arm.agent_version!s}",
        "grader_sha": seal.grader_sha,
        "baseline": seal.baseline_digest,
        "sealed_at": seal.sealed_at,
    }
    return found


TASK_FILES = ("task_file_commit", "tasks_commit", "dataset_commit")


def commit_notes(seal: Seal | None, terms: Terms) -> Iterator[str]:
    """Both commits that failure classes depend on (METHODS M13), or that nobody stated them."""
    harness = _said(terms, ("harness_commit",))
    tasks = f"pack {seal.pack_digest[:12]}" if seal else _said(terms, TASK_FILES)
    yield f"commits: harness {harness or 'not stated'}, task file {tasks or 'not stated'}"


def _said(terms: Terms, names: Iterable[str]) -> str:
    """The first of these conditions that is stated. Of a manifest its words as judged: they mention nothing withheld."""
    for name in names:
        found = condition(terms.conditions, name) if terms.origin == "seal" else dict(terms.environment).get(name, "")
        if isinstance(found, str) and not is_placeholder(found.strip('"')):
            return found.strip('"')
    return ""


def helper_notes(seal: Seal | None) -> Iterator[str]:
    """Models that helped to write the tasks and are measured on them: they may know what they are asked."""
    if seal is None or isinstance(seal.provenance, NotMeasured):
        return
    for helper in dict.fromkeys(seal.provenance.models):
        arms = [str(arm.label) for arm in seal.envelope.arm if _is_model(helper, arm)]
        if arms:
            yield f"{helper} helped to write these tasks and is the model of {', '.join(arms)}: it may know them"


def _is_model(helper: str, arm: Arm) -> bool:
    """Is it the arm's model, as an alias or a snapshot, whoever serves it?"""
    named = {bare for one in (arm.model.id, arm.model.snapshot) if isinstance(one, str) and (bare := _bare(one))}
    return _bare(helper) in named - {"none"}


def _bare(model: str) -> str:
    return model.strip().rpartition("/")[2].casefold()


def sandbox_notes(seal: Seal | None) -> Iterator[str]:
    """Protections of the sandbox that the machine of this run did not have; a run without a sandbox is stamped instead."""
    if seal is not None and not seal.unsandboxed and _missing(seal):
        yield f"protections of the sandbox that did not hold on this machine: {', '.join(_missing(seal))}"


def audit_notes(seal: Seal | None) -> Iterator[str]:
    """What `pack audit` had found of the pack when the run was sealed. A seal that did not ask says nothing."""
    if seal is not None and seal.pack_audit:
        yield seal.pack_audit


def probe_notes(terms: Terms) -> Iterator[str]:
    """Which probe of the endpoint the run was sealed with."""
    if (probe := terms.probe) is not None:
        begun = ", ".join(probe.windows)
        yield (
            f"endpoint probed before: {probe.told} ({probe.path}, fixture {probe.fixture_sha256[:12]}, client {probe.client}, "
            f"{counted(len(probe.windows), 'window')} begun {begun})"
        )


def _missing(seal: Seal) -> list[str]:
    return [one.name for one in seal.sandbox.protections if not one.holds]
