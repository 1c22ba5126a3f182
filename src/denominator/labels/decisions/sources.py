"""What the source of a foreign row says where it gives no facts: used last, with low confidence."""

from __future__ import annotations

from dataclasses import replace

from denominator.labels.causes import REASON_ORIGIN
from denominator.labels.decisions.shape import imported_outcome, verdict_of
from denominator.labels.decisions.verdicts import green_but
from denominator.labels.facts import text
from denominator.labels.shape import Ending, View, source_says
from denominator.records.judgements import UNKNOWN
from denominator.records.words import Mix

STOPS: dict[str, tuple[str, str, str]] = {
    "pass": ("pass", "MODEL", ""),
    "tests_red": ("fail", "MODEL", ""),
    "no_patch": ("abstain", "MODEL", ""),
    "forbidden_path": ("fail", "MODEL", ""),
    "apply_error": ("unscoreable", "HARNESS", "apply_error"),
    "transport": ("unscoreable", "INFRA", "provider_error"),
    "infra": ("unscoreable", "INFRA", "env_flake"),
}


def assumed_surface(view: View) -> Ending | None:
    """Green against a surface that the source says was invented: no pass, as long as no facts of ours say otherwise."""
    if verdict_of(view) == "green" and source_says(view, Mix.ASSUME_API):
        why = "green, but the source says that a surface outside the spec was assumed"
        return Ending("fail", "MODEL", why, ("grade",), "", "low")
    return None


def stop_reason(view: View) -> Ending | None:
    """A stop reason of the closed list; on rows of ours it never makes a pass or a fail."""
    word = text(view.row.stop_reason)
    if word not in STOPS or (view.row.source.kind == "own" and STOPS[word][0] != "unscoreable"):
        return None
    outcome, origin, reason = STOPS[word]
    return _kept(view, Ending(outcome, origin, f"the row's stop reason is {word}", ("stop_reason",), reason, "low"))


def judgement(view: View) -> Ending | None:
    """The source's own outcome, with the origin that it names or that its reason implies."""
    said = imported_outcome(view)
    if not said:
        return None
    why = f"{view.imported['outcome'].by} says {said}"
    if said in ("pass", "fail", "abstain"):
        return _kept(view, Ending(said, _origin(view, "MODEL"), why, (), "", "low"))
    if said != "unscoreable":
        return Ending(UNKNOWN, "HARNESS", f"{why}, which is no outcome", (), "", "low")
    reason = view.imported["reason"].value if "reason" in view.imported else ""
    return Ending("unscoreable", _origin(view, REASON_ORIGIN.get(reason, "HARNESS")), why, (), reason, "low")


def _kept(view: View, found: Ending) -> Ending:
    """A pass that the source claims must keep the clauses whose facts the row does hold."""
    broken = green_but(view.row) if found.outcome == "pass" else None
    return replace(broken, confidence="low") if broken else found


def _origin(view: View, otherwise: str) -> str:
    label = view.imported.get("origin")
    return label.value if label is not None else otherwise
