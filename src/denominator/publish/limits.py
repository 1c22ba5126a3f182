"""What each method cannot say: one closed table, printed on cards (the methods that apply) and by `explain M1` ... `M15`.

A limit that is enforced names the rule that does so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from denominator.catalog import Entry
from denominator.records.judgements import Sheet
from denominator.records.words import Origin, Slice


@dataclass(frozen=True, slots=True)
class Limits:
    """One method: its code, its name, what it is for, what it refuses (by which rule), what it does not say."""

    code: str
    name: str
    what: str
    refuses: tuple[tuple[str, str], ...]
    says_not: tuple[str, ...]

    @property
    def entry(self) -> Entry:
        """The same as a page of the catalog."""
        refused = [f"- refused: {text} ({rule})." for text, rule in self.refuses]
        parts = (self.what, "Limits:", "\n".join((*refused, *(f"- {text}." for text in self.says_not))))
        return Entry(self.code, self.name, "0.1.0", "methods", "\n\n".join(parts))

    @property
    def line(self) -> str:
        """What it does not say, for a card: what it refuses stands there as a rule already."""
        return f"{self.code} {self.name}: {'; '.join(self.says_not)}"


LIMITS = (
    Limits(
        "M1",
        "failure-mix",
        "Why attempts did not pass, one bucket each, with both pass rates.",
        (
            ("a card without hidden tests", "missing-hidden-tests"),
            ("a contract rate without a tool log", "contract_pass_rate is withheld"),
            ("a model or a person as scorer", "non-test-scorer"),
        ),
        (
            "it puts no models in an order",
            "it gates no CI before two people agree on its labels",
            "a pack is small enough when every failing trace has been read",
        ),
    ),
    Limits(
        "M2",
        "infra-censoring",
        "Whose failure each row was, and a rate over the rows that are the agent's own.",
        (
            ("tests that reach the live network", "open-network"),
            ("a suite that is not frozen", "`run` does not start without `pack lock`"),
        ),
        ("rules that read text mislabel, so read the diffs", "it carries no SLA"),
    ),
    Limits(
        "M3",
        "slips",
        "One small artifact that pins a number to its conditions.",
        (("contracts, SLAs and prices", "unfit-purpose"),),
        (
            "white space moves a digest, and that is accepted",
            "one run of 20 to 30 tasks is noise",
        ),
    ),
    Limits(
        "M4",
        "fault-bench",
        "Whether a run survives faults at named points.",
        (
            ("every figure of a bench of which a control fails", "violated-bench-control"),
            ("a bench without its four controls", "missing-bench-control"),
            ("a journal that does not explain its workspace", "unknown-bench-state"),
        ),
        (
            "it is undefined for tasks of one shot and for packs that cannot be repeated",
            "it measures the harness in part, and depends on how many checkpoints there are",
            "repeats test determinism",
            "it says nothing of how good a review is",
        ),
    ),
    Limits(
        "M5",
        "spend-ledger",
        "Tokens per accepted patch, and what was spent on patches that were not.",
        (
            ("tokens per accepted patch where a person or the model accepts", "non-test-scorer"),
            ("a sum of usage from several sources", "mixed-usage"),
            ("figures of an arm that was cut by its bill", "spent-quota"),
            ("acceptance where a draw was owed further attempts", "owed-attempts"),
        ),
        (
            "it promises no latency",
            "a quota is no price",
            "the quota of a benchmark is kept apart from that of production",
        ),
    ),
    Limits(
        "M6",
        "re-run-spread",
        "How much the same tasks move when they are run again.",
        (("a spread over a flaky baseline", "flaky-baseline"),),
        ("it screens and decides nothing", "it is silent on other tasks"),
    ),
    Limits(
        "M7",
        "endpoint-contract",
        "Whether an endpoint keeps the form that it promises.",
        (
            ("fewer than 12 attempts, or 30 over two windows for more than a prototype", "few-probe-attempts"),
            ("a probe without a request that is wrong on purpose", "no-malformed-control"),
            ("data that may not be sent there", "data-not-allowed"),
            ("a firm latency promise", "firm-latency-promise"),
            ("the place of an SLA", "sla-needed"),
        ),
        (
            "it tests no reasoning, no facts and no code",
            "a pass means: worth a further try",
            "it is never the only control in production",
            "it sends no regulated data",
        ),
    ),
    Limits(
        "M8",
        "comparability",
        "Whether two runs may be compared, field by field.",
        (),
        (
            "comparable is not sound: how tasks were selected survives every digest",
            "smoke tests and demonstrations are labelled so",
        ),
    ),
    Limits(
        "M9",
        "frozen-envelope",
        "One result under one frozen set of conditions.",
        (("a headline above the ceiling of invalid calls", "invalid-rate-above-ceiling"),),
        (
            "it speaks of one envelope",
            "it is for no procurement, no pack that nobody maintains, no run that nobody can repeat within a week",
        ),
    ),
    Limits(
        "M10",
        "outcome-ledger",
        "Every declared draw exits once, and the rate is over all of them.",
        (("a claim without a rerun recipe", "missing-rerun-recipe"),),
        (
            "it is bookkeeping: it sees neither the worth of a task, nor a leak, nor what another seed would do",
            "the interval is the least uncertainty there is",
        ),
    ),
    Limits(
        "M11",
        "locked-contract",
        "Rows under a scoring contract that was locked before them.",
        (("more than counts below 8 tasks", "few-tasks"), ("any decision on a vendor or a price", "unfit-purpose")),
        ("it trusts the booleans that it is given", "patch, command and contract have to be kept"),
    ),
    Limits(
        "M12",
        "slices",
        "Solvable, negative and canary tasks, each scored apart.",
        (("a headline without a scored negative slice", "no-negative-slice"),),
        (
            "8 to 16 tasks debug a harness",
            "it is no review of security or licences",
            "trivial controls prove little",
        ),
    ),
    Limits(
        "M13",
        "failure-classes",
        "Counts by failure class and seed, under a rule of citation fixed in advance.",
        (("tasks that nobody may inspect", "uninspectable-tasks"),),
        (
            "it says nothing of upkeep, security or intent",
            "controls that are known are rotated",
        ),
    ),
    Limits(
        "M14",
        "published-score",
        "Running a published score again, and which condition explains a difference.",
        (("use before a regulator", "unfit-purpose"),),
        (
            "gaps of a few points stay open",
            "wall times of shared hosts set timeouts and nothing else",
            "it needs isolation",
        ),
    ),
    Limits(
        "M15",
        "first-complete",
        "The first completed attempt of each task, and what a row must hold to be cited.",
        (
            ("rows without hidden tests", "missing-hidden-tests"),
            ("capacity purchases", "unfit-purpose"),
        ),
        ("it is one draw", "hidden tests do not show what leaked in training"),
    ),
)
LIMIT_ENTRIES = tuple(one.entry for one in LIMITS)


def limits_of(sheet: Sheet) -> tuple[str, ...]:
    """The limits of the methods that a card uses, a line each. Nothing here depends on who passed."""
    codes = set(_methods(sheet))
    return tuple(one.line for one in LIMITS if one.code in codes)


def limit_lines(*codes: str) -> tuple[str, ...]:
    """The limits of these methods, for a page that shows what they give."""
    return tuple(one.line for one in LIMITS if one.code in codes)


def _methods(sheet: Sheet) -> Iterable[str]:
    terms, slices = sheet.terms, {draw.slice for draw, _ in sheet.alike()}
    if terms.hidden_tests:
        yield from ("M1", "M15")
    if any(draw.origin and draw.origin != Origin.MODEL for draw, _ in sheet.alike()):
        yield "M2"
    if any(isinstance(row.usage.prompt, int) and row.usage.prompt for row, _ in sheet.rows()):
        yield "M5"
    if terms.repeats > 1:
        yield "M6"
    if terms.origin == "seal":
        yield "M9"
    yield "M10"
    if sheet.ledger.shape == "rows/contract-events":
        yield "M11"
    if slices & {Slice.NEGATIVE, Slice.CANARY}:
        yield "M12"
    if any(isinstance(row.seed, int) for row, _ in sheet.rows()):
        yield "M13"
