"""A situation through the command line: import it, list its labels, read its card. One table says what an answer means.

`tests/cases/situations` holds what people met in public; `tests/cases/invented` holds our own variants of the same kinds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from denominator.cli.main import run_cli
from denominator.wire.codec import loads

CASES = Path(__file__).parents[1] / "cases"
FOLDERS = {
    path.name: path
    for kind in ("situations", "invented")
    for path in sorted((CASES / kind).iterdir())
    if '"asks"' not in (path / "case.json").read_text("utf-8")
}
"""What `asked.py` asks is not in here."""
NAMES = tuple(FOLDERS)
ORIGINS = ("MODEL", "HARNESS", "INFRA", "FLAKY_TEST")
BUCKETS = (
    "PASS_CONTRACT",
    "PASS_WEAK",
    "ASSUME_API",
    "TOOL_LOOP",
    "MISSING_ASK",
    "SCOPE_SLIP",
    "TIMEOUT",
    "SCORER_RED",
)
Row = dict[str, Any]


def answer_of(name: str) -> dict[str, Any]:
    """What the case says is right."""
    found: dict[str, Any] = json.loads((FOLDERS[name] / "case.json").read_text("utf-8"))["right_answer"]
    return found


class Said:
    """What the command line said about one import: exit code, card, labelled rows, the rows' facts, the report."""

    def __init__(self, code: int, document: Any, labels: Any, facts: Any, text: str) -> None:
        self.code, self.text = code, text
        self.card: dict[str, Any] = document["card"]
        self.report: dict[str, Any] = document["report"]
        self.rows: list[Row] = labels["rows"]
        self.facts: list[Row] = facts

    def named(self, name: str) -> list[Row]:
        """The rows that an answer calls so: by task, by the folder they came from, or by their number in the file."""
        by_task = [row for row in self.rows if row["task_id"] == name]
        if by_task:
            return by_task
        by_folder = [row for row in self.rows if row["where"].startswith(f"{name}/")]
        if by_folder:
            return by_folder
        return [self.rows[int(name) - 1]] if name.isdecimal() else []

    def fact(self, name: str, row: int = 0) -> Any:
        return self.facts[row][name]

    def estimate(self, metric: str) -> dict[str, Any]:
        return next(one for one in self.card["estimates"] if one["metric"] == metric)

    def told(self) -> str:
        return "\n".join(f"{one['allow_name']} {one['what']}" for one in self.card["verdict"]["findings"])


def import_case(paths: Sequence[Path], out: Path, capsys: Any) -> Said:
    """Import files or a folder, keep it, list its labels."""
    code = run_cli(["import", "rows", *map(str, paths), "--json", "-o", str(out)])
    captured = capsys.readouterr()
    assert captured.out, captured.err
    document = loads(captured.out, "stdout")
    assert run_cli(["labels", str(out), "--json"]) == 0
    labels = loads(capsys.readouterr().out, "stdout")
    run_cli(["card", str(out)])
    facts = loads((out / "ledger.json").read_bytes(), "ledger.json")
    return Said(code, document, labels, facts["rows"], " ".join(capsys.readouterr().out.split()))


def lint(paths: Sequence[Path], capsys: Any) -> tuple[int, str]:
    """`pack lint` on foreign task cards."""
    code = run_cli(["pack", "lint", *map(str, paths)])
    captured = capsys.readouterr()
    return code, " ".join((captured.out + captured.err).split())


def holds(row: Row, text: str) -> None:
    """A row is what a phrase of an answer says: an origin, an exit, a state, a tag, a reason."""
    origin = _origin(text)
    if "control held" in text:
        assert row["control_state"] == "held", row
    elif origin:
        assert row["origin"] == origin, (text, row)
    for word, test in WORDS:
        if re.search(word, text):
            assert test(row), (text, row)


def _origin(text: str) -> str:
    """The origin that a phrase asks for where the facts of its conditions are not there: the one after `else`."""
    found = re.search(r"else (\w+)", text) or re.search(rf"({'|'.join(ORIGINS)})", text)
    return found[1] if found else ""


WORDS: tuple[tuple[str, Callable[[Row], bool]], ...] = (
    (r"(verdict: |MODEL )pass", lambda row: row["outcome"] == "pass"),
    (r"MODEL fail", lambda row: row["outcome"] == "fail"),
    (r"(never|not) a (pass|success)", lambda row: row["outcome"] != "pass"),
    (r"^abstain", lambda row: row["outcome"] == "abstain"),
    (r"bad_task", lambda row: row["reason"] == "bad_task"),
    (r"contaminated", lambda row: "contaminated" in row["tags"] and row["outcome"] != "pass"),
    (r"^clean", lambda row: "contaminated" not in row["tags"] and row["outcome"] == "pass"),
    (r"leak to report", lambda row: "canary_echo" in row["tags"]),
    (r"needs killed_by", lambda row: row["outcome"] == "unscoreable" and bool(row["read_it"])),
    (r"double apply caught", lambda row: row["reason"] == "apply_error" and "twice" in row["by"]),
)


