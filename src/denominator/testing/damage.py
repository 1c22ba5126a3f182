"""Seeded damage to the members of a source, as careless and hostile programs do it. One seed, one damage.

`Damage.hurts` is true where a damage can only take away: what was no pass before is none after it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from denominator.errors import InputError
from denominator.wire.sources import loose_yaml

Members = dict[str, bytes]
DEEP = 3_000
MARK = "@@place@@"
RAW = (
    "null", "-1", "[[]]", '{"a": {}}', '"x"', '""', '"' + "x" * 200_000 + '"', "[" * 150 + "]" * 150, "[" * DEEP + "]" * DEEP,
    "NaN", "-Infinity", "1e999", "-1e-999", "7" * 500, "0.00000000000000000001", '"\\ud800"', '"../../etc/passwd"', '"a\\u0000b"',
    '"\\u202e"', '{"": null}', "[null]", '"0x"', '[{"a": 1}, 2]', '"' + "9" * 5_001 + '"',
)  # fmt: skip
"""No value that anybody could take for a pass. A number of times is in `CLAIMS`."""
CLAIMS = ("2000000000", "99999999999999999999", "-5", "0.5", "1e30")


class Damage(NamedTuple):
    """What was done to which member."""

    what: str
    member: str
    members: Members
    hurts: bool


def damaged(members: Members, seed: str) -> Damage:
    """A damaged copy of the members of a source; all of them are given, in any order. Every fourth copy is damaged twice."""
    rng = random.Random(seed)  # noqa: S311  # to be repeated, not to be secret
    found = _once(members, rng)
    if rng.randrange(4) or not found.members:
        return found
    more = _once(found.members, rng)
    what = "_claim" if "claim" in (found.what, more.what) else more.what
    return Damage(what.removeprefix("_"), more.member, more.members, found.hurts and more.hurts)


def _once(members: Members, rng: random.Random) -> Damage:
    name = rng.choice(sorted(members))
    what = rng.choice(KINDS if _shaped(members[name], name) else PLAIN)
    found = what(dict(members), name, rng)
    return Damage(what.__name__.removeprefix("_"), name, found, what in HURTS)


def damaged_by(kind: str, members: Members, seed: str, tries: int = 40) -> Damage | None:
    """A copy with damage of one kind (`KIND_NAMES`), the first of some tries that changes anything; None where none does."""
    what = next(one for one in KINDS if one.__name__.removeprefix("_") == kind)
    for number in range(tries):
        rng = random.Random(f"{seed}/{number}")  # noqa: S311
        name = rng.choice(sorted(members))
        if what not in PLAIN and not _shaped(members[name], name):
            continue
        found = what(dict(members), name, rng)
        if found != members:
            return Damage(kind, name, found, what in HURTS)
    return None


# --- bytes


def _cut(members: Members, name: str, rng: random.Random) -> Members:
    data = members[name]
    return members | {name: data[: rng.randrange(len(data))] if data else b""}


def _missing(members: Members, name: str, _rng: random.Random) -> Members:
    del members[name]
    return members


def _missing_folder(members: Members, name: str, rng: random.Random) -> Members:
    parts = name.split("/")
    above = "/".join(parts[: rng.randrange(len(parts))] if len(parts) > 1 else parts)
    return {one: data for one, data in members.items() if one != above and not one.startswith(f"{above}/")}


def _emptied(members: Members, name: str, _rng: random.Random) -> Members:
    return members | {name: b""}


def _other_encoding(members: Members, name: str, rng: random.Random) -> Members:
    text = members[name].decode("utf-8", "replace")
    return members | {name: text.encode(rng.choice(("utf-16", "utf-32", "cp500")), "replace")}


def _noise(members: Members, name: str, rng: random.Random) -> Members:
    return members | {name: rng.randbytes(rng.choice((1, 100, 10_000)))}


def _flipped(members: Members, name: str, rng: random.Random) -> Members:
    data = bytearray(members[name] or b"x")
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return members | {name: bytes(data)}


def _stray(members: Members, name: str, rng: random.Random) -> Members:
    data = members[name]
    at = rng.randrange(len(data) + 1)
    return members | {
        name: data[:at] + rng.choice((b"\xff", b"\0", b"\xc3", b"\n", b'"', b"}", b"\xef\xbb\xbf", b"\r")) + data[at:]
    }


def _swapped(members: Members, name: str, rng: random.Random) -> Members:
    other = rng.choice(sorted(members))
    return members | {name: members[other], other: members[name]}


def _copied(members: Members, name: str, rng: random.Random) -> Members:
    return members | {
        rng.choice((f"copy/{name}", f"{name}.bak", f"{name}/{name}" if len(members) > 9 else f"again/{name}")): members[
            name
        ]
    }


def _lines(members: Members, name: str, rng: random.Random) -> Members:
    lines = members[name].splitlines(keepends=True) or [b""]
    at = rng.randrange(len(lines))
    done = rng.choice(
        (
            lambda: lines.insert(rng.randrange(len(lines) + 1), lines[at]),
            lambda: lines.pop(at),
            lambda: rng.shuffle(lines),
            lambda: lines.__setitem__(at, b"[" * DEEP + b"\n"),
            lambda: lines.insert(at, lines[at][: len(lines[at]) // 2] + b"\n"),
        )
    )
    done()
    return members | {name: b"".join(lines)}


# --- JSON


def _shaped(data: bytes, name: str) -> list[Any] | None:
    """The documents of a member, one or one a line; None: it is no JSON. YAML is written again as JSON, which is YAML too."""
    if name.endswith((".yaml", ".yml")):
        try:
            return [loose_yaml(data, name, [])]
        except InputError:
            return None
    try:
        return [json.loads(data)]
    except (ValueError, RecursionError):
        pass
    try:
        return [json.loads(line) for line in data.splitlines() if line.strip()] or None
    except (ValueError, RecursionError):
        return None


def _places(value: Any, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Every (container, key) in a document."""
    work = [value]
    while work:
        one = work.pop()
        keys: Sequence[Any] = list(one) if isinstance(one, dict) else range(len(one)) if isinstance(one, list) else ()
        for key in keys:
            found.append((one, key))
            work.append(one[key])
    return found


