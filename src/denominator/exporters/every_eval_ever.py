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
from typing import Any

from denominator.errors import BlockedError, InputError
from denominator.exporters.generation import generation, known
from denominator.exporters.shape import refuse_hidden_split
from denominator.records.estimates import Estimate
from denominator.records.exports import Export
from denominator.records.values import NotMeasured
from denominator.records.words import Rung

VERSION = "0.3.0"
NOT_STATED = "not stated"
EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc)  # noqa: UP017  # read by Python 3.10 too


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
    unknown = found is None or isinstance(found.value, NotMeasured)
    if run.card.verdict.status != "publishable" or run.card.verdict.rung == Rung.COUNTS or unknown:
        fix = "denominator gate says what would lift that; junit and csv need no rate"
        raise BlockedError(
            f"no rate may be printed ({_why(run, found)}), and this format has no place for a result without one",
            fix=fix,
        )
    assert found is not None
    return found


def _why(run: Export, found: Estimate | None) -> str:
    if found is not None and isinstance(found.value, NotMeasured):
        return found.value.not_measured
    return "it is blocked" if run.card.verdict.status != "publishable" else "counts alone may be told of it"


def _pack(run: Export) -> str:
    return run.card.pack or run.card.run_id


def _model(run: Export) -> str:
    model = known(run, "model_id")
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
    name, version = known(run, "harness_name"), known(run, "harness_version")
    return {
        "name": str(name or NOT_STATED),
        "version": str(version or NOT_STATED),
        "additional_details": {"judged_by": own},
    }


def _model_info(run: Export, model: str) -> dict[str, Any]:
    details = {name: value for name in ("model_snapshot", "served_model") if isinstance(value := known(run, name), str)}
    unknown = {"deployment_type": "unknown", "model_availability": "unknown"}
    info: dict[str, Any] = {"name": model, "id": model, "additional_details": {**details, **unknown}}
    return info | ({"developer": model.partition("/")[0]} if "/" in model else {})


def _result(run: Export, headline: Estimate) -> dict[str, Any]:
    more = {"pack_digest": run.card.pack_digest, "task_slice_sha256": known(run, "task_slice_sha256")}
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
        "generation_config": generation(run),
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


EXPORTER = EveryEvalEver()