def forbidden(said: Said, text: str) -> None:
    """`must_not` phrases that begin with an origin or a bucket: no row (or not the named ones) is that."""
    word = re.split(r"[\s/]", text.removeprefix("bucket "))[0].strip(":,;")
    names = [name for name in re.findall(r"\b([a-z]\d+)\b", text) if said.named(name)]
    for start in re.findall(r"\b([a-z])\*", text):
        names += [row["task_id"] for row in said.rows if row["task_id"].startswith(start)]
    rows = [row for name in names for row in said.named(name)] if names else said.rows
    if word in ORIGINS:
        assert all(row["origin"] != word for row in rows), (text, rows)
    elif word in BUCKETS:
        assert all(row["mix"] != word for row in rows), (text, rows)
    elif word == "PASS_*" or "as PASS_*" in text:
        assert all(not row["mix"].startswith("PASS_") for row in rows), (text, rows)


def seconds(name: str) -> Callable[[Said], Any]:
    return lambda said: said.fact(name) / 1000


def share(metric: str) -> Callable[[Said], Any]:
    def read(said: Said) -> Any:
        value = said.estimate(metric)["value"]
        return None if isinstance(value, dict) else round(float(value), 3)

    return read


def fraction(metric: str) -> Callable[[Said], Any]:
    return lambda said: f"{said.estimate(metric)['numerator']}/{said.estimate(metric)['denominator']}"


def interval(metric: str) -> Callable[[Said], Any]:
    return lambda said: [round(float(said.estimate(metric)[end]), 3) for end in ("lo", "hi")]


def amount(metric: str, digits: int = 0) -> Callable[[Said], Any]:
    """A value that is no share, as a number; nothing where there is none."""

    def read(said: Said) -> Any:
        value = said.estimate(metric)["value"]
        return None if isinstance(value, dict) else round(float(value), digits)

    return read


def part(metric: str, name: str) -> Callable[[Said], Any]:
    """The numerator or the denominator of a metric."""
    return lambda said: said.estimate(metric)[name]


def first_complete(said: Said) -> list[str]:
    """Tasks whose counting attempt passed: the first one that was completed."""
    found: dict[str, str] = {}
    for row in said.rows:
        if row["outcome"] != "unscoreable":
            found.setdefault(row["task_id"], row["outcome"])
    return [task for task, outcome in found.items() if outcome == "pass"]


SPENT: dict[str, Callable[[Said], Any]] = {
    "pass_at_1": fraction("headline"),
    "pass_at_1_rate": share("headline"),
    "within_2": fraction("accepted_within_k"),
    "within_2_rate": share("accepted_within_k"),
    "attempts": part("total_tokens", "denominator"),
    "tokens": amount("total_tokens"),
    "qap": amount("tokens_per_accepted", 1),
    "wasted_tokens": part("retry_tax", "numerator"),
    "retry_tax": amount("retry_tax", 2),
    "first_try_share": share("first_try_share"),
    "accepted": part("acceptance", "numerator"),
    "acceptance": fraction("acceptance"),
    "acceptance_over_declared": share("acceptance"),
    "declared": lambda said: said.card["declared"],
    "never_started": lambda said: said.card["equation"]["never_started"],
    "cut": lambda said: said.card["tags"]["run_cap_cut"],
}
CALLED: dict[str, Callable[[Said], Any]] = {
    "tasks": lambda said: len({row["task_id"] for row in said.rows}),
    "n_tasks": lambda said: len({row["task_id"] for row in said.rows}),
    "calls_made": part("invalid_call_rate", "denominator"),
    "invalid_calls": part("invalid_call_rate", "numerator"),
    "invalid_rate_of_calls_made": share("invalid_call_rate"),
    "tasks_touched_by_invalid": part("invalid_task_rate", "numerator"),
    "rate_of_tasks": share("invalid_task_rate"),
    "first_complete_pass": first_complete,
    "first_complete_pass_rate": share("first_complete_pass_rate"),
    "retry_rate": share("retry_rate"),
    "truncation_rate": share("truncation_rate"),
    "unscoreable": lambda said: said.card["equation"]["unscoreable"],
    "fail": lambda said: said.card["equation"]["fail"],
    "total": lambda said: sum(said.card["equation"].values()),
}
NUMBERS: dict[str, Callable[[Said], Any]] = {
    **SPENT,
    **CALLED,
    "scheduled_n": lambda said: len(said.rows),
    "pass": lambda said: sum(row["outcome"] == "pass" for row in said.rows),
    "skill_passes": lambda said: sum(row["outcome"] == "pass" and not row["control"] for row in said.rows),
    "model_fail": lambda said: sum(row["outcome"] == "fail" for row in said.rows),
    "infra": lambda said: sum(row["origin"] == "INFRA" for row in said.rows),
    "eligible_n": lambda said: sum(row["origin"] == "MODEL" for row in said.rows),
    "headline": fraction("headline"),
    "headline_rate": share("headline"),
    "headline_ci95": interval("headline"),
    "eligible": fraction("resolved_rate"),
    "eligible_rate": share("resolved_rate"),
    "resolved_rate": share("resolved_rate"),
    "infra_censor_rate": share("infra_censor_rate"),
    "harness_error_rate": share("harness_error_rate"),
    "headline_pass_rate": share("headline"),
    "contract_pass_rate": share("contract_pass_rate"),
    "provider_retries": lambda said: said.fact("provider_retries"),
    "provider_wait_s": seconds("paused_ms"),
    "wall_s": seconds("wall_ms"),
    "paused_s": seconds("paused_ms"),
    "working_s": seconds("working_ms"),
}
