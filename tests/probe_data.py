"""Made-up probes: a fixture, windows, and what was heard, where every attempt is a kept promise unless a test says else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from denominator.probe.scoring import score
from denominator.records.probe_results import Fault, Heard, ProbeScore
from denominator.records.probes import (
    Ask,
    Case,
    Endpoint,
    Fixture,
    Path,
    ProbeEnvelope,
    ProbeSeal,
    Terms,
    Use,
    Window,
)
from denominator.records.rows import Usage

FIXTURE_SHA = "abc123def456" + "0" * 52
SEAL_SHA = "5ea1" * 16
HOUR_NS = 3600 * 10**9
TEXT = "7e" * 32
FIRST = Window(
    number=1, started_at="2026-11-29T08:00:00Z", mono_ns=10**9, boot_id="boot-1", ended_at="2026-11-29T08:05:00Z"
)
SECOND = Window(
    number=2,
    started_at="2026-11-29T10:10:00Z",
    mono_ns=10**9 + 13 * HOUR_NS // 6,
    boot_id="boot-1",
    ended_at="2026-11-29T10:15:00Z",
)
JSON = Case(id="json-a", group="strict_json", kind="json", prompt="Give {}.", mode="plain")
BOTH = Case(id="usage-a", group="accounting", kind="text", prompt="Say OK.", mode="both")
STREAM = Case(id="stream-a", group="streaming", kind="text", prompt="Say OK.", mode="stream")
DIRECT = Path()
BAD = Case(id="bad-a", group="malformed", kind="malformed", body="{")
CASES = (JSON, BOTH, STREAM, BAD)


def fixture(cases: Iterable[Case] = CASES) -> Fixture:
    """A frozen fixture of these cases."""
    return Fixture(name="made up", sha256=FIXTURE_SHA, cases=tuple(cases))


def seal(cases: Iterable[Case] = CASES, *, path: Path = DIRECT, ceiling: str = "0.05", **terms: Any) -> ProbeSeal:
    """A seal with these terms; `redact_bodies`, `url` and `model` may be among them."""
    redact, url = terms.pop("redact_bodies", False), terms.pop("url", "https://api.example.org/v1")
    envelope = ProbeEnvelope(
        schema_version=1,
        name="bench",
        fixture="fixture.jsonl",
        fixture_sha256=FIXTURE_SHA,
        endpoint=Endpoint(url=url, model=terms.pop("model", "some-model")),
        path=path,
        run=Terms(**terms),
        use=Use(invalid_rate_ceiling=ceiling),
        redact_bodies=redact,
    )
    return ProbeSeal(
        schema_version=1,
        envelope=envelope,
        cases=len(tuple(cases)),
        client="0.4.1",
        classifier="1.0",
        made_at="2026-11-29T07:59:00Z",
    )


def heard(case: Case, mode: str = "", attempt: int = 1, *, window: int = 1, seq: int = 0, **facts: Any) -> Heard:
    """One attempt: a whole answer in 100 ms with usage 10 + 2, unless `facts` say else. `faults` may be class:reason words."""
    mode = mode or case.modes[0]
    faults = tuple(one if isinstance(one, Fault) else fault(one) for one in facts.pop("faults", ()))
    base = Heard(
        ask=Ask(
            seq=seq or attempt, case_id=case.id, mode=mode, attempt=attempt, purpose=facts.pop("purpose", "measured")
        ),
        window=window,
        end="complete",
        status=200,
        faults=faults,
        complete=not case.control,
        finish="stop",
        model="some-model",
        fingerprint="fp_ref",
        usage=Usage(prompt=10, completion=2),
        usage_convention="openai",
        content_sha256=TEXT,
        content_chars=3,
        first_byte_us=60_000,
        first_content_us=70_000,
        total_us=100_000,
        body_sha256="b0" * 32,
    )
    return replace(base, **facts)


def fault(word: str, note: str = "", *, observed: bool = False) -> Fault:
    """A fault by its class:reason word."""
    cls, _, reason = word.partition(":")
    return Fault(cls=cls, reason=reason, note=note, observed=observed)


def all_heard(cases: Iterable[Case] = CASES, *, attempts: int = 3, windows: Iterable[int] = (1,)) -> list[Heard]:
    """Every planned attempt, each a kept promise."""
    return [
        heard(case, mode, attempt, window=window)
        for window in windows
        for case in cases
        for mode in case.modes
        for attempt in range(1, attempts + 1)
    ]


def scored(
    given: Iterable[Heard], cases: Iterable[Case] = CASES, windows: Iterable[Window] = (FIRST,), **sealed: Any
) -> ProbeScore:
    """The score of what was heard."""
    cases = tuple(cases)
    return score(seal(cases, **sealed), SEAL_SHA, fixture(cases), tuple(windows), given)
