"""disk_full: the disk that the runner writes to is filled to the last byte while it stands at its point.

The disk is a small tmpfs of the bench's own, so the system itself says ENOSPC, at whatever is written next: a row, a
blob, a tree. It has room again before the resume. A failpoint with `=enospc` is the same error at one place only.
"""

from __future__ import annotations

from denominator.faultbench.kinds import Held, Kind, Setting
from denominator.records.faults import Fault, FaultKind


def _act(held: Held, _value: str) -> None:
    held.fill_disk()


def _why_not(setting: Setting, _fault: Fault) -> str:
    return setting.disk


DISK_FULL = Kind(
    kind=FaultKind.DISK_FULL, made="a small tmpfs is filled at the point (ENOSPC)", act=_act, why_not=_why_not
)
