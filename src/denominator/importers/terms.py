"""What the gate must know beside foreign rows. What the manifest does not state is missing, never assumed."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from denominator.importers.baselines import Baseline
from denominator.importers.stated import Stated
from denominator.importers.stating import comparison_of, conditions_of
from denominator.records.rows import AttemptRow, Ledger
from denominator.records.seals import Terms

WANTED = {
    "dataset ids": "task_ids",
    "invalid_rate_ceiling": "invalid_ceiling",
    "on_timeout": "on_timeout",
    "retry_policy": "retry_policy",
    "max_attempts": "attempts",
    "scorer": "scorer",
    "controls": "controls",
}

SPLIT = re.compile(r"[^a-z]+")
MECHANICAL = ("tests", "compile", "schema", "golden_diff")
JUDGES = {
    "model": frozenset({"model", "models", "llm", "llms", "ai", "autorater"}),
    "person": frozenset(
        {"person", "people", "human", "humans", "rater", "raters", "annotator", "annotators", "manual"}
    ),
}
"""Words by which a scorer is a model or a person, whatever else is said of it ("LLM judge", "human review")."""
NONE = ("0", "none", "no retries", "no retry", "never", "false")
UNBOUNDED = 0
LOOP_N = 3
"""METHODS M1: the same calls with the same results so many times make a loop, unless the manifest says otherwise."""


@dataclass(slots=True)
class Observed:
    """What the terms need to know of the rows, taken from one row at a time; without `ids` no id is kept."""

    ids: bool = True
    repeats: int = 1
    controls: bool = False
    solvable: set[str] = field(default_factory=set)
    green: set[str] = field(default_factory=set)
    arms: set[str] = field(default_factory=set)
    tasks: set[str] = field(default_factory=set)

    def take(self, row: AttemptRow) -> None:
        """One more row."""
        if self.ids:
            self.tasks.add(row.key.task_id)
        self.repeats = max(self.repeats, row.key.repeat)
        self.controls = self.controls or bool(row.control)
        if row.slice == "solvable":
            if self.ids:
                self.solvable.add(row.key.task_id)
            if row.green_without_agent is True:
                self.green.add(row.key.task_id)
        if len(self.arms) < 2:
            self.arms.add(row.extra.get("arm", ""))

    def arm(self) -> str:
        """The arm that all rows name; empty where they name none."""
        return next(iter(self.arms)).strip('"') if len(self.arms) == 1 else ""


def terms_of(stated: Stated, ledger: Ledger, digests: Mapping[str, str], baseline: Baseline) -> Terms:
    """Terms of an import. `digest` names what was read, whatever the order of its rows; `missing` what the manifest leaves open."""
    observed = Observed()
    for row in ledger.rows:
        observed.take(row)
    return terms_of_observed(stated, ledger.run_id, observed, digests, baseline)


def terms_of_observed(
    stated: Stated,
    run_id: str,
    observed: Observed,
    digests: Mapping[str, str],
    baseline: Baseline,
    unknown: Mapping[str, str] | None = None,
) -> Terms:
    """The same where rows were looked at one by one. `unknown` gives the reason for fields that nobody states."""
    bad = observed.green | (observed.solvable & set(baseline.green)) | set(baseline.gold_red)
    return Terms(
        origin="manifest",
        name=stated.name or stated.dataset or run_id,
        digest=input_digest(digests),
        invalid_ceiling=stated.invalid_ceiling or "",
        infra_ceiling=stated.infra_ceiling or "",
        on_timeout=stated.on_timeout or "",
        scorer=scorer_kind(stated.scorer or ""),
        headline=stated.headline or "",
        sentence=stated.sentence or "",
        repeats=max(observed.repeats, stated.repeats or 1, *stated.draws.values()),
        attempts=stated.attempts or (1 if _no_retries(stated.retry_policy) else UNBOUNDED),
        retry_declared=stated.retry_policy is not None or stated.attempts is not None,
        grading_levels=(),
        hidden_tests=bool(stated.hidden_tests),
        controls_declared=bool(stated.controls) or observed.controls,
        never_started_allowed=stated.never_started_allowed,
        missing=tuple(name for name, attribute in WANTED.items() if getattr(stated, attribute) is None),
        house_reasons=stated.house_reasons,
        printed_percents=tuple(stated.percents),
        environment=tuple(sorted(stated.environment.items())),
        strata=tuple(stated.strata.items()),
        flaky_tasks=baseline.flaky,
        bad_tasks=tuple(sorted(bad)),
        expired_tasks=baseline.expired,
        network=stated.network or "",
        arm=observed.arm(),
        conditions=conditions_of(stated, unknown or {}),
        treatment=stated.treatment,
        comparison=comparison_of(stated),
        clauses=stated.house,
        tool_loop_n=LOOP_N if stated.tool_loop_n is None else stated.tool_loop_n,
    )


def scorer_kind(stated: str) -> str:
    """The kind of scorer (tests, compile, schema, golden_diff, model, person) as METHODS names it; else what was stated."""
    words = [word for word in SPLIT.split(stated.lower()) if word]
    name = "_".join(words)
    if name in MECHANICAL:
        return name
    return next((kind for kind, called in JUDGES.items() if called & set(words)), stated)


def _no_retries(policy: str | None) -> bool:
    """Does a policy in prose allow no second try? Anything else that is stated declares retries, how many is its matter."""
    return policy is None or policy.strip().lower().rstrip(".") in NONE


def input_digest(digests: Mapping[str, str]) -> str:
    """sha256 over name and content digest of every input file, sorted by name."""
    listed = "".join(f"{sha}  {name}\n" for name, sha in sorted(digests.items()))
    return hashlib.sha256(listed.encode("utf-8", "surrogatepass")).hexdigest()
