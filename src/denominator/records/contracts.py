"""A locked scoring contract (METHODS M11): which clauses make a pass, and what scoring under it gives."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from denominator.records.values import NotMeasured

CLAUSES: Mapping[str, str] = {
    "tests_green": "every expected hidden test is green",
    "patch_applies": "the patch could be applied to a pristine copy",
    "no_forbidden_path": "nothing outside the allow-list was touched",
    "no_tamper": "the agent did not make its own verdict",
    "no_canary": "the canary token is not in the patch",
    "within_timeout": "the agent ended within the contract's time",
    "not_abstain": "the agent neither asked nor abstained",
}
"""The clauses that a contract may join by AND, and what each says."""

ALSO = {
    "tests_green": ("green", "tests_pass", "tests_passed", "tests_are_green", "hidden_tests_green", "all_tests_green"),
    "patch_applies": ("patch_applied", "applies"),
    "no_forbidden_path": ("no_forbidden_paths", "no_forbidden_path_touched", "forbidden_paths_untouched"),
    "no_tamper": ("no_tampering", "not_tampered"),
    "no_canary": ("no_canary_hit", "no_canary_hits"),
    "within_timeout": ("in_time", "no_timeout", "not_timed_out"),
    "not_abstain": ("no_abstain", "not_abstained", "did_not_abstain"),
}
SPELLED = {name: clause for clause in CLAUSES for name in (clause, *ALSO[clause])}
AND = re.compile(r"\s+(?:and|AND|And|\+|&&?)\s+|\s*[,;\n]\s*")
OTHER = re.compile(r"\b(?:or|not|unless|except|xor|if)\b|\|", re.IGNORECASE)

UNSCORED = NotMeasured("not scored")


def conjunction(value: object) -> tuple[str, ...] | str:
    """The clauses of a metric, from a list of words or from text joined by AND; a text that says why it is none."""
    if isinstance(value, str):
        if found := OTHER.search(value.replace("not_", "").replace("not abstain", "")):
            return f"{found[0]!r} is in it: only clauses joined by AND are one metric"
        words = [word for word in AND.split(value.strip()) if word]
    elif isinstance(value, list | tuple) and all(isinstance(word, str) for word in value):
        words = list(value)
    else:
        return "it is neither a list of clauses nor text"
    clauses = [SPELLED.get(re.sub(r"[^a-z]+", "_", word.lower()).strip("_"), "") for word in words]
    unknown = [word for word, clause in zip(words, clauses, strict=True) if not clause]
    if unknown or not words:
        named = ", ".join(repr(word[:40]) for word in unknown[:8]) or "nothing"
        return f"{named} is no known clause; known: {', '.join(CLAUSES)}"
    twice = sorted({clause for clause in clauses if clauses.count(clause) > 1})
    return f"named twice: {', '.join(twice)}" if twice else tuple(clauses)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseRow:
    """One draw under the contract: the truth of each clause (null: nobody knows, which is never a pass)."""

    task_id: str
    repeat: int
    clauses: Mapping[str, bool | NotMeasured]
    exit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """The narration probe beside the rate: `state` is held, violated, inconclusive or not run. In no rate."""

    state: str
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """`rate.json`: what a locked contract gives for one set of events. Counts only, no quotient.

    `contract_sha256` is of the contract as locked; for one that carries none it is of the document as read, and
    `pinned` is false. `k` is withheld while the gate blocks, `rows` also where not even the split may be told.
    """

    contract_sha256: str
    pinned: bool
    contract_run_id: str
    locked_at: str
    scored: str
    status: str
    rung: str
    sentence: str
    n: int | NotMeasured
    k: int | NotMeasured
    metric: tuple[str, ...]
    rows: tuple[ClauseRow, ...] | NotMeasured
    narration_probe: Probe
    timeout_s: int | NotMeasured = UNSCORED
    contamination: str = "unknown"
    exit: int = 0
    schema_version: int = 1
