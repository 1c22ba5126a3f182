"""The endpoint answered as the sealed probe of it had heard it answer.

Why it matters: what a probe found (how tokens are counted, which words end an answer, under which name the model answers)
was relied on before the run. A call that shows something else went to another endpoint than was probed, or the endpoint
changed since; budgets and truncation were then planned for something else.

Bad: the probe heard `stop` and `length` from fam-0801, the run's calls ended with `eos` from fam-0915. Good: every call shows what
the probe had heard. Calls that the probe never made the like of (another interface, another model) are named and not compared.
Fix: probe the endpoint again, and seal the next run with that probe.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, counted, listed, note
from denominator.records.judgements import Sheet
from denominator.records.rows import CallRow
from denominator.records.sealed_probes import SealedProbe

ASKED = "/v1/chat/completions"
"""Where the bench asks, as calls of agents name it."""
NO_ANSWER = ("listing", "refused")
OK = 200
WHY = "the endpoint is not the one that was probed, or it changed"
FIX = "probe the endpoint again (denominator probe run), and seal the next run with that probe"
OTHER_FIX = "read what the probe found as being about its own interface and model only"


def check(sheet: Sheet) -> Iterable[Said]:
    """Whole answers of the provider, by what the probe had heard of the same kind."""
    probe = sheet.terms.probe
    if probe is None:
        return
    answered = [one for one in sheet.ledger.calls if _answered(one)]
    alike = [one for one in answered if _alike(one, probe)]
    facts = probe.facts
    for subject, name, read, known in (
        ("usage", "usage convention", _convention, facts.usage_conventions),
        ("model", "model", _model, facts.models),
        ("finish", "finish reason", _finish, facts.finish_reasons),
    ):
        for value, many in sorted(_unheard(alike, read, known).items()):
            heard = f"it heard {listed(known)}" if known else "it heard none"
            what = f"{counted(many, 'call')} with the {name} {value}, which probe {probe.told} never saw ({heard})"
            yield note(subject, f"{what}: {WHY}", FIX)
    silent = sum(one.streamed is False and not isinstance(one.usage_convention, str) for one in alike)
    if silent and facts.usage_plain is True:
        what = f"{counted(silent, 'call')} without usage, which every plain answer told probe {probe.told}: {WHY}"
        yield note("usage", what, FIX)
    if len(alike) < len(answered):
        others = Counter(_what(one) for one in answered if not _alike(one, probe))
        told = listed(f"{name} ({many})" for name, many in others.items())
        yield note("probe", f"calls of a kind that probe {probe.told} never made, not compared: {told}", OTHER_FIX)


def _answered(call: CallRow) -> bool:
    """A whole answer, and nobody's but the provider's."""
    return call.outcome == "ok" and call.status == OK and not call.injected and call.purpose not in NO_ANSWER


def _alike(call: CallRow, probe: SealedProbe) -> bool:
    return call.path == ASKED and call.asked_model == probe.model


def _what(call: CallRow) -> str:
    """What was called: an interface, or a model by the probed interface."""
    if call.path != ASKED:
        return call.path
    return f"model {call.asked_model}" if isinstance(call.asked_model, str) else "no model named"


def _unheard(calls: Sequence[CallRow], read: Callable[[CallRow], object], known: Sequence[str]) -> Counter[str]:
    return Counter(value for value in map(read, calls) if isinstance(value, str) and value not in known)


def _convention(call: CallRow) -> object:
    return call.usage_convention


def _model(call: CallRow) -> object:
    return call.served_model


def _finish(call: CallRow) -> object:
    return call.finish


RULE = Rule(
    Entry("GL075", "unlike-probe", "0.1.0", "gate", __doc__ or ""),
    check,
    "no call shows what a sealed probe of the endpoint never saw",
)
