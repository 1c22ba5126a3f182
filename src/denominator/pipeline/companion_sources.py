"""Where companions of a run come from: results that verbs open, folders inside its own, probes and benches read anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from denominator.errors import DenominatorError
from denominator.pipeline.fitting import bench_misfits, probe_misfits
from denominator.pipeline.probe_folder import FIXTURE, SEAL
from denominator.pipeline.probed import misfits
from denominator.pipeline.results import Result
from denominator.pipeline.world import OpenRun
from denominator.records.companions import BenchFound, ProbeFound
from denominator.records.probe_results import ProbeScore
from denominator.records.sealed_probes import SealedProbe

BENCH = "bench.json"
PROBE = (SEAL, FIXTURE)
RESULTS = ("journal.db", "journal.toml", "ledger.json", "terms.json")
SEALED = (
    "name", "seal_sha256", "fixture_sha256", "model", "path", "client", "classifier", "missing", "facts", "sentences",
)  # fmt: skip
SCORED = ("name", "seal_sha256", "fixture_sha256", "model", "client", "classifier", "facts", "sentences", "windows")
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A judged result, what a command line calls it, and its folder, where it has one. `run` is none for an import."""

    name: str
    result: Result
    run: OpenRun | None = None
    folder: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How the verb reaches what lies elsewhere: score a bench, open a result by its name, hold two addresses together."""

    bench: Callable[[Path], BenchFound]
    named: Callable[[str], Named]
    same_address: Callable[[str, str], bool]


def kind_of(place: str) -> str:
    """What a person named: bench, probe, replay (a run or an import). A journal of another runner is a bench too."""
    path = Path(place)
    if path.name == BENCH or (path / BENCH).is_file():
        return "bench"
    if all((path / name).is_file() for name in PROBE):
        return "probe"
    if not path.exists() or any((path / name).exists() for name in RESULTS):
        return "replay"
    return "bench"


def bench_odd(found: BenchFound, of: Named) -> Iterator[str]:
    """Why a bench is not of this run."""
    return bench_misfits(found, of.result, of.run.seal if of.run is not None else None)


def probe_odd(score: ProbeScore, of: Named, reach: Reach) -> Iterator[str]:
    """A run that was sealed with a probe has that one and no other."""
    probe = of.result.terms.probe
    if probe is not None:
        if probe.seal_sha256 != score.seal_sha256:
            yield f"probe seal: the run was sealed with {probe.told}, this is {score.name} {score.seal_sha256[:12]}"
    elif of.run is not None:
        same = reach.same_address(str(of.run.seal.arm.model.endpoint), score.url)
        yield from (one.what for one in misfits(score, of.run.seal.arm, "", same_address=same))
    else:
        yield from probe_misfits(score, of.result)


def lying(
    of: Named,
    names: Sequence[str],
    read: Callable[[Path], Found],
    misfit: Callable[[Found], Iterator[str]],
    refused: list[str],
) -> list[Found]:
    """What lies in the folder of the run, one folder deep; what is of something else is told and left out."""
    found = []
    inside = sorted(one for one in of.folder.iterdir() if one.is_dir()) if of.folder is not None else []
    for place in inside:
        if not all((place / name).is_file() for name in names):
            continue
        try:
            one = read(place)
        except DenominatorError as error:
            refused.append(f"{place.name}: {error.what}")
            continue
        if odd := list(misfit(one)):
            refused.append(f"{place.name}: {'; '.join(odd)}")
        else:
            found.append(one)
    return found


def sealed_probe(probe: SealedProbe) -> ProbeFound:
    """What the seal of a run tells of its probe."""
    return ProbeFound(**{name: getattr(probe, name) for name in SEALED}, sealed=True, begun=probe.windows)


def scored_probe(score: ProbeScore, sealed: bool) -> ProbeFound:
    """What the folder of a probe tells."""
    return ProbeFound(
        **{name: getattr(score, name) for name in SCORED},
        path=score.path.told,
        sealed=sealed,
        begun=tuple(one.started_at for one in score.windows),
        missing=len(score.missing),
        classes=score.histogram,
    )
