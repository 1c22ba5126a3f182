"""A scripted agent that ends each of the sixteen tasks in its own way: what it does, and what must be said of it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from simulation.faults import Said, censored, model
from simulation.faults_pack import MADE_TEST, gold

Step = dict[str, Any]
NUMBERS = 1 << 16
LARGE = "import hashlib; print(b''.join(hashlib.sha256(b'%d' % n).digest() for n in range(65536)).hex())"
EAT = "b = [bytearray(8 << 20) for _ in range(200)]"
HUNG = "page-count"
FULL = "backoff-delays"
EATS = "log-redaction"


@dataclass(frozen=True)
class Case:
    """The steps of one task and the labels that its row must have."""

    steps: tuple[Step, ...]
    said: Said


def run(command: str, **more: int) -> Step:
    return {"run": command, **more}


def patch(task: str) -> Step:
    return {"patch": gold(task)}


def append(path: str, text: str) -> Step:
    return run(f"printf '%s\\n' {json.dumps(text)} >> {path}")


INVENTED = "\\n\\ndef last_day(day):\\n    import calendar\\n    return calendar.last_day_of_month(day)\\n"
CASES: dict[str, Case] = {
    # green on hidden tests that it never saw
    "config-interpolation": Case(
        (run("cat README.md"), patch("config-interpolation")), model("pass", "pass", "PASS_CONTRACT")
    ),
    # no hidden test; the test that turned green is of the agent's own making
    "tally-report": Case(
        (patch("tally-report"), {"write": "tests/test_made.py", "content": MADE_TEST}),
        model("pass", "pass", "PASS_WEAK"),
    ),
    # green, with a function of the standard library that does not exist
    "recurring-dates": Case(
        (patch("recurring-dates"), run(f"printf '{INVENTED}' >> rota/recur.py")),
        model("fail", "test_fail", "ASSUME_API", "assumed_api", "scorer_green"),
    ),
    # reads the same page again and again, then gives up with a remark
    "stock-reservations": Case(
        (run("cat README.md", times=4), append("depot/reserve.py", "# looked into it")),
        model("fail", "test_fail", "TOOL_LOOP", "tool_loop"),
    ),
    # a file that the task declares is absent; it guesses, and the guess is green
    "cache-expiry-tags": Case(
        (patch("cache-expiry-tags"),), model("fail", "test_fail", "MISSING_ASK", "guessed", "scorer_green")
    ),
    # green, and a file outside the allow-list was edited
    "text-fill": Case(
        (patch("text-fill"), append("tests/test_fill.py", "# as before")),
        model("fail", "over_edit", "SCOPE_SLIP", "scope_slip", "scorer_green"),
    ),
    # right, and then it does not end
    "fanout-limit": Case((patch("fanout-limit"), {"sleep_s": 600}), model("fail", "timeout", "TIMEOUT", "after_cap")),
    # does not compile
    "proration-plan-change": Case(
        (append("billing/proration.py", "def broken("),), model("fail", "compile_fail", "SCORER_RED")
    ),
    # a control that waits for a question; it makes a number up
    "region-surcharge": Case(
        (run("sed -i 's/return base(weight_g)/return base(weight_g) + 50/' shipping/price.py"),),
        model("fail", "test_fail", "MISSING_ASK", "guessed"),
    ),
    # a control that cannot be solved; it says nothing and changes nothing
    "equal-split": Case((run("ls"),), model("abstain", "no_patch", "", "silent")),
    # a control with nothing to do, left alone
    "room-booking": Case((run("ls"),), model("pass", "pass")),
    # a control with nothing to do, broken: whose fault is open until a person has looked
    "receipt-rounding": Case(
        (append("receipts/tax.py", "raise SystemExit(1)"),), Said("fail", "HARNESS", "", "test_fail")
    ),
    # the tests that grade it do not compile
    "csv-fields": Case((append("fields/line.py", "# looked into it"),), censored("HARNESS", "grader_error")),
    # writes more than the disk of the harness has room for
    FULL: Case((run(f'python3 -c "{LARGE}" > backoff/plan.py'),), censored("INFRA", "disk_full")),
    # a tool of the agent is killed for its memory; the agent goes on and is right
    "log-redaction": Case(
        (run(f"python3 -c '{EAT}'"), patch("log-redaction")), model("pass", "pass", "", "oom_in_tool")
    ),
    # hangs its own tests; the harness is killed while they run, and nobody resumes it
    HUNG: Case(
        (append("pager/pages.py", "import time; time.sleep(10**6)"),), Said("unscoreable", "HARNESS", "", "unresolved")
    ),
}


def large_blob() -> str:
    """The sha256 of what the agent writes in FULL."""
    text = b"".join(hashlib.sha256(b"%d" % n).digest() for n in range(NUMBERS)).hex() + "\n"
    return hashlib.sha256(text.encode()).hexdigest()


def script() -> str:
    """All steps as the file of agent `script`."""
    parts = ["schema_version = 1\n"]
    for task, case in CASES.items():
        parts.append(f"[[task]]\nid = {json.dumps(task)}\n")
        for step in case.steps:
            parts.append("[[task.step]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in step.items()))
    return "\n".join(parts)