def _wrong_type(members: Members, name: str, rng: random.Random) -> Members:
    return _at_a_place(members, name, rng, rng.choice(RAW))


def _claim(members: Members, name: str, rng: random.Random) -> Members:
    return _at_a_place(members, name, rng, rng.choice(CLAIMS))


def _at_a_place(members: Members, name: str, rng: random.Random, raw: str) -> Members:
    documents = [_shaped(members[name], name)]
    container, key = rng.choice(_places(documents, []) or [(documents, 0)])
    if container is documents or container is documents[0]:
        container, key = (documents[0] or documents), 0
    container[key] = MARK
    return _written(members, name, documents[0], raw)


def _dropped_key(members: Members, name: str, rng: random.Random) -> Members:
    documents = _shaped(members[name], name) or []
    places = [(box, key) for box, key in _places(documents, []) if isinstance(box, dict)]
    if places:
        box, key = rng.choice(places)
        del box[key]
    return _written(members, name, documents, "")


def _doubled_key(members: Members, name: str, rng: random.Random) -> Members:
    documents = _shaped(members[name], name) or []
    places = [(box, key) for box, key in _places(documents, []) if isinstance(box, dict)]
    if not places:
        return members
    box, key = rng.choice(places)
    box[f"{MARK}{key}"] = MARK
    text = _written(members, name, documents, rng.choice(RAW))[name].decode("utf-8", "surrogatepass")
    return members | {name: text.replace(f'"{MARK}', '"').encode("utf-8", "surrogatepass")}


def _written(members: Members, name: str, documents: Any, raw: str) -> Members:
    every = documents if isinstance(documents, list) else [documents]
    one_line = len(every) > 1
    text = "\n".join(json.dumps(one, indent=None if one_line else 1, default=str) for one in every) + "\n" * one_line
    return members | {name: text.replace(f'"{MARK}"', raw).encode("utf-8", "surrogatepass")}


Kind = Callable[[Members, str, random.Random], Members]
TAKES: tuple[Kind, ...] = (_cut, _missing, _missing_folder, _emptied, _other_encoding, _noise)
PLAIN: tuple[Kind, ...] = (*TAKES, _cut, _flipped, _stray, _swapped, _copied, _lines)
KINDS: tuple[Kind, ...] = (
    *PLAIN,
    *((_wrong_type,) * 10),
    *((_claim,) * 3),
    _dropped_key,
    _dropped_key,
    _doubled_key,
    _doubled_key,
)
HURTS = (*TAKES, _wrong_type, _doubled_key)
KIND_NAMES = tuple(dict.fromkeys(kind.__name__.removeprefix("_") for kind in KINDS))
