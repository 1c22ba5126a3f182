"""An agent that asks a model on loopback: one task each for what a provider, the kernel and the agent itself can do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from denominator.testing.scripted_server import Fault
from simulation.faults import Said, censored, model

# Asks twice, retries each once, does what it is told, ends with 1 when the model fails it; prints what the world could say.
AGENT = """
import json, os, subprocess, sys, urllib.request
task = sys.argv[1]
def ask(turn, stream):
    messages = [{"role": "user", "content": task}, *[{"role": "assistant", "content": ""}] * turn]
    body = json.dumps({"model": os.environ["DENOMINATOR_MODEL"], "messages": messages, "stream": stream}).encode()
    head = {"Authorization": "Bearer " + os.environ["DENOMINATOR_MODEL_TOKEN"], "Content-Type": "application/json"}
    request = urllib.request.Request(os.environ["DENOMINATOR_MODEL_URL"] + "/chat/completions", body, head)
    try:
        return json.load(urllib.request.urlopen(request))
    except (ValueError, OSError) as error:
        print("the model said:", error)
        return None
print("HTTP 429 Too Many Requests; No space left on device; Killed; Connection reset by peer; AssertionError")
for turn in range(2):
    answer = ask(turn, task == "page-count") or ask(turn, task == "page-count")
    if answer is None:
        sys.exit(1)
    for call in answer["choices"][0]["message"].get("tool_calls", []):
        command = json.loads(call["function"]["arguments"])["command"]
        if command == "eat":
            block = [bytearray(8 << 20) for _ in range(200)]
        if command == "quit":
            sys.exit(1)
        subprocess.run(command, shell=True, cwd="/work")
"""
LIMITED = Fault(429, {"error": {"type": "rate_limit_error"}}, {"Retry-After": "1"})
CUT = ('{"choices": [{"index": 0, "delta": {"content": "so"}}]}', '{"error": {"type": "overloaded_error"}}')
ALWAYS: Mapping[str, Fault] = {
    "cache-expiry-tags": LIMITED,
    "receipt-rounding": LIMITED,
    "fanout-limit": Fault(503, {"error": {"type": "service_unavailable"}}),
    "proration-plan-change": Fault(429, {"error": {"type": "insufficient_quota", "code": "insufficient_quota"}}),
    "recurring-dates": Fault(401, {"error": {"type": "authentication_error"}}),
    "page-count": Fault(200, events=CUT),
}
ONCE = "config-interpolation"
EATS = "log-redaction"
SOLVED = ("config-interpolation", "text-fill")
COMMANDS: Mapping[str, str] = {
    **{task: f"cp -r /opt/agent/solved/{task}/. /work/" for task in SOLVED},
    EATS: "eat",
    "stock-reservations": "echo '# HTTP 429 Too Many Requests' >> depot/reserve.py",
    "tally-report": "quit",
    "csv-fields": "true",
    "equal-split": "echo 'no equal whole shares' > $DENOMINATOR_ABSTAIN",
    "region-surcharge": "echo 'where is the table?' > $DENOMINATOR_ASK",
    "backoff-delays": "echo '' >> backoff/plan.py",
    "room-booking": "true",
}
ENDS: Mapping[str, Said] = {
    # 429, also after its retry
    "cache-expiry-tags": censored("INFRA", "provider_rate_limit"),
    "receipt-rounding": censored("INFRA", "provider_rate_limit"),
    # 503
    "fanout-limit": censored("INFRA", "provider_error"),
    # 429 that no waiting cures
    "proration-plan-change": censored("INFRA", "quota_exhausted"),
    # the harness gave the wrong key
    "recurring-dates": censored("HARNESS", "provider_error"),
    # a stream that breaks off with status 200
    "page-count": censored("INFRA", "provider_stream_error"),
    # the kernel ends the agent itself
    EATS: censored("INFRA", "oom_sandbox"),
    # 429 once, then the right answer
    ONCE: model("pass", "pass", "PASS_CONTRACT", "provider_retried"),
    "text-fill": model("pass", "pass", "PASS_CONTRACT"),
    # says all of the above in its own words, and is simply wrong
    "stock-reservations": model("fail", "test_fail", "SCORER_RED"),
    # was answered, and ends with an error before it has changed anything
    "tally-report": model("fail", "no_patch", "SCORER_RED", "agent_error_exit"),
    # nothing was to do and nothing was done; only a verdict could say so, and what would grade it is broken
    "csv-fields": censored("HARNESS", "grader_error"),
    # says no, asks
    "equal-split": model("abstain", "no_patch", "", "asked"),
    "region-surcharge": model("abstain", "no_patch", "", "asked"),
    # controls with nothing to do: edited, left alone
    "backoff-delays": Said("fail", "HARNESS", "", "test_fail"),
    "room-booking": model("pass", "pass"),
}


def fault_for() -> Any:
    """What the server answers in the model's place; the first request of ONCE is turned away."""
    turned_away: list[str] = []

    def fault(_number: int, request: Mapping[str, Any]) -> Fault | None:
        task = request["messages"][0]["content"]
        if task == ONCE and not turned_away:
            turned_away.append(task)
            return LIMITED
        return ALWAYS.get(task)

    return fault


def commands(request: Mapping[str, Any]) -> list[str]:
    """What the model wants done: one thing, then nothing more."""
    return [COMMANDS[request["messages"][0]["content"]], "true"]
