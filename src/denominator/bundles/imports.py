"""The bundle of an import: its files, and its README, which says first what an import cannot show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from denominator.bundles.layout import CARD, LABELS, README, SLIP, SLIP_HEAD, SLIP_LINES, STATEMENT, UNSUMMED, blob_sha
from denominator.bundles.readme import CONTAMINATION, NO_ORDER
from denominator.records.cards import Card
from denominator.records.import_bundles import ImportHead, Original
from denominator.records.seals import Terms
from denominator.records.values import NotMeasured

HEAD, LEDGER, TERMS = "import.json", "ledger.json", "terms.json"
REQUIRED = (HEAD, LEDGER, TERMS, CARD, README, STATEMENT)
ALLOWED = frozenset((*REQUIRED, LABELS, SLIP, SLIP_LINES, SLIP_HEAD))
PRIVATE = "held back, it looks as if it held a secret or a home folder: only its digest travels"
LARGE = "large: only its digest travels"
NOT_KEPT = "its bytes were not kept with the import: only its digest travels"

CANNOT = (
    "that anything was fixed before the run: nothing of it was sealed, so plan, budget and what counts could be chosen afterwards",
    "that no row was added, changed or left out before it was read: the other harness keeps no chain of its events",
    "that a pass is one: its patches were not graded here, and nothing in this bundle can grade them again",
    "that what somebody declared beside the files is so",
)
CHECK = """\
## To check it

```
sha256sum -c SHA256SUMS
denominator verify .
```

The first names files that were changed or lost; the second also names files that were added, and makes every label, number
and the sentence anew from `ledger.json` and `terms.json`{reread}.
Both work offline. Neither knows who made this bundle: compare the sha256 of `SHA256SUMS`, a slip's id, or a signature, with
what you were told otherwise.
"""
REREAD = ", which it reads again from the original files in `blobs/`"


def strangers(names: Iterable[str]) -> list[str]:
    """Files that are no part of such a bundle."""
    return [name for name in names if name not in ALLOWED and name not in UNSUMMED and not blob_sha(name)]


def originals(head: ImportHead) -> tuple[Original, ...]:
    """What was read and what was declared."""
    return () if isinstance(head.sources, NotMeasured) else (*head.sources.files, *head.sources.declared)


def readme_text(head: ImportHead, terms: Terms, card: Card) -> bytes:
    """The whole page. It repeats what the card may show and counts nothing itself."""
    check = CHECK.format(reread=REREAD if head.reread else "")
    return ("\n".join((*_lines(head, terms, card), "", check))).encode()


def _lines(head: ImportHead, terms: Terms, card: Card) -> Iterator[str]:
    yield f"# Import {_line(head.run_id)}"
    yield ""
    yield f"- results of another harness, read as {_line(head.shape)}"
    yield f"- manifest: sha256 {card.seal_digest}"
    yield f"- rules: sha256 {card.rules_digest}"
    yield f"- gate: {card.verdict.status}: {_line(card.verdict.sentence)}"
    yield from ("", "## What an import cannot show", "")
    yield from (f"- {one}" for one in CANNOT)
    yield from (f"- {_line(one)}: nobody states it" for one in terms.missing)
    for one in terms.conditions:
        if isinstance(one.value, NotMeasured):
            yield f"- {_line(one.name)}: {_line(one.value.not_measured)}"
    yield from ("", "## Original files", "")
    yield from _originals(head)
    yield from ("", "## Controls", "")
    yield from (f"- {_line(one.name)} {_line(one.task_id) or 'of the run'}: {one.state}" for one in card.controls)
    if not card.controls:
        yield "- none"
    yield from ("", "## Limits", "", f"- {NO_ORDER}", f"- {CONTAMINATION}")
    yield from (f"- {_line(limit)}" for limit in card.limits)


def _originals(head: ImportHead) -> Iterator[str]:
    if isinstance(head.sources, NotMeasured):
        yield f"- unknown: {head.sources.not_measured}"
        return
    for what, files in (("", head.sources.files), (", declared by a person", head.sources.declared)):
        for one in files:
            yield f"- `{_line(one.name)}`{what}: sha256 {one.sha256}, {one.size} bytes; {one.left_out or 'here'}"


def _line(text: str) -> str:
    """Words of strangers as one line that no Markdown can leave."""
    return "".join(char if char.isprintable() else " " for char in text).replace("`", "'").replace("<", "&lt;")
