"""Office files: a zip file of XML parts, opened as `wire.sources` opens foreign ones, parsed without entities."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from urllib.parse import unquote
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from denominator.errors import InputError
from denominator.wire.sources.archive import Archive

PART_BYTES = 24 << 20
WHOLE_BYTES = 128 << 20
"""All parts that are read of one file."""
DEPTH_MAX = 200
ELEMENTS_MAX = 1_000_000
ENTITIES = "declares a document type, which could pull in other files"


class Parts:
    """The parts of one file. Names are relative, without a slash at the start."""

    def __init__(self, data: bytes, name: str) -> None:
        with TemporaryFile() as file:
            file.write(data)
            file.flush()
            self._archive = Archive(Path(name.rpartition("/")[2] or "file"), os.dup(file.fileno()))
        if self._archive.twice:
            fix = "two programs could show two different documents: save it again"
            raise InputError("holds two parts of one name", where=name, fix=fix)
        self.name = name
        self._left = WHOLE_BYTES
        self._links: dict[str, dict[str, str]] = {}

    def names(self, folder: str = "") -> Sequence[str]:
        """Parts in a folder, those of folders in it too, in natural order."""
        return sorted((one for one in self._archive.names() if one.startswith(folder)), key=_natural)

    def has(self, part: str) -> bool:
        """Is there such a part?"""
        return part in self._archive.names()

    def xml(self, part: str) -> Element:
        """The root of a part. Raises InputError: missing, damaged, too large, no XML, a document type."""
        where = f"{self.name}/{part}"
        data = self._archive.read(part, min(PART_BYTES, self._left))
        self._left -= len(data)
        return parsed(data, where)

    def links(self, part: str) -> dict[str, str]:
        """Targets of a part's relations by id: parts by name, links as they are."""
        if part not in self._links:
            folder, _, base = part.rpartition("/")
            relations = f"{folder}/_rels/{base}.rels" if folder else f"_rels/{base}.rels"
            root = self.xml(relations) if self.has(relations) else Element("none")
            self._links[part] = {one.get("Id", ""): _target(one, folder) for one in root}
        return self._links[part]


def _target(one: Element, folder: str) -> str:
    target = unquote(one.get("Target", ""))
    if one.get("TargetMode") == "External":
        return target
    return posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")


def _natural(name: str) -> tuple[int, str]:
    digits = "".join(char for char in name.rpartition("/")[2] if char.isdecimal() and char.isascii())
    return (int(digits[:9]) if digits else 0, name)


def parsed(data: bytes, where: str) -> Element:
    """The tree of a document, names without their namespaces: transitional and strict files have two."""
    builder, state = TreeBuilder(), [0, 0]
    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True

    def refuse(*_: object) -> None:
        raise InputError(ENTITIES, where=where, fix="save it again with an office program")

    def start(tag: str, attributes: dict[str, str]) -> None:
        state[0], state[1] = state[0] + 1, state[1] + 1
        if state[0] > DEPTH_MAX or state[1] > ELEMENTS_MAX:
            raise InputError("is nested too deeply, or holds too many elements", where=where)
        builder.start(local(tag), _attributes(attributes))

    def end(tag: str) -> None:
        state[0] -= 1
        builder.end(local(tag))

    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = builder.data
    try:
        parser.Parse(data, True)
        return builder.close()
    except expat.ExpatError as error:
        raise InputError(f"is no whole XML ({error})", where=where) from None
    except (ValueError, LookupError) as error:
        raise InputError(f"cannot be decoded ({error})", where=where) from None


def _attributes(given: dict[str, str]) -> dict[str, str]:
    """By local name; `r:id` is `@id`, so that it is not taken for an `id` of the element's own."""
    return {(f"@{local(name)}" if "relationships" in name else local(name)): value for name, value in given.items()}


def local(tag: str) -> str:
    """A name without its namespace."""
    return tag.rpartition("}")[2]


def find(root: Element, *names: str) -> Iterator[Element]:
    """Elements below, by local name, in order; what is shown in the place of something else (`Fallback`) is not entered."""
    stack = [iter(root)]
    while stack:
        one = next(stack[-1], None)
        if one is None:
            stack.pop()
        elif one.tag in names:
            yield one
        elif one.tag != "Fallback":
            stack.append(iter(one))


def first(root: Element, *names: str) -> Element | None:
    """The first element below with such a name."""
    return next(find(root, *names), None)
