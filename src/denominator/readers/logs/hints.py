"""From known texts to hints: what each may mean where it stands. A hint is for a person; it never outranks a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from denominator.readers.logs.shape import Hit, LogRead, Signature
from denominator.readers.logs.signatures import BY_NAME
from denominator.records.facts import Hint
from denominator.records.words import Phase, Writer

MOST = 24
VAGUE = "unknown"
"""The cause of a text that is worth reading and names no cause: the cause table's last line."""
OF_PROVIDER = frozenset({"llm", "http"})
OF_SANDBOX = frozenset({"container", "k8s", "kernel", "ssh"})


def hints_of(log: LogRead, network: str = "") -> tuple[Hint, ...]:
    """The earliest hints of a log, by their place in it; those that name no cause come after those that do.

    `network` is the envelope's word: with `off`, texts about an unreachable network mean nothing in the verifier's
    stream, for there was none to reach.
    """
    hits = [hit for hit in log.hits if not (network == "off" and hit.phase == "verify" and _signature(hit).network)]
    found = [_hint(hit, cause, log.sha256) for hit, cause in _resolved(hits)]
    return tuple(sorted(found, key=lambda one: one.cause == VAGUE))[:MOST]


def words_of(log: LogRead) -> tuple[Hint, ...]:
    """Known texts that an agent or its tests printed, by their place: for people to read, and no rule reads them."""
    found = {hit.quote: hit for hit in reversed(log.words)}
    return tuple(
        replace(_hint(hit, _signature(hit).cause, log.sha256), writer=Writer.AGENT)
        for hit in sorted(found.values(), key=lambda one: one.offset)
    )


def _signature(hit: Hit) -> Signature:
    return BY_NAME[hit.signature]


def _resolved(hits: Iterable[Hit]) -> Iterator[tuple[Hit, str]]:
    """Each hit with its cause, in order; one text at one place says one thing, the more telling one."""
    seen: set[tuple[str, str]] = set()
    said: set[tuple[str, str, str]] = set()
    end = -1
    for hit in sorted(hits, key=lambda one: (one.offset, _signature(one).vague, -one.length)):
        told = _signature(hit)
        before = next((cause for name, cause in told.after.items() if (name, hit.phase) in seen), "")
        seen.add((hit.signature, hit.phase))
        if hit.offset < end:
            continue
        end = hit.offset + hit.length
        own = told.setup_cause if hit.phase == Phase.SETUP and told.setup_cause else told.cause
        cause = before or (VAGUE if told.vague else own)
        if (hit.quote, hit.phase, cause) not in said:
            said.add((hit.quote, hit.phase, cause))
            yield hit, cause


def _hint(hit: Hit, cause: str, ref: str) -> Hint:
    return Hint(
        cause=cause,
        family=_signature(hit).family,
        writer=_writer(hit),
        stream=f"{hit.phase}/{hit.stream}",
        offset=hit.offset,
        length=hit.length,
        ref=ref,
        quote=hit.quote,
    )


def _writer(hit: Hit) -> str:
    family = _signature(hit).family
    if hit.phase == Phase.VERIFY:
        return Writer.VERIFIER
    if family in OF_SANDBOX:
        return Writer.SANDBOX
    return Writer.PROVIDER if family in OF_PROVIDER and hit.phase == Phase.HARNESS else Writer.HARNESS
