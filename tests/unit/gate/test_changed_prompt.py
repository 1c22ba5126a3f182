"""Digests as sent against declared ones, which the case files cannot state."""

from __future__ import annotations

import json

import pytest

from denominator.judge import judge
from denominator.records.conditions import Condition
from judging_data import by_outcome, foreign, ledger, terms


def findings(declared, rows):
    conditions = tuple(Condition(name=name, value=json.dumps(value)) for name, value in declared.items())
    judged = judge(ledger(rows, by_outcome(**{"pass": len(rows)})[1]), terms(conditions=conditions))
    return [(one.severity, one.what) for one in judged.findings if one.allow_name == "changed-prompt"]


def rows_of(column, *digests):
    return [foreign(f"t{n:02}", n, **({column: one} if one else {})) for n, one in enumerate(digests, 1)]


@pytest.mark.parametrize(
    ("declared", "column", "sent", "says"),
    [
        ({"tool_list_digest": "sha256:aa"}, "tools_sha256", ("aa", "AA"), ""),
        ({"tool_list_digest": "sha256:aa"}, "tools_sha256", ("aa", "bb", "bb"), "in 2 attempts: t02, t03"),
        ({"tool_list_digest": "of version 3"}, "tools_sha256", ("aa", "aa"), ""),
        ({"tool_list_digest": "of version 3"}, "tools_sha256", ("aa", "bb"), "2 tool lists"),
        ({"tool_list_digest": ["read", "write"]}, "tools_sha256", ("aa", "aa"), ""),
        ({"prompt_template_sha256": {"t01": "aa", "t02": "sha256:bb"}}, "prompt_sha256", ("aa", "bb"), ""),
        ({"prompt_template_sha256": {"t01": "aa", "t02": "bb"}}, "prompt_sha256", ("aa", "cc"), "not the declared one: t02"),
        ({"prompt_template_sha256": "aa"}, "prompt_sha256", ("aa", "aa"), ""),
        ({"prompt_template_sha256": "aa"}, "prompt_sha256", ("bb", "bb"), "not the declared one: t01, t02"),
        ({"prompt_template_sha256": "aa"}, "prompt_sha256", ("bb", "cc"), ""),
        ({"prompt_template_sha256": 7}, "prompt_sha256", ("bb", "bb"), ""),
        ({"prompt_template_sha256": "aa"}, "prompt_sha256", ("", ""), ""),
    ],
)  # fmt: skip
def test_sent_against_declared(declared, column, sent, says):
    found = findings(declared, rows_of(column, *sent))
    assert [severity for severity, _ in found] == ["block" if says else "held"]
    assert says in found[0][1]
