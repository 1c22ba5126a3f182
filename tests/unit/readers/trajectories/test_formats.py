"""Each format told as ATIF, with the agent's own account and its own last word; what is missing stays unknown."""

from __future__ import annotations

import json

import pytest

from denominator.readers.trajectories import FORMATS, atif_problems, read_told
from denominator.records.values import NotMeasured
from denominator.wire.canonical import canonical


def _lines(*rows) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def _told(format_, **parts):
    told = read_told(format_, {name.removeprefix("main"): data for name, data in parts.items()})
    assert not isinstance(told, NotMeasured), told
    assert atif_problems(told.atif) == []
    assert canonical(told.atif)
    return told


def _sources(told):
    return [step["source"] for step in told.atif["steps"]]


def _usage(prompt, completion, cached):
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "prompt_tokens_details": {"cached_tokens": cached},
    }


def _mini(status="Submitted", calls=2, cost=0.25):
    call = {"id": "c1", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}
    return {
        "trajectory_format": "mini-swe-agent-1.1",
        "info": {
            "mini_version": "2.4.6",
            "exit_status": status,
            "model_stats": {"api_calls": calls, "instance_cost": cost},
            "config": {"model": {"model_name": "openai/m"}},
        },
        "messages": [
            {"role": "system", "content": "be good"},
            {"role": "user", "content": "fix it"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [call],
                "extra": {"timestamp": 1796023782.25, "response": {"usage": _usage(100, 10, 5)}},
            },
            {"role": "tool", "tool_call_id": "c1", "content": "README.md"},
            {"role": "assistant", "content": "done", "extra": {"response": {"usage": _usage(130, 4, 90)}}},
            {"role": "exit", "content": "", "extra": {"exit_status": status}},
        ],
    }


def test_mini_swe_agent():
    told = _told("mini-swe-agent", main=json.dumps(_mini()).encode())
    assert _sources(told) == ["system", "user", "agent", "agent", "system"]
    step = told.atif["steps"][2]
    assert step["tool_calls"] == [{"tool_call_id": "c1", "function_name": "bash", "arguments": {"command": "ls"}}]
    assert step["observation"] == {"results": [{"content": "README.md", "source_call_id": "c1"}]}
    assert step["metrics"] == {"prompt_tokens": 100, "completion_tokens": 10, "cached_tokens": 5}
    assert step["timestamp"] == "2026-11-30T07:29:42.250Z"
    own = told.account
    assert (own.prompt, own.completion, own.cached, own.cost, own.calls) == (230, 14, 95, "0.25", 2)
    assert told.said == "Submitted"


def test_a_call_of_mini_swe_agent_without_an_answer_leaves_the_sums_unknown():
    told = _told("mini-swe-agent", main=json.dumps(_mini("APIError", calls=3, cost=0.0)).encode())
    own = told.account
    assert own.calls == 3
    assert own.prompt == NotMeasured("prompt tokens: missing in 1 of 3")
    assert isinstance(own.cost, NotMeasured), "0 dollars is a price that it does not know"
    assert told.said == "APIError"


CHAT = """
# aider chat started at 2026-11-30 07:29:42

> Aider v0.86.2
> Git repo: .git with 6 files

#### Fix it.
#### Only one file.

Here it is.

pages.py
```
> not aider's words
#### nor the user's
```

> Tokens: 1.0k sent, 87 received.
> Applied edit to pages.py
"""


def _aider_log(*more):
    sent = {"prompt_tokens": 1006, "completion_tokens": 87, "total_cost": 0.5, "main_model": "openai/m"}
    return _lines(
        {"event": "launched", "properties": {}},
        *({**row} for row in more),
        {"event": "message_send", "properties": sent},
    )


