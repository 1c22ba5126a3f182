"""Spend through the command line: situations with their right answers, as JSON and as text, and nothing withheld in either."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from denominator.cli.main import run_cli
from denominator.wire.codec import loads

CASES = Path(__file__).parents[1] / "cases"
FOLDERS = {path.name: path for path in sorted((CASES / "spend").iterdir())}
Capsys = pytest.CaptureFixture[str]
Arm = dict[str, Any]


class Said:
    """What `spend` said of one command line, as a document and as text."""

    def __init__(self, code: int, document: Any, text: str) -> None:
        self.code, self.text = code, " ".join(text.split())
        self.pairs = document["spend"]["pairs"]
        self.arms: dict[str, Arm] = {arm["name"]: arm for arm in document["spend"]["arms"]}
        self.document = json.dumps(document)

    def figure(self, arm: str, metric: str) -> dict[str, Any]:
        return next(one for one in self.arms[arm]["figures"] if one["metric"] == metric)


def spend(args: list[str], capsys: Capsys) -> Said:
    code = run_cli(["spend", *args, "--json"])
    out = capsys.readouterr()
    assert out.out, out.err
    assert run_cli(["spend", *args]) == code
    return Said(code, loads(out.out, "stdout"), capsys.readouterr().out)


def plain(value: Any) -> str | None:
    """A number without zeros behind the point; None where it is not measured."""
    if not isinstance(value, str):
        return None
    return value.rstrip("0").rstrip(".") if "." in value else value


def fraction(figure: dict[str, Any]) -> str | None:
    k, n = figure["numerator"], figure["denominator"]
    return f"{k}/{n}" if isinstance(k, int) and isinstance(n, int) else None


def known(figure: dict[str, Any]) -> str | None:
    """A fraction of which the rate is known too."""
    gone = not isinstance(figure["value"], str) and figure["denominator"] != 0
    return None if gone else fraction(figure)


def names(pairs: list[list[Any]]) -> list[str]:
    return [name for name, _ in pairs]


def money(arm: Arm) -> str | None:
    return plain(arm["money"].get("total"))


ANSWERS: dict[str, Callable[[Said, str, Any], bool]] = {
    "tokens": lambda s, a, v: plain(s.figure(a, "total_tokens")["value"]) == (None if v is None else str(v)),
    "tokens_least": lambda s, a, v: plain(s.figure(a, "total_tokens")["lo"]) == v,
    "qap": lambda s, a, v: plain(s.figure(a, "tokens_per_accepted")["value"]) == v,
    "least": lambda s, a, v: plain(s.figure(a, "tokens_per_accepted")["lo"]) == v,
    "qap_interval": lambda s, a, v: isinstance(s.figure(a, "tokens_per_accepted")["lo"], str) is v,
    "acceptance": lambda s, a, v: known(s.figure(a, "acceptance")) == v,
    "first_try": lambda s, a, v: fraction(s.figure(a, "first_try_share")) == v,
    "tax": lambda s, a, v: s.figure(a, "retry_tax")["numerator"] == v,
    "overhead": lambda s, a, v: s.figure(a, "retry_overhead")["numerator"] == v,
    "dead": lambda s, a, v: s.figure(a, "dead_spend")["numerator"] == v,
    "parts": lambda s, a, v: v.items() <= {one["name"]: one["known"] for one in s.arms[a]["parts"]}.items(),
    "slices": lambda s, a, v: v == {one["name"]: one["known"] for one in s.arms[a]["slices"]},
    "floor": lambda s, a, v: s.arms[a]["floor_overhead"] == v,
    "conventions": lambda s, a, v: names(s.arms[a]["conventions"]) == v,
    "sources": lambda s, a, v: names(s.arms[a]["sources"]) == v,
    "owed": lambda s, a, v: s.arms[a]["censored"]["owed"] == v,
    "cut": lambda s, a, v: s.arms[a]["censored"]["cut"] == v,
    "never_started": lambda s, a, v: s.arms[a]["censored"]["never_started"] == v,
    "leaves": lambda s, a, v: bool(s.arms[a]["leaves"]) is v,
    "reading": lambda s, a, v: s.arms[a]["reading"] == v,
    "own_difference": lambda s, a, v: s.arms[a]["own"]["difference"] == v,
    "own_alone": lambda s, a, v: s.arms[a]["own"]["alone"] == v,
    "money": lambda s, a, v: money(s.arms[a]) == v,
    "bought": lambda s, a, v: s.arms[a]["allowance"].get("accepted") == v,
    "day": lambda s, a, v: s.arms[a]["allowance"].get("day") == v,
}


@pytest.mark.parametrize("name", FOLDERS)
def test_a_situation_has_its_right_answer(name: str, capsys: Capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = FOLDERS[name]
    case = json.loads((folder / "case.json").read_text("utf-8"))
    monkeypatch.chdir(folder)
    beside = ["--with", "harness_config.json"] if (folder / "harness_config.json").exists() else []
    said = spend(["rows.jsonl", *beside, *case["args"]], capsys)
    wrong = [
        (arm, key, value)
        for arm, answers in case["arms"].items()
        for key, value in answers.items()
        if not ANSWERS[key](said, arm, value)
    ]
    assert not wrong, (wrong, said.text)
    assert said.code == case["exit"], said.text
    for phrase in case["says"]:
        assert phrase in said.text, said.text
    for tempting in case["never"]:
        for told in (said.text, said.document):
            assert not re.search(rf"(?<![\d.]){re.escape(tempting)}(?!\d)", told), (tempting, told)
    if "ratio" in case:
        assert all(plain(pair["ratio"].get("value")) == case["ratio"] for pair in said.pairs)


PUBLIC: dict[str, tuple[list[str], int, dict[str, dict[str, Any]]]] = {
    "041-cost-cap-truncates-trials": (
        [],
        1,
        {"": {"tokens": 80000, "qap": None, "acceptance": None, "cut": ["z07", "z08"], "leaves": True}},
    ),
    "077-cached-tokens-two-conventions": (
        ["--declared", "1"],
        3,
        {arm: {"tokens": 12958, "parts": {"prompt": 12929, "cached_read": 10880, "completion": 29}} for arm in "AB"},
    ),
    "078-usage-missing-in-stream": (["--declared", "4"], 0, {"": {"tokens": None, "tokens_least": "2300", "qap": None}}),
    "080-second-tries-hidden-in-the-rate": (
        ["--declared", "72"],
        0,
        {
            "": {
                "tokens": 88000, "qap": "1491.525424", "tax": 29000, "first_try": "56/59", "acceptance": "59/72",
            }
        },
    ),
    "081-nothing-accepted": (
        ["--declared", "3"],
        0,
        {"": {"tokens": 3000, "qap": None, "tax": 3000, "first_try": "0/0"}},
    ),
    "082-impossible-usage-values": (["--declared", "5"], 1, {"": {"tokens": None, "tokens_least": "45", "qap": None}}),
}  # fmt: skip


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_situation_has_its_right_answer(name: str, capsys: Capsys) -> None:
    args, code, arms = PUBLIC[name]
    folder = next(path for kind in ("numbers", "quota") if (path := CASES / kind / name).is_dir())
    said = spend([str(folder), *args], capsys)
    assert said.code == code, said.text
    for arm, answers in arms.items():
        called = arm or next(iter(said.arms))
        wrong = [(key, value) for key, value in answers.items() if not ANSWERS[key](said, called, value)]
        assert not wrong, said.text
    for tempting in ("2300/3", "23838", "2078", "766.7", "4/8", "Infinity", "NaN"):
        assert tempting not in said.text


def test_a_spent_account_censors_and_names_what_was_not_attempted(capsys: Capsys) -> None:
    said = spend([str(CASES / "situations" / "007-spend-cap-429"), "--declared", "6"], capsys)
    (arm,) = said.arms.values()
    assert said.code == 1
    assert arm["censored"]["cut"] == ["t4", "t5", "t6"]
    assert all(not isinstance(one["value"], str) for one in arm["figures"])
