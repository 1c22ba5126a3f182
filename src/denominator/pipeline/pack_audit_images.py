"""The images in which a pack's tasks run, searched layer by layer for what no agent may see."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from denominator.errors import DenominatorError
from denominator.packs.audit import Said
from denominator.packs.audit.image import ImageSearch, search_image
from denominator.packs.audit.sieve import Sieve
from denominator.packs.audit.tarstream import Source
from denominator.pipeline.pack_audit_bench import AuditBench
from denominator.pipeline.pack_audit_sight import needles_here, snapshot_lines
from denominator.records.values import counted

OpenImage = Callable[[str], AbstractContextManager[Source]]
"""Opens an image by its pin, as its engine saves it. Raises a DenominatorError when the engine cannot."""


def images_searched(ab: AuditBench, more: Sequence[str], open_image: OpenImage | None) -> Said:
    """Every image that a task names, and `more`. What cannot be read leaves the check undecided."""
    named = {task.environment.image for task in ab.found.pack.tasks if task.environment.image}
    pins = sorted({ab.bench.images.get(name, name) for name in named} | set(more))
    if not pins:
        return Said(nothing="no task names an image, and none was given (--image)")
    if open_image is None:
        return Said(unknown=tuple(f"{_short(pin)}: no engine to ask for its layers" for pin in pins))
    sieve = Sieve(needles_here(ab), snapshot_lines(ab))
    problems: list[str] = []
    unknown: list[str] = []
    told: list[str] = []
    for pin in pins:
        ab.say(f"layers of {_short(pin)}")
        try:
            with open_image(pin) as source:
                got = search_image(source, sieve)
        except DenominatorError as error:
            unknown.append(f"{_short(pin)}: {error.what}")
            continue
        except OSError as error:
            unknown.append(f"{_short(pin)}: {error}")
            continue
        problems += [f"{_short(pin)} {words}" for words in (*got.found, *got.tokens)]
        unknown += [f"{_short(pin)} {words}" for words in got.unread]
        told.append(_told(pin, got))
    return Said(result="; ".join(told), problems=tuple(problems), unknown=tuple(unknown))


def _told(pin: str, got: ImageSearch) -> str:
    hits = len(got.found) + len(got.tokens)
    said = f"{_short(pin)}: {hits or 'nothing'} found in {counted(got.layers, 'layer')}, {counted(got.files, 'file')}, "
    said += f"{counted(got.objects, 'git object')}, {counted(got.strings, 'text')} of its configuration"
    closed = f"; {counted(got.closed, 'packed file')} of the system's folders not opened" if got.closed else ""
    return said + closed


def _short(pin: str) -> str:
    """A pin with the first twelve digits of its digest."""
    name, mark, digest = pin.rpartition("sha256:")
    return f"{name}{mark}{digest[:12]}" if mark else pin