def test_aider():
    ended = {"event": "exit", "properties": {"reason": "Completed --message-file"}}
    told = _told("aider", main=CHAT.encode(), events=_aider_log() + _lines(ended))
    assert _sources(told) == ["system", "user", "agent", "system"]
    assert told.atif["steps"][1]["message"] == "Fix it.\nOnly one file."
    assert "> not aider's words\n#### nor the user's" in told.atif["steps"][2]["message"]
    assert told.atif["agent"] == {"name": "aider", "version": "0.86.2", "model_name": "openai/m"}
    own = told.account
    assert (own.prompt, own.completion, own.cost, own.calls) == (1006, 87, "0.5", 1)
    assert isinstance(own.cached, NotMeasured)
    assert told.said == "Completed --message-file"


def test_aider_without_an_event_log_has_no_account():
    own = _told("aider", main=CHAT.encode()).account
    assert all(isinstance(value, NotMeasured) for value in (own.prompt, own.completion, own.cost, own.calls))


def test_aider_says_that_it_completed_also_when_no_message_got_an_answer():
    log = _lines(
        {"event": "message_send_exception", "properties": {"exception": "refused"}},
        {"event": "exit", "properties": {"reason": "Completed --message-file"}},
    )
    told = _told("aider", main=CHAT.encode(), events=log)
    assert told.said == "message_send_exception"
    assert (told.account.calls, bool(told.account.prompt)) == (0, False)


def _claude(**last):
    text, thought = {"type": "text", "text": "looking"}, {"type": "thinking", "thinking": "hm"}
    use = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "README.md"}]}
    told = [{"type": "assistant", "message": {"model": "m", "content": [block]}} for block in (text, thought, use)]
    return _lines(
        {"type": "system", "subtype": "init", "session_id": "s", "model": "m", "claude_code_version": "2.1.197"},
        *told,
        {"type": "user", "message": {"content": [result]}},
        {"type": "result", "subtype": "success", "is_error": False, **last},
    )


def test_claude_code():
    row = {"inputTokens": 10, "outputTokens": 7, "cacheReadInputTokens": 80, "cacheCreationInputTokens": 3}
    told = _told("claude-code", main=_claude(modelUsage={"m": row, "n": row}, total_cost_usd=0.125))
    assert _sources(told) == ["agent"] * 3
    assert told.atif["steps"][1]["reasoning_content"] == "hm"
    assert told.atif["steps"][2]["observation"]["results"][0]["content"] == "README.md"
    own = told.account
    assert (own.prompt, own.completion, own.cached, own.cost) == (186, 14, 160, "0.125")
    assert isinstance(own.calls, NotMeasured)
    assert told.said == "success"


def test_claude_code_tells_an_error_of_the_api_as_success():
    assert _told("claude-code", main=_claude(is_error=True)).said == "api_error"


def test_codex():
    usage = {"input_tokens": 100, "cached_input_tokens": 40, "output_tokens": 9}
    shell = {"id": "i1", "type": "command_execution", "command": "ls", "aggregated_output": "README.md", "exit_code": 0}
    data = _lines(
        {"type": "thread.started", "thread_id": "th"},
        {"type": "item.completed", "item": shell},
        {"type": "item.completed", "item": {"id": "i2", "type": "file_change", "changes": [{"path": "a"}]}},
        {"type": "item.completed", "item": {"id": "i3", "type": "agent_message", "text": "done"}},
        {"type": "turn.completed", "usage": usage},
    )
    told = _told("codex", main=b"a line of no JSON\n" + data)
    assert [step.get("tool_calls", [{}])[0].get("function_name") for step in told.atif["steps"]] == [
        "shell",
        "file_change",
        None,
    ]
    own = told.account
    assert (own.prompt, own.completion, own.cached) == (100, 9, 40)
    assert told.said == "turn.completed"
    failed = data.replace(b"turn.completed", b"turn.failed")
    assert _told("codex", main=failed).said == "turn.failed"
    assert isinstance(_told("codex", main=failed).account.prompt, NotMeasured)


