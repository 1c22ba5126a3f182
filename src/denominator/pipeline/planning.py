"""`plan`: what was typed, what a run showed and what an envelope says become one question; `planning.design` answers it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from denominator.envelopes.read import read_envelope
from denominator.errors import Exit, InputError, Problem
from denominator.pipeline.plan_sources import MOST_FLIPS, Inputs, given, of_envelope, of_runs
from denominator.pipeline.reachable import refuse_unreachable
from denominator.pipeline.results import Result
from denominator.planning.design import MOST, Asked, design
from denominator.records.designs import Design, Given
from denominator.records.values import NotMeasured
from denominator.stats import decimal6

CONVENTION = "convention"
PLAIN = re.compile(r"[0-9]{0,3}\.?[0-9]{1,12}")
SHARES = ("difference", "discordant", "flip", "omega2", "power", "alpha", "margin")
UPPER = {"flip": MOST_FLIPS}
DEFAULTS: Mapping[str, str] = {"discordant": "0.20", "flip": "0.20", "omega2": "0.02", "power": "0.80", "alpha": "0.05"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """Options as typed; empty where nothing was."""

    shares: Mapping[str, str]
    tasks: int = 0
    repeats: int = 0
    tokens: int = 0
    test: str = ""
    question: str = ""


@dataclass(frozen=True, slots=True)
class Planned:
    """The answer and the exit code that says whether the design can answer."""

    design: Design
    exit: Exit


def plan_design(typed: Typed, named: Sequence[tuple[str, Result]] = (), envelope: Path | None = None) -> Planned:
    """Options go before runs, runs before the envelope, the envelope before conventions; each input says its source."""
    if envelope and not (typed.tasks or typed.repeats):
        refuse_unreachable(read_envelope(envelope), envelope)
    stated = of_envelope(envelope) if envelope else {}
    shown = of_runs(named) if named else {}
    found = {**_conventions(), **stated, **shown, **_of_options(typed)}
    _refuse_bad(found)
    if not found.get("difference") and not found.get("margin"):
        raise InputError("nothing is asked for", where="plan", fix="denominator plan --difference 0.10")
    found = _fitted(found)
    answer = design(_asked(found), [found[name] for name in sorted(found)])
    return Planned(answer, Exit.BLOCKED if answer.refusals else Exit.DONE)


def _conventions() -> Inputs:
    return dict(given(name, value, CONVENTION) for name, value in {**DEFAULTS, "test": "exact"}.items())


def _of_options(typed: Typed) -> Inputs:
    numbers = {"tasks": typed.tasks, "repeats": typed.repeats, "tokens_per_attempt": typed.tokens}
    words = {"test": typed.test, "question": typed.question}
    told = {**typed.shares, **words, **{name: str(value) for name, value in numbers.items() if value}}
    return dict(given(name, value, "option") for name, value in told.items() if value)


def _refuse_bad(found: Inputs) -> None:
    """Every input that is no number in its range, in one pass."""
    problems = [problem for name in SHARES if name in found for problem in _bad_share(name, found[name])]
    for name in ("tasks", "repeats", "tokens_per_attempt"):
        value = found[name].value if name in found else ""
        least, most = (0, 10**12) if name == "tokens_per_attempt" else (1, MOST)
        if isinstance(value, str) and value and not (value.isdecimal() and least <= int(value) <= most):
            problems.append(Problem(f"--{name.replace('_', '-')}", f"{value} is not a number from {least} to {most}"))
    if "test" in found and found["test"].value not in ("exact", "midp"):
        problems.append(Problem("--test", f"{found['test'].value} is neither exact nor midp"))
    if problems:
        raise InputError("the plan cannot be read", where="plan", problems=problems)


def _bad_share(name: str, given: Given) -> list[Problem]:
    most = UPPER.get(name, Fraction(1))
    open_ended = name in ("power", "alpha", "margin", "difference")
    if not PLAIN.fullmatch(str(given.value)):
        return [Problem(f"--{name}", f"{given.value} is no plain decimal number", f"from {given.by}")]
    number = Fraction(str(given.value))
    if open_ended and not 0 < number < 1:
        return [Problem(f"--{name}", f"{given.value} is not between 0 and 1", f"from {given.by}")]
    if name == "power" and number <= Fraction(1, 2):
        return [Problem("--power", f"{given.value} is not above 0.5: a coin finds as much")]
    if not 0 <= number <= most:
        return [Problem(f"--{name}", f"{given.value} is not from 0 to {decimal6(most)[:4]}", f"from {given.by}")]
    return []


def _fitted(found: Inputs) -> Inputs:
    """A difference needs at least as many discordant tasks: what nobody stated follows it, what was stated is refused."""
    if "difference" not in found:
        return found
    difference, psi = _share(found, "difference"), found["discordant"]
    if Fraction(str(psi.value)) >= difference:
        return found
    if psi.by == "option":
        raise InputError(
            f"a difference of {found['difference'].value} needs at least that share of discordant tasks, not {psi.value}",
            where="--discordant",
            fix=f"--discordant {found['difference'].value} or more",
        )
    raised = replace(psi, value=found["difference"].value, by=f"raised to the difference, from {psi.value} ({psi.by})")
    return {**found, "discordant": raised}


def _share(found: Inputs, name: str) -> Fraction:
    return Fraction(str(found[name].value)) if name in found else Fraction(0)


def _whole(found: Inputs, name: str) -> int:
    value = found[name].value if name in found else ""
    return int(value) if isinstance(value, str) and value else 0


def _asked(found: Inputs) -> Asked:
    tokens = (
        found["tokens_per_attempt"].value if "tokens_per_attempt" in found else NotMeasured("give --tokens-per-attempt")
    )
    return Asked(
        difference=_share(found, "difference"),
        psi=_share(found, "discordant"),
        flip=_share(found, "flip"),
        omega2=_share(found, "omega2"),
        power=_share(found, "power"),
        alpha=_share(found, "alpha"),
        midp=found["test"].value == "midp",
        tasks=_whole(found, "tasks"),
        repeats=_whole(found, "repeats"),
        tokens=tokens if isinstance(tokens, NotMeasured) else int(tokens),
        margin=_share(found, "margin"),
        question=str(found["question"].value) if "question" in found else "equivalent",
    )
