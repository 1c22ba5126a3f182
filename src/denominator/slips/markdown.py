"""A slip as Markdown for a wiki or a pull request, one page. Foreign text is inert in it."""

from __future__ import annotations

from collections.abc import Iterator

from denominator.records.slips import ID_DIGITS, Number, SlipLine, SlipStanding, Tier
from denominator.records.values import NotMeasured
from denominator.slips.fields import headline_of, held
from denominator.slips.lineage import told
from denominator.slips.lines import head_of
from denominator.slips.words import copy_line, number_words, rate_allowed

MARKS = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_{}[]<>#|!~"} | {"&": "&amp;", "@": "&#64;"})

LEFT_OUT = "Left out of the harness digest"


def safe(text: str) -> str:
    """Text without Markdown, HTML, mentions or lines of its own; control characters as their codes."""
    shown = "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in text)
    return shown.translate(MARKS)


def markdown(one: SlipStanding) -> str:
    """The page: number, tier with its reasons, what is pinned, gaps, lines. Ends with a newline."""
    slip = one.slip
    parts = [*_head(one), *_tier(one), *_fields(one), *_list(LEFT_OUT, slip.harness.left_out)]
    parts += [*_list("Not known", slip.gaps), *_list("Notes", slip.notes), *_lines(one.lines)]
    return "\n".join(parts) + "\n"


def _head(one: SlipStanding) -> Iterator[str]:
    yield f"## Slip {one.id[:ID_DIGITS]}: {safe(one.slip.headline)}"
    yield ""
    words = number_words(one.slip) if one.tier.tier != Tier.NONE else ""
    yield f"**{safe(words)}**" if words else f"No number may be shown: {safe('; '.join(one.tier.why))}."
    found = headline_of(one.slip)
    if words and found is not None and rate_allowed(one.slip) and isinstance(found.lo, str):
        yield f"95 % interval {interval_words(found)}, {safe(found.method)}."
    if sentence := one.slip.gate.sentence:
        yield from ("", f"> {safe(sentence)}")


def interval_words(found: Number) -> str:
    """`0.454 to 0.883`; what is unknown is said."""
    ends = [end if isinstance(end, str) else f"unknown ({end.not_measured})" for end in (found.lo, found.hi)]
    return " to ".join(ends)


def _tier(one: SlipStanding) -> Iterator[str]:
    line = one.tier
    yield from ("", f"- tier: **{line.tier}** ({safe(line.audience)})")
    yield from (f"- why no higher: {safe(why)}" for why in line.why)
    yield from (f"- lifted by: {safe(lift)}" for lift in line.lifts)
    if line.footnote:
        yield f"- footnote: {safe(line.footnote)}"
    if paste := copy_line(one.id, one.slip, line.tier):
        yield f"- to copy: `{paste.replace('`', '')}`"
    if one.revoked:
        yield f"- **revoked**: {safe(one.revoked)}"
    if one.superseded_by:
        yield f"- superseded by slip {one.superseded_by[:ID_DIGITS]}"
    yield f"- signed off: {'yes' if one.signed_off else 'no'}"


def pinned(one: SlipStanding) -> Iterator[tuple[str, str]]:
    """Everything that a slip pins, field by field, unknowns with their reason."""
    slip = one.slip
    yield "id", one.id
    yield "origin", slip.origin
    yield "run", slip.run_id
    yield "arm", slip.arm
    yield "owner", _shown(slip.owner)
    yield "made", slip.made_at
    yield "days (UTC)", ", ".join(slip.days)
    yield "seal", _shown(slip.seal_sha256)
    yield "raw output", f"{slip.raw.path} sha256 {slip.raw.sha256}"
    yield "lines (head)", head_of(one.id, one.lines)
    yield "lineage", slip.lineage
    if slip.previous:
        yield "previous slip", slip.previous
        yield "moved since", ", ".join(slip.moved) or "nothing"
    yield "re-run spread", _shown(slip.re_run_spread)
    yield "gate", f"{slip.gate.status} {slip.gate.rung}".strip()
    for name, values in (("blocked by", slip.gate.blocked_by), ("waived", slip.gate.waived)):
        if values:
            yield name, ", ".join(values)
    budget = slip.budget
    yield "budget.tokens_used", _shown(budget.tokens_used)
    yield "budget.ratio", _shown(budget.ratio)
    yield from ((field.name, told(field.value)) for field in held(slip) if not _said_above(field.name))


def _said_above(name: str) -> bool:
    return name in ("schema_version", "origin", "headline") or name.startswith("numbers.")


def _shown(value: object) -> str:
    return f"unknown: {value.not_measured}" if isinstance(value, NotMeasured) else str(value)


def _fields(one: SlipStanding) -> Iterator[str]:
    yield from ("", "| field | value |", "|---|---|")
    yield from (f"| {safe(name)} | {safe(value)} |" for name, value in pinned(one) if value)


def _list(title: str, items: tuple[str, ...]) -> Iterator[str]:
    if items:
        yield from ("", f"### {title}", "")
        yield from (f"- {safe(item)}" for item in items)


def _lines(lines: tuple[SlipLine, ...]) -> Iterator[str]:
    if lines:
        yield from ("", "### What people said", "")
        yield from (f"- {safe(line_words(line))}" for line in lines)


def line_words(line: SlipLine) -> str:
    """One line in words."""
    role = line.role.replace("_", " ")
    said = {
        "verdict": f"verdict {line.tier}: {line.caveat}",
        "signoff": "signed off",
        "rejection": f"rejected: {line.field} is missing",
        "revoked": f"revoked: {line.caveat}",
    }
    return f"{line.at} {role} {line.who}: {said.get(line.what, line.what)}"
