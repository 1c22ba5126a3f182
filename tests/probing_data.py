"""A scored endpoint bench made by hand, for tests of what is made of a score."""

from __future__ import annotations

from dataclasses import replace

from denominator.records.probe_results import EndpointFacts, ProbeScore, Scored, WindowLine
from denominator.records.probes import Path, Terms, Use

DECLARED = Use(
    data_may_be_sent=True,
    fallback="the check is skipped and says so",
    job_timeout_ms=30_000,
    timeout_stops_merges=False,
    error_budget="0.2",
    firm_latency_promise=False,
    monitoring="dashboard endpoint-errors",
    data_policy="terms of 2026-10, no retention",
    sla_needed=False,
    team_decision=True,
)


def attempts(n: int, window: int = 1, group: str = "strict_json", cls: str = "pass", reason: str = "", ms: int = 900):
    return tuple(
        Scored(
            window=window,
            seq=at,
            case_id=f"{group}-{at % 5}",
            group=group,
            mode="plain",
            attempt=1 + at // 5,
            cls=cls,
            reason=reason,
            total_us=ms * 1000,
        )
        for at in range(n)
    )


def window(number: int, independent: bool = True, why: str = "") -> WindowLine:
    stamp = f"2026-11-30T1{number}:00:00.000Z"
    return WindowLine(
        number=number, started_at=stamp, ended_at=stamp, asked=20, answered=20, independent=independent, why=why
    )


def score(**over) -> ProbeScore:
    """A probe that every use would take: two windows, 24 cases, everything declared."""
    made = (
        *attempts(20),
        *attempts(20, window=2),
        *attempts(3, group="malformed"),
        *attempts(3, window=2, group="malformed"),
    )
    base = ProbeScore(
        schema_version=1,
        name="p",
        seal_sha256="a" * 64,
        fixture_sha256="b" * 64,
        cases=24,
        client="0.4.1",
        classifier="1.0",
        url="http://127.0.0.1:1/v1",
        model="m",
        path=Path(),
        terms=Terms(),
        use=DECLARED,
        windows=(window(1), window(2)),
        attempts=made,
        across=(),
        histogram=(),
        latency=(),
        facts=EndpointFacts(),
        sentences=("under fixture bbbbbbbbbbbb 40 of 40 strict_json attempts passed.",),
    )
    return replace(base, **over)
