"""Is an envelope complete, and does it hold together? Every reason why not, at once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from denominator.envelopes.additions import addition_problems
from denominator.envelopes.fields import NONE, calls_model, leaves, missing
from denominator.envelopes.gateway import gateway_problems
from denominator.envelopes.hints import hint
from denominator.envelopes.numbers import number_problems
from denominator.envelopes.treatments import treatment_problems
from denominator.errors import IncompleteError, Problem
from denominator.records.envelopes import Arm, Envelope, SandboxTerms
from denominator.records.values import is_placeholder
from denominator.wire.names import id_problem

PINNED = re.compile(r"(^|.@)sha256:[0-9a-f]{64}$")
ON_TIMEOUT = ("fail", "grade")
NETWORKS = ("none", "gateway")
SCORERS = ("tests", "compile", "schema", "golden_diff")
NEVER = ("model", "person")
HEADLINES = ("headline_pass_rate",)


def complete(envelope: Envelope) -> list[Problem]:
    """Every problem, in the order of the file; an empty list means that it may be sealed."""
    found = [
        *(Problem(path, "is not filled in", hint(path)) for path in missing(envelope)),
        *_arms(envelope),
        *number_problems(envelope),
        *_words(envelope),
        *_terms(envelope),
        *_lists(envelope),
        *gateway_problems(envelope),
        *treatment_problems(envelope),
        *addition_problems(envelope),
    ]
    order = {path: number for number, (path, _) in enumerate(leaves(envelope))}
    return sorted(dict.fromkeys(found), key=lambda problem: order.get(problem.where, -1))


def require_complete(envelope: Envelope, where: str) -> None:
    """Refuse an incomplete envelope (exit 2), all fields listed."""
    problems = complete(envelope)
    if problems:
        raise IncompleteError(
            f"the envelope is not complete: {len(problems)} fields",
            where=where,
            problems=problems,
            fix="fill them in, then seal again",
        )


def _arms(envelope: Envelope) -> Iterator[Problem]:
    if not envelope.arm:
        yield Problem("arm", "there is no arm", hint("arm"))
    labels = Counter(arm.label.casefold() for arm in envelope.arm if isinstance(arm.label, str))
    for number, arm in enumerate(envelope.arm):
        where = f"arm[{number}]"
        if isinstance(arm.label, str):
            if labels[arm.label.casefold()] > 1:
                yield Problem(f"{where}.label", f'"{arm.label}" names two arms', "give each arm a label of its own")
            if why := id_problem(arm.label):
                yield Problem(f"{where}.label", f"cannot be part of a run id: {why}", "use letters, digits and dashes")
        yield from _agent(where, arm)
        yield from _model(where, arm, envelope)


def _agent(where: str, arm: Arm) -> Iterator[Problem]:
    if arm.agent == "command" and not (arm.command and arm.command[0].strip()):
        yield Problem(f"{where}.command", 'agent "command" has no command', hint("arm.command"))
    if arm.agent == "script" and not arm.script:
        yield Problem(f"{where}.script", 'agent "script" has no script', hint("arm.script"))


def _model(where: str, arm: Arm, envelope: Envelope) -> Iterator[Problem]:
    model = arm.model
    if not calls_model(arm):
        return
    if isinstance(model.snapshot, str) and model.snapshot == model.id:
        what = "equals the alias: which snapshot was served stays unknown"
        yield Problem(f"{where}.model.snapshot", what, hint("arm.model.snapshot"))
    if isinstance(model.id, str) and envelope.sandbox.network == NONE:
        what = f"arm {number_of(where)} calls a model, which no network can reach"
        yield Problem("sandbox.network", what, 'network = "gateway", or model.id = "none"')


def number_of(where: str) -> int:
    """1 for arm[0]."""
    return int(where.split("[")[1].rstrip("]")) + 1


def _words(envelope: Envelope) -> Iterator[Problem]:
    scorer = envelope.metric.scorer
    if scorer in NEVER:
        what = f"a {scorer} never feeds a headline, a price or a card"
        yield Problem("metric.scorer", what, "one of: " + ", ".join(SCORERS))
    yield from _word("metric.scorer", scorer, (*SCORERS, *NEVER))
    yield from _word("metric.headline", envelope.metric.headline, HEADLINES)
    yield from _word("policy.on_timeout", envelope.policy.on_timeout, ON_TIMEOUT)
    yield from _word("sandbox.network", envelope.sandbox.network, NETWORKS)
    yield from _image(envelope.sandbox)


def _image(terms: SandboxTerms) -> Iterator[Problem]:
    """Containers need an image, and one that stays what it is; nothing else has one."""
    if terms.backend == "docker" and not PINNED.search(terms.image):
        what = "is not pinned by a digest" if terms.image else "a container needs an image"
        fix = 'image = "NAME@sha256:...", as `denominator doctor --sandbox docker --image NAME` prints it'
        yield Problem("sandbox.image", what, fix)
    if terms.image and isinstance(terms.backend, str) and terms.backend != "docker":
        yield Problem("sandbox.image", f"{terms.backend} shows this machine's system, no image", 'backend = "docker"')


def _word(path: str, value: object, allowed: tuple[str, ...]) -> Iterator[Problem]:
    if isinstance(value, str) and not is_placeholder(value) and value not in allowed:
        yield Problem(path, f'"{value}" is not a known word', "one of: " + ", ".join(allowed))


def _terms(envelope: Envelope) -> Iterator[Problem]:
    for field in ("quota_assumed", "permanence_assumed"):
        if getattr(envelope.terms, field):
            yield Problem(f"terms.{field}", "an assumption cannot be sealed", "read the terms and write what they say")
    if envelope.terms.source != NONE and not envelope.terms.read_on:
        yield Problem(
            "terms.read_on", "terms with a source need the date on which they were read", "read_on = 2026-01-31"
        )


def _lists(envelope: Envelope) -> Iterator[Problem]:
    seeds, repeats = envelope.run.seeds, envelope.budget.repeats
    if seeds and isinstance(repeats, int) and len(seeds) < repeats:
        what = f"{len(seeds)} seeds for {repeats} repeats; repeat k uses seeds[k]"
        yield Problem("run.seeds", what, "one seed for each repeat, or none")
    primary, labels = envelope.comparison.primary, {arm.label for arm in envelope.arm}
    if primary and len(primary) != 2:
        yield Problem("comparison.primary", "names no pair of arms", 'primary = ["A", "B"]')
    if len(envelope.arm) > 1 and not set(primary) <= labels:
        yield Problem("comparison.primary", "names an arm that is not here", "use the arms' labels")
    for number, waiver in enumerate(envelope.allow):
        for field in ("rule", "why", "who", "until"):
            if not getattr(waiver, field).strip():
                yield Problem(f"allow[{number}].{field}", "is not filled in", "say which rule, why, who and until when")
