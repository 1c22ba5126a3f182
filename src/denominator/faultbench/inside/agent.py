"""The agent of the fault bench: asks the model, does what it says, ends with 1 at the first call that failed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from typing import Any

TURNS = 8
Message = dict[str, Any]


def ask(messages: list[Message]) -> Message:
    """One streamed answer; an error where it breaks off before its last event."""
    url = os.environ["DENOMINATOR_MODEL_URL"] + "/chat/completions"
    token = os.environ["DENOMINATOR_MODEL_TOKEN"]
    head = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    body = {"model": os.environ["DENOMINATOR_MODEL"], "messages": messages, "max_tokens": 64, "temperature": 0}
    streamed = {**body, "stream": True, "stream_options": {"include_usage": True}}
    calls: dict[int, Message] = {}
    said, whole = "", False
    request = urllib.request.Request(url, json.dumps(streamed).encode(), head)  # noqa: S310 - the sandbox has no other address
    with urllib.request.urlopen(request) as lines:  # noqa: S310
        for line in lines:
            text = line.strip().removeprefix(b"data: ")
            whole = whole or text == b"[DONE]"
            if line.startswith(b"data: ") and not whole:
                said = heard(json.loads(text), said, calls)
    if not whole:
        raise OSError("the stream broke off")
    message: Message = {"role": "assistant", "content": said}
    return {**message, "tool_calls": [calls[at] for at in sorted(calls)]} if calls else message


def heard(event: Message, said: str, calls: dict[int, Message]) -> str:
    """What one event adds."""
    for choice in event.get("choices", []):
        said += choice["delta"].get("content") or ""
        for call in choice["delta"].get("tool_calls", []):
            new = {"id": call.get("id"), "type": "function", "function": {"name": "bash", "arguments": ""}}
            kept = calls.setdefault(call["index"], new)
            kept["function"]["arguments"] += call["function"].get("arguments") or ""
    return said


def main() -> int:
    """Turns until the model asks for nothing more."""
    messages: list[Message] = [{"role": "user", "content": sys.argv[1]}]
    for _turn in range(TURNS):
        try:
            message = ask(messages)
        except (OSError, ValueError) as error:
            print("a call failed:", error, flush=True)
            return 1
        messages.append(message)
        for call in message.get("tool_calls", []):
            command = json.loads(call["function"]["arguments"])["command"]
            done = subprocess.run(["/bin/sh", "-c", command], cwd="/work", capture_output=True, text=True, check=False)
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": done.stdout + done.stderr})
        if not message.get("tool_calls"):
            return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
