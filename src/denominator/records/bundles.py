"""What a bundle says of itself, and what a verifier found in it."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.records.replays import Look, Replay


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    """One patch, grading report, or content of a file that a patch brings, by its digest.

    `left_out` says why its bytes are not in the bundle ("": they are).
    """

    sha256: str
    kind: str
    left_out: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What the issuer saw beside the run and no file here can show again: it stands as stated.

    `replays`, `looks` and `siblings` are as in `Terms`; `missing_blobs` counts artifacts that the journal names and that
    were gone.
    """

    replays: tuple[Replay, ...] = ()
    looks: tuple[Look, ...] = ()
    siblings: tuple[str, ...] = ()
    missing_blobs: int = 0


NOTHING_BESIDE = Beside()


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleHead:
    """`bundle.json`. Both roots are Merkle roots (`bundles.merkle`).

    `events_head` is the digest of the last event, `calls_sha256` that of calls.jsonl, which no chain holds.
    """

    run_id: str
    version: str
    rules_digest: str
    house: tuple[str, ...]
    seal_sha256: str
    events: int
    events_head: str
    calls: int
    calls_sha256: str
    tasks: int
    tasks_root: str
    rows: int
    rows_root: str
    artifacts: tuple[Artifact, ...]
    beside: Beside = NOTHING_BESIDE
    replay_of: str = ""
    schema_version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing that a bundle is asked for: where it stands, and whether it is here or why it is not."""

    asked: str
    file: str
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing that is not as it must be. `kind` is a word of `bundles.layout.KINDS`, `where` a file of the bundle."""

    kind: str
    where: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Signed:
    """What the signature beside the sums says. `state` is none, good, bad or unchecked; `who` is known to the reader or ""."""

    state: str = "none"
    key: str = ""
    who: str = ""
    why: str = ""


NOT_SIGNED = Signed()


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What a reader knew of the bundle beforehand: digits of a slip's id, the sha256 of SHA256SUMS."""

    slip: str = ""
    sums: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What `verify` found. `status` is consistent or faulty; `issuer` says who answers for it, in words.

    `sentence` is the gate's, as judged again; of a faulty bundle none is given, and no number. `stated` is what no file
    here can show; `recomputed` counts what was done again, by name. `rung` is what may be claimed at most (`counts`), and
    `stamps` what stands across every result; "" and none where no sentence is given.
    """

    status: str
    issuer: str
    sums_sha256: str
    run_id: str = ""
    sealed_at: str = ""
    verdict: str = ""
    sentence: str = ""
    signed: Signed = NOT_SIGNED
    faults: tuple[Fault, ...] = ()
    stated: tuple[str, ...] = ()
    recomputed: tuple[tuple[str, int], ...] = ()
    exit: int = 0
    schema_version: int = 1
    rung: str = ""
    stamps: tuple[str, ...] = ()
