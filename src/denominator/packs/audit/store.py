"""`pack.audit.json` beside the lock: written whole, read with care, shown only for the files that it speaks of."""

from __future__ import annotations

from pathlib import Path

from denominator.errors import DenominatorError
from denominator.packs.audit.corpus import corpus_digest
from denominator.packs.layout import AUDIT_FILE
from denominator.records.pack_audits import PackAudit
from denominator.wire.canonical import canonical
from denominator.wire.codec import from_json, loads
from denominator.wire.durable import write_file

NOT_RUN = "pack audit: not run"


def write_audit(path: Path, audit: PackAudit) -> None:
    """Canonical JSON and a newline, atomically."""
    write_file(path, canonical(audit) + b"\n")


def read_audit(root: Path) -> PackAudit | None:
    """The audit in a pack's folder; None where there is none. Raises InputError when it cannot be read."""
    path = root / AUDIT_FILE
    if not path.is_file():
        return None
    return from_json(PackAudit, loads(path.read_bytes(), str(path)), str(path))


def audit_line(root: Path, pack_digest: str, grader_sha: str) -> str:
    """One line for a card: the counts when the audit is of these very files, else that it was not run on them.

    An audit that another grader or other attacks than the installed ones made is called old, with what has changed since.
    """
    try:
        audit = read_audit(root)
    except (DenominatorError, OSError):
        return f"{NOT_RUN} ({AUDIT_FILE} cannot be read)"
    if audit is None:
        return NOT_RUN
    if audit.pack_digest != pack_digest:
        return f"{NOT_RUN} on these files (the one there is speaks of {audit.pack_digest[:12]})"
    return f"pack audit: {audit.sentence}{_age(audit, grader_sha)}"


def _age(audit: PackAudit, grader_sha: str) -> str:
    moved = [
        what
        for what, then, now in (
            ("grader", audit.grader_sha, grader_sha),
            ("attacks", audit.corpus_sha, corpus_digest()),
        )
        if then != now
    ]
    if not moved:
        return ""
    return f" (old: made {audit.taken_at[:10]} by {audit.made_by}, {' and '.join(moved)} changed since; not run again)"
