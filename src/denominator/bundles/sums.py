"""SHA256SUMS as coreutils writes and reads it: `sha256sum -c SHA256SUMS` says the same as we do, of the files it names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from denominator.bundles.layout import UNSUMMED, is_plain
from denominator.records.bundles import Fault

_LINE = re.compile(r"([0-9a-fA-F]{64}) [ *](.+)")
SHOWN = 60


@dataclass(frozen=True, slots=True)
class Sums:
    """What a file of sums says: digest by name, and which of its lines say nothing."""

    by_name: Mapping[str, str]
    faults: tuple[Fault, ...]


def write_sums(digests: Mapping[str, str]) -> bytes:
    """One line a file, sorted by name. Names are those of `layout`, which need no escape."""
    return "".join(f"{sha}  {name}\n" for name, sha in sorted(digests.items())).encode()


def read_sums(data: bytes, where: str) -> Sums:
    """Every line, or what is wrong with it. A name that stands twice, or that leaves the folder, counts as a fault."""
    found: dict[str, str] = {}
    faults = (
        [] if data.endswith(b"\n") or not data else [Fault(kind="sums", where=where, what="its last line is cut off")]
    )
    if not data:
        faults.append(Fault(kind="sums", where=where, what="it is empty"))
    for number, line in enumerate(data.decode("utf-8", "replace").split("\n")[: data.count(b"\n")], 1):
        if why := _put(found, line):
            faults.append(Fault(kind="sums", where=f"{where}:{number}", what=why))
    return Sums(found, tuple(faults))


def _put(found: dict[str, str], line: str) -> str:
    """Take one line in; why it cannot be, or nothing."""
    read = _LINE.fullmatch(line)
    if read is None:
        return "is no line of `sha256sum`"
    sha, name = read[1].lower(), read[2].removeprefix("./")
    if not is_plain(name):
        return f"names {name[:SHOWN]!r}, which no file of a bundle is called"
    if name in UNSUMMED:
        return f"names {name}, which it cannot hold"
    if name in found:
        return f"names {name} a second time"
    found[name] = sha
    return ""


def held_against(sums: Sums, there: Mapping[str, str], where: str) -> Iterator[Fault]:
    """Files that are missing, changed or unlisted; `there` is the digest of every file that lies there, by name."""
    for name, sha in sorted(sums.by_name.items()):
        if name not in there:
            yield Fault(kind="missing", where=name, what=f"{where} lists it, and it is not there")
        elif there[name] != sha:
            what = f"digest mismatch: {name}: listed {sha[:12]}, found {there[name][:12]}"
            yield Fault(kind="changed", where=name, what=what)
    for name in sorted(_unlisted(sums, there)):
        yield Fault(kind="unlisted", where=name, what=f"it lies there, and {where} does not list it")


def _unlisted(sums: Sums, there: Iterable[str]) -> Iterator[str]:
    return (name for name in there if name not in sums.by_name and name not in UNSUMMED)
