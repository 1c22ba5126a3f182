"""A failure-class ledger (METHODS M13): header, one log a seed, what the classifier made of them, and who wrote the tasks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from denominator.exporters.m13_header import header_of, seeds_of, unknown_of
from denominator.exporters.shape import refuse_hidden_split
from denominator.records.cards import Card
from denominator.records.conditions import condition
from denominator.records.events import Json
from denominator.records.exports import Export
from denominator.records.failure_classes import ClassReport, Commits, Part, SeedLog
from denominator.records.judgements import NEVER_STARTED, Judged, JudgedDraw
from denominator.records.rows import PatchFacts
from denominator.records.values import NotMeasured
from denominator.records.words import FailureClass, Outcome, Reason, Severity, Slice
from denominator.wire.canonical import canonical
from denominator.wire.provenance import provenance_toml

HEADER, CLASSES, PROVENANCE = "header.json", "classes.json", "provenance.toml"
SHARES = ("compile_fail", "test_fail", "timeout", "over_edit", "unresolved")
STOPPED = "stopped-early"
PACK = ("task_file_commit", "tasks_commit", "dataset_commit", "task_slice_sha256")


class FailureClasses:
    """A folder of one header and one log a seed; `import rows FOLDER` reads it again."""

    name = "m13"
    title = "failure classes: header, one log a seed, class counts, provenance (METHODS M13)"
    ending = "jsonl"
    cannot_say = (
        "a log has one line a task and seed: earlier attempts, tests, patches and calls are left out",
        "a draw that never started has no line: the header lists the tasks that were declared",
        "of controls the changed paths alone: one that needs another fact comes back as inconclusive",
        "a class says how a row ended; whose failure it was stands only where nothing could be scored",
    )

    def files(self, run: Export) -> Iterator[tuple[str, bytes]]:
        """Every file. BlockedError: a control is violated, and each line would tell a pass from a failure."""
        refuse_hidden_split(run, self.name)
        told = provenance_toml(run.seal, run.card.run_id, run.card.seal_digest)
        yield from ship_set(run.judged, run.card, told)


def ship_set(judged: Judged, card: Card, provenance: bytes) -> Iterator[tuple[str, bytes]]:
    """The files of one judged run whose split may be told."""
    draws = sorted(judged.sheet.draws, key=lambda one: one.draw)
    seeds = seeds_of(judged.sheet.terms, max((one.draw.repeat for one in draws), default=1))
    yield HEADER, canonical(header_of(judged, card.run_id, draws, seeds)) + b"\n"
    for repeat, seed in enumerate(seeds, 1):
        lines = [canonical(_line(one, seed)) + b"\n" for one in draws if one.draw.repeat == repeat and _started(one)]
        yield log_name(seed, repeat), b"".join(lines)
    yield CLASSES, canonical(classes_of(judged, card, draws, seeds)) + b"\n"
    yield PROVENANCE, provenance


def log_name(seed: int | NotMeasured, repeat: int) -> str:
    """The file of one seed; of one repeat where no seed is known."""
    return f"seed-{seed}.jsonl" if isinstance(seed, int) else f"repeat-{repeat}.jsonl"


def _started(draw: JudgedDraw) -> bool:
    return draw.exit != NEVER_STARTED


def _line(draw: JudgedDraw, seed: int | NotMeasured) -> dict[str, Json]:
    """One line. What could not be scored is no class of this ledger: it says so, with its reason."""
    told: dict[str, Json] = {"task_id": draw.draw.task_id, "slice": draw.slice, "repeat": draw.draw.repeat}
    told |= {"seed": seed if isinstance(seed, int) else None, **_of_control(draw)}
    if klass_of(draw) == FailureClass.CENSORED:
        return told | {"outcome": str(Outcome.UNSCOREABLE), "reason": draw.reason or str(Reason.NO_VERDICT)}
    return told | {"outcome": klass_of(draw)}


def _of_control(draw: JudgedDraw) -> dict[str, Json]:
    """What a reader needs to judge a control again: the paths that were changed, and whether the watched file was."""
    told: dict[str, Json] = {}
    if draw.row is None or draw.slice == Slice.SOLVABLE:
        return told
    if isinstance(draw.row.patch, PatchFacts):
        told["changed"] = list(draw.row.patch.touched)
    if isinstance(draw.row.sentinel_changed, bool):
        told["sentinel_changed"] = draw.row.sentinel_changed
    return told


def klass_of(draw: JudgedDraw) -> str:
    """The class of one draw; what never started or was not evaluated is unresolved."""
    known = draw.failure_class in {*FailureClass} and _started(draw)
    return draw.failure_class if known else str(FailureClass.UNRESOLVED)


def classes_of(
    judged: Judged, card: Card, draws: Sequence[JudgedDraw], seeds: Sequence[int | NotMeasured]
) -> ClassReport:
    """Class counts of the solvable slice by seed and together, each share with its counts, and what stands beside them."""
    solvable = [one for one in draws if one.slice == Slice.SOLVABLE]
    counts, unnamed = _counted(solvable), judged.sheet.unnamed
    counts[str(FailureClass.UNRESOLVED)] += unnamed
    n = len(solvable) + unnamed
    return ClassReport(
        run_id=card.run_id,
        contract=card.seal_digest,
        rules_digest=card.rules_digest,
        cite_rule=judged.sheet.terms.cite_rule,
        status=str(card.verdict.status),
        sentence=card.verdict.sentence,
        commits=_commits(judged, card),
        logs=tuple(
            _seed(seed, number, [one for one in solvable if one.draw.repeat == number])
            for number, seed in enumerate(seeds, 1)
        ),
        classes=counts,
        shares={name: Part(k=counts[name], n=n) for name in SHARES},
        control_states=_controls(judged),
        stopped_early=tuple(
            one.what for one in judged.findings if one.allow_name == STOPPED and one.severity == Severity.NOTE
        ),
        not_measured=unknown_of(judged.sheet.terms),
    )


def _counted(draws: Sequence[JudgedDraw]) -> dict[str, int]:
    """Every class, with zeros."""
    found = Counter(map(klass_of, draws))
    return {str(name): found[str(name)] for name in FailureClass}


def _seed(seed: int | NotMeasured, repeat: int, draws: Sequence[JudgedDraw]) -> SeedLog:
    missing = sum(not _started(one) for one in draws)
    return SeedLog(
        seed=seed,
        repeat=repeat,
        file=log_name(seed, repeat),
        draws=len(draws),
        missing=missing,
        classes=_counted(draws),
    )


def _commits(judged: Judged, card: Card) -> Commits:
    conditions = judged.sheet.terms.conditions
    stated = (condition(conditions, name) for name in PACK)
    tasks = card.pack_digest or next((one for one in stated if isinstance(one, str)), NotMeasured("not stated"))
    harness = condition(conditions, "harness_commit")
    return Commits(harness=_bare(harness), task_file=_bare(tasks))


def _bare(stated: str | NotMeasured) -> str | NotMeasured:
    """A condition's text without the quotes of its JSON form."""
    return stated.strip('"') if isinstance(stated, str) else stated


def _controls(judged: Judged) -> dict[str, str]:
    """Controls by name and task. They are in no count here."""
    return {f"{one.name} {one.task_id or 'of the run'}": str(one.state) for one in judged.controls}


EXPORTER = FailureClasses()
