"""What a probe learned of an endpoint that a run may rely on: from cases that asked for the endpoint's own model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from denominator.records.probe_results import EndpointFacts, Heard
from denominator.records.probe_words import Mode
from denominator.records.probes import Fixture
from denominator.records.rows import Flag
from denominator.records.values import NotMeasured


def endpoint_facts(fixture: Fixture, heard: Iterable[Heard]) -> EndpointFacts:
    """Words as heard in whole answers to good requests. Usage counts as there only when every such answer told it."""
    cases = {case.id: case for case in fixture.cases}
    whole = [
        one for one in heard if one.complete and not cases[one.ask.case_id].control and not cases[one.ask.case_id].model
    ]
    asked = [one for one in whole if cases[one.ask.case_id].stream_usage]
    return EndpointFacts(
        models=_words(one.model for one in whole),
        finish_reasons=_words(one.finish for one in whole),
        usage_conventions=_words(one.usage_convention for one in whole),
        fingerprints=_words(one.fingerprint for one in whole),
        usage_on_stream=_usage([one for one in asked if one.ask.mode == Mode.STREAM], "no stream that asked was read"),
        usage_plain=_usage([one for one in whole if one.ask.mode == Mode.PLAIN], "no answer was read"),
    )


def _words(values: Iterable[str | NotMeasured]) -> tuple[str, ...]:
    return tuple(sorted({value for value in values if isinstance(value, str)}))


def _usage(heard: Sequence[Heard], none: str) -> Flag:
    if not heard:
        return NotMeasured(none)
    return all(isinstance(one.usage.prompt, int) and isinstance(one.usage.completion, int) for one in heard)
