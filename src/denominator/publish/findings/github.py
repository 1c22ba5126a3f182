"""Findings as workflow commands of GitHub, and as the markdown of a step's summary.

Limits of the service: 10 errors and 10 warnings a step are shown and the rest is dropped silently; the upload of a
summary over 1 MiB is refused whole. So the heaviest come first, what is left over is counted in a notice and printed
as plain lines below it, and the summary is cut with a line that says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from denominator.publish.findings.shape import About, found, head, place_of, shown, whole
from denominator.publish.findings.text import counts_line, line
from denominator.records.findings import Finding

MOST = 10
SUMMARY_BYTES = 1 << 20
CUT_BYTES = 200
MARKS = re.compile(r"([\\`*_{}\[\]()#+!|~$@-])")


def write_github(findings: Iterable[Finding], about: About) -> str:
    """Errors for what stops the number, warnings for notes, one notice for the verdict and for what is left over."""
    given = found(findings)
    errors = [one for one in given if about.stops(one)]
    warnings = [one for one in given if not about.stops(one)]
    lines = [_command("error", one) for one in errors[:MOST]]
    lines += [_command("warning", one) for one in warnings[:MOST]]
    said = about.said or counts_line(given, about)
    lines.append(f"::notice title={_property(f'{about.verb} {about.subject}'.strip())}::{_data(said)}")
    rest = [*errors[MOST:], *warnings[MOST:]]
    if rest:
        lines.append(f"::notice title={_property('not all are shown')}::{len(rest)} more below")
    lines += [_plain(one) for one in rest]
    return "\n".join(lines) + "\n"


def _command(kind: str, finding: Finding) -> str:
    place = place_of(finding.where)
    where = f"file={_property(place[0])},line={place[1]}," if place else ""
    text = whole(finding) if place or not finding.where else f"{whole(finding)} [{finding.where}]"
    return f"::{kind} {where}title={_property(head(finding))}::{_data(text)}"


def _data(text: str) -> str:
    """The text of a command: percent and line ends by their codes, other control characters shown by number."""
    kept = shown(text.replace("\r", "\n"))
    return _tame(kept.replace("%", "%25").replace("\n", "%0A"))


def _property(text: str) -> str:
    """A property may hold no colon and no comma either."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _plain(finding: Finding) -> str:
    """A line that no reader of commands takes for one: it starts with the severity."""
    return _tame(line(finding))


def _tame(text: str) -> str:
    """The old form of commands is found anywhere in a line."""
    return text.replace("##[", "## [")


def write_summary(findings: Iterable[Finding], about: About, room: int = SUMMARY_BYTES) -> str:
    """Markdown for the step's summary in at most `room` bytes; what does not fit is counted in its last line."""
    given = found(findings)
    parts = [f"### {_marked(f'denominator {about.verb} {about.subject}'.strip())}\n"]
    if about.status or about.said:
        parts.append(f"**{_marked(about.status)}** {_marked(about.said)}\n")
    parts += [f"- {name}: `{_code(value)}`" for name, value in about.named()]
    parts.append(f"- {counts_line(given, about)}\n")
    return _cut(parts, [_bullet(one) for one in given], room)


def _cut(parts: Sequence[str], bullets: Sequence[str], room: int) -> str:
    kept, size = list(parts), sum(len(one.encode()) + 1 for one in parts)
    if size + CUT_BYTES > room:
        return ""
    for number, bullet in enumerate(bullets):
        size += len(bullet.encode()) + 1
        if size + CUT_BYTES > room:
            kept.append(f"\nCut here: {len(bullets) - number} more do not fit; the log of the step has all of them.")
            break
        kept.append(bullet)
    return "\n".join(kept) + "\n"


def _bullet(finding: Finding) -> str:
    place = f" `{_code(finding.where)}`" if finding.where else ""
    text = _marked(whole(finding))
    return f"- **{finding.severity}** {_marked(head(finding))}: {text}{place}"


def _marked(text: str) -> str:
    """Foreign text as text: no markup, no HTML, one line."""
    flat = " ".join(shown(text).split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return MARKS.sub(r"\\\1", flat)


def _code(text: str) -> str:
    return " ".join(shown(text).split()).replace("`", "'")
