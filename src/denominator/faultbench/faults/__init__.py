"""Every kind of fault that can be planned at a checkpoint, one file each."""

from __future__ import annotations

from collections.abc import Mapping

from denominator.faultbench.faults.clock_jump import CLOCK_JUMP
from denominator.faultbench.faults.disk_full import DISK_FULL
from denominator.faultbench.faults.hard_exit import HARD_EXIT
from denominator.faultbench.faults.kill import KILL
from denominator.faultbench.faults.oom import OOM
from denominator.faultbench.faults.provider_5xx import PROVIDER_5XX
from denominator.faultbench.faults.provider_429 import PROVIDER_429
from denominator.faultbench.faults.sigterm import SIGTERM
from denominator.faultbench.faults.slow import SLOW
from denominator.faultbench.faults.stream_cut import STREAM_CUT
from denominator.faultbench.kinds import Kind

KINDS: tuple[Kind, ...] = (
    KILL,
    HARD_EXIT,
    SIGTERM,
    DISK_FULL,
    PROVIDER_429,
    PROVIDER_5XX,
    STREAM_CUT,
    SLOW,
    CLOCK_JUMP,
    OOM,
)
BY_NAME: Mapping[str, Kind] = {str(kind.kind): kind for kind in KINDS}
