"""`probe gate`, in order: the score of the stored attempts, then the rules of the use that is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from denominator._version import __version__
from denominator.gate.probing import PROBE_RULES, Level, judge_probe
from denominator.pipeline.catalog import all_entries
from denominator.pipeline.probe_scoring import score_folder
from denominator.pipeline.rules import rules_digest
from denominator.publish.findings import About
from denominator.records.findings import Verdict
from denominator.records.probe_results import ProbeScore


@dataclass(frozen=True, slots=True)
class GatedProbe:
    """A probe with the gate's word for one use."""

    score: ProbeScore
    verdict: Verdict


def gated(folder: Path, level: str) -> GatedProbe:
    """Judges what is stored, never what somebody wrote about it. Raises InputError for a folder that cannot be read."""
    score = score_folder(folder)
    return GatedProbe(score, judge_probe(score, Level(level), PROBE_RULES))


def about_probe(probe: GatedProbe, level: str) -> About:
    """What the findings speak of, for the formats of other tools."""
    return About(
        verb=f"probe gate --for {level}",
        subject=probe.score.name,
        status=probe.verdict.status,
        said=probe.verdict.sentence,
        version=__version__,
        seal=probe.score.seal_sha256,
        rules=rules_digest(),
        exit=probe.verdict.exit,
        entries=all_entries(),
    )
