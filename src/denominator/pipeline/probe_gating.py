"""`probe gate`, in order: the score of the stored attempts, then the rules of the use that is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from denominator._version import __version__
from denominator.gate.probing import PROBE_RULES, Level, judge_probe
from denominator.gate.probing.verdict import CAVEAT, there
from denominator.pipeline.catalog import all_entries
from denominator.pipeline.probe_scoring import score_folder
from denominator.pipeline.rules import rules_digest
from denominator.publish.findings import About
from denominator.records.events import Json
from denominator.records.findings import Verdict
from denominator.records.probe_results import ProbeScore
from denominator.wire.codec import to_json


@dataclass(frozen=True, slots=True)
class GatedProbe:
    """A probe with the gate's word for one use."""

    score: ProbeScore
    verdict: Verdict
    word: str
    """The verdict's sentence without those of the score."""


def gated(folder: Path, level: str) -> GatedProbe:
    """Judges what is stored, never what somebody wrote about it. Raises InputError for a folder that cannot be read."""
    score = score_folder(folder)
    verdict = judge_probe(score, Level(level), PROBE_RULES)
    through = verdict.status == "publishable"
    return GatedProbe(score, verdict, f"{there(Level(level))} {CAVEAT}" if through else verdict.sentence)


def gated_document(probe: GatedProbe, level: str) -> dict[str, Json]:
    """The word as one document: of which probe, for what, and what may be said."""
    score = probe.score
    return {
        "for": level,
        "exit": probe.verdict.exit,
        "verdict": to_json(probe.verdict),
        "probe": {
            "name": score.name,
            "url": score.url,
            "model": score.model,
            "path": score.path.told,
            "fixture_sha256": score.fixture_sha256,
            "client": score.client,
            "classifier": score.classifier,
            "seal_sha256": score.seal_sha256,
        },
        "sentences": list(score.sentences) if probe.verdict.status == "publishable" else [],
    }


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
