"""The text of a new `probe.toml`: every term with its default, and what a gate will ask for."""

from __future__ import annotations

import json
import re
from dataclasses import asdict

from denominator.records.probes import Endpoint, Path, Terms

PLACE = re.compile(r"@([a-z_]+)@")
URL, MODEL = "REPLACE: https://api.example.org/v1", "REPLACE: the model's name"


def probe_template(name: str, fixture: str, digest: str, endpoint: Endpoint, path: Path) -> str:
    """The envelope of a probe; an address or a model that is not known yet says REPLACE."""
    values = {
        "name": name,
        "fixture": fixture,
        "digest": digest,
        "url": endpoint.url or URL,
        "model": endpoint.model or MODEL,
        "key_env": endpoint.key_env,
        "cap_field": endpoint.cap_field,
        "kind": path.kind,
        "gateway": path.name,
        "version": path.version,
        **asdict(Terms()),
    }
    text = PLACE.sub(lambda place: json.dumps(values[place[1]], ensure_ascii=False), _TEXT)
    return _without(text, endpoint, path)


def _without(text: str, endpoint: Endpoint, path: Path) -> str:
    """Lines that do not hold become comments: a key that is not needed, a gateway that is not there."""
    if not endpoint.key_env:
        text = text.replace('key_env = ""', '# key_env = "ENDPOINT_KEY"')
    if path.kind == "direct":
        text = text.replace('name = ""\nversion = ""\n', '# name = "litellm"\n# version = "1.2.3"\n')
    return text


_TEXT = """\
# What is asked, of whom, and how. Sealed with the first window and never edited then: a change is another probe.
schema_version = 1
name = @name@
fixture = @fixture@
fixture_sha256 = @digest@
# true keeps digests of answers in place of their bytes: nothing of what was said can be judged again later.
redact_bodies = false

[endpoint]
# What stands before /chat/completions. A key stands nowhere in here.
url = @url@
model = @model@
# The NAME of the environment variable that holds the key; without one no key is sent.
key_env = @key_env@
# The name of the output cap in requests. Some endpoints take "max_completion_tokens" only.
cap_field = @cap_field@

[path]
# "direct", or "gateway" with name and version: what stands between is part of what is measured, so a probe through a
# gateway is compared with no direct one.
kind = @kind@
name = @gateway@
version = @version@

[run]
# Requests of every case and mode in each window; none of them is ever repeated because it failed.
attempts = @attempts@
# The order of the attempts follows from it.
seed = @seed@
# The whole of one attempt, name lookup to last byte, however much trickles in.
deadline_ms = @deadline_ms@
# The longest silence inside a stream, from its first byte on.
gap_ms = @gap_ms@
# Slower answers are flagged; they break no promise.
slow_ms = @slow_ms@
body_bytes_max = @body_bytes_max@
# Requests before the first counted one; kept, and counted nowhere.
warmups = @warmups@
pause_ms = @pause_ms@
# A fixed rate in requests a second shows queueing; without it one request follows the other (service time).
# rate = 0.5
# in_flight = 8

# What the answer of `probe gate --for ...` rests on and no request can show. Fill it in before the first window, with
# which it is sealed: what is declared later is a new probe. The gate asks for: prototype the first line; ci a
# fallback and the two lines of the job; internal also the error budget and the latency promise; production all.
[use]
# data_may_be_sent = true          # may what you will send be sent there?
# fallback = "..."                 # what happens without an answer
# job_timeout_ms = 600000          # the job that waits for answers
# timeout_stops_merges = false     # does its timeout stop all merges?
# error_budget = 0.02              # the share of attempts that may break a promise
# firm_latency_promise = false     # is one needed?
# monitoring = "..."               # what watches the endpoint
# data_policy = "..."              # what covers the data that are sent
# sla_needed = false               # is one needed?
# team_decision = false            # will a team decide by this? It takes 20 cases
# Above this share of attempts that say nothing (rate limits, refused connections) no pass is counted.
invalid_rate_ceiling = 0.05
"""
