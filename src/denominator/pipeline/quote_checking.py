"""`quote check`: files -> documents -> findings against the slips of a folder. START HERE for quotes."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from denominator.errors import DenominatorError, Exit, InputError
from denominator.pipeline.quote_baseline import without_known
from denominator.pipeline.quote_changes import Changes
from denominator.publish.findings.shape import About
from denominator.quote import QUOTE_ENTRIES, Checked, Noted, Slips, check_document
from denominator.readers.documents import FORMS, form_of, read_document
from denominator.records.documents import Document, QuoteSettings
from denominator.records.findings import Finding
from denominator.records.values import counted
from denominator.records.words import Severity
from denominator.wire.bounded import read_bytes

FILE_BYTES = 256 << 20
STOPS = (Severity.BLOCK, Severity.UNKNOWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a check is asked: where globs of the settings start (`root`), and what narrows it."""

    settings: QuoteSettings
    root: Path
    today: str
    strict: bool = False
    changes: Changes | None = None
    known: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """All documents that were checked, the files that could not be, and what changed lines and baseline left out."""

    checked: tuple[Checked, ...]
    failed: tuple[DenominatorError, ...]
    unchanged: int = 0
    known: int = 0

    @property
    def noted(self) -> tuple[Noted, ...]:
        """Every finding, in the order of files."""
        return tuple(one for document in self.checked for one in document.noted)

    @property
    def stopping(self) -> int:
        """How many findings stop it: notes do not, what could not be looked into does."""
        return sum(one.said.severity in STOPS for one in self.noted)

    @property
    def exit(self) -> Exit:
        """2 for a file that cannot be read, 1 for findings."""
        return Exit.worst([Exit.USAGE if self.failed else 0, Exit.BLOCKED if self.stopping else 0])

    @property
    def seen(self) -> dict[str, int]:
        """What was looked for, and how many of each were seen in all documents."""
        return _sum(document.seen for document in self.checked)

    @property
    def skipped(self) -> dict[str, int]:
        """What was passed over on purpose."""
        return {name: count for name, count in _sum(document.skipped for document in self.checked).items() if count}

    @property
    def ignored(self) -> int:
        """Findings that a suppression with a reason holds back."""
        return sum(document.ignored for document in self.checked)


def _sum(tables: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for one in tables:
        for name, count in one.items():
            total[name] += count
    return dict(total)


def files_in(paths: Iterable[Path]) -> list[Path]:
    """The files that were named, and those of named folders whose form is read; hidden folders and links are not entered."""
    found: dict[Path, None] = {}
    for path in paths:
        if not path.is_dir():
            found.setdefault(path)
            continue
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            found |= dict.fromkeys(Path(folder, name) for name in sorted(names) if form_of(name))
    if not found:
        raise InputError("there is nothing to check", where="PATHS", fix=f"files ending in {' '.join(sorted(FORMS))}")
    return list(found)


def opened(path: Path) -> Document:
    """One file as spans. Raises InputError."""
    return read_document(read_bytes(path, FILE_BYTES), str(path))


def check_files(paths: Sequence[Path], slips: Slips, asked: Asked) -> Outcome:
    """Check every file; one that cannot be read keeps none of the others from being checked."""
    checked: list[Checked] = []
    failed: list[DenominatorError] = []
    unchanged = known = 0
    rest = Counter(asked.known or {})
    for path in paths:
        if asked.changes is not None and not asked.changes.touches(path):
            continue
        try:
            document = opened(path)
        except DenominatorError as error:
            failed.append(error)
            continue
        name = str(path)
        made = check_document(
            _below(path, asked.root), document, slips, asked.settings, asked.today, strict=asked.strict
        )
        noted = [replace(one, path=name) for one in made.noted]
        kept = [one for one in noted if asked.changes is None or asked.changes.holds(path, one.said)]
        new = without_known(kept, rest)
        unchanged, known = unchanged + len(noted) - len(kept), known + len(kept) - len(new)
        checked.append(replace(made, path=name, noted=tuple(new)))
    return Outcome(tuple(checked), tuple(failed), unchanged, known)


def _below(path: Path, root: Path) -> str:
    """A path as globs of the settings see it: below their folder, with slashes."""
    whole = Path(os.path.abspath(path))  # noqa: PTH100
    return whole.relative_to(root).as_posix() if whole.is_relative_to(root) else whole.as_posix()


def findings_of(outcome: Outcome) -> list[Finding]:
    """As the formats of other tools take them: what was found, then every rule that holds."""
    broken = {one.code for one in outcome.noted}
    held = [one for one in QUOTE_ENTRIES if one.code not in broken]
    return [
        *(one.finding for one in outcome.noted),
        *(
            Finding(code=e.code, allow_name=e.name, severity="held", subject="documents", what="nothing found")
            for e in held
        ),
    ]


def about(outcome: Outcome, version: str) -> About:
    """What the formats of other tools say of the check as a whole."""
    stopping = outcome.stopping
    return About(
        verb="quote check",
        subject=counted(len(outcome.checked), "document"),
        status="blocked" if stopping else "done",
        said=summary(outcome),
        version=version,
        exit=int(outcome.exit),
        entries=QUOTE_ENTRIES,
    )


def summary(outcome: Outcome) -> str:
    """One line: findings, documents, and what was held back by whom."""
    noted, stopping = len(outcome.noted), outcome.stopping
    parts = [
        f"{counted(stopping, 'finding')} in {counted(len(outcome.checked), 'document')}",
        counted(noted - stopping, "note"),
    ]
    parts += [f"{outcome.ignored} suppressed with a reason"] if outcome.ignored else []
    parts += [f"{outcome.known} known from the baseline"] if outcome.known else []
    parts += [f"{outcome.unchanged} in sentences that did not change"] if outcome.unchanged else []
    parts += [f"{counted(len(outcome.failed), 'file')} could not be read"] if outcome.failed else []
    return ", ".join(parts)


def counts(outcome: Outcome) -> Iterator[str]:
    """What was looked for with how many were seen, then what was passed over."""
    yield "looked for: " + ", ".join(f"{name} {count}" for name, count in outcome.seen.items())
    if outcome.skipped:
        yield "passed over: " + ", ".join(f"{name} {count}" for name, count in sorted(outcome.skipped.items()))
