"""Bundles: a run of the oracle and rows of others are packed; every way to tamper with a copy must be named by `verify`."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from denominator._version import __version__
from denominator.envelopes import demo_envelope
from denominator.errors import Exit
from denominator.pipeline.bundle_gathering import Wish
from denominator.pipeline.bundling import bundle
from denominator.pipeline.import_bundling import Asked, bundle_import
from denominator.pipeline.verifying import verify
from denominator.ports import Reporter
from denominator.records.bundles import Checked
from denominator.records.selfchecks import Found, SelfCheckLine
from denominator.selfcheck.shipped import lay, lay_pack
from denominator.testing.tampered_imports import RESEALED_IMPORTS
from denominator.testing.tampered_runs import PLAIN, RESEALED
from denominator.testing.tampering import Tampering, copied, reseal
from denominator.wiring.importers import all_importers
from denominator.wiring.running_cli import Options, run_starts
from denominator.wiring.signing import signer
from denominator.wiring.starting import Start

RUN, IMPORT = "tampered bundle of a run", "tampered bundle of an import"
TWIN = "the untouched bundle"
SIGNING = "signature"
Read = Callable[[Path], Checked]


def run_bundle_lines(folder: Path, reporter: Reporter) -> Iterator[SelfCheckLine]:
    """A run over the shipped pack, packed; changes that its sums show, then those after which the sums were made again."""
    made = _packed_run(folder, reporter)
    yield from _lines(RUN, made, PLAIN, sums_again=False, read=_read_run)
    yield from _lines(RUN, made, RESEALED, sums_again=True, read=_read_run)


def import_bundle_lines(folder: Path) -> Iterator[SelfCheckLine]:
    """Rows of another harness, packed."""
    rows = lay("rows", folder)
    made = folder / "import.bundle"
    bundle_import(Asked(path=rows), made, Wish(), signer(), all_importers)
    yield from _lines(IMPORT, made, RESEALED_IMPORTS, sums_again=True, read=_read_import)


def _packed_run(folder: Path, reporter: Reporter) -> Path:
    """One repeat of the oracle over the shipped pack, and its bundle."""
    found = lay_pack(folder)
    given = demo_envelope("oracle", "oracle", version=__version__, script="")
    given = replace(given, budget=replace(given.budget, wall_s=20, working_s=20, repeats=1))
    start = Start(envelope=given, arm=given.arm[0], where="selfcheck", run_id="selfcheck")
    options = Options(envelopes=(), runs_dir=folder / "runs", cache_dir=folder / "cache")
    done, runs, _ = run_starts([start], found, options, reporter)
    if done.exit == Exit.INTERRUPTED:
        raise KeyboardInterrupt
    bundle(runs[0], folder / "run.bundle", Wish(), signer())
    runs[0].journal.close()
    return folder / "run.bundle"


def _lines(
    kind: str, made: Path, tamperings: Mapping[str, Tampering], *, sums_again: bool, read: Read
) -> Iterator[SelfCheckLine]:
    untouched = read(made)
    twin_fault = "" if not untouched.exit else f"the untouched bundle: {_told(untouched)}"
    for name, (tamper, fault, where, what) in tamperings.items():
        line = SelfCheckLine(kind=kind, name=name, rule=fault, twin=TWIN, found=Found.ACCUSED, seen=twin_fault)
        if fault == SIGNING and shutil.which("ssh-keygen") is None:
            yield replace(line, found=Found.NOT_SHOWN, seen="ssh-keygen is not installed")
            continue
        place = copied(made, made.parent / "copy")
        try:
            tamper(place)
            if sums_again:
                reseal(place)
            checked = read(place)
        finally:
            shutil.rmtree(place)
        named = [one for one in checked.faults if one.kind == fault and where in one.where and what in one.what]
        if not named or checked.exit == 0 or checked.sentence:
            yield replace(line, found=Found.MISSED, seen=_told(checked) or "it was called consistent")
        elif twin_fault:
            yield line
        else:
            yield replace(line, found=Found.CAUGHT, seen=f"{named[0].where}: {named[0].what}")


def _read_run(folder: Path) -> Checked:
    return verify(folder, signer=signer())


def _read_import(folder: Path) -> Checked:
    return verify(folder, signer=signer(), importers=all_importers)


def _told(checked: Checked) -> str:
    return "; ".join(f"{one.kind} {one.where}: {one.what}" for one in checked.faults[:3])
