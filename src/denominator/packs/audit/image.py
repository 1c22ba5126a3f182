"""Looks through a whole image as its engine saves it: every layer, its configuration and history, git objects inside.

A tar of tars, read once as a stream and never unpacked. Files that a later layer deletes are still in the earlier one, and are
read there. What is compressed in a way that we do not read, or does not fit its digest, is told as unread.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from denominator.packs.audit import gitpack
from denominator.packs.audit.image_streams import Gunzip, Hashed
from denominator.packs.audit.sieve import Sieve
from denominator.packs.audit.tarstream import BLOCK, STEP, Member, Source, TarError, is_header, members
from denominator.packs.audit.unpacked import CLOSED, Piece, is_packed, pieces

FILE_BYTES_MAX = 8 << 20
OVERLAP = 64 << 10
PACK_BYTES_MAX = 256 << 20
JSON_BYTES_MAX = 8 << 20
TOOLS = ("/usr/", "/lib/", "/lib64/", "/bin/", "/sbin/")
PROSE = (".md", ".rst", ".txt", ".adoc")
_LOOSE = re.compile(r"/objects/[0-9a-f]{2}/[0-9a-f]{38}\Z")
_PACK = re.compile(r"/objects/pack/[^/]+\.pack\Z")


@dataclass(slots=True)
class ImageSearch:
    """What was found in an image, which tokens, what could not be read; and how much was looked through.

    `closed` counts packed files of the system's own folders that are not read; elsewhere such a file is `unread`.
    """

    found: list[str] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    layers: int = 0
    files: int = 0
    objects: int = 0
    strings: int = 0
    closed: int = 0


def search_image(source: Source, sieve: Sieve) -> ImageSearch:
    """Read a saved image to its end. A tar that breaks off is told as unread, never raised."""
    return _Looker(sieve).all_of(source)


class _Looker:
    def __init__(self, sieve: Sieve) -> None:
        self.sieve, self.out = sieve, ImageSearch()
        self.named: set[str] = set()
        self.read: set[str] = set()

    def all_of(self, source: Source) -> ImageSearch:
        try:
            for member in members(Hashed(source)):
                if member.is_file and member.size:
                    self._part(member)
        except TarError as error:
            self.out.unread.append(f"the image: {error}")
        missing = sorted(self.named - self.read)
        self.out.unread += [f"layer {digest} is named by the image and was not found in it" for digest in missing]
        if not self.named and not self.out.unread:
            self.out.unread.append("the image: no configuration names its layers")
        for name in ("found", "tokens", "unread"):
            setattr(self.out, name, list(dict.fromkeys(getattr(self.out, name))))
        return self.out

    def _part(self, member: Member) -> None:
        """One file of the outer tar: a layer, a configuration, or a word about the format."""
        outer = Hashed(member.body)
        head = outer.peek(BLOCK)
        if head[:4] in CLOSED:
            self.out.unread.append(f"layer {member.name} is packed with {CLOSED[head[:4]]}, which is not read")
            return
        gzipped = head[:2] == b"\x1f\x8b"
        plain = Hashed(Gunzip(outer)) if gzipped else outer
        try:
            if is_header(plain.peek(BLOCK)):
                self._layer(plain)
            elif head[:1] in (b"{", b"[") and member.size <= JSON_BYTES_MAX:
                self._configuration(member, plain)
            elif head.strip(b"\0") and member.size > BLOCK:
                self.out.unread.append(f"{member.name}: neither a layer nor a configuration")
            self.read.add(plain.digest())
        except TarError as error:
            self.out.unread.append(f"layer {member.name}: {error}")

    def _layer(self, plain: Hashed) -> None:
        """Places are told with the digest, which is known at the end of the layer."""
        before = len(self.out.found), len(self.out.tokens), len(self.out.unread)
        for member in members(plain):
            if member.is_file and member.size:
                self.out.files += 1
                self._file("/" + member.name.lstrip("./"), member)
        digest = plain.digest()
        self.out.layers += 1
        for kept, start in zip((self.out.found, self.out.tokens, self.out.unread), before, strict=True):
            kept[start:] = [f"layer {digest[:19]} {words}" for words in kept[start:]]

    def _file(self, path: str, member: Member) -> None:
        if _PACK.search(path):
            if member.size > PACK_BYTES_MAX:
                self.out.unread.append(f"{path}: a git pack of more than {PACK_BYTES_MAX >> 20} MiB")
            else:
                self._objects(gitpack.packed(path, _whole(member)))
        elif member.size > FILE_BYTES_MAX:
            self._long(path, member)
        elif _LOOSE.search(path):
            self._objects(gitpack.loose(path, _whole(member)))
        else:
            data = _whole(member)
            self._note(self.sieve.bytes_at(path, data, prose=_is_prose(path)))
            if not path.startswith(TOOLS) or is_packed(data[:BLOCK]):
                for piece in pieces(path, data):
                    self._piece(path, piece)

    def _piece(self, path: str, piece: Piece) -> None:
        if not piece.unread:
            self._note(self.sieve.bytes_at(piece.where, piece.data, prose=_is_prose(path)))
        elif path.startswith(TOOLS):
            self.out.closed += 1
        else:
            self.out.unread.append(f"{piece.where}: {piece.unread}")

    def _objects(self, objects: Iterator[Piece]) -> None:
        for one in objects:
            if one.unread:
                self.out.unread.append(f"{one.where}: {one.unread}")
                continue
            self.out.objects += 1
            self._note(self.sieve.bytes_at(one.where, one.data, prose=one.where.endswith(" commit)")))

    def _long(self, path: str, member: Member) -> None:
        """A file that is not held whole: its digests, and its text in windows that overlap."""
        sha256, blob = hashlib.sha256(), hashlib.sha1(b"blob %d\0" % member.size, usedforsecurity=False)
        window, first = b"", True
        while member.body.left:
            got = member.body.read(STEP)
            sha256.update(got)
            blob.update(got)
            if first and is_packed(got[:BLOCK]):
                self._piece(path, Piece(path, unread=f"a packed file of more than {FILE_BYTES_MAX >> 20} MiB"))
            first, window = False, window[-OVERLAP:] + got
            self._note(self.sieve.bytes_at(path, window, prose=False))
        self._note(self.sieve.digests(path, sha256.hexdigest(), blob.hexdigest()))

    def _configuration(self, member: Member, plain: Hashed) -> None:
        """Every text of a JSON file: variables, labels, commands, and how each layer was made."""
        data = bytearray()
        while more := plain.read(STEP):
            data += more
        try:
            told = json.loads(data)
            for where, text in _texts(told, "image configuration"):
                self.out.strings += 1
                self._note(self.sieve.bytes_at(where, text.encode("utf-8", "surrogatepass"), prose=True))
            layers = told.get("rootfs", {}).get("diff_ids", ()) if isinstance(told, dict) else ()
            self.named.update(one for one in layers if isinstance(one, str))
        except (ValueError, AttributeError, TypeError, RecursionError):
            self.out.unread.append(f"{member.name}: a configuration that cannot be read")

    def _note(self, told: Iterator[tuple[str, bool]]) -> None:
        for words, is_token in told:
            (self.out.tokens if is_token else self.out.found).append(words)


def _whole(member: Member) -> bytes:
    data = bytearray()
    while member.body.left:
        data += member.body.read()
    return bytes(data)


def _is_prose(path: str) -> bool:
    """Files for people outside the system's own folders."""
    name = path.rpartition("/")[2]
    return not path.startswith(TOOLS) and (name.endswith(PROSE) or "." not in name)


def _texts(value: object, where: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield where, value
    elif isinstance(value, dict):
        for key, one in value.items():
            yield f"{where}.{key}"[:200], str(key)
            yield from _texts(one, f"{where}.{key}"[:200])
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from _texts(one, f"{where}[{number}]")
