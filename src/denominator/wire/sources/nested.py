"""A zip file that is a member of a folder, as a source of its own."""

from __future__ import annotations

from pathlib import Path

from denominator.errors import InputError
from denominator.wire.sources.base import Source
from denominator.wire.sources.folder import Folder


def nested(source: Source, name: str) -> Source:
    """The members of a zip file in a folder, opened below it and through no link. InputError: damaged, or not in a folder."""
    from denominator.wire.sources.archive import Archive

    if not isinstance(source, Folder):
        inner = isinstance(source, Archive)
        what = "is a zip file inside of a zip file" if inner else "is no whole zip file"
        fix = "unpack the outer one first" if inner else "the copy is not complete: get it again"
        raise InputError(what, where=f"{source.name}/{name}", fix=fix)
    return Archive(Path(name), source._handle(name))
