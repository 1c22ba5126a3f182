"""`spend --estimate`: every arm judged again with one estimator's tokens in the place of the provider's, or none is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from denominator.errors import Exit, InputError, Problem
from denominator.pipeline.results import Result, judge_ledger, unfinished
from denominator.ports import Blobs
from denominator.readers.estimating import NAME, answer_tokens, request_tokens
from denominator.readers.tools.wire_calls import api_of_call
from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow, Ledger, Usage
from denominator.records.values import NotMeasured
from denominator.wire.providers import Api, is_free, sum_usage

LABEL = f"estimated:{NAME}"
MOST = 5
FIX = "estimate runs of ours whose gateway kept the bodies (gateway.bodies = keep), all of them or none"
NOT_TOLD = NotMeasured("an estimate tells no parts apart")
Named = tuple[str, Result]


def estimated(named: Sequence[Named], stores: Sequence[Blobs | None]) -> list[Named]:
    """The same arms with estimated usage. Raises InputError where the texts of one call of one arm are not at hand."""
    problems = [
        Problem(name or result.ledger.run_id, why)
        for (name, result), store in zip(named, stores, strict=True)
        if (why := _missing(result.ledger, store))
    ]
    if problems:
        raise InputError(
            "stored texts are missing, so no arm is estimated", where="--estimate", problems=problems, fix=FIX
        )
    return [
        (name, _judged(result, store) if store is not None else result)
        for (name, result), store in zip(named, stores, strict=True)
    ]


def _missing(ledger: Ledger, store: Blobs | None) -> str:
    """What of an arm cannot be estimated; an arm that calls no model needs nothing."""
    if all(row.usage.calls == 0 for row in ledger.rows if row.started):
        return ""
    if store is None or not ledger.calls:
        return "the texts of its calls are not at hand"
    lost = [call for call in _spent(ledger.calls) if not _stored(call, store)]
    names = ", ".join(f"{call.key.task_id}:{call.seq}" for call in lost[:MOST])
    return f"{len(lost)} calls without stored texts: {names}" if lost else ""


def _spent(calls: Iterable[CallRow]) -> list[CallRow]:
    return [call for call in calls if call.purpose == "solve" and not is_free(call)]


def _stored(call: CallRow, store: Blobs) -> bool:
    shas = (call.request_sha256, call.response_sha256)
    return call.bodies_kept is True and all(isinstance(sha, str) and store.has(sha) for sha in shas)


def _judged(result: Result, store: Blobs) -> Result:
    calls = tuple(_with(call, store) for call in result.ledger.calls)
    made_by: dict[AttemptKey, list[CallRow]] = {}
    for call in calls:
        made_by.setdefault(call.key, []).append(call)
    rows = tuple(
        replace(row, usage=sum_usage(made_by[row.key])) if row.key in made_by else row for row in result.ledger.rows
    )
    made = judge_ledger(replace(result.ledger, rows=rows, calls=calls), result.terms)
    codes = [int(made.exit), *unfinished(result)]
    return replace(made, exit=Exit.worst(codes))


def _with(call: CallRow, store: Blobs) -> CallRow:
    """A call with estimated usage; of a free one nothing changes."""
    if is_free(call) or call.purpose != "solve":
        return call
    return replace(call, usage=_usage(call, store, api_of_call(call)), usage_source=LABEL, usage_convention=LABEL)


def _usage(call: CallRow, store: Blobs, api: Api) -> Usage:
    sent, answered = str(call.request_sha256), str(call.response_sha256)
    prompt, completion = request_tokens(store.get(sent)), answer_tokens(store.get(answered), api)
    if call.outcome != "ok":
        return _unknown("the answer is not whole, so nobody knows what was made for it")
    if prompt is None or completion is None:
        return _unknown("the stored texts cannot be read")
    return Usage(
        prompt=prompt,
        completion=completion,
        cached_read=NOT_TOLD,
        cache_write=NOT_TOLD,
        reasoning=NOT_TOLD,
        calls=1,
        complete=True,
    )


def _unknown(reason: str) -> Usage:
    why = NotMeasured(reason)
    return Usage(prompt=why, completion=why, complete=False)
