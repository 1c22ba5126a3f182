"""What a method cannot say stands on the page that shows what it gives, in text and in JSON."""

from __future__ import annotations

import json

import pytest

from denominator.publish.limits import LIMITS
from e2e.comparing import manifest, rows
from e2e.test_contract import events, write, write_locked

MARKS = {f"t{number:02}": "P" for number in range(9)}
PUBLISHED = """name = "the paper"
source = "table 2"
verify_cmd = "pytest -q"
[score]
passed = 5
tasks = 9
"""


@pytest.fixture
def ask(cli, here):
    """The words of a page and its document."""

    def both(*args):
        text, document = cli(*args), cli(*args, "--json")
        assert text.out and document.out, (text.err, document.err)
        return " ".join(text.out.split()), json.loads(document.out)

    rows(here, "a", MARKS), manifest(here, "a", task_ids=sorted(MARKS), repeats=1)
    rows(here, "b", MARKS), manifest(here, "b", task_ids=sorted(MARKS), repeats=1)
    write_locked(here / "C.json")
    write(here, events())
    (here / "published.toml").write_text(PUBLISHED)
    return both


SIDES = ("--a", "a.jsonl", "--a", "manifest-a.json", "--b", "b.jsonl", "--b", "manifest-b.json")


@pytest.mark.parametrize(
    ("code", "args"),
    [
        ("M8", ("compare", *SIDES)),
        ("M6", ("plan", "--difference", "0.2")),
        ("M11", ("contract", "score", "C.json", "events.jsonl")),
        ("M14", ("published", "diff", "published.toml", "a.jsonl", "manifest-a.json")),
    ],
)
def test_limits_stand_on_the_page(code, args, ask):
    text, document = ask(*args)
    (limits,) = (one for one in LIMITS if one.code == code)
    assert document["limits"] == [limits.line]
    assert f"LIMITS - {limits.line}" in text


def test_of_a_spread_too(ask):
    text, document = ask("spread", *SIDES)
    assert len(document["spread"]["limits"]) == 3
    assert all(line in text for line in document["spread"]["limits"])
