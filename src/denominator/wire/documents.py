"""The documents that `denominator schema NAME` describes, by name."""

from __future__ import annotations

from collections.abc import Mapping

from denominator.records.audits import Audit
from denominator.records.boxes import Box, SandboxFacts
from denominator.records.bundles import BundleHead, Checked
from denominator.records.cassettes import Cassette, RecordedCall
from denominator.records.checks import PackCheck
from denominator.records.companions import WholeCard
from denominator.records.comparisons import Comparison, Grid
from denominator.records.contracts import Rate
from denominator.records.declarations import Declaration
from denominator.records.designs import Design
from denominator.records.durability import DurabilityCard, ResumePlan
from denominator.records.envelopes import Envelope
from denominator.records.events import Event
from denominator.records.facts import Facts
from denominator.records.failure_classes import ClassReport
from denominator.records.faults import Bench, Trial
from denominator.records.findings import Finding, Verdict
from denominator.records.hand_slips import HandSlip
from denominator.records.import_bundles import ImportHead, ImportSources
from denominator.records.labelled import LabelledRow, WhyRow
from denominator.records.labels import Label
from denominator.records.pack_audits import PackAudit
from denominator.records.packs import Baseline, Pack, PackLock, ProvenanceFile, Task
from denominator.records.prices import PriceFile
from denominator.records.probe_compared import ProbeComparison
from denominator.records.probe_results import ProbeScore, StoredAttempt
from denominator.records.probes import Case, ProbeEnvelope, ProbeSeal, Window
from denominator.records.published import Published, PublishedDiff
from denominator.records.regrades import Opening, Verified
from denominator.records.reviews import ReviewRow, ReviewSheet
from denominator.records.rows import AttemptRow, CallRow, Ledger
from denominator.records.seals import Seal
from denominator.records.selfchecks import SelfCheck
from denominator.records.slips import PairVerdict, Slip, SlipLine, SlipStanding
from denominator.records.spends import SpendReport
from denominator.records.spreads import Spread
from denominator.records.trees import Patch

DOCUMENTS: Mapping[str, type] = {
    "pack": Pack,
    "provenance": ProvenanceFile,
    "task": Task,
    "pack-lock": PackLock,
    "baseline": Baseline,
    "envelope": Envelope,
    "seal": Seal,
    "event": Event,
    "row": AttemptRow,
    "call": CallRow,
    "cassette": Cassette,
    "recorded-call": RecordedCall,
    "facts": Facts,
    "label": Label,
    "review-sheet": ReviewSheet,
    "review-row": ReviewRow,
    "labelled-row": LabelledRow,
    "why-row": WhyRow,
    "pack-check": PackCheck,
    "pack-audit": PackAudit,
    "selfcheck": SelfCheck,
    "ledger": Ledger,
    "declared": Declaration,
    "audit": Audit,
    "card": WholeCard,
    "comparison": Comparison,
    "grid": Grid,
    "spread": Spread,
    "spend": SpendReport,
    "prices": PriceFile,
    "plan": Design,
    "rate": Rate,
    "failure-classes": ClassReport,
    "published": Published,
    "published-diff": PublishedDiff,
    "verdict": Verdict,
    "finding": Finding,
    "box": Box,
    "sandbox": SandboxFacts,
    "patch": Patch,
    "bench": Bench,
    "trial": Trial,
    "durability-card": DurabilityCard,
    "resume-plan": ResumePlan,
    "probe": ProbeEnvelope,
    "probe-case": Case,
    "probe-seal": ProbeSeal,
    "probe-window": Window,
    "probe-attempt": StoredAttempt,
    "probe-score": ProbeScore,
    "probe-comparison": ProbeComparison,
    "bundle-head": BundleHead,
    "bundle-check": Checked,
    "bundle-asked": Verified,
    "bundle-opened": Opening,
    "import-head": ImportHead,
    "import-sources": ImportSources,
    "slip": Slip,
    "slip-line": SlipLine,
    "slip-standing": SlipStanding,
    "slip-check": PairVerdict,
    "hand-slip": HandSlip,
}
"""Document name -> record. Names are permanent."""