def test_opencode():
    tokens = {"input": 39, "output": 46, "reasoning": 2, "cache": {"read": 2427, "write": 1}}
    tool = {"tool": "bash", "callID": "c1", "state": {"input": {"command": "ls"}, "output": "README.md"}}
    rows = [("step_start", {}), ("text", {"text": "step 1"}), ("tool_use", tool)]
    rows += [("step_finish", {"reason": "stop", "tokens": tokens, "cost": 0})]
    told = _told(
        "opencode",
        main=_lines(*({"type": t, "timestamp": 1796024191407, "sessionID": "s", "part": p} for t, p in rows)),
    )
    own = told.account
    assert (own.prompt, own.completion, own.cached, own.calls) == (2467, 48, 2427, 1)
    assert isinstance(own.cost, NotMeasured)
    assert told.atif["steps"][0]["timestamp"] == "2026-11-30T07:36:31.407Z"
    assert told.said == "stop"


def test_gemini_cli():
    data = _lines(
        {"type": "init", "session_id": "s", "model": "m"},
        {"type": "message", "role": "user", "content": "fix it"},
        {"type": "message", "role": "assistant", "content": "I ", "delta": True},
        {"type": "message", "role": "assistant", "content": "look", "delta": True},
        {"type": "tool_use", "tool_id": "t", "tool_name": "run_shell_command", "parameters": {"command": "ls"}},
        {"type": "tool_result", "tool_id": "t", "status": "success", "output": "README.md"},
        {"type": "result", "status": "success", "stats": {"input_tokens": 50, "output_tokens": 6, "cached": 10}},
    )
    told = _told("gemini-cli", main=data)
    assert [step["message"] for step in told.atif["steps"]] == ["fix it", "I look", ""]
    assert (told.account.prompt, told.account.completion, told.account.cached) == (50, 6, 10)
    assert told.said == "success"


def test_openhands():
    action = {"kind": "ActionEvent", "tool_name": "terminal", "tool_call_id": "t", "action": {"command": "ls"}}
    finish = {"kind": "ActionEvent", "tool_name": "finish", "tool_call_id": "u", "action": {"message": "done"}}
    seen = {"kind": "ObservationEvent", "tool_call_id": "t", "observation": {"content": [{"text": "README.md"}]}}
    asked = {"kind": "MessageEvent", "source": "user", "llm_message": {"content": [{"text": "fix it"}]}}
    told = _told("openhands", main=b"Agent is working\n" + _lines(asked, action, seen, finish))
    assert _sources(told) == ["user", "agent", "agent"]
    assert told.atif["steps"][1]["observation"]["results"][0]["content"] == "README.md"
    assert told.said == "finished"
    assert isinstance(told.account.prompt, NotMeasured)


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"hello\n", b'{"type": "other"}\n'])
def test_what_is_no_trajectory_says_so(format_, data):
    assert isinstance(read_told(format_, {"": data}), NotMeasured)


def test_an_unknown_format_is_not_measured():
    assert isinstance(read_told("other", {"": b"{}"}), NotMeasured)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"schema_version": "1"}, "schema_version"),
        ({"agent": {"name": "a"}}, "agent.version"),
        ({"steps": []}, "no steps"),
        ({"steps": [{"step_id": 2, "source": "user", "message": ""}]}, "has id 2"),
        ({"steps": [{"step_id": 1, "source": "user", "message": "", "metrics": {}}]}, "only an agent"),
        ({"steps": [{"step_id": 1, "source": "who", "message": ""}]}, "no source"),
        (
            {
                "steps": [
                    {
                        "step_id": 1,
                        "source": "agent",
                        "message": "",
                        "observation": {"results": [{"source_call_id": "x"}]},
                    }
                ]
            },
            "did not make",
        ),
    ],
)
def test_a_broken_document_is_named(change, said):
    sound = _told("mini-swe-agent", main=json.dumps(_mini()).encode()).atif
    assert said in " ".join(atif_problems({**sound, **change}))
