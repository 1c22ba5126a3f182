"""What one attempt shows of one declared value: it took effect, it did not, or nothing tells."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal

from denominator.compare.observed import LIMIT_FIELDS, SEALED_ROWS, Values, plain_model
from denominator.records.rows import AttemptRow, CallRow
from denominator.records.values import NotMeasured
from denominator.wire.byvalue import by_value, same_by_value

Took = bool | None
Watch = Callable[[AttemptRow, Sequence[CallRow], object, Values], Took]
NO_MODEL = "none"


def watch_of(name: str, declared: object, other: str | NotMeasured | None) -> Watch:
    if name in WATCHES:
        return WATCHES[name]
    if name == "tool_list_digest":
        return _tools_watch(declared, other)
    return _by_name(name)


def _model(row: AttemptRow, calls: Sequence[CallRow], declared: object, own: Values) -> Took:
    """Every answer came from the declared snapshot; where no snapshot is known, from a model of the declared name."""
    served = {call.served_model for call in calls if isinstance(call.served_model, str)} or set(row.served_models)
    if declared == NO_MODEL:
        return row.usage.calls == 0 if isinstance(row.usage.calls, int) and not served else (False if served else None)
    if not served:
        return None
    names = [declared, *([_read(own["model_snapshot"])] if "model_snapshot" in own else [])]
    return serves_model(served, (name for name in names if isinstance(name, str)))


def _snapshot(row: AttemptRow, calls: Sequence[CallRow], declared: object, _own: Values) -> Took:
    """Every answer came from this very snapshot."""
    served = {call.served_model for call in calls if isinstance(call.served_model, str)} or set(row.served_models)
    return serves_snapshot(served, str(declared)) if served else None


def serves_model(served: Iterable[str], names: Iterable[str]) -> bool:
    """Is every served name one of these, or a dated version of one?"""
    wanted = {plain_model(name) for name in names}
    return all(_is_one(plain_model(model), wanted) for model in served)


def serves_snapshot(served: Iterable[str], declared: str) -> bool:
    """Is every served name this very snapshot?"""
    return {plain_model(model) for model in served} == {plain_model(declared)}


def _read(value: str | NotMeasured) -> object:
    return json.loads(value) if isinstance(value, str) else None


def _is_one(served: str, wanted: Iterable[str]) -> bool:
    """A served name is the declared one, or one of its dated versions (`fam` and `fam-2026-08-01`)."""
    return any(served == name or _is_version(served.removeprefix(name)) for name in wanted if served.startswith(name))


def _is_version(rest: str) -> bool:
    """Is what stands behind a model's name a date or a number (`-2026-08-01`, `@002`), and no other model's name?"""
    return len(rest) > 1 and rest[0] in "-@:_." and all(one.isdecimal() or one in "-_.:" for one in rest[1:])


def _hosts(row: AttemptRow, _calls: Sequence[CallRow], declared: object, _own: Values) -> Took:
    return set(row.served_hosts) == {declared} if row.served_hosts else None


def _quantised(row: AttemptRow, _calls: Sequence[CallRow], declared: object, _own: Values) -> Took:
    return set(row.quantisations) == {declared} if row.quantisations else None


def _access(row: AttemptRow, _calls: Sequence[CallRow], declared: object, _own: Values) -> Took:
    return row.access_class == declared if row.source.kind != SEALED_ROWS and row.access_class else None


def _server(row: AttemptRow, _calls: Sequence[CallRow], declared: object, _own: Values) -> Took:
    return row.server_class == declared if row.source.kind != SEALED_ROWS and row.server_class else None


def _seed(row: AttemptRow, _calls: Sequence[CallRow], declared: object, _own: Values) -> Took:
    return Decimal(row.seed) == declared if row.source.kind != SEALED_ROWS and isinstance(row.seed, int) else None


WATCHES: Mapping[str, Watch] = {
    "model_id": _model,
    "model_snapshot": _snapshot,
    "served_host": _hosts,
    "endpoint_host": _hosts,
    "quantisation": _quantised,
    "access_class": _access,
    "server_class": _server,
    "seed": _seed,
}


def _tools_watch(declared: object, other: str | NotMeasured | None) -> Watch:
    """Present: the tool list was sent as declared. Used: a tool that only this arm has was called."""
    extra = _names(declared) - _names(_read(other) if isinstance(other, str) else None)

    def watch(row: AttemptRow, _calls: Sequence[CallRow], declared: object, _own: Values) -> Took:
        used = tool_names(row)
        if extra:
            return None if used is None else bool(extra & used)
        if isinstance(row.tools_sha256, str) and isinstance(declared, str):
            return row.tools_sha256.removeprefix("sha256:") == declared.removeprefix("sha256:")
        return None

    return watch


def _names(value: object) -> set[str]:
    """The tools of a list of names; empty where only a digest is declared."""
    return {one for one in value if isinstance(one, str)} if isinstance(value, list) else set()


def tool_names(row: AttemptRow) -> set[str] | None:
    """Which tools a foreign row says were called; None where it has no log."""
    try:
        calls = json.loads(row.extra.get("tool_calls", ""))
    except (ValueError, RecursionError):
        return None
    if not isinstance(calls, list):
        return None
    named = [one.get("name", one.get("tool")) if isinstance(one, dict) else one for one in calls]
    return {name for name in named if isinstance(name, str)}


def _by_name(name: str) -> Watch:
    """What the row records under the field's own name, or as the limit in force that belongs to it."""
    limits = tuple(limit for limit, condition in LIMIT_FIELDS.items() if condition == name)

    def watch(row: AttemptRow, _calls: Sequence[CallRow], declared: object, _own: Values) -> Took:
        if name in row.extra:
            return same_by_value(row.extra[name]) == by_value(declared)
        said = [row.limits_enforced[limit] for limit in limits if limit in row.limits_enforced]
        if not said or row.source.kind == SEALED_ROWS:
            return None
        return all(same_by_value(one) == by_value(declared) for one in said)

    return watch
