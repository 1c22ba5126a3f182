"""Every attempt that did not end as it should: labels with their rules and evidence, the change, the ends of what was printed.

A page has a budget of bytes. Stories share it; what does not fit is cut, and the page says what is missing and where it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from denominator.publish.html.card.budget import cut_text, size
from denominator.publish.html.parts import Markup, bullets, changed, folded, heading, output, paragraph, text
from denominator.publish.terminal.findings import code_ranges
from denominator.records.labelled import TriedRule
from denominator.records.labels import Evidence, Label
from denominator.records.reports import Excerpt, Report, Story
from denominator.records.values import counted

BUDGET = 1_150_000
"""Bytes of all stories together; the rest of a page is small."""
LEAST, LARGEST = 240, 12_000
"""Bytes of markup of one excerpt: below the first nothing is worth reading, above the second nobody reads on."""
WORDS = 400
AROUND = 330
"""Bytes around an excerpt: its heading, its box, and what it says of its missing part."""


def attempts(report: Report) -> Iterable[str]:
    """The stories, folded one by one, then what has none."""
    if report.hidden:
        yield paragraph(
            f"{counted(report.hidden, 'attempt')} with a verdict are not shown: a control is violated, so nobody may tell "
            "passes from fails."
        )
    if report.quoted and report.stories:
        yield paragraph(f"No change and no output is quoted: {report.quoted}.", "soft")
    told, left = fitted(report.stories, report.name)
    yield from told
    yield from _untold(report, left)
    if not report.stories and not report.untold and not report.hidden:
        yield paragraph("None.")


def fitted(stories: Sequence[Story], name: str, budget: int = BUDGET) -> tuple[list[str], list[Story]]:
    """Stories as far as they fit, and the others. Excerpts share what the labels leave."""
    heads = ["".join(_labels(one)) for one in stories]
    pieces = sum(len(one.excerpts) for one in stories)
    left = budget - sum(map(size, heads)) - sum(size(_summary(one)) + AROUND for one in stories) - pieces * AROUND
    room = max(LEAST, min(LARGEST, left // pieces if pieces else LARGEST))
    told: list[str] = []
    spent = 0
    for at, (story, head) in enumerate(zip(stories, heads, strict=True)):
        made = folded(Markup(_summary(story)), (head, *(_excerpt(one, story, name, room) for one in story.excerpts)))
        spent += size(made)
        if spent > budget:
            return told, list(stories[at:])
        told.append(made)
    return told, []


def _summary(story: Story) -> str:
    row = story.row
    place = f"{row.task_id} r{row.repeat} a{row.attempt}"
    control = f"control {row.control} {row.control_state}" if row.control else ""
    parts = (control, row.outcome or "no outcome", row.origin, row.failure_class, row.mix or row.reason)
    why = f": {cut_text(row.why, WORDS)[0]}" if row.why else ""
    return f'<span class="word">{text(place)}</span> {text(", ".join(one for one in parts if one) + why)}'


def _labels(story: Story) -> Iterable[str]:
    if story.row.labels:
        yield heading(3, "Labels")
        yield bullets(map(_label, story.row.labels))
    yield from _asked(story.tried)
    if story.row.read_it:
        yield paragraph(f"A person should look: {story.row.read_it}.")


def _label(one: Label) -> Markup:
    parts = [f"by {one.by} ({one.confidence} confidence)"]
    parts += [one.why] if one.why else []
    parts += [f"would change if: {one.would_change}"] if one.would_change else []
    parts += [f"shown by {_shown_by(found)}" for found in one.evidence[:3]]
    head = f'<span class="word">{text(f"{one.axis} = {one.value}")}</span>'
    return Markup(f"{head}, {text(cut_text('; '.join(parts), WORDS)[0])}")


def _shown_by(one: Evidence) -> str:
    ref = one.ref[:12] if len(one.ref) == 64 else one.ref
    place = " ".join(part for part in (one.kind, ref, one.stream) if part)
    return f'{place}: "{one.quote}"' if one.quote else place


def _asked(tried: Sequence[TriedRule]) -> Iterable[str]:
    """The chain by axis: which rules were asked, in order, and which of them held."""
    if not tried:
        return
    axes: dict[str, list[TriedRule]] = {}
    for one in tried:
        axes.setdefault(one.axis, []).append(one)
    lines = []
    for axis, asked in axes.items():
        held = ", ".join(f"{one.code} {one.rule}" for one in asked if one.won)
        silent = code_ranges({one.code for one in asked if not one.won})
        lines.append(f"{axis}: {held or 'no rule held'}" + (f"; asked and did not hold: {silent}" if silent else ""))
    yield folded("Which rules were asked, and which held", [bullets(lines)])


def _excerpt(one: Excerpt, story: Story, name: str, room: int) -> str:
    shown, lost = cut_text(one.text, room, one.cut)
    make = changed if one.name == "change" else output
    gone = one.left_out + lost
    where = f" in blob {one.blob[:12]}" if one.blob else ""
    note = (
        f"{gone} bytes are left out at its {one.cut}; whole{where}: denominator show {story.row.task_id} --run {name}"
    )
    more = [paragraph(note, "soft")] if gone else []
    return f"{heading(3, _titled(one.name))}{make(shown or '(nothing)').html}{''.join(more)}"


def _titled(name: str) -> str:
    return name[:1].upper() + name[1:]


def _untold(report: Report, left: Sequence[Story]) -> Iterable[str]:
    """What has no story here: how many of each kind, some names, and how to see the rest."""
    kinds = [(one.kind, one.count, one.names) for one in report.untold]
    if left:
        names = tuple(f"{one.row.task_id} r{one.row.repeat} a{one.row.attempt}" for one in left[:30])
        kinds.append(("more that did not fit", len(left), names))
    if not kinds:
        return
    yield heading(3, "Counted here, not told")
    yield paragraph(
        f"This page tells {counted(len(report.stories) - len(left), 'attempt')} in full. Every other one: denominator labels "
        f"{report.name}, then denominator show TASK --run {report.name}."
    )
    yield bullets(
        f"{kind}: {count}: {', '.join(names)}" + (f" and {count - len(names)} more" if count > len(names) else "")
        for kind, count, names in kinds
    )
