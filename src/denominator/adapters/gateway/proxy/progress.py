"""What is known about one try of a call so far, whoever cuts it and when."""

from __future__ import annotations

from dataclasses import dataclass, field

from denominator.adapters.gateway.headers import Headers
from denominator.adapters.gateway.proxy.answers import Marks
from denominator.adapters.gateway.reading import Passing


@dataclass(slots=True)
class Progress:
    """`status` 0: no answer yet. `word` says why the answer is not whole; `whole` that all of it has come and was readable.
    Times are of the monotonic clock in ns, 0: never.

    `body` holds the parts of the body as received, when bodies are kept.
    """

    marks: Marks
    started_ns: int
    status: int = 0
    headers: Headers = field(default_factory=list)
    passing: Passing | None = None
    first_ns: int = 0
    content_ns: int = 0
    ended_ns: int = 0
    word: str = ""
    whole: bool = False
    body: list[bytes] = field(default_factory=list)

    def header(self, *names: str) -> str:
        """The value of the first of these headers that the answer has, or ""."""
        for wanted in names:
            for name, value in self.headers:
                if name.lower() == wanted and value:
                    return value
        return ""
