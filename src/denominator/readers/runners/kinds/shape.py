"""What a runner is to us: the meaning of its exit statuses, and what its texts hint at. One file a runner beside this."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from denominator.records.words import RunnerEnding

OK, RED = "ok", "red"
Meaning = str
"""`ok` (every test passed, says the runner), `red` (something ran and is bad), or a word of `RunnerEnding`."""


@dataclass(frozen=True, slots=True)
class Sign:
    """A text that this runner's own front end prints. It counts only beside one of these exit statuses and no report.

    `kind` is a kind of trouble, a word of `RunnerEnding`, or "" for a text that only explains.
    """

    pattern: str
    kind: str
    exits: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Runner:
    """One runner. Other exit statuses than these are red when something bad is reported, and unknown otherwise.

    `reports` are the formats that it can write, `errors_are` what an error is that its report does not explain:
    `raised` (the test's own body raised) or `setup` (something before or after the test did).
    """

    name: str
    exits: Mapping[int, Meaning]
    reports: tuple[str, ...] = ()
    errors_are: str = "raised"
    ambiguous: str = ""
    signs: tuple[Sign, ...] = ()
    manifests: tuple[str, ...] = ()
    aliases: tuple[str, ...] = field(default=())

    def meaning(self, status: int) -> Meaning:
        """What the runner says by this status; "" where it says nothing of the kind."""
        return self.exits.get(status, "")


E = RunnerEnding
