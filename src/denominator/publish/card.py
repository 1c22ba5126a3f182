"""The card: what a run showed, counts first. A number that the gate withholds is absent here too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from denominator._version import __version__
from denominator.publish.advice import advice_for
from denominator.publish.conditions import (
    audit_notes,
    budgets_of,
    commit_notes,
    environment_of,
    helper_notes,
    probe_notes,
    sandbox_notes,
)
from denominator.publish.gave_away import gave_away_notes
from denominator.publish.limits import limits_of
from denominator.records.cards import Card, PeopleLine, StratumLine
from denominator.records.draws import placed
from denominator.records.judgements import EXITS, NEVER_STARTED, SCORED, Judged, JudgedDraw, Sheet
from denominator.records.reviews import PeopleWork
from denominator.records.rows import Ledger
from denominator.records.seals import Seal, Terms
from denominator.records.values import NotMeasured
from denominator.records.words import Mix

OVERHEAD = ("setup_ms", "agent_ms", "grade_ms", "usage.prompt", "usage.completion")
Alike = Iterable[tuple[JudgedDraw, int]]
HIDDEN = NotMeasured("hidden: a control is violated")
REVEALING_TAGS = frozenset(
    (
        "scorer_green", "tampered", "tampered_runner", "tampered_tests", "tampered_startup", "tampered_verdict",
        "forged_output", "contaminated", "scope_slip",
        "canary_hit", "canary_echo", "guessed", "assumed_api", "weak_tests", "malformed_patch", "refusal", "after_cap",
        "verifier_error",
    )
)  # fmt: skip


def make_card(
    ledger: Ledger,
    terms: Terms,
    judged: Judged,
    *,
    seal: Seal | None = None,
    rules_digest: str = "",
    house: tuple[str, ...] = (),
    version: str = __version__,
    stamps: Iterable[str] = (),
    notes: Iterable[str] = (),
) -> Card:
    """The card of one judged ledger. Runs of our own have a `seal`; stamps and notes are added to the card's own."""
    sheet, hidden = judged.sheet, judged.split_hidden
    terms = sheet.terms  # as judged: foreign words in them mention nothing that is withheld
    solvable = tuple(sheet.alike("solvable"))
    counts = equation_of(solvable, sheet.unnamed)
    return Card(
        schema_version=1,
        run_id=ledger.run_id,
        version=version,
        origin=terms.origin,
        seal_digest=terms.digest,
        pack=f"{seal.pack_id} {seal.pack_version}" if seal else terms.name,
        pack_digest=seal.pack_digest if seal else "",
        pack_reason=seal.pack_reason if seal else "",
        arm=str(seal.arm.label) if seal else "",
        question=str(seal.envelope.question) if seal else "",
        scorer=terms.scorer,
        budgets=budgets_of(seal),
        environment=environment_of(seal, terms),
        rules_digest=rules_digest,
        house=house,
        declared=sheet.solvable_n(),
        equation=_shown(counts, hidden),
        equation_all=_shown(equation_of(sheet.alike(), sheet.unnamed), hidden),
        never_started=_never_started(sheet),
        reasons=_counted((draw.reason, n) for draw, n in solvable),
        origins=_counted((draw.origin, n) for draw, n in solvable),
        classes=HIDDEN if hidden else _counted((draw.failure_class, n) for draw, n in solvable),
        mix=HIDDEN if hidden else mix_of(solvable, sheet.unnamed),
        tags=_tags(solvable, hidden),
        controls=judged.controls,
        strata=_strata(sheet, hidden),
        estimates=judged.estimates,
        grading_levels=_counted((_level(draw), n) for draw, n in solvable if draw.row is not None),
        stamps=tuple(sorted({*stamps, *terms.capped_at_counts, *_played(terms)})),
        notes=(
            *_notes(judged),
            *commit_notes(seal, terms),
            *helper_notes(seal),
            *sandbox_notes(seal),
            *audit_notes(seal),
            *probe_notes(terms),
            *(() if hidden else gave_away_notes(solvable)),
            *notes,
        ),
        verdict=judged.verdict,
        advice=() if hidden else advice_for((draw.mix, n) for draw, n in solvable),
        meant=terms.sentence,
        scorer_green=HIDDEN if hidden else _green(solvable),
        people=_people(sheet.people),
        seeds=HIDDEN if hidden else sheet.seeds,
        limits=limits_of(sheet),
        replays=() if hidden else terms.replays,
    )


def _played(terms: Terms) -> Iterable[str]:
    """What stands across a result that a recording answered."""
    if terms.cassette is not None:
        yield f"PLAYED from cassette {terms.cassette.sha256[:12]} of run {terms.cassette.run_id}"


def _people(work: PeopleWork) -> PeopleLine:
    """How many rows people decided. Values are not on the card: they would tell what is withheld."""
    disputed = dict.fromkeys(f"{one.key.task_id}#{one.key.repeat}.{one.key.attempt}" for one in work.disputes)
    return PeopleLine(
        labelers=len(work.people),
        decided=len(work.decided),
        changed=len(work.changed),
        adjudicated=len(work.adjudicated),
        disputed=tuple(disputed),
        labels_digest=work.digest,
    )


