"""What the bundle of an import says of itself."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.records.values import NotMeasured


@dataclass(frozen=True, slots=True, kw_only=True)
class Original:
    """A file that an import was read from: its name as it was read, its bytes by digest, and how many.

    `left_out` says why its bytes are not in the bundle ("": they are).
    """

    name: str
    sha256: str
    size: int
    left_out: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportSources:
    """`sources.json` beside an import, and part of a bundle's head: what was read, and how it was named.

    `place` is the last part of the path, `folder` whether it was one, `part` the run that was chosen in it, `format` who read it.
    """

    format: str
    place: str
    folder: bool
    part: str
    files: tuple[Original, ...]
    declared: tuple[Original, ...] = ()
    schema_version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportHead:
    """`import.json`. `sources` is not measured where nobody kept them.

    `reread` promises that the ledger follows from the originals in this bundle. `rows_root` is a Merkle root, as of a run.
    """

    run_id: str
    version: str
    rules_digest: str
    house: tuple[str, ...]
    shape: str
    ledger_sha256: str
    terms_sha256: str
    rows: int
    rows_root: str
    sources: ImportSources | NotMeasured
    reread: bool
    notes: tuple[str, ...] = ()
    schema_version: int = 1
