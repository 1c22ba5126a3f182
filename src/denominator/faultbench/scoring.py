"""`faultbench score`, in order: what lies there, controls, metrics, gate, card. Pure from `judge` on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from denominator._version import __version__
from denominator.errors import Exit
from denominator.faultbench.foreign import read_foreign
from denominator.faultbench.scoring_files import BENCH_FILE, read_bench
from denominator.gate.durability import BENCH_RULES, controls_of, judge_bench
from denominator.metrics.durability import BENCH_METRICS, measure_bench
from denominator.pipeline.catalog import all_entries
from denominator.pipeline.rules import rules_digest
from denominator.publish.durability import make_durability_card
from denominator.publish.findings import About
from denominator.records.companions import BenchFound
from denominator.records.durability import BenchSheet, DurabilityCard, JudgedBench
from denominator.records.values import NotMeasured

PERFORMANCE = frozenset(metric.entry.name for metric in BENCH_METRICS if metric.performance)
LINES = {metric.entry.name: metric.line for metric in BENCH_METRICS}


@dataclass(frozen=True, slots=True)
class ScoredBench:
    """A bench or a foreign journal, judged: its card, its findings, its exit code."""

    judged: JudgedBench
    card: DurabilityCard

    @property
    def exit(self) -> Exit:
        """0 publishable, 1 blocked, 5 unknown state."""
        return Exit(self.judged.verdict.exit)


def score_paths(paths: Sequence[Path]) -> ScoredBench:
    """Score a bench of ours (its folder or its bench.json), or the journal and verdicts of another runner.

    Raises InputError for rows that cannot be read and for checkpoints that nobody declared.
    """
    if len(paths) == 1 and (found := bench_folder(paths[0])) is not None:
        sheet, notes = read_bench(found)
    else:
        sheet, notes = read_foreign(paths)
    return judge(sheet, notes)


def bench_found(path: Path) -> BenchFound:
    """A bench as it stands beside a run: scored now, with what it is held against the run by."""
    scored = score_paths([path])
    terms = scored.judged.sheet.terms
    tasks = () if isinstance(terms.tasks, NotMeasured) else terms.tasks
    return BenchFound(card=scored.card, version=terms.version, tasks=tasks)


def bench_folder(path: Path) -> Path | None:
    """The folder of a bench of ours, if this is one."""
    folder = path if path.is_dir() else path.parent
    ours = (folder / BENCH_FILE).is_file() and (path.is_dir() or path.name == BENCH_FILE)
    return folder if ours else None


def judge(sheet: BenchSheet, notes: Sequence[str] = ()) -> ScoredBench:
    """Controls, metrics, gate, card. The same sheet gives the same bytes."""
    sheet = replace(sheet, controls=controls_of(sheet))
    sheet = replace(sheet, estimates=measure_bench(sheet))
    judged = judge_bench(sheet, BENCH_RULES, PERFORMANCE)
    return ScoredBench(judged, make_durability_card(judged, LINES, rules_digest=rules_digest(), notes=notes))


def about_bench(scored: ScoredBench) -> About:
    """What the findings speak of, for the formats of other tools."""
    card = scored.card
    return About(
        verb="faultbench score",
        subject=card.bench,
        status=card.verdict.status,
        said=card.verdict.sentence,
        version=__version__,
        seal=card.digest,
        pack=card.taskset_digest,
        rules=card.rules_digest,
        exit=int(scored.exit),
        entries=all_entries(),
    )
