"""The model sampled as it was sealed: temperature and seed, where an answer names them, and as sent where none does.

Why it matters: temperature and seed are conditions under which a number is compared and repeated. A server may ignore what it
is sent, and an agent may send what nobody declared; the seal alone shows neither.

Bad: sealed with temperature 0, and the answers say that it was 0.8. Good: the answers name the sealed one. Answers and requests
that name none say nothing either way.
The check: numbers by value; a temperature may differ by a millionth, which is the rounding of a server. The seed of repeat k is
the sealed one, or `seeds[k]`.
Fix: seal what is really sent, or make the agent and the server use what is sealed, and run again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from decimal import Decimal

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block, counted
from denominator.records.conditions import condition
from denominator.records.judgements import Sheet
from denominator.records.rows import CallRow
from denominator.stats.decimals import finite_decimal

FIX = "seal what is really sent, or make agent and server use what is sealed, and run again"
ROUNDING = Decimal("0.000001")
NAMES = {"temperature": ("temperature",), "seed": ("seed", "random_seed")}
SHOWN = 3
LONG = 40


def check(sheet: Sheet) -> Iterable[Said]:
    """Each sealed parameter that calls were sampled without, with what was used instead."""
    for name in NAMES:
        stated = _stated(sheet, name)
        others = Counter(told for told in _told(sheet, name, stated) if told)
        if others:
            most = sorted(others.items(), key=lambda one: (-one[1], one[0]))
            used = ", ".join(f"{told} ({many})" for told, many in most[:SHOWN])
            more = f" and {len(most) - SHOWN} more" if len(most) > SHOWN else ""
            calls = counted(sum(others.values()), "call")
            yield block(name, f"the sealed {name} was not used in {calls}: {used}{more}", FIX)


def _told(sheet: Sheet, name: str, stated: list[Decimal]) -> Iterator[str]:
    """What each call used in the place of the sealed value, "" where it used that or nobody says."""
    seeds = _numbers(sheet, "seeds") if name == "seed" else []
    for call in sheet.ledger.calls if stated or seeds else ():
        at = call.key.repeat - 1
        allowed = [*stated, *(seeds[at : at + 1] if at >= 0 else [])]
        text, by = _used(call, name)
        value = finite_decimal(text)
        if value is not None and allowed and not any(_same(value, one, name) for one in allowed):
            yield f"{text[:LONG]} {by}"


def _used(call: CallRow, name: str) -> tuple[str, str]:
    """The value of a call that the model answered: the answer's word, else the request's."""
    if call.purpose == "solve" and call.outcome == "ok":
        for told, by in ((call.decoding, "as returned"), (call.decoding_asked, "as sent")):
            text = next((told[one] for one in NAMES[name] if one in told), "")
            if finite_decimal(text) is not None:
                return text, by
    return "", ""


def _same(one: Decimal, other: Decimal, name: str) -> bool:
    """Seeds exactly. Servers keep a temperature in few bits, so that 0.8 comes back as 0.800000011920929."""
    if one == other or name == "seed" or abs(one.adjusted() - other.adjusted()) > 1:
        return one == other
    return abs(one - other) <= ROUNDING * max(abs(one), abs(other))


def _stated(sheet: Sheet, name: str) -> list[Decimal]:
    return _numbers(sheet, name)[:1]


def _numbers(sheet: Sheet, name: str) -> list[Decimal]:
    """The numbers that a condition states, none for a word and for what is unknown."""
    value = condition(sheet.terms.conditions, name)
    found = json.loads(value, parse_float=str, parse_int=str) if isinstance(value, str) else None
    texts = found if isinstance(found, list) else [found]
    numbers = [finite_decimal(one) for one in texts if isinstance(one, str)]
    return [one for one in numbers if one is not None] if None not in numbers else []


RULE = Rule(
    Entry("GL073", "changed-decoding", "0.1.0", "gate", __doc__ or ""),
    check,
    "no call shows another temperature or seed than the sealed one",
)
