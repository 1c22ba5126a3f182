"""Lines of printed output that say a test passed. Code under test can print them, so they prove nothing but a lie."""

from __future__ import annotations

import re

from denominator.readers.logs.frames import HEAD
from denominator.readers.logs.shape import Claims
from denominator.readers.logs.view import quoted

MARKS = (b"PASS", b"ok")
CLAIM = re.compile(
    rb"[ \t]*(?:"
    rb"PASS(?:ED)?:?[ \t]+([^\s]{1,300}::[^\s]{1,300})"
    rb"|(?=[^\s]{1,300}?::)([^\r\n]{3,600}?[^ \t\r\n])[ \t]+PASSED\b"
    rb"|---[ \t]PASS:[ \t]+([^\s(]{1,300})"
    rb"|test[ \t]+([^\s]{1,300})[ \t]+\.\.\.[ \t]+ok\b"
    rb"|([A-Za-z_][^\s(]{0,300}[ \t]+\([^)\r\n]{1,300}\))[ \t]+\.\.\.[ \t]+ok\b"
    rb"|ok[ \t]+[0-9]{1,9}[ \t]+-?[ \t]*([^\r\n#]{1,300})"
    rb")"
)
MOST = 20_000


class ClaimBook:
    """Distinct test names that printed lines call passed, in order, up to a limit."""

    def __init__(self) -> None:
        self._names: dict[bytes, None] = {}
        self._cut = False

    def read(self, text: bytes) -> None:
        """Look through a piece of verifier output that starts at a line."""
        for line in text.split(b"\n") if any(mark in text for mark in MARKS) else ():
            head = HEAD.match(line)
            found = CLAIM.match(line, head.end() if head else 0) if any(mark in line for mark in MARKS) else None
            if found is not None:
                self._note(next(group for group in found.groups() if group))

    def _note(self, name: bytes) -> None:
        if len(self._names) < MOST:
            self._names.setdefault(name)
        elif name not in self._names:
            self._cut = True

    def claims(self) -> Claims:
        """What was claimed."""
        return Claims(passed=tuple(dict.fromkeys(quoted(name) for name in self._names)), cut=self._cut)
