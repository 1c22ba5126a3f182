"""`metadata.yaml` of a submission, in its two shapes: what it records of the run, what it prints, what it only seems to say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal

from denominator.errors import InputError
from denominator.importers.swebench.submissions import METADATA, first_of
from denominator.records.foreign import Published, Told
from denominator.wire.sources import Source, loose_yaml

METADATA_BYTES = 1 << 20
PRINTED = {"resolved": ("percent", "rate"), "cost": ("other", "cost"), "instance_cost": ("other", "cost")}
PRINTED |= {"instance_calls": ("other", "other")}


@dataclass(slots=True)
class Metadata:
    """`title` is the submission's name, `assets` where its logs lie, `document` what it records in the words of a manifest."""

    title: str = ""
    assets: object = None
    document: dict[str, object] = field(default_factory=dict)
    unknown: dict[str, str] = field(default_factory=dict)


def read_metadata(files: Source, folder: str, told: Told) -> Metadata:
    """The metadata of a submission; an empty one where there is none or it cannot be read."""
    name = first_of(files.names(), folder, METADATA)
    if not name:
        return Metadata()
    try:
        found = loose_yaml(files.read(name, METADATA_BYTES), name)
    except InputError as error:
        told.say("unreadable_member", name, error.what, blocks=False)
        return Metadata()
    told.files[name] = "what the submission says of itself"
    return metadata_of(found, name, told) if isinstance(found, dict) else Metadata()


def metadata_of(found: Mapping[str, object], where: str, told: Told) -> Metadata:
    """Both shapes: `info` and `tags`, or everything at the top."""
    info, tags = _table(found.get("info")) or found, _table(found.get("tags"))
    read = Metadata(title=str(info.get("name") or ""), assets=found.get("assets"))
    told.published += printed(info, where, "/info" if "info" in found else "")
    if warning := info.get("warning"):
        told.notes.append(f"the submission carries a warning: {str(warning)[:200]}")
    _checked(tags.get("checked", found.get("verified")), told)
    models = tags.get("model")
    if isinstance(models, str | list) and (named := [one for one in _listed(models) if isinstance(one, str)]):
        read.document |= {"model_id": named[0]} if len(named) == 1 else {}
        if len(named) > 1:
            read.unknown["model_id"] = f"the submission names {len(named)} models, and no file says which one did what"
    _attempts(_table(tags.get("system")).get("attempts"), read)
    if isinstance(version := info.get("mini-swe-agent_version"), str):
        read.document |= {"agent_id": "mini-swe-agent", "agent_version": version}
    return read


def printed(info: Mapping[str, object], where: str, base: str) -> list[Published]:
    """Numbers that a person typed: they are never the result. `base` is a pointer into `where`, which may hold one already."""
    place = where + base if "#" in where else f"{where}#{base}"
    return [
        Published(metric=f"{key} (typed by hand)", value=f"{value:f}" if isinstance(value, Decimal) else str(value),
                  unit=unit, role=role, where=f"{place}/{key}")
        for key, (unit, role) in PRINTED.items()
        if isinstance(value := info.get(key), int | Decimal | str) and not isinstance(value, bool) and _number(value)
    ]  # fmt: skip


def of_split(told: Told, size: int | None) -> None:
    """The boards print percents of a whole split: where its size is known, that is what they are out of."""
    if size:
        told.published[:] = [
            replace(one, of=one.of or "the split", out_of=size, unit_of="draws") if one.role == "rate" else one
            for one in told.published
        ]


def _number(value: int | Decimal | str) -> bool:
    return not isinstance(value, str) or value.replace(".", "", 1).isdecimal()


def _table(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _listed(value: str | list[object]) -> list[object]:
    return value if isinstance(value, list) else [value]


def _checked(value: object, told: Told) -> None:
    """A text that begins with "false" is true for a program that only asks whether it is there."""
    if isinstance(value, str):
        told.notes.append(f"checked is the text {value[:60]!r}, not a yes or no; it is read as not checked")
    elif value is True:
        told.notes.append("the submission says that its results were checked by the keepers of the leaderboard")


def _attempts(value: object, read: Metadata) -> None:
    """ "1" is one attempt; "2+" is several, nobody says how many or how one was chosen."""
    text = str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""
    if text.isdecimal() and len(text) < 10 and int(text) > 0:
        read.document["max_attempts"] = int(text)
    elif text:
        said = f"the submission says {text[:60]!r} attempts: neither how many nor how one was chosen"
        read.unknown["max_attempts"] = said
