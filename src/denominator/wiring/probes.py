"""Probes on disk before a seal: judged again from their stored bytes, and held against the arm that will call."""

from __future__ import annotations

from pathlib import Path

from denominator.adapters.gateway.upstream import read_upstream
from denominator.envelopes.fields import calls_model
from denominator.errors import IncompleteError, InputError, Problem
from denominator.pipeline.probe_scoring import score_folder
from denominator.pipeline.probed import impossible, misfits, sealed_of
from denominator.records.envelopes import Arm, Envelope
from denominator.records.sealed_probes import SealedProbe

KEEP = "mend what is named, or leave gateway.probe out"


def probe_place(envelope: Envelope, where: str) -> Path | None:
    """The folder that an envelope names, from where it lies."""
    return Path(where).parent / envelope.gateway.probe if envelope.gateway.probe else None


def sealed_probe(envelope: Envelope, arm: Arm, where: str) -> SealedProbe | None:
    """What is sealed of the probe: nothing of its `score.json` is believed. InputError where it is of another endpoint."""
    place = probe_place(envelope, where)
    if place is None or not calls_model(arm):
        return None
    try:
        score = score_folder(place)
    except InputError as error:
        what = f"the probe of gateway.probe cannot be used: {error.what}"
        raise InputError(what, where=error.where, problems=error.problems, fix=error.fix or KEEP) from None
    same = same_address(str(arm.model.endpoint), score.url)
    if found := list(misfits(score, arm, str(place), same_address=same)):
        raise InputError(f"the probe {place} is not of what the run calls", where=where, problems=found, fix=KEEP)
    return sealed_of(score)


def check_probe(envelope: Envelope, arm: Arm, where: str) -> None:
    """Refuse a probe that is of something else, and promises that its facts show to be out of reach (exit 2)."""
    probe = sealed_probe(envelope, arm, where)
    found = list(impossible(envelope, arm, probe)) if probe is not None else []
    if probe is not None and found:
        what = f"at the endpoint as probe {probe.told} found it no run can keep what the envelope promises"
        raise IncompleteError(what, where=where, problems=found, fix="change the term or the endpoint, then seal again")


def probe_problems(envelope: Envelope, arm: Arm, where: str) -> list[Problem]:
    """The same, as mistakes of the envelope; the arm's endpoint is sound."""
    try:
        probe = sealed_probe(envelope, arm, where)
    except InputError as error:
        whole = f"{error.what} ({error.where})"
        return [*error.problems] or [Problem("gateway.probe", whole, error.fix)]
    return list(impossible(envelope, arm, probe)) if probe is not None else []


def same_address(one: str, other: str) -> bool:
    """Do calls to both go to one place?"""
    return _address(one) == _address(other)


def _address(url: str) -> tuple[str, str, int, str]:
    """Where calls go: two spellings of one address are the same."""
    to = read_upstream(url, "", {})
    return to.scheme, to.host, to.port, to.base
