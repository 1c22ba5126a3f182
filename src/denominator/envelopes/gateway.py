"""The table `[gateway]`: known words, places of a request, and faults that can hit a call of this pack."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from denominator.envelopes.fields import calls_model
from denominator.errors import InputError, Problem
from denominator.records.envelopes import Envelope, ProviderFault
from denominator.records.values import NotMeasured
from denominator.wire.requests import place_problem

RETRY_ON = ("rate_limited", "server_error", "connect")
BODIES = ("keep", "digests")
FAULTS = (
    "rate_limit",
    "rate_limit_wait",
    "server_error",
    "cut_stream",
    "slow_drip",
    "wrong_usage",
    "no_answer",
)
FIVE_HUNDRED, SIX_HUNDRED = 500, 600


def gateway_problems(envelope: Envelope) -> Iterator[Problem]:
    """What is wrong with the table, apart from numbers below zero."""
    terms = envelope.gateway
    for number, word in enumerate(terms.retry_on):
        if word not in RETRY_ON:
            yield Problem(f"gateway.retry_on[{number}]", f'"{word}" is no ending of a call', _one_of(RETRY_ON))
    if terms.bodies not in BODIES:
        yield Problem("gateway.bodies", f'"{terms.bodies}" is not a known word', _one_of(BODIES))
    for number, place in enumerate(terms.volatile):
        if why := place_problem(place):
            fix = 'dotted from the top of the request: "messages.*.content"'
            yield Problem(f"gateway.volatile[{number}]", why, fix)
    for number, fault in enumerate(terms.fault):
        yield from _fault(f"gateway.fault[{number}]", fault, envelope)
    yield from _of_no_use(envelope)


def _fault(where: str, fault: ProviderFault, envelope: Envelope) -> Iterator[Problem]:
    if fault.kind not in FAULTS:
        yield Problem(f"{where}.kind", f'"{fault.kind}" is no fault', _one_of(FAULTS))
    for name in ("call", "times"):
        if getattr(fault, name) < 1:
            yield Problem(f"{where}.{name}", f"is {getattr(fault, name)}", "at least 1")
    for name, declared in (("repeat", envelope.budget.repeats), ("attempt", envelope.budget.attempts)):
        told = getattr(fault, name)
        if isinstance(declared, int) and told > declared >= 1:
            yield Problem(
                f"{where}.{name}", f"is {told} of {declared}: it would never act", f"at most {declared}, or 0"
            )
    if fault.kind == "server_error" and fault.value and not FIVE_HUNDRED <= fault.value < SIX_HUNDRED:
        yield Problem(f"{where}.value", f"is {fault.value}", "a status from 500 to 599, or 0 for 500")


def _of_no_use(envelope: Envelope) -> Iterator[Problem]:
    """A recording and faults stand behind the gateway, and a probe is of what it calls: without calls none of them acts."""
    terms, network = envelope.gateway, envelope.sandbox.network
    reached = isinstance(network, NotMeasured) or network == "gateway"
    called = not envelope.arm or any(map(calls_model, envelope.arm))
    for where, told in (
        ("gateway.cassette", terms.cassette),
        ("gateway.probe", terms.probe),
        ("gateway.fault[0].kind", terms.fault),
    ):
        if told and not (reached and called):
            yield Problem(
                where, "no call of an agent would ever reach it", 'network = "gateway" and an arm with a model'
            )
    if terms.cassette and len(envelope.arm) > 1:
        what = f"one recording cannot answer {len(envelope.arm)} arms: it is of one run"
        yield Problem("gateway.cassette", what, "one envelope for each arm that is played")


def refuse_unknown_tasks(envelope: Envelope, tasks: Collection[str], where: str) -> None:
    """Raise InputError for faults of tasks that the pack does not hold: they would never act, and nobody would notice."""
    found = [
        Problem(f"gateway.fault[{number}].task", f"the pack holds no task {fault.task}", _one_of(sorted(tasks)[:8]))
        for number, fault in enumerate(envelope.gateway.fault)
        if fault.task and fault.task not in tasks
    ]
    if found:
        raise InputError("faults name tasks that are not there", where=where, problems=found, fix="use ids of the pack")


def _one_of(words: Collection[str]) -> str:
    return "one of: " + ", ".join(words)
