"""What is weaker than in the previous seal of the lineage has a written reason.

Why it matters: a ceiling that was raised, a test that was dropped or a budget that grew after a look at the last result
makes the next number larger without any work on the agent, and nobody who sees two numbers can tell.

Bad: `infra_rate` goes from 0.10 to 0.30, and the envelope says nothing. Good: `[[loosen]]` with field, why and who; the
card and the sentence print all three.
Fix: put the field back, or write the reason into the envelope (`[[loosen]] field, why, who`), then seal and run again. A
reason cannot be waived. The lineage is the last seal of the same pack and arm label among the runs of the folder;
sealing once more does not settle what was loosened in silence, and a new lineage that was begun on purpose is noted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block, counted, note
from denominator.records.conditions import Loosened
from denominator.records.judgements import Sheet

SHOWN = 60
HEX = re.compile(r'"[0-9a-f]{64}"')


def check(sheet: Sheet) -> Iterable[Said]:
    """One finding a field; a note where somebody answers for it."""
    terms = sheet.terms
    if terms.lineage:
        yield note("lineage", f"a new lineage was begun: {terms.lineage}")
    for one in terms.loosened:
        what = said_of(one)
        if one.why and one.who:
            yield note(one.field, f"{what} ({one.why}; {one.who})", where=_seal(terms.previous))
        else:
            fix = f'put {one.field} back, or write [[loosen]] field = "{one.field}", why, who; then seal and run again'
            yield block(one.field, f"{what}, and no reason is given", fix, _seal(terms.previous))


def said_of(one: Loosened) -> str:
    """`weaker than the previous seal: budget.wall_s was 30, is 60`."""
    before, now = _value(one.before), _value(one.now)
    if isinstance(now, list) and isinstance(before, list):
        gone, new = len(_set(before) - _set(now)), len(_set(now) - _set(before))
        change = ", ".join(f"{number} {word}" for number, word in ((gone, "taken away"), (new, "added")) if number)
        return f"weaker than the previous seal: {one.field} had {counted(len(before), 'entry', 'entries')}: {change}"
    if isinstance(before, dict) and now is None:
        return f"weaker than the previous seal: {one.field} was there, is gone"
    if HEX.fullmatch(one.before):
        return f"changed since the previous seal: {one.field} was {one.before[1:13]}, is {one.now[1:13]}"
    return f"weaker than the previous seal: {one.field} was {_short(before)}, is {_short(now)}"


def _set(values: list[object]) -> set[str]:
    return {str(value) for value in values}


def _value(text: str) -> object:
    """Canonical JSON as it was sealed; what a manifest writes otherwise stands as text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _short(value: object) -> str:
    """Names of tests are in the seal and nowhere else: a list is only counted."""
    if value is None or value == "":
        return "not stated"
    if isinstance(value, list):
        return counted(len(value), "entry", "entries")
    if isinstance(value, dict):
        return ", ".join(f"{name} {one}" for name, one in sorted(value.items()) if one not in ("", None))
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def _seal(digest: str) -> str:
    return f"seal {digest[:12]}" if digest else ""


RULE = Rule(
    Entry("GL070", "silent-loosening", "0.1.0", "gate", __doc__ or ""),
    check,
    "nothing is weaker than in the previous seal",
)
