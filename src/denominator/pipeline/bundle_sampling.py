"""`verify --sample`: the rows that a nonce names, and whether an issuer opened just those under the roots of the bundle."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from secrets import token_hex

from denominator.bundles.layout import blob_name
from denominator.bundles.opened import OPENED, opening_faults
from denominator.bundles.sampling import GUESSED_BELOW, chances, least_found, sampled
from denominator.errors import DenominatorError, InputError
from denominator.pipeline.regrade_verdicts import Asked
from denominator.records.bundles import BundleHead, Fault
from denominator.records.regrades import Named, OpenedRow, Opening, Sample
from denominator.records.rows import AttemptRow
from denominator.records.seals import SealedTask
from denominator.records.values import NotMeasured
from denominator.wire.bounded import read_bytes
from denominator.wire.canonical import sha256_bytes
from denominator.wire.codec import from_json, loads

OPENED_BYTES = BLOB_BYTES = 1 << 28
NO_LEDGER = NotMeasured("only bundle.json was given: the ledger is not here")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """How many rows, and the nonce that names them; `opened` is the folder with which the issuer answered."""

    k: int
    nonce: str
    opened: Path | None = None


def sample_of(head: BundleHead, rows: Sequence[AttemptRow] | None, question: Question) -> Sample:
    """The rows that must be opened, and what such a sample can miss. InputError: it cannot be drawn."""
    places = sampled(question.nonce, head.rows_root, head.rows, question.k)
    short = len(question.nonce) < GUESSED_BELOW
    return Sample(
        nonce=question.nonce,
        root=head.rows_root,
        n=head.rows,
        k=question.k,
        rows=tuple(Named(index=one, row=_named(rows[one]) if rows is not None else NO_LEDGER) for one in places),
        chances=chances(head.rows, question.k),
        found_95=least_found(head.rows, question.k),
        notes=("a short nonce can be guessed: an issuer who knew it before could choose the root by it",)
        if short
        else (),
    )


def answered(sample: Sample, head: BundleHead, folder: Path) -> tuple[Sample, tuple[Asked, ...]]:
    """The sample with what its opening shows, and the rows of it that are proved; none where the opening has a fault."""
    opening = _read(folder)
    wanted = {one.index for one in sample.rows}
    if isinstance(opening, Fault):
        return replace(sample, opened=True, faults=(opening,), not_opened=tuple(sorted(wanted))), ()
    faults = [*opening_faults(head, opening)]
    rows = [] if faults else [_asked(one) for one in opening.opened if one.index in wanted]
    faults += [one for one in rows if isinstance(one, Fault)]
    shown = {one.index for one in opening.opened}
    beyond = len(shown - wanted)
    notes = (f"{beyond} opened rows were not asked for: they count for nothing",) if beyond else ()
    sample = replace(
        sample,
        opened=True,
        faults=tuple(faults),
        not_opened=tuple(sorted(wanted if faults else wanted - shown)),
        rows=tuple(_renamed(one, rows) for one in sample.rows),
        notes=(*sample.notes, *notes),
    )
    return sample, () if faults else tuple(one for one in rows if isinstance(one, Asked))


def blob_reader(folder: Path, left_out: Mapping[str, str]) -> Callable[[str], bytes]:
    """Bytes below `folder`/blobs by digest; InputError where they are not there, with the issuer's reason, or are others."""

    def read(sha: str) -> bytes:
        path = folder / blob_name(sha)
        if path.is_symlink() or not path.is_file():
            raise InputError(left_out.get(sha) or f"the bytes of {sha[:12]} are not here", where=str(path))
        data = read_bytes(path, BLOB_BYTES)
        if sha256_bytes(data) != sha:
            raise InputError(f"the bytes under {sha[:12]} are others", where=str(path))
        return data

    return read


def _read(folder: Path) -> Opening | Fault:
    """What the issuer sent. InputError: there is no opening at all."""
    path = folder / OPENED
    if path.is_symlink() or not path.is_file():
        fix = "name the folder that `denominator bundle RUN --open ROWS` made"
        raise InputError(f"there is no {OPENED}", where=str(folder), fix=fix)
    try:
        opening: Opening = from_json(Opening, loads(read_bytes(path, OPENED_BYTES), OPENED), OPENED)
        return opening
    except DenominatorError as error:
        what = "; ".join([error.what, *(str(one) for one in error.problems[:5])])
        return Fault(kind="unreadable", where=OPENED, what=what)


def _asked(one: OpenedRow) -> Asked | Fault:
    try:
        row, sealed = from_json(AttemptRow, dict(one.row)), from_json(SealedTask, dict(one.task))
    except DenominatorError as error:
        return Fault(kind="unreadable", where=OPENED, what=f"row {one.index}: {error.what}")
    return Asked(index=one.index, row=row, sealed=sealed)


def _renamed(one: Named, rows: Sequence[Asked | Fault]) -> Named:
    found = next((row for row in rows if isinstance(row, Asked) and row.index == one.index), None)
    return replace(one, row=_named(found.row)) if found else one


def _named(row: AttemptRow) -> str:
    return f"{row.key.task_id} r{row.key.repeat} a{row.key.attempt}"


def question_of(k: int | None, nonce: str, opened: Path | None) -> Question | None:
    """What was typed; None where no sample is asked for. InputError: a part of it is missing."""
    if k is None:
        if nonce or opened is not None:
            where = "--nonce" if nonce else "--opened"
            raise InputError("is for a sample", where=where, fix="add --sample K, how many rows you want to see")
        return None
    if not nonce:
        what = "a sample needs a nonce of yours, picked after you had the bundle: it names the rows"
        raise InputError(what, where="--sample", fix=f"--sample {k} --nonce {token_hex(16)}")
    return Question(k=k, nonce=nonce, opened=opened)
