"""Situations that say which commands answer them: one table of meanings for exit codes, numbers, findings and words.

`case.json` of such a folder has `asks`: a command line, run inside a copy of the folder, and its right answer. Numbers in
an answer were worked out apart from the product.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from denominator.cli.main import run_cli
from denominator.wire.codec import loads

CASES = Path(__file__).parents[1] / "cases" / "invented"
CODES = ("GL0",)


def asked() -> dict[str, Path]:
    """Folders whose case says what to ask."""
    found = {}
    for path in sorted(CASES.iterdir()):
        case = path / "case.json"
        if case.is_file() and '"asks"' in case.read_text("utf-8"):
            found[path.name] = path
    return found


class Reply:
    """What one command said: exit code, JSON document, text of both streams."""

    def __init__(self, code: int, out: str, shown: str) -> None:
        self.code = code
        self.document: Any = loads(out, "stdout") if out.lstrip().startswith("{") else {}
        self.raw, self.text = out, " ".join(shown.split())

    @property
    def card(self) -> dict[str, Any]:
        found: dict[str, Any] = self.document["card"]
        return found

    @property
    def result(self) -> dict[str, Any]:
        """The card or the comparison: both have estimates and a verdict."""
        found: dict[str, Any] = self.document.get("comparison") or self.document["card"]
        return found

    def estimate(self, metric: str) -> dict[str, Any]:
        found: dict[str, Any] = next(one for one in self.result["estimates"] if one["metric"] == metric)
        return found

    def told(self, *severities: str) -> str:
        findings = [one for one in self.card["verdict"]["findings"] if one["severity"] in severities]
        return "\n".join(
            f"{one['code']} {one['allow_name']} {one['what']} {one['where']} {one['fix']}" for one in findings
        )

    def at(self, path: str) -> Any:
        found: Any = self.document
        for key in path.split("."):
            found = found[key]
        return found


def reply(argv: list[str], capsys: pytest.CaptureFixture[str]) -> Reply:
    """Run a command as JSON and, where it leaves nothing behind, as text; both must end alike."""
    code = run_cli([*argv, "--json"])
    first = capsys.readouterr()
    shown = first.out + first.err
    leaves = {"-o", "lock", "fork"} & set(argv)
    if not leaves:
        assert run_cli(argv) == code
        second = capsys.readouterr()
        shown = second.out + second.err
    elif argv[0] == "import":
        run_cli(["card", argv[argv.index("-o") + 1]])
        shown += capsys.readouterr().out
    return Reply(code, first.out, shown)


def answers(folder: Path, work: Path, capsys: pytest.CaptureFixture[str]) -> list[tuple[dict[str, Any], Reply]]:
    """Every question of a case with its right answer and what the product said, asked in a copy of the folder."""
    shutil.copytree(folder, work, dirs_exist_ok=True)
    asks = json.loads((work / "case.json").read_text("utf-8"))["asks"]
    return [(one["right_answer"], reply(one["ask"], capsys)) for one in asks]


def wrong(answer: dict[str, Any], said: Reply) -> list[str]:
    """Every part of an answer that was not what the product said."""
    found = []
    for key, value in answer.items():
        try:
            MEANINGS[key](said, value)
        except (AssertionError, StopIteration, LookupError, TypeError, ValueError) as error:
            found.append(f"{key}: {value!r}: {type(error).__name__} {error}"[:600])
    return found


def _exit(said: Reply, wanted: int | list[int]) -> None:
    assert said.code in (wanted if isinstance(wanted, list) else [wanted]), said.code


def _verdict(said: Reply, wanted: str) -> None:
    assert said.card["verdict"]["status"] == wanted, said.told("block", "unknown")


def _aggregate(said: Reply, wanted: bool) -> None:
    assert ("NO_AGGREGATE" in said.card["verdict"]["sentence"]) != wanted, said.card["verdict"]["sentence"]


def _rung(said: Reply, wanted: str) -> None:
    assert said.result["verdict"]["rung"] == wanted, said.result["verdict"]["rung"]


def _equation(said: Reply, wanted: dict[str, int]) -> None:
    found = said.card["equation"]
    assert {key: found[key] for key in wanted} == wanted, found


def _fraction(said: Reply, metric: str) -> str:
    found = said.estimate(metric)
    return f"{found['numerator']}/{found['denominator']}"


def _kn(said: Reply, wanted: dict[str, str]) -> None:
    found = {metric: _fraction(said, metric) for metric in wanted}
    assert found == wanted, found


def _kn_or_withheld(said: Reply, wanted: dict[str, str]) -> None:
    """A blocked card withholds what says how good the agent is; a published one shows exactly this."""
    for metric, fraction in wanted.items():
        found = _fraction(said, metric)
        blocked = said.card["verdict"]["status"] == "blocked" and "not_measured" in found
        assert blocked or found == fraction, (metric, found)


def _value(said: Reply, wanted: dict[str, float]) -> None:
    found = {metric: round(float(said.estimate(metric)["value"]), 3) for metric in wanted}
    assert found == wanted, found


def _ci(said: Reply, wanted: dict[str, list[float]]) -> None:
    found = {one: [round(float(said.estimate(one)[end]), 3) for end in ("lo", "hi")] for one in wanted}
    assert found == wanted, found


def _no_ci(said: Reply, wanted: list[str]) -> None:
    for metric in wanted:
        assert "not_measured" in said.estimate(metric)["lo"], said.estimate(metric)


def _null(said: Reply, wanted: list[str]) -> None:
    for metric in wanted:
        assert "not_measured" in said.estimate(metric)["value"], said.estimate(metric)


def _withheld(said: Reply, wanted: list[str]) -> None:
    for metric in wanted:
        found = said.estimate(metric)
        assert all("not_measured" in found[key] for key in ("value", "lo", "hi")), found
        assert "not_measured" in str(found["numerator"]), found


def _has(text: str, wanted: str) -> None:
    assert re.search(wanted, text), f"no {wanted!r} in: {text[:1500]}"


def _blocks(said: Reply, wanted: list[str]) -> None:
    for one in wanted:
        _has(said.told("block", "unknown"), one)


def _no_blocks(said: Reply, wanted: list[str]) -> None:
    for one in wanted:
        assert not re.search(one, said.told("block", "unknown")), one


def _notes(said: Reply, wanted: list[str]) -> None:
    for one in wanted:
        _has(said.told("note", "block", "unknown"), one)


def _says(said: Reply, wanted: list[str]) -> None:
    for one in wanted:
        _has(said.text, one)


def _never(said: Reply, wanted: list[str]) -> None:
    for one in wanted:
        for text in (said.text, said.raw):
            assert not re.search(rf"(?<![\w.]){one}", text), f"{one} is said"


def _comparable(said: Reply, wanted: bool) -> None:
    status = said.result["comparability"]["status"]
    assert (status == "comparable") == wanted, (status, said.result["comparability"]["reasons"])


def _fields(said: Reply, wanted: dict[str, str]) -> None:
    found = {one["name"]: one["verdict"] for one in said.result["comparability"]["fields"] if one["blocks"]}
    assert {key: found.get(key) for key in wanted} == wanted, found


def _only_fields(said: Reply, wanted: list[str]) -> None:
    found = [one["name"] for one in said.result["comparability"]["fields"] if one["blocks"]]
    assert sorted(found) == sorted(wanted), found


def _no_delta(said: Reply, wanted: bool) -> None:
    """Nothing in the document sets one arm against the other, and the text has no word for it."""
    if "comparison" not in said.document:
        assert said.code in (1, 2, 3)
        return
    for key in ("estimates", "table", "transitions", "strata", "origins", "more_a", "more_b"):
        assert said.result[key] == [], key
    for key in ("test", "worst", "spread"):
        assert "not_measured" in said.result[key], key
    for heading in ("NUMBERS", "TRANSITIONS", "WHOSE"):
        assert heading not in said.text, heading


def _no_estimates(said: Reply, wanted: bool) -> None:
    assert said.result["estimates"] == []


def _test(said: Reply, wanted: dict[str, float]) -> None:
    found = {key: round(float(said.result["test"][key]), 4) for key in wanted}
    assert found == wanted, found


def _tasks(key: str) -> Callable[[Reply, list[str]], None]:
    def check(said: Reply, wanted: list[str]) -> None:
        assert said.result[key] == wanted, said.result[key]

    return check


def _path(said: Reply, wanted: dict[str, Any]) -> None:
    for path, value in wanted.items():
        found = said.at(path)
        same = round(float(found), 3) == value if isinstance(value, float) else found == value
        assert same, (path, found)


def _not_measured(said: Reply, wanted: list[str]) -> None:
    for path in wanted:
        assert "not_measured" in json.dumps(said.at(path)), said.at(path)


def _lacks(said: Reply, wanted: list[list[str]]) -> None:
    found = [[one["task"], one["field"]] for one in said.at("citation.lacks")]
    assert all(one in found for one in wanted), found


def _lacks_not(said: Reply, wanted: list[list[str]]) -> None:
    found = [[one["task"], one["field"]] for one in said.at("citation.lacks")]
    assert not any(one in found for one in wanted), found


def _labels(said: Reply, wanted: dict[str, str]) -> None:
    found = {row["task_id"]: row["origin"] for row in said.document["rows"]}
    assert {key: found.get(key) for key in wanted} == wanted, said.document["rows"]


MEANINGS: dict[str, Callable[[Reply, Any], None]] = {
    "exit": _exit,
    "verdict": _verdict,
    "aggregate": _aggregate,
    "rung": _rung,
    "equation": _equation,
    "kn": _kn,
    "kn_or_withheld": _kn_or_withheld,
    "value": _value,
    "ci": _ci,
    "no_ci": _no_ci,
    "null": _null,
    "withheld": _withheld,
    "blocks": _blocks,
    "no_blocks": _no_blocks,
    "notes": _notes,
    "says": _says,
    "told": _says,
    "never": _never,
    "comparable": _comparable,
    "fields": _fields,
    "only_fields": _only_fields,
    "no_delta": _no_delta,
    "no_estimates": _no_estimates,
    "test": _test,
    "more_a": _tasks("more_a"),
    "more_b": _tasks("more_b"),
    "path": _path,
    "not_measured": _not_measured,
    "lacks": _lacks,
    "lacks_not": _lacks_not,
    "labels": _labels,
}
"""What each part of an answer means; a key that is not here is an error of the case."""
