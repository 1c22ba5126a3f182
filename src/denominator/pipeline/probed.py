"""A probe of the endpoint that a run will call: is it of this endpoint, what is sealed of it, and what its facts mean.

What a run could not keep is refused before it starts (`impossible`); what it only has to live with is said (`doubts`).
Whether the endpoint passed the bench's own gate is not asked here.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from denominator.compare.watches import serves_model, serves_snapshot
from denominator.errors import Problem
from denominator.records.envelopes import Arm, Envelope
from denominator.records.field_names import known_snapshot, our_name
from denominator.records.probe_results import ProbeScore
from denominator.records.sealed_probes import SealedProbe
from denominator.records.seals import Seal
from denominator.records.values import counted
from denominator.stats.decimals import finite_decimal

OF_TOKENS = (
    "dead_spend",
    "retry_overhead",
    "retry_tax",
    "tokens_per_accepted",
    "tokens_per_solved_all",
    "tokens_per_solved_median",
    "total_tokens",
)
"""Metrics that are unknown where no answer tells its usage."""
AGAIN = "denominator probe run"
CUT = "length"
USAGE_FIX = "have the endpoint report usage, or give the budgets room for worst cases (docs/formats/budgets.md)"
ECHO_FIX = "name what the endpoint answers as, or ask an endpoint that names what it serves"


def sealed_of(score: ProbeScore) -> SealedProbe:
    """What is sealed of a probe."""
    return SealedProbe(
        name=score.name,
        seal_sha256=score.seal_sha256,
        fixture_sha256=score.fixture_sha256,
        model=score.model,
        path=score.path.told,
        client=score.client,
        classifier=score.classifier,
        windows=tuple(one.started_at for one in score.windows),
        facts=score.facts,
        sentences=score.sentences,
        missing=len(score.missing),
    )


def misfits(score: ProbeScore, arm: Arm, folder: str, *, same_address: bool) -> Iterator[Problem]:
    """Why a probe says nothing of what an arm will call. `same_address`: do both call one address?"""
    if not score.windows:
        yield Problem("gateway.probe", "has no window: nothing was ever asked", f"{AGAIN} {folder}")
    if not same_address:
        through = "" if score.path.kind == "direct" else f", a gateway ({score.path.name} {score.path.version})"
        what = f"asked {score.url}{through}; arm {arm.label!s} calls {arm.model.endpoint}"
        yield Problem("gateway.probe", what, "probe the address that the arm calls, or leave the probe out")
    if score.model != arm.model.id:
        what = f"asked the model {score.model}; arm {arm.label!s} asks {arm.model.id}"
        yield Problem("gateway.probe", what, "probe the model that the arm asks for, by the same name")


def impossible(envelope: Envelope, arm: Arm, probe: SealedProbe) -> Iterator[Problem]:
    """Promises of the envelope that a run of this arm cannot keep at an endpoint that answers so."""
    if _answered(probe) and not probe.facts.usage_conventions:
        for number, clause in enumerate(envelope.clause):
            if clause.metric in OF_TOKENS and clause.of != "numerator":
                what = f"{clause.name} bounds {clause.metric}, and no answer of the probe told its tokens"
                yield Problem(f"clause[{number}].metric", what, "have the endpoint report usage, or drop the clause")
    yield from _undelivered(envelope, arm, probe)


def _undelivered(envelope: Envelope, arm: Arm, probe: SealedProbe) -> Iterator[Problem]:
    """A model that is the declared treatment must be named by the answers, or the comparison is refused at the end."""
    declared, floor = envelope.comparison, finite_decimal(envelope.comparison.delivered_floor)
    if arm.label not in declared.primary or not _answered(probe) or floor is None or Fraction(floor) <= 0:
        return
    other = next((one for one in envelope.arm if one.label in declared.primary and one.label != arm.label), None)
    for field in sorted({our_name(name) for name in envelope.treatment} & {"model_id", "model_snapshot"}):
        name = field.removeprefix("model_")
        if other is not None and getattr(other.model, name) == getattr(arm.model, name):
            continue
        mine = arm.model.id if field == "model_id" else known_snapshot(arm.model.id, arm.model.snapshot)
        if isinstance(mine, str) and not any(_is_it(field, one, arm) for one in probe.facts.models):
            what = f"arm {arm.label!s}: the treatment {mine} would never count as delivered: {_echo(probe)}"
            yield Problem(f"arm.model.{name}", what, f"{ECHO_FIX}; or name another treatment")


def _is_it(field: str, served: str, arm: Arm) -> bool:
    """Does an answer by that name show the sealed value, as a comparison will ask?"""
    snapshot = known_snapshot(arm.model.id, arm.model.snapshot)
    if field == "model_snapshot":
        return isinstance(snapshot, str) and serves_snapshot([served], snapshot)
    return serves_model([served], [one for one in (arm.model.id, snapshot) if isinstance(one, str)])


def doubts(seal: Seal) -> Iterator[str]:
    """What a person should know before the run is paid for, each with what to do."""
    if seal.probe is not None:
        for one in (*_of_probe(seal.probe), *_usage(seal.envelope, seal.probe), *_models(seal.arm, seal.probe)):
            yield f"probe {seal.probe.told}: {one.what}\n  next: {one.fix}"


def _of_probe(probe: SealedProbe) -> Iterator[Problem]:
    if probe.missing:
        what = f"{counted(probe.missing, 'planned attempt')} never asked: its facts are of a part of the bench"
        yield Problem("gateway.probe", what, f"{AGAIN} on its folder, then seal again")
    finish = probe.facts.finish_reasons
    if not _answered(probe):
        what = "no whole answer to a good request was heard: nothing is known of this endpoint"
        yield Problem("gateway.probe", what, "denominator probe score on its folder says what came instead")
    elif CUT not in finish:
        heard = f"only {', '.join(finish)}" if finish else "none at all"
        what = f"no answer ended with the finish reason {CUT} ({heard}): an answer that the cap cuts may look whole"
        yield Problem("gateway.probe", what, "denominator probe show on its folder: the cases of the group truncation")


def _usage(envelope: Envelope, probe: SealedProbe) -> Iterator[Problem]:
    """Budgets hold without usage, for a call that does not tell it keeps its worst case; so they end attempts early."""
    facts, plain, stream = probe.facts, probe.facts.usage_plain, probe.facts.usage_on_stream
    caps = [f"budget.tokens {envelope.budget.tokens!s}"]
    caps += [f"run.run_cap_tokens {envelope.run.run_cap_tokens}"] if envelope.run.run_cap_tokens else []
    held = f"each such call holds its worst case against {' and '.join(caps)}, and sums of tokens are unknown"
    if _answered(probe) and not facts.usage_conventions:
        yield Problem("budget.tokens", f"no answer told its usage: {held}", USAGE_FIX)
        return
    if plain is False:
        yield Problem("budget.tokens", f"not every answer told its usage: {held}", USAGE_FIX)
    if stream is False:
        what = f"not every stream told its usage, though it was asked to: {held}"
        yield Problem("budget.tokens", what, f"let the agent ask without streams; or {USAGE_FIX}")


def _models(arm: Arm, probe: SealedProbe) -> Iterator[Problem]:
    """The names under which the endpoint answered, against those that are sealed."""
    if not _answered(probe):
        return
    snapshot = known_snapshot(arm.model.id, arm.model.snapshot)
    if not any(_is_it("model_id", one, arm) for one in probe.facts.models):
        what = f"neither {arm.model.id} nor {arm.model.snapshot} was ever answered: {_echo(probe)}"
        yield Problem("arm.model.id", f"{what}; nothing will show which model served", ECHO_FIX)
    elif isinstance(snapshot, str) and not any(_is_it("model_snapshot", one, arm) for one in probe.facts.models):
        what = f"the sealed snapshot {snapshot} was never answered: {_echo(probe)}"
        yield Problem("arm.model.snapshot", f"{what}; nothing will show that it served", ECHO_FIX)


def _echo(probe: SealedProbe) -> str:
    named = ", ".join(probe.facts.models)
    return f"the probe heard {named}" if named else "no answer named a model"


def _answered(probe: SealedProbe) -> bool:
    """Was there a whole answer to a good request at all?"""
    facts = probe.facts
    heard = any((facts.models, facts.finish_reasons, facts.usage_conventions, facts.fingerprints))
    return heard or isinstance(facts.usage_plain, bool) or isinstance(facts.usage_on_stream, bool)
