"""What stands beside a run on its card and its report: fault bench, spend, endpoint probe, replays. START HERE.

Found in the folder of the run, or named by a person. What a person named and is of something else is refused, with the
field that differs; what only lies there is told and left out. A replay that is named goes through the gate of the run like
any other: flips above the sealed ceiling take its rate away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path

from denominator.errors import BlockedError, InputError, NotComparableError, Problem
from denominator.pipeline.companion_sources import (
    BENCH,
    PROBE,
    Named,
    Reach,
    bench_odd,
    kind_of,
    lying,
    probe_odd,
    scored_probe,
    sealed_probe,
)
from denominator.pipeline.fitting import seal_misfits
from denominator.pipeline.probe_scoring import score_folder
from denominator.pipeline.replay_pairs import replay_pair
from denominator.pipeline.replaying import replay_note
from denominator.pipeline.results import Result, judge_ledger, judge_run
from denominator.pipeline.spending import Wanted, spend_of
from denominator.records.cards import Card
from denominator.records.companions import NOT_RUN, Companions, ProbeFound, WholeCard
from denominator.records.probe_results import ProbeScore
from denominator.records.replays import Replay
from denominator.records.values import NotMeasured

OTHER = "leave it out, or name the run that it is of"


def own_companions(name: str, result: Result) -> Companions:
    """What the result itself knows: its spend, the probe that it was sealed with, the replays beside it."""
    probe = result.judged.sheet.terms.probe
    hidden = result.judged.split_hidden and result.terms.replays
    return Companions(
        spend=spend_of([(name, result)], Wanted()).arms[0],
        probe=(sealed_probe(probe),) if probe is not None else NOT_RUN,
        replays=result.card.replays or NOT_RUN,
        refused=("replays: their flips are not told while a control of the run is violated",) if hidden else (),
    )


def gather(of: Named, given: Sequence[str], reach: Reach) -> tuple[Result, Companions]:
    """The result, judged with every replay that was named, and what stands beside it.

    Raises NotComparableError for what is named and of something else, InputError for what cannot be read.
    """
    refused: list[str] = []
    kinds = {one: kind_of(one) for one in dict.fromkeys(given)}
    result = _replayed(of, [one for one in kinds if kinds[one] == "replay"], reach, refused)
    own = own_companions(of.name, result)
    benches = [reach.bench(Path(one)) for one in kinds if kinds[one] == "bench"]
    scores = [score_folder(Path(one)) for one in kinds if kinds[one] == "probe"]
    for bench in benches:
        _refuse("fault bench", bench.card.bench, list(bench_odd(bench, of)))
    for score in scores:
        _refuse("probe", score.name, list(probe_odd(score, of, reach)))
    benches += lying(of, (BENCH,), reach.bench, lambda one: bench_odd(one, of), refused)
    scores += lying(of, PROBE, score_folder, lambda one: probe_odd(one, of, reach), refused)
    probes = _probes(own, scores, result)
    return result, replace(
        own,
        faultbench=tuple({one.card.digest or one.card.bench: one for one in benches}.values()) or NOT_RUN,
        probe=probes or NOT_RUN,
        refused=(*own.refused, *refused),
    )


def whole_card(card: Card, beside: Companions) -> WholeCard:
    """The card with what stands beside its run."""
    return WholeCard(**{one.name: getattr(card, one.name) for one in fields(Card)}, beside=beside)


def _replayed(of: Named, names: Sequence[str], reach: Reach, refused: list[str]) -> Result:
    """The result judged again with the replays that were named and do not lie beside it already."""
    known = {one.run_id for one in of.result.terms.replays}
    found = [one for name in names for one in _replay(of, reach.named(name), refused) if one.run_id not in known]
    if not found:
        return of.result
    if of.run is not None:
        return judge_run(of.run, replays=found)
    if of.folder is None or not (of.folder / "ledger.json").is_file():
        fix = f"denominator replay {of.name} --with {names[0]}"
        raise InputError("rows that are held by kind have no replay on their card", where=of.name, fix=fix)
    terms = replace(of.result.terms, replays=(*of.result.terms.replays, *found))
    return judge_ledger(of.result.ledger, terms)


def _replay(of: Named, again: Named, refused: list[str]) -> Iterator[Replay]:
    """The flips, where the two are of one seal and their gates let them out."""
    if of.run is not None and again.run is not None and of.run.seal_digest != again.run.seal_digest:
        _refuse("replay", again.name, [f"seal: {seal_misfits(of.run.seal, again.run.seal)}"])
    note = replay_note(again.run.folder.root) if again.run is not None else None
    why = note.early_why if note is not None else "named beside the run; no reason was declared"
    try:
        yield replay_pair(again.name, of.result, again.result, early_why=why)
    except BlockedError as error:
        refused.append(f"replay {again.name}: {error.what}")


def _refuse(kind: str, name: str, odd: Sequence[str]) -> None:
    if odd:
        problems = [Problem(one.partition(":")[0], one.partition(": ")[2]) for one in odd]
        raise NotComparableError(f"this {kind} is not of this run", where=name, problems=problems, fix=OTHER)


def _probes(own: Companions, scores: Sequence[ProbeScore], result: Result) -> tuple[ProbeFound, ...]:
    """By seal: a folder tells more than what was sealed of it."""
    sealed = result.terms.probe
    found = {} if isinstance(own.probe, NotMeasured) else {one.seal_sha256: one for one in own.probe}
    for score in scores:
        found[score.seal_sha256] = scored_probe(score, sealed is not None and sealed.seal_sha256 == score.seal_sha256)
    return tuple(found.values())
