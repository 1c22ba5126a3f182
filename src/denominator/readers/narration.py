"""What the rows of a narration probe amount to (METHODS M11), for probes of ours and for foreign ones."""

from __future__ import annotations

from collections.abc import Sequence

from denominator.records.words import ControlState

SHOWN = 8


def narration_state(held: Sequence[tuple[str, bool | None]]) -> tuple[ControlState, str]:
    """State of the control and why, from each task and whether it held (None: nobody knows). One edit violates it."""
    edited = [task for task, one in held if one is False]
    unseen = [task for task, one in held if one is None]
    if edited:
        return (
            ControlState.VIOLATED,
            f"told to edit nothing, it edited in {len(edited)} of {len(held)}: {_some(edited)}",
        )
    if unseen:
        return ControlState.INCONCLUSIVE, f"{len(unseen)} of {len(held)} probes did not come to an end: {_some(unseen)}"
    return ControlState.HELD, f"told to edit nothing, it edited nothing in {len(held)} tasks"


def _some(tasks: Sequence[str]) -> str:
    more = f" and {len(tasks) - SHOWN} more" if len(tasks) > SHOWN else ""
    return ", ".join(tasks[:SHOWN]) + more
