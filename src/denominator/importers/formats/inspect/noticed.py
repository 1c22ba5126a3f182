"""What comes up in many samples of a log: kept by kind, and told once when all are read."""

from __future__ import annotations

from dataclasses import dataclass, field

from denominator.records.foreign import Told

NAMED = 50

TELLING: dict[str, tuple[str, bool]] = {
    "several_scores": ("scores of a sample disagree, and no headline chooses", True),
    "mixed_content": ("an id held something else in another epoch, so its epochs are no repeats of one task", True),
    "unknown_ending": ("a sample was stopped by a limit that nobody knows", True),
    "edited_score": ("a person changed the verdict after the run; the row says what it was before", False),
    "invalidated": ("a person took a sample out after the run; it stays in the denominator without a verdict", False),
    "no_pass_line": ("partial credit, and no line is drawn from which on a sample has passed (pass_from)", True),
    "other_model": ("another model answered in the place of the one that was asked (model_fallbacks)", False),
    "no_score": ("a sample has ended and no scorer has judged it", False),
    "not_scheduled": ("the log holds samples that its own plan does not name", True),
    "reused_sample": ("a sample began before this log did: it was taken from an earlier one", False),
    "sample_missing": ("the summaries name a sample whose member is missing: the summary was read in its place", False),
    "scored_on_error": ("a sample broke off and was scored all the same: only a correct score counts", False),
    "unscored": ("the scorer came to no value; Inspect leaves such ids out of its means", False),
}
"""Kind of defect -> what it is, and whether the number would be wrong with it."""


@dataclass(slots=True)
class Noticed:
    """Ids by kind, each with what was seen first; the samples that were read, and what their tasks held.

    `parts`: some sample has a value, or several, that are neither passed nor failed. `ids` can be keys.
    `renamed`: what members are called that hold another sample.
    """

    keys: dict[tuple[str, int], str] = field(default_factory=dict)
    contents: dict[str, tuple[str, str]] = field(default_factory=dict)
    tokens: int = 0
    completed: int = 0
    parts: bool = False
    ids: set[str] = field(default_factory=set)
    renamed: set[tuple[str, int]] = field(default_factory=set)
    _tasks: dict[str, dict[str, None]] = field(default_factory=dict)
    _first: dict[str, tuple[str, str]] = field(default_factory=dict)

    def note(self, kind: str, task: str, where: str = "", what: str = "") -> None:
        """A task of which something is to be told; of the first one also where it stands and what was seen."""
        self._tasks.setdefault(kind, {})[task] = None
        self._first.setdefault(kind, (where, what))

    def tell(self, told: Told, log: str) -> None:
        """Everything that was noted, kind by kind."""
        for kind, tasks in sorted(self._tasks.items()):
            what, blocks = TELLING[kind]
            where, first = self._first[kind]
            ids = "1 id" if len(tasks) == 1 else f"{len(tasks)} ids"
            told.say(
                kind,
                where or log,
                f"{ids}: {what}" + (f" ({first})" if first else ""),
                *tuple(tasks)[:NAMED],
                blocks=blocks,
            )
