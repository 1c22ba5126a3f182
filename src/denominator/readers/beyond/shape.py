"""What is none of an agent's business: the places that a harness knows, and the bounds of the search for them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

MOST = 20
"""So many places are told of one attempt."""
TEXT_MAX, ALL_MAX = 64 << 10, 4 << 20
"""Characters of one text and of all together: what lies behind them is not searched, so nobody is kept busy."""
DEPTH_MAX = 5
"""So deep a command inside a command is followed."""
WORD_MAX = 2048
SHOWN = 120

Reach = tuple[str, str]
"""A kind and what was named."""

PROCESS, GRADER, HIDDEN, RUN, ANSWER = "another process", "the grader", "hidden tests", "the run", "the answer"
SOCKET, SECRET, HISTORY, UPSTREAM = "a socket", "credentials", "git history", "an upstream"
TASK, MACHINE, ELSEWHERE = "another task", "the whole machine", "elsewhere"
ENDS = r"(?![\w.-])"


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Names by kind: `named` are places of the harness's own, `sought` are names that an agent may choose too.

    `own` are the folders that the sandbox shows as the task's; empty where nobody knows them (an imported row), and then
    only places that are known by themselves are told. `cwd` and `home` are where commands start, "" where unknown.
    `projects` are the names of the task's own project.
    """

    named: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sought: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    own: tuple[str, ...] = ()
    home: str = ""
    cwd: str = ""
    projects: tuple[str, ...] = ()

    def patterns(self) -> Iterator[tuple[str, re.Pattern[str]]]:
        """One pattern a kind of `named`; a name counts as a whole word of a path."""
        for kind, names in self.named.items():
            if wanted := sorted({one for one in names if one}, key=len, reverse=True):
                yield kind, re.compile(rf"(?<![\w.-])(?:{'|'.join(map(re.escape, wanted))}){ENDS}")
