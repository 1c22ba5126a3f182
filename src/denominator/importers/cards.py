"""What follows from a task's card: an absent file, paths outside its allow-list, its canary in the patch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from denominator.importers.columns import Cells
from denominator.importers.patches import NO_SIZE
from denominator.importers.scope import Allowed, changed_paths, outside
from denominator.importers.toolcalls import argument_texts
from denominator.records.rows import AttemptRow, PatchFacts
from denominator.records.values import NotMeasured
from denominator.wire.tokens import token_hits

PRINTED = frozenset({"stdout", "stderr", "log"})
ABSENT = ("a required file, not named by the source",)


@dataclass(frozen=True, slots=True)
class Cards:
    """The task list by id, and cards in documents: one for every row, or one for the rows of its own folder."""

    tasks: Mapping[str, Cells] = field(default_factory=dict)
    single: Cells | None = None
    folders: Mapping[str, Cells] = field(default_factory=dict)

    def of(self, task_id: str, folder: str = "") -> Cells | None:
        """The card of a task, if there is one."""
        return self.tasks.get(task_id) or self.folders.get(folder) or self.single


def with_card(row: AttemptRow, cells: Cells, card: Cells | None) -> tuple[AttemptRow, str]:
    """The row with the facts that its card adds, and a leak to report: the card's token in the agent's own output."""
    row = _in_scope(row, cells, card)
    if card is None:
        return _searched(row, cells, cells.text("canary"))
    kept = {key: text for key, text in card.extra.items() if key not in row.extra}
    row = replace(row, extra={**row.extra, **kept})
    if not row.required_missing and card.flag("required_missing") and isinstance(row.asked, bool | NotMeasured):
        row = replace(row, required_missing=ABSENT)
    return _searched(row, cells, cells.text("canary") or card.text("canary"))


def _searched(row: AttemptRow, cells: Cells, token: str) -> tuple[AttemptRow, str]:
    """Hits in the patch are the answer's; in what the agent printed, or gave to its tools, they are an echo of the card."""
    body = cells.known.get("patch")
    if not token:
        return row, ""
    if isinstance(body, str):
        row = replace(row, canary_hits=token_hits(token, {"patch": _bytes(body)}), canary_searched=True)
    said = {name: _bytes(text) for name in PRINTED if (text := cells.text(name))}
    if texts := argument_texts(cells):
        said["tool_calls"] = _bytes("\n".join(texts))
    if said or PRINTED & (cells.known.keys() | cells.nulls):
        echoed = token_hits(token, said)
        row = replace(row, canary_echo=bool(echoed))
        return row, f"the agent printed the canary, the task card has reached it ({echoed[0]})" if echoed else ""
    return row, ""


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _in_scope(row: AttemptRow, cells: Cells, card: Cells | None) -> AttemptRow:
    """Paths outside, from the changes that the row lists; what the source says itself is kept."""
    if "changes" not in cells.known:
        return row
    paths = changed_paths(cells.known["changes"])
    if paths is None:
        cells.problems.append("changes: neither paths nor [op, path, ...]")
        return row
    allowed = allowed_by(cells) or (allowed_by(card) if card else Allowed())
    old = row.patch if isinstance(row.patch, PatchFacts) else PatchFacts(sha256="", bytes=NO_SIZE)
    slipped = tuple(dict.fromkeys((*old.outside, *(outside(paths, allowed) if allowed else ()))))
    return replace(row, patch=replace(old, touched=paths, outside=slipped))


def allowed_by(cells: Cells) -> Allowed:
    """The allow-list that a card or a row states; none stated allows everything, and says so by being false."""
    files = cells.known.get("allowed_files")
    forbidden, ignore = cells.known.get("forbidden_paths", ()), cells.known.get("ignore", ())
    return Allowed(
        files=files if isinstance(files, tuple) else None,
        forbidden=forbidden if isinstance(forbidden, tuple) else (),
        ignore=ignore if isinstance(ignore, tuple) else (),
    )
