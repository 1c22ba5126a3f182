"""Names of files that harnesses read verdicts from. Ours reads none of them, so one that lies there was meant for another."""

from __future__ import annotations

import re

VERDICTS = re.compile(
    r"(?:.*/)?(?:(?:rewards?|verdicts?|scores?|grades?)(?:[-_.]\w+)?\.(?:txt|json|jsonl|xml)"
    r"|(?:results?|report|junit|ctrf)\.(?:json|xml)|verifier/.+)\Z"
)


def is_verdict(path: str) -> bool:
    """Is it where some verifier would put a verdict? To ask of paths outside the allow-list: a task may be about one."""
    return VERDICTS.match(path) is not None
