"""Every Eval Ever 0.3.0: one aggregate document of a run, for the shared datastore of evaluation results.

What is written: the headline with counts, interval and method; the conditions of the run, each with how it is known; digests that
say of what exactly the number speaks. The schema holds a score and nothing for a result without one, so a run whose rate the gate
withholds is refused. Draws that could not be scored count as not passed in the score; the schema has no word for them, so their
number stands in `score_details.details`, with the rate among scored draws nowhere: it is not the headline.
Unknown is left out where the schema has a field of its own, and said with its reason in `additional_details`.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from denominator.errors import BlockedError, InputError
from denominator.exporters.shape import refuse_hidden_split
from denominator.records.conditions import condition
from denominator.records.estimates import Estimate
from denominator.records.exports import Export
from denominator.records.values import NotMeasured, is_placeholder
from denominator.wire.numbers import decimal_of

VERSION = "0.3.0"
NOT_STATED = "not stated"
EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc)  # noqa: UP017  # read by Python 3.10 too
LIMITS = {"time_limit": "wall_cap_s", "token_limit": "budget_tokens_per_task"}
"""Fields of `eval_limits` and the conditions that they are: seconds and tokens of one attempt."""
PLAN = ("agent_version", "prompt_id", "retry_policy", "repeats")
TOOLS = ("agent_id", "tool_list_digest", "tool_call_cap", "tool_timeout_s")
"""Conditions of what an agent works with."""


class EveryEvalEver:
    """The aggregate document of one run."""

    name = "every-eval-ever"
    title = "Every Eval Ever 0.3.0: the headline with its conditions, as one aggregate document"
    ending = "json"
    cannot_say = (
        "a draw that could not be scored has no state of its own: it counts as not passed, and its number stands in details",
        "a result without a rate (counts alone, or a withheld number) cannot be written: it is refused",
        "which sentences the result does not allow, and what would lift that, has no place",
        "whether a condition is recorded, declared or derived is text in additional_details, as are limits on calls and cost",
        "rows by instance are not in this document: every-eval-ever-rows writes them beside it",
    )

    def write(self, run: Export) -> bytes:
        """The document, keys sorted, in UTF-8. BlockedError: no rate may be printed. InputError: no model or no time is known."""
        refuse_hidden_split(run, self.name)
        text = json.dumps(_document(run), indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False)
        return text.encode("utf-8", "backslashreplace") + b"\n"


def _document(run: Export) -> dict[str, Any]:
    headline, model, when = _headline(run), _model(run), _when(run)
    epoch = str(int((when - EPOCH).total_seconds()))
    card = run.card
    about = {"run_id": card.run_id, "seal_digest": card.seal_digest, "rules_digest": card.rules_digest}
    return {
        "schema_version": VERSION,
        "evaluation_id": f"{_pack(run)}/{model}/{epoch}",
        "evaluation_timestamp": when.isoformat(),
        "retrieved_timestamp": epoch,
        "source_metadata": {
            "source_name": "denominator",
            "source_type": "evaluation_run",
            "source_organization_name": NOT_STATED,
            "evaluator_relationship": "other",
            "additional_details": {name: value for name, value in about.items() if value},
        },
        "eval_library": _library(run),
        "model_info": _model_info(run, model),
        "evaluation_results": [_result(run, headline)],
    }


def _headline(run: Export) -> Estimate:
    found = next((one for one in run.card.estimates if one.metric == "headline"), None)
    if run.card.verdict.status != "publishable" or found is None or isinstance(found.value, NotMeasured):
        why = (
            found.value.not_measured if found is not None and isinstance(found.value, NotMeasured) else "it is blocked"
        )
        fix = "denominator gate says what would lift that; junit and csv need no rate"
        raise BlockedError(
            f"no rate may be printed ({why}), and this format has no place for a result without one", fix=fix
        )
    return found


def _pack(run: Export) -> str:
    return run.card.pack or run.card.run_id


def _known(run: Export, name: str) -> Any:
    """The value of a condition, or None where nobody stated it."""
    text = condition(run.terms.conditions, name)
    if isinstance(text, NotMeasured):
        return None
    value = json.loads(text)
    return None if is_placeholder(value) or value == "none" else value


def _model(run: Export) -> str:
    model = _known(run, "model_id")
    if not isinstance(model, str):
        fix = "declare model_id (--declare FILE of import); of an agent that calls no model there is no such document"
        raise InputError("no model is named", where="model_id", fix=fix)
    return model


def _when(run: Export) -> dt.datetime:
    """The latest start of an attempt, or the day that is stated: never the time of this export, which would move the document."""
    told = [row.started_at for row in run.ledger.rows if isinstance(row.started_at, str)]
    every = [time for text in (*told, *run.terms.dates, run.terms.sealed_at) if (time := _time(text)) is not None]
    if not every:
        fix = "declare the dates of the run (--declare FILE of import)"
        raise InputError("nobody stated when it was run", where="dates", fix=fix)
    return max(every)


def _time(text: str) -> dt.datetime | None:
    try:
        found = dt.datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=EPOCH.tzinfo)


def _library(run: Export) -> dict[str, Any]:
    """The harness that ran it; where that was another one, who judged it stands beside."""
    own = f"denominator {run.card.version}"
    if run.terms.origin == "seal":
        return {"name": "denominator", "version": run.card.version}
    name, version = _known(run, "harness_name"), _known(run, "harness_version")
    return {
        "name": str(name or NOT_STATED),
        "version": str(version or NOT_STATED),
        "additional_details": {"judged_by": own},
    }


def _model_info(run: Export, model: str) -> dict[str, Any]:
    details = {
        name: value for name in ("model_snapshot", "served_model") if isinstance(value := _known(run, name), str)
    }
    unknown = {"deployment_type": "unknown", "model_availability": "unknown"}
    info: dict[str, Any] = {"name": model, "id": model, "additional_details": {**details, **unknown}}
    return info | ({"developer": model.partition("/")[0]} if "/" in model else {})


def _result(run: Export, headline: Estimate) -> dict[str, Any]:
    more = {"pack_digest": run.card.pack_digest, "task_slice_sha256": _known(run, "task_slice_sha256")}
    return {
        "evaluation_result_id": f"{run.card.run_id}/headline",
        "evaluation_name": _pack(run),
        "source_data": {
            "dataset_name": _pack(run),
            "source_type": "other",
            "additional_details": {name: value for name, value in more.items() if value},
        },
        "metric_config": {
            "evaluation_description": headline.estimand,
            "metric_id": "denominator.pass_rate_of_declared",
            "metric_name": "pass rate over declared draws",
            "metric_kind": "pass_rate",
            "metric_unit": "proportion",
            "lower_is_better": False,
            "score_type": "continuous",
            "min_score": 0,
            "max_score": 1,
        },
        "score_details": _score(run, headline),
        "generation_config": _generation(run),
    }


def _score(run: Export, headline: Estimate) -> dict[str, Any]:
    found: dict[str, Any] = {"score": float(str(headline.value)), "details": dict(_details(run, headline))}
    if isinstance(headline.lo, str) and isinstance(headline.hi, str):
        interval = {"lower": float(headline.lo), "upper": float(headline.hi), "confidence_level": float(headline.level)}
        found["uncertainty"] = {"confidence_interval": interval | {"method": headline.method}}
        if isinstance(headline.denominator, int):
            found["uncertainty"]["num_samples"] = headline.denominator
    return found


def _details(run: Export, headline: Estimate) -> Iterator[tuple[str, str]]:
    """Counts first: how many of how many, and what became of the others."""
    yield "numerator", str(headline.numerator)
    yield "denominator", f"{headline.denominator} {headline.unit}"
    if isinstance(run.card.equation, Mapping):
        yield from ((f"draws_{name}", str(n)) for name, n in run.card.equation.items())
    yield from ((f"unscoreable_{name}", str(n)) for name, n in run.card.reasons.items() if name)
    yield "tasks", str(headline.n_tasks)
    yield "repeats", str(headline.repeats)
    yield "sentence", run.card.verdict.sentence
    yield "rows_digest", headline.rows_digest


def _generation(run: Export) -> dict[str, Any]:
    """Decoding, limits, box and plan, as far as they are known; every condition with how it is known beside them."""
    numbers = {
        name: number for name, of in LIMITS.items() if isinstance(number := _number(run, of), int) and number > 0
    }
    plan = {name: str(value) for name in PLAN if (value := _known(run, name))}
    named = {"name": str(agent)} if (agent := _known(run, "agent_id")) else {}
    longest = _number(run, "max_output_tokens")
    args: dict[str, Any] = {
        "temperature": _number(run, "temperature"),
        "max_tokens": longest if isinstance(longest, int) and longest > 0 else None,
        "agentic_eval_config": _agentic(run) or None,
        "eval_limits": numbers or None,
        "eval_plan": {**named, "config": plan} if named or plan else None,
        "sandbox": {"type": box} if isinstance(box := _known(run, "sandbox"), str) else None,
        "max_attempts": run.terms.attempts if run.terms.retry_declared and run.terms.attempts < 1000 else None,
    }
    return {
        "generation_args": {name: value for name, value in args.items() if value is not None},
        "additional_details": dict(_conditions(run)),
    }


def _number(run: Export, name: str) -> int | float | None:
    """A condition that is a number, or the decimal text of one."""
    value = _known(run, name)
    found = decimal_of(value) if isinstance(value, str) else value
    if isinstance(found, bool) or not isinstance(found, int | float | Decimal):
        return None
    return int(found) if found == int(found) else float(found)


def _agentic(run: Export) -> dict[str, Any]:
    """Tools that were called, so that they were there; limits and digests of tools that have no field of their own."""
    called = sorted({told.rpartition(":")[0] for call in run.ledger.calls for told in call.tool_calls} - {"", "?"})
    beside = {name: str(value) for name in TOOLS if (value := _known(run, name))}
    sent = sorted({call.tools_sha256 for call in run.ledger.calls if isinstance(call.tools_sha256, str)})
    if called:
        beside["available_tools"] = "those that were called"
    if len(sent) == 1:
        beside["tools_sha256"] = sent[0]
    return ({"available_tools": [{"name": name} for name in called]} if called else {}) | (
        {"additional_details": beside} if beside else {}
    )


def _conditions(run: Export) -> Iterator[tuple[str, str]]:
    for one in run.terms.conditions:
        known = not isinstance(one.value, NotMeasured)
        yield one.name, f"{one.value} ({one.by})" if known else str(one.value)


EXPORTER = EveryEvalEver()
