"""`bundle`: a finished run as a folder, or one file, that travels. It is judged, packed, and verified before it gets its name."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from denominator.bundles.layout import (
    BASELINE,
    CALLS,
    CARD,
    EVENTS,
    HEAD,
    LABELS,
    SEAL,
    SHA,
    SIGNATURE,
    SLIP,
    SUMS,
    THIN,
    blob_name,
)
from denominator.bundles.redaction import private_places
from denominator.bundles.sums import write_sums
from denominator.errors import (
    BlockedError,
    Exit,
    InputError,
    InternalError,
    OpenPromisesError,
    Problem,
    UnknownStateError,
)
from denominator.pipeline.bundle_judging import Again, Evidence, judge_again
from denominator.pipeline.bundle_packing import pack, packed_name
from denominator.pipeline.bundle_parts import derived_files, head_of, lines_of, named_artifacts
from denominator.pipeline.people import LABELS as LABELS_FILE
from denominator.pipeline.people import read_labels
from denominator.pipeline.replaying import replay_note
from denominator.pipeline.results import Result, judge_run, read_baseline, stored_digest
from denominator.pipeline.soundness import missing_blobs
from denominator.pipeline.verifying import verify
from denominator.pipeline.world import OpenRun
from denominator.ports import Signer
from denominator.records.bundles import Artifact, Beside, Checked
from denominator.wire.bounded import read_bytes
from denominator.wire.canonical import canonical, sha256_bytes
from denominator.wire.durable import new_folder, write_file

LEFT_OUT = "left out by the issuer: only its digest travels"
GONE = "gone when the bundle was made: only its digest is known"
DOCUMENT_BYTES = 1 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a bundle is to hold. `left_out` are digests of patches and reports whose bytes stay at home."""

    thin: bool = False
    left_out: frozenset[str] = frozenset()
    slip: Path | None = None
    key: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A bundle: where it is, how many files, the sha256 of its SHA256SUMS, and what verifying it said."""

    place: str
    files: int
    sums_sha256: str
    archive_sha256: str
    checked: Checked


def bundle(run: OpenRun, target: Path, wish: Wish, signer: Signer) -> Made:
    """Make it at a place where nothing is. BlockedError: something in it may not travel, and nothing was written."""
    if os.path.lexists(target):
        raise InputError("there is something already", where=str(target), fix="name a new one: -o NAME")
    result = judge_run(run)
    _refuse_unfinished(run, result)
    files = _files(run, result, wish)
    _refuse_private(files)
    if not packed_name(target):
        with new_folder(target) as half:
            made = _write(half, files, wish, signer)
        return _made(target, files, made)
    target.absolute().parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".denominator-bundle-", dir=target.absolute().parent) as passing:
        half = Path(passing) / "bundle"
        half.mkdir()
        made = _write(half, files, wish, signer)
        data = pack(half, target)
        shutil.rmtree(half)
    write_file(target, data, replace=False)
    return _made(target, files, made, sha256_bytes(data))


def _made(target: Path, files: Mapping[str, bytes], checked: Checked, archive: str = "") -> Made:
    return Made(
        place=str(target),
        files=len(files) + 1 + (checked.signed.state != "none"),
        sums_sha256=checked.sums_sha256,
        archive_sha256=archive,
        checked=checked,
    )


def _refuse_unfinished(run: OpenRun, result: Result) -> None:
    where = str(run.folder.root)
    if result.exit == Exit.UNKNOWN_STATE:
        raise UnknownStateError("its journal cannot be explained", where=where, fix=f"denominator status {run.run_id}")
    if result.exit == Exit.OPEN:
        raise OpenPromisesError("promises are still open", where=where, fix=f"denominator resume {run.run_id}")


def _files(run: OpenRun, result: Result, wish: Wish) -> dict[str, bytes]:
    """Every file of the bundle but its sums."""
    evidence = _evidence(run, result)
    again = judge_again(evidence)
    if canonical(again.card) != canonical(result.card):
        raise InternalError("the bundle would not give the card of the run", where=run.run_id)
    named = named_artifacts(evidence.events, lambda sha: run.blobs.get(sha) if _why(run, sha, wish) == "" else None)
    if unknown := sorted(wish.left_out - {*named}):
        what = f"nothing that would travel with this run is {', '.join(one[:16] for one in unknown)}"
        raise InputError(what, where="--leave-out", fix="give a whole sha256, as the refusal named it")
    artifacts = [Artifact(sha256=sha, kind=kind, left_out=_why(run, sha, wish)) for sha, kind in named.items()]
    found = _documents(run, evidence, again, artifacts)
    found |= {blob_name(one.sha256): run.blobs.get(one.sha256) for one in artifacts if not one.left_out}
    if wish.slip is not None:
        found[SLIP] = read_bytes(wish.slip, fix="name the slip's file: slips/ID.json")
    return found


def _documents(run: OpenRun, evidence: Evidence, again: Again, artifacts: list[Artifact]) -> dict[str, bytes]:
    found = {
        HEAD: canonical(head_of(evidence, again, artifacts)) + b"\n",
        SEAL: read_bytes(run.folder.seal, DOCUMENT_BYTES),
        BASELINE: read_bytes(run.folder.baseline, DOCUMENT_BYTES),
        EVENTS: lines_of(evidence.events),
        CALLS: lines_of(evidence.calls),
        CARD: canonical(again.card) + b"\n",
        **derived_files(evidence, again),
    }
    if (labels := run.folder.root / LABELS_FILE).exists():
        found[LABELS] = read_bytes(labels, DOCUMENT_BYTES)
    return found


def _evidence(run: OpenRun, result: Result) -> Evidence:
    baseline = read_baseline(run.folder.baseline)
    if baseline is None:
        fix = "put it back as it was: the seal names it by its digest"
        raise InputError("the baseline is gone", where=str(run.folder.baseline), fix=fix)
    note = replay_note(run.folder.root)
    return Evidence(
        run_id=run.run_id,
        version=result.card.version,
        seal=run.seal,
        seal_sha=run.seal_digest,
        baseline=baseline,
        baseline_sha=stored_digest(run.folder.baseline),
        events=tuple(run.journal.events()),
        calls=tuple(run.journal.calls()),
        labels=read_labels(run.folder.root),
        beside=Beside(
            replays=result.terms.replays,
            looks=result.terms.looks,
            siblings=result.terms.siblings,
            missing_blobs=len(missing_blobs(run)),
        ),
        replay_of=note.of if note else "",
    )


def _why(run: OpenRun, sha: str, wish: Wish) -> str:
    if not run.blobs.has(sha):
        return GONE
    return THIN if wish.thin else LEFT_OUT if sha in wish.left_out else ""


def _refuse_private(files: Mapping[str, bytes]) -> None:
    """Everything is looked at before a byte is written; places and kinds are named, never what stands there."""
    problems = [problem for name, data in files.items() for problem in private_places(name, data)]
    if not problems:
        return
    blobs = sorted({one.where.split("/")[1].split(":")[0] for one in problems if one.where.startswith("blobs/")})
    fix = "see what it is; bytes of a patch or report stay at home with --thin, or one by one with --leave-out SHA256"
    if len(blobs) < len({one.where.split(":")[0] for one in problems}):
        fix += (
            "; seal, journal and labels cannot be cut: mount agents and keep packs outside home folders before sealing"
        )
    raise BlockedError("holds what may not travel", where="bundle", problems=_first(problems), fix=fix)


def _first(problems: list[Problem]) -> Iterator[Problem]:
    yield from problems[:20]
    if len(problems) > 20:
        yield Problem("more", f"{len(problems) - 20} places")


def _write(half: Path, files: Mapping[str, bytes], wish: Wish, signer: Signer) -> Checked:
    """Write the files, the sums last, the signature over them; then verify it as a stranger would."""
    for name, data in files.items():
        (half / name).parent.mkdir(exist_ok=True)
        write_file(half / name, data)
    sums = write_sums({name: sha256_bytes(data) for name, data in files.items()})
    write_file(half / SUMS, sums)
    if wish.key is not None:
        write_file(half / SIGNATURE, signer.sign(sums, wish.key))
    checked = verify(half, signer=signer)
    problems = [Problem(one.where, f"{one.kind}: {one.what}") for one in checked.faults]
    if slips := [one for one in problems if one.where == SLIP]:
        raise InputError("the slip is not of this run", where=str(wish.slip), problems=slips, fix="name one that is")
    if problems:
        raise InternalError("the bundle does not verify", where=str(half), problems=problems)
    return checked


def digests(texts: tuple[str, ...]) -> frozenset[str]:
    """What was typed after --leave-out. InputError: it is no digest."""
    for text in texts:
        if SHA.fullmatch(text) is None:
            raise InputError(
                f"{text[:70]!r} is no sha256", where="--leave-out", fix="64 hex digits, as the refusal named it"
            )
    return frozenset(texts)