def _green(draws: Alike) -> int | NotMeasured:
    """Draws whose tests were green; unknown where a source gives judgements instead of grades."""
    rows = [(draw.row, n) for draw, n in draws if draw.row is not None]
    if rows and all(row.grade == "none" for row, _ in rows):
        return NotMeasured("no grade is a fact of these rows")
    return sum(n for row, n in rows if row.grade == "green")


def equation_of(draws: Alike, unnamed: int) -> dict[str, int]:
    """The five terms; an unknown exit is unscoreable."""
    counts = dict.fromkeys(EXITS, 0)
    for draw, n in draws:
        counts[draw.exit if draw.exit in counts else "unscoreable"] += n
    counts[NEVER_STARTED] += unnamed
    return counts


def _shown(counts: Mapping[str, int], hidden: bool) -> dict[str, int]:
    """With a violated control nobody may learn how many passed, so pass and fail become one term."""
    if not hidden:
        return dict(counts)
    rest = {name: number for name, number in counts.items() if name not in ("pass", "fail")}
    return {"pass_or_fail": counts["pass"] + counts["fail"], **rest}


def mix_of(draws: Alike, unnamed: int = 0) -> dict[str, int]:
    """All eight buckets with zeros, then what has none: passes not evaluated, censored rows, never started."""
    counts: Counter[str] = Counter({str(bucket): 0 for bucket in Mix})
    for draw, n in draws:
        counts[_bucket(draw)] += n
    if unnamed:
        counts[NEVER_STARTED] += unnamed
    return dict(counts)


def _bucket(draw: JudgedDraw) -> str:
    if draw.exit == NEVER_STARTED:
        return NEVER_STARTED
    if draw.mix:
        return draw.mix
    if draw.exit not in EXITS:
        return "unresolved"
    return "NOT_EVALUATED" if draw.exit == "pass" else f"censored_{draw.origin or 'unknown'}"


def _counted(values: Iterable[tuple[str, int]]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for value, n in values:
        if value:
            counts[value] += n
    return dict(sorted(counts.items()))


def _level(draw: JudgedDraw) -> str:
    level = draw.row.grading_level if draw.row is not None else ""
    return level if isinstance(level, str) else "not recorded"


def _never_started(sheet: Sheet) -> tuple[str, ...]:
    missing = [(task, repeat) for task, repeat, _ in placed(sheet.draws, lambda draw: draw.exit == NEVER_STARTED)]
    repeated = any(repeat > 1 for _, repeat in missing)
    return tuple(f"{task} r{repeat}" if repeated else task for task, repeat in missing)


def _tags(draws: Alike, hidden: bool) -> dict[str, int]:
    tags = ((tag, n) for draw, n in draws for tag in draw.tags)
    return _counted((tag, n) for tag, n in tags if not (hidden and tag in REVEALING_TAGS))


def _strata(sheet: Sheet, hidden: bool) -> tuple[StratumLine, ...]:
    declared = dict(sheet.terms.strata)
    found: dict[str, list[tuple[JudgedDraw, int]]] = {name: [] for name in sorted(declared)}
    for draw, n in sheet.alike("solvable"):
        if draw.stratum:
            found.setdefault(draw.stratum, []).append((draw, n))
    return tuple(_stratum(name, draws, declared.get(name), hidden) for name, draws in found.items())


def _stratum(name: str, draws: list[tuple[JudgedDraw, int]], stated: int | None, hidden: bool) -> StratumLine:
    there = sum(n for _, n in draws)
    declared = there if stated is None else stated
    scoreable = sum(n for draw, n in draws if draw.exit in SCORED)
    counts = equation_of(draws, max(0, declared - there))
    return StratumLine(name=name, declared=declared, scoreable=scoreable, exits=_shown(counts, hidden))


def _notes(judged: Judged) -> Iterable[str]:
    sheet = judged.sheet
    if not any(control.name == "canary" for control in judged.controls):
        yield "leak not tested: there is no canary task"
    yield from _floor(sheet)
    yield "contamination unknown: whether a model was trained on these tasks was not tested"
    if sheet.terms.origin == "seal" and not any(control.name == "narration" for control in judged.controls):
        yield "narration probe: not run"
    if sheet.unnamed:
        yield f"{sheet.unnamed} draws were declared by number only and never started; their ids are not known"
    counts = equation_of(sheet.alike("solvable"), sheet.unnamed)
    if judged.verdict.status == "publishable" and counts["unscoreable"]:
        low, high, n = counts["pass"], counts["pass"] + counts["unscoreable"], sheet.solvable_n()
        yield f"bounds: had every unscoreable draw failed or passed, between {low} and {high} of {n} would have passed"


def _floor(sheet: Sheet) -> Iterable[str]:
    """What the harness itself costs: the one-line tasks, phase by phase."""
    numbers = (sheet.counted(name, lambda _: True, "floor") for name in OVERHEAD)
    for (task, setup), (_, agent), (_, grade), (_, prompt), (_, completion) in zip(*numbers, strict=True):
        phases = (("setup", setup), ("agent", agent), ("grading", grade))
        spent = ", ".join(f"{name} {_amount(ms, ' ms')}" for name, ms in phases)
        tokens = _amount(prompt, ""), _amount(completion, "")
        yield f"floor {task}: overhead of the harness: {spent}; tokens {tokens[0]} in, {tokens[1]} out"


def _amount(value: int | NotMeasured, unit: str) -> str:
    return "not measured" if isinstance(value, NotMeasured) else f"{value}{unit}"
