"""What a reader made of stored bytes, once: labels are judged from facts and can be judged again without the bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from denominator.records.events import Json
from denominator.records.keys import AttemptKey


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What one reader, in one version, says about one attempt. `sources` are digests of the blobs that it read, sorted."""

    key: AttemptKey
    reader: str
    version: int
    data: Mapping[str, Json] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    schema_version: int = 1
