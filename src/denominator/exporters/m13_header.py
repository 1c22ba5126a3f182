"""The header of a failure-class ledger: what its logs were made under, in the words that readers of such logs know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from denominator.records.conditions import condition
from denominator.records.events import Json
from denominator.records.judgements import Judged, JudgedDraw
from denominator.records.seals import Terms
from denominator.records.values import NotMeasured
from denominator.wire.codec import loads

WORDS = {
    "harness_version": "harness_version",
    "prompt_hash": "prompt_id",
    "timeout": "wall_cap_s",
    "retry_cap": "max_attempts",
    "token_budget": "budget_tokens_per_task",
}
"""What METHODS M13 asks of a header, beside the seeds, and the condition that answers it."""
TEMPLATE = "prompt_template_sha256"
"""What the prompt hash of a foreign header is called here."""
OTHERS = (
    "seeds",
    "repeats",
    TEMPLATE,
    "rules_digest",
    "sentence",
    "house_reasons",
    "never_started_allowed",
)
"""Conditions that the header says otherwise, or that are no condition of another reader's judgement."""
NO_SEED = NotMeasured("no seed of its own was declared")
EXPECTED = {"gold_must_pass": "pass", "noop_must_stay_green": "pass", "floor": "pass", "canary": "pass"}


def seeds_of(terms: Terms, repeats: int) -> tuple[int | NotMeasured, ...]:
    """The seed of each repeat; unknown where none was declared, or one stands twice: no number is made up."""
    stated = condition(terms.conditions, "seeds")
    read = loads(stated.encode()) if isinstance(stated, str) else None
    found = read if isinstance(read, list) else []
    sound = len(found) >= repeats and all(isinstance(one, int) and not isinstance(one, bool) for one in found)
    if sound and len({*found[:repeats]}) == repeats:
        return tuple(found[:repeats])
    return (NO_SEED,) * repeats


def header_of(
    judged: Judged, run_id: str, draws: Sequence[JudgedDraw], seeds: Sequence[int | NotMeasured]
) -> dict[str, Json]:
    """The document: METHODS M13's six fields, the declared draws and controls, and every other condition that is known."""
    terms = judged.sheet.terms
    told: dict[str, Json] = {"run_id": run_id, **dict(_conditions(terms))}
    told["repeats"] = len(seeds)
    told |= {"seeds": [one for one in seeds if isinstance(one, int)]} if NO_SEED not in seeds else {}
    told["task_ids"] = list(dict.fromkeys(one.draw.task_id for one in draws))
    times = Counter(one.draw.task_id for one in draws)
    told |= {"draws": dict(times)} if {*times.values()} - {len(seeds)} else {}
    told |= {"never_started_allowed": list(allowed)} if (allowed := terms.never_started_allowed) else {}
    told["controls"] = [*_controls(draws)]
    told["hidden_tests"] = terms.hidden_tests
    told["contract"] = terms.digest
    return told


def unknown_of(terms: Terms) -> dict[str, str]:
    """What the header cannot say, with the reason."""
    names = {ours: word for word, ours in WORDS.items()}
    stated = {one.name: one.value for one in terms.conditions}
    found = {ours: condition(terms.conditions, ours) for ours in names} | stated
    return {
        names.get(name, name): value.not_measured for name, value in found.items() if isinstance(value, NotMeasured)
    }


def _conditions(terms: Terms) -> Iterator[tuple[str, Json]]:
    known = {one.name: one.value for one in terms.conditions if isinstance(one.value, str)}
    if TEMPLATE in known:
        known.setdefault("prompt_id", known[TEMPLATE])
    for word, ours in WORDS.items():
        if ours in known:
            yield word, terms.attempts - 1 if word == "retry_cap" else _value(known[ours])
    for name, value in known.items():
        if name not in (*WORDS.values(), *OTHERS):
            yield name, _value(value)


def _value(text: str) -> Json:
    """A condition's canonical text as a value; a number that is no integer stays text, so that no float travels."""
    return _plain(loads(text.encode(), floats="decimal"))


def _plain(value: object) -> Json:
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return value if value is None or isinstance(value, str | int | bool) else str(value)


def _controls(draws: Sequence[JudgedDraw]) -> Iterator[Json]:
    """Typed controls with what they must come to."""
    typed = {one.draw.task_id: one.control for one in draws if one.control}
    for task_id, control in typed.items():
        yield {"task_id": task_id, "expected": EXPECTED.get(control, "fail"), "role": control}
