"""Bytes of an XML report made fit for a parser: one stray byte must not lose a whole report."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

_ESCAPED = re.compile("[\udc80-\udcff]")
_CONTROL = bytes(ord("?") if code < 32 and code not in (9, 10, 13) else code for code in range(256))
_ENCODING = re.compile(rb"<\?xml[^>]{0,200}encoding=[\"']([A-Za-z0-9._-]{1,40})[\"']")


def is_utf8(head: bytes) -> bool:
    """Does the document say, or not deny, that it is UTF-8?"""
    declared = _ENCODING.search(head[:400])
    wide = head[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\x00" in head[:4]
    return not wide and (declared is None or declared[1].lower() in (b"utf-8", b"utf8", b"us-ascii", b"ascii"))


def cleaned(parts: Iterator[bytes]) -> Iterator[bytes]:
    """The same number of bytes, with a question mark for each byte that XML in UTF-8 cannot hold."""
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    for part in parts:
        yield _ESCAPED.sub("?", decoder.decode(part.translate(_CONTROL))).encode()
    yield _ESCAPED.sub("?", decoder.decode(b"", True)).encode()
