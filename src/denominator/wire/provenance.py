"""`provenance.toml` as it travels with a result: who wrote the tasks, who ran them, and what was taken out afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from denominator.records.packs import Provenance
from denominator.records.seals import Seal
from denominator.records.values import NotMeasured
from denominator.wire.toml_text import text

NONE_REMOVED = (
    "Nothing was removed after the run: every declared draw has its exit, and every row is folded from the journal."
)
REMOVED = "Taken out of the study before it was locked again; nothing was removed after the run."
AS_STATED = "What was removed after the run is what its source says of it."


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed:
    """Tasks that were taken out, why, and of what (a digest, or "" where that is not said)."""

    task_ids: tuple[str, ...]
    why: str
    origin: str = ""


def provenance_toml(seal: Seal | NotMeasured, run_id: str, contract: str, removed: Sequence[Removed] = ()) -> bytes:
    """The document of one result. Without a seal nobody states who wrote the tasks, and the document says so."""
    return "\n".join((*_lines(seal, run_id, contract, removed), "")).encode()


def _lines(seal: Seal | NotMeasured, run_id: str, contract: str, removed: Sequence[Removed]) -> Iterator[str]:
    yield "# Who wrote the tasks, which models helped, who ran them, and what was taken out."
    yield "schema_version = 1"
    why = REMOVED if removed else NONE_REMOVED if isinstance(seal, Seal) else AS_STATED
    yield f"# {why}"
    yield from () if removed else ("removed = []",)
    yield from _of_tasks(seal if isinstance(seal, NotMeasured) else seal.provenance)
    yield from ("", "[run]", f"run_id = {text(run_id)}", f"contract = {text(contract)}")
    if isinstance(seal, Seal):
        stated = seal.envelope.provenance
        yield f"pack = {text(f'{seal.pack_id} {seal.pack_version}')}"
        yield f"pack_sha256 = {text(seal.pack_digest)}"
        yield f"why_these_tasks = {text(seal.pack_reason)}"
        yield f"operator = {text(str(stated.operator))}"
        yield f"purpose = {text(str(stated.purpose))}"
        yield f"sealed_at = {text(seal.sealed_at)}"
    for one in removed:
        yield from ("", "[[removed]]", f"task_ids = {texts(one.task_ids)}", f"why = {text(one.why)}")
        yield f"origin = {text(one.origin)}"


def _of_tasks(told: Provenance | NotMeasured) -> Iterator[str]:
    if isinstance(told, NotMeasured):
        yield f"not_measured = {text(told.not_measured)}"
        return
    yield f"authors = {texts(told.authors)}"
    yield f"created = {_day(told.created)}"
    yield f"models = {texts(told.models)}"
    yield f"models_note = {text(told.models_note)}"
    yield f"retired = {texts(told.retired)}"
    yield from ("", "[dates]")
    yield from (f"{text(path)} = {_day(day)}" for path, day in sorted(told.dates.items()))


def _day(stated: str) -> str:
    """A date as TOML has it; any other text as a text."""
    try:
        return stated if date.fromisoformat(stated).isoformat() == stated else text(stated)
    except ValueError:
        return text(stated)


def texts(values: Sequence[str]) -> str:
    """A TOML list of strings."""
    return f"[{', '.join(map(text, values))}]"
