"""The scripted model says the same streamed and whole, and to a retried request the same again."""

from __future__ import annotations

import http.client
import json
from urllib.parse import urlsplit

import pytest

from denominator.testing.scripted_server import ScriptedServer
from denominator.wire.providers import Api, BodyReader, StreamReader


def _post(server, **request) -> bytes:
    url = urlsplit(server.url)
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=30)
    connection.request("POST", f"{url.path}/chat/completions", json.dumps(request))
    body = connection.getresponse().read()
    connection.close()
    return body


@pytest.mark.parametrize("steps", [0, 1, 2])
def test_streamed_and_whole_answers_agree(steps):
    messages = [{"role": "user", "content": "go"}] + [{"role": "assistant", "content": "x"}] * steps
    with ScriptedServer(["ls", "echo 'ü'"]) as server:
        whole = _post(server, model="scripted-1", messages=messages)
        stream = _post(
            server, model="scripted-1", messages=messages, stream=True, stream_options={"include_usage": True}
        )
        assert whole == _post(server, model="scripted-1", messages=messages)
    left, right = BodyReader(Api.CHAT), StreamReader(Api.CHAT)
    left.feed(whole)
    right.feed(stream)
    one, two = left.reply(), right.reply()
    assert one.usage == two.usage
    assert one.usage.prompt > 0
    assert (one.finish, one.model) == (two.finish, two.model)
    rows = [json.loads(line[6:]) for line in stream.decode().split("\n\n") if line.startswith("data: {")]
    calls = [c for row in rows for ch in row["choices"] for c in ch["delta"].get("tool_calls", [])]
    asked = json.loads(whole)["choices"][0]["message"].get("tool_calls", [])
    assert "".join(c["function"]["arguments"] for c in calls) == "".join(c["function"]["arguments"] for c in asked)
