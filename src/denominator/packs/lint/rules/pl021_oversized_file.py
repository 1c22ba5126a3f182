"""A file is too large to be frozen, read and copied for every attempt.

Why: each attempt starts from a fresh copy, and each seal names every file; a large file also cannot be searched for
leaks.
Bad: a data dump of 80 MB in repo/.
Good: small files; 32 MiB is refused, 5 MiB is noted.
Fix: cut the file down.
"""

from collections.abc import Iterator
from pathlib import Path

from denominator.packs.lint.material import Material
from denominator.packs.lint.shape import Rule
from denominator.packs.listing import list_files
from denominator.records.findings import Finding

REFUSED = 32 << 20
NOTED = 5 << 20


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """Every file of the pack."""
    for file in list_files(Path(pack.found.root)).files:
        if file.size >= NOTED:
            severity = "block" if file.size > REFUSED else "note"
            what = f"{file.size} bytes"
            yield rule.finding(pack.pack.id, what, where=file.path, fix="cut the file down", severity=severity)


RULE = Rule("PL021", "oversized-file", __doc__, check)
