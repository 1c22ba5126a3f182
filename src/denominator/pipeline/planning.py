"""`plan`: what was typed, what a run showed and what an envelope says become one question; `planning.design` answers it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from denominator.compare.spread import spread_arm
from denominator.envelopes.read import read_envelope
from denominator.errors import BlockedError, Exit, InputError, Problem
from denominator.packs import load_pack
from denominator.packs.find import find_pack
from denominator.pipeline.reachable import refuse_unreachable
from denominator.pipeline.results import Result
from denominator.pipeline.sides import side_of
from denominator.pipeline.spreading import shown_headline, spread_of
from denominator.planning.design import MOST, Asked, design
from denominator.records.designs import Count, Design, Given, Number
from denominator.records.spreads import ArmSpread, PairSpread, Spread
from denominator.records.values import NotMeasured
from denominator.records.words import Slice
from denominator.stats import decimal6

CONVENTION = "convention"
PLAIN = re.compile(r"[0-9]{0,3}\.?[0-9]{1,12}")
SHARES = ("difference", "discordant", "flip", "omega2", "power", "alpha", "margin")
MOST_FLIPS = Fraction(1, 2)
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
    stated = _of_envelope(envelope) if envelope else {}
    shown = _of_runs(named) if named else {}
    found = {**_conventions(), **stated, **shown, **_of_options(typed)}
    _refuse_bad(found)
    if not found.get("difference") and not found.get("margin"):
        raise InputError("nothing is asked for", where="plan", fix="denominator plan --difference 0.10")
    found = _fitted(found)
    answer = design(_asked(found), [found[name] for name in sorted(found)])
    return Planned(answer, Exit.BLOCKED if answer.refusals else Exit.DONE)


Inputs = dict[str, Given]


def _given(name: str, value: Number, by: str) -> tuple[str, Given]:
    return name, Given(name=name, value=value, by=by)


def _conventions() -> Inputs:
    return dict(_given(name, value, CONVENTION) for name, value in {**DEFAULTS, "test": "exact"}.items())


def _of_options(typed: Typed) -> Inputs:
    numbers = {"tasks": typed.tasks, "repeats": typed.repeats, "tokens_per_attempt": typed.tokens}
    words = {"test": typed.test, "question": typed.question}
    told = {**typed.shares, **words, **{name: str(value) for name, value in numbers.items() if value}}
    return dict(_given(name, value, "option") for name, value in told.items() if value)


def _of_envelope(path: Path) -> Inputs:
    """Size, budget and test as an envelope has them; what it leaves open stays open."""
    envelope = read_envelope(path)
    comparison, budget = envelope.comparison, envelope.budget
    asks = comparison.question != "difference"
    told: dict[str, str] = {
        "alpha": comparison.alpha,
        "test": comparison.test,
        "margin": comparison.margin if asks else "",
        "question": comparison.question if asks else "",
        "repeats": str(budget.repeats) if isinstance(budget.repeats, int) else "",
        "tokens_per_attempt": str(budget.tokens) if isinstance(budget.tokens, int) and budget.tokens else "",
    }
    if isinstance(envelope.pack, str):
        tasks = load_pack(find_pack(envelope.pack, path.parent)).pack.tasks
        told["tasks"] = str(sum(task.slice == Slice.SOLVABLE for task in tasks))
    by = f"envelope {path}"
    named = {name: by if name != "tokens_per_attempt" else f"{by}: at most" for name in told}
    return dict(_given(name, value, named[name]) for name, value in told.items() if value)


def _of_runs(named: Sequence[tuple[str, Result]]) -> Inputs:
    """Flip rate and tokens of one run; the discordant share and the variance between tasks take two comparable ones."""
    results = [result for _, result in named]
    arms = [_arm(name, result) for name, result in named]
    by = f"run {' and '.join(arm.name for arm in arms)}"
    flips = [Fraction(arm.flip.value) for arm in arms if isinstance(arm.flip.value, str)]
    found: Inputs = {}
    if len(flips) == len(arms):
        seen = sum(flips, Fraction(0)) / len(flips)
        how = (
            f"{by}: flip rate"
            if seen <= MOST_FLIPS
            else f"{by}: flip rate {decimal6(seen)}, and no true one is above 0.5"
        )
        found |= dict(_given(name, decimal6(min(seen, MOST_FLIPS)), how) for name in ("flip", "discordant"))
    tokens = tokens_of(results)
    found |= dict(
        [_given("tokens_per_attempt", tokens if isinstance(tokens, NotMeasured) else str(tokens), f"{by}: mean")]
    )
    if len(arms) == 2:
        found |= _of_pair(named, arms, flips, by)
    return found


def _arm(name: str, result: Result) -> ArmSpread:
    called = result.terms.arm or result.ledger.run_id or name
    arm = spread_arm(side_of(called, result), shown_headline(result))
    if arm.withheld:
        raise BlockedError(
            f"nothing is planned from it: {'; '.join(arm.withheld)}",
            where=name or called,
            fix=f"denominator spread {name}".strip(),
        )
    return arm


def _of_pair(
    named: Sequence[tuple[str, Result]], arms: Sequence[ArmSpread], flips: Sequence[Fraction], by: str
) -> Inputs:
    found = spread_of(named).spread
    if not isinstance(found, Spread) or not isinstance(found.pair, PairSpread):
        raise InputError(
            "the two runs are not comparable", where="--from", fix="name one run, or see: denominator spread A B"
        )
    repeats, n = found.pair.repeats, found.pair.tasks
    second = {one.task_id: one.passes for one in arms[1].per_task}
    both = [(one.passes, second[one.task_id]) for one in arms[0].per_task]
    apart = sum(a * (repeats - b) + b * (repeats - a) for a, b in both)
    share = Fraction(apart, n * repeats * repeats)
    told = dict([_given("discordant", decimal6(share), f"{by}: chance that a draw of one and of the other differ")])
    if repeats > 1 and n > 1 and len(flips) == 2:
        mean = Fraction(sum(a - b for a, b in both), n * repeats)
        spread = sum((Fraction(a - b, repeats) - mean) ** 2 for a, b in both) / (n - 1)
        left = max(Fraction(0), spread - sum(flips) / 2 / repeats)
        told |= dict([_given("omega2", decimal6(left), f"{by}: variance of task differences less that of repeats")])
    return told


def tokens_of(results: Sequence[Result]) -> Count:
    """Mean tokens of an attempt, rounded up; unknown as soon as one attempt's are not known whole."""
    rows = [row for one in results for draw in one.judged.sheet.of_slice("solvable") for row in draw.tries]
    if not rows:
        return NotMeasured("no attempt was made")
    total = missing = 0
    for row in rows:
        usage = row.usage
        if isinstance(usage.prompt, int) and isinstance(usage.completion, int) and usage.complete is not False:
            total += usage.prompt + usage.completion
        else:
            missing += 1
    return (
        NotMeasured(f"the usage of {missing} of {len(rows)} attempts is not known")
        if missing
        else -(-total // len(rows))
    )


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
