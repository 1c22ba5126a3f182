"""What an envelope of a probe must say, and within which bounds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from urllib.parse import urlsplit

from denominator.probe.schema_terms import Wrong
from denominator.records.probes import Endpoint, ProbeEnvelope, Terms, Use
from denominator.records.probes import Path as Way
from denominator.records.values import is_placeholder
from denominator.wire.names import id_problem
from denominator.wire.paths import Path
from denominator.wire.private import secret_kinds

DIGEST = re.compile(r"[0-9a-f]{64}\Z")
CAP_FIELDS = ("max_tokens", "max_completion_tokens")
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}\Z")
TAILS = ("/chat/completions", "/completions", "/responses", "/messages")
HOUR_MS = 3_600_000
BOUNDS = {
    "attempts": (1, 1_000),
    "deadline_ms": (10, HOUR_MS),
    "gap_ms": (10, HOUR_MS),
    "slow_ms": (1, HOUR_MS),
    "body_bytes_max": (1_024, 2**30),
    "warmups": (0, 100),
    "pause_ms": (0, HOUR_MS),
    "in_flight": (1, 256),
}
RATE_MAX = 1_000
ENDPOINT: Path = (None, "endpoint")
WAY: Path = (None, "path")
RUN: Path = (None, "run")
USE: Path = (None, "use")
FILL_IN = "is not filled in"


def envelope_problems(envelope: ProbeEnvelope) -> Wrong:
    """Everything for which a probe cannot be run, each with its key, in the order of the file."""
    if is_placeholder(envelope.name) or not _shown(envelope.name):
        yield (None, "name"), FILL_IN, "a few words for the report"
    problem = FILL_IN if is_placeholder(envelope.fixture) else id_problem(envelope.fixture)
    if problem:
        yield (None, "fixture"), problem, "a file beside this one"
    if not DIGEST.match(envelope.fixture_sha256):
        yield (None, "fixture_sha256"), "is no sha256 in lowercase hex", "denominator probe init writes it"
    yield from _endpoint(envelope.endpoint)
    yield from _way(envelope.path)
    yield from _terms(envelope.run)
    yield from _use(envelope.use)


def _endpoint(endpoint: Endpoint) -> Wrong:
    if is_placeholder(endpoint.url):
        yield (ENDPOINT, "url"), FILL_IN, 'what stands before /chat/completions: "https://api.example.org/v1"'
    else:
        yield from (((ENDPOINT, "url"), what, fix) for what, fix in _url(endpoint.url))
    if is_placeholder(endpoint.model) or not _shown(endpoint.model):
        yield (ENDPOINT, "model"), FILL_IN, "the model's name as the endpoint lists it"
    if endpoint.key_env and (not VARIABLE.match(endpoint.key_env) or secret_kinds(endpoint.key_env)):
        fix = "the NAME of the variable that holds the key, or leave it out"
        yield (ENDPOINT, "key_env"), "is no name of an environment variable", fix
    if endpoint.cap_field not in CAP_FIELDS:
        yield (ENDPOINT, "cap_field"), f"is neither {' nor '.join(CAP_FIELDS)}", "the name that the endpoint takes"


def _url(url: str) -> Iterator[tuple[str, str]]:
    """What is wrong with an address. The address itself stands in no message: it may hold a key."""
    try:
        parts = urlsplit(url)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        parts, sound = urlsplit(""), False
    if not sound or not url.isascii() or not url.isprintable() or " " in url:
        yield "is no http or https address", 'such as "https://api.example.org/v1"'
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        yield "holds more than host and path", "a key goes into the environment variable that key_env names"
    if parts.path.rstrip("/").endswith(TAILS):
        yield "names one call", "write what stands before /chat/completions"


def _way(way: Way) -> Wrong:
    if way.kind not in ("direct", "gateway"):
        yield (WAY, "kind"), "is neither direct nor gateway", ""
    for name in ("name", "version"):
        given = getattr(way, name)
        if way.kind == "gateway" and (is_placeholder(given) or not _shown(given)):
            yield (WAY, name), FILL_IN, "a gateway is named with its version: it is part of what is measured"
        if way.kind == "direct" and given:
            yield (WAY, name), "names a gateway on the direct path", 'kind = "gateway", or leave it out'


def _terms(terms: Terms) -> Wrong:
    for name, (low, high) in BOUNDS.items():
        if not low <= getattr(terms, name) <= high:
            yield (RUN, name), f"is outside {low} to {high}", ""
    if terms.rate and not 0 < Decimal(terms.rate) <= RATE_MAX:
        yield (RUN, "rate"), f"is outside 0 to {RATE_MAX} requests a second", "leave it out: one after the other"
    if terms.rate and terms.pause_ms:
        yield (RUN, "pause_ms"), "contradicts rate", "a fixed rate has its own pauses"


def _use(use: Use) -> Wrong:
    for name in ("error_budget", "invalid_rate_ceiling"):
        text = getattr(use, name)
        if text and not 0 <= Decimal(text) <= 1:
            yield (USE, name), "is no share from 0 to 1", ""
    if isinstance(use.job_timeout_ms, int) and use.job_timeout_ms < 1:
        yield (USE, "job_timeout_ms"), "is below 1", "milliseconds"


def _shown(text: str) -> bool:
    """Is it one line of printable text?"""
    return text.isprintable() and len(text) <= 300
