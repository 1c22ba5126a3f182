"""Seeded damage to row files: cuts, doubled and swapped lines, changed types, stray bytes."""

from __future__ import annotations

import json
import random

OTHER = (True, False, None, -1, 0, 1, 2, 1.5, "x", "1", "pass", "fail", [], {}, [1], "unscoreable", 10**30)


def cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data))]


def drop_bytes(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + data[at + rng.randrange(1, 12) :]


def flip_byte(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]


def stray_byte(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + rng.choice((b"\xff", b"\xc3", b"\x00", b"\x80", b"\n", b'"', b"}")) + data[at:]


def swap_bytes(data: bytes, rng: random.Random) -> bytes:
    a, b = sorted(rng.sample(range(len(data)), 2))
    return data[:a] + data[b : b + 1] + data[a + 1 : b] + data[a : a + 1] + data[b + 1 :]


def double_line(data: bytes, rng: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))
    return b"".join(lines)


def swap_lines(data: bytes, rng: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    rng.shuffle(lines)
    return b"".join(lines)


def drop_line(data: bytes, rng: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    del lines[rng.randrange(len(lines))]
    return b"".join(lines)


def join_lines(data: bytes, rng: random.Random) -> bytes:
    places = [place for place, byte in enumerate(data) if byte == 10]
    at = rng.choice(places) if places else 0
    return data[:at] + data[at + 1 :]


def change_value(data: bytes, rng: random.Random) -> bytes:
    """Another type or word in one place; a file that another damage made unreadable is cut instead."""
    whole = data.lstrip().startswith(b"[")
    try:
        rows = json.loads(data) if whole else data.splitlines()
        place = rng.randrange(len(rows))
        row = rows[place] if whole else json.loads(rows[place])
        row[rng.choice(sorted(row))] = rng.choice(OTHER)
    except (ValueError, TypeError, IndexError):
        return cut(data, rng)
    rows[place] = row if whole else json.dumps(row).encode()
    return json.dumps(rows).encode() if whole else b"\n".join(rows) + b"\n"


def double_key(data: bytes, rng: random.Random) -> bytes:
    places = [place for place, byte in enumerate(data) if byte == ord("{")]
    at = rng.choice(places) + 1 if places else 0
    return data[:at] + b'"task_id": "other", ' + data[at:]


MUTATIONS = (
    cut,
    drop_bytes,
    flip_byte,
    stray_byte,
    swap_bytes,
    double_line,
    swap_lines,
    drop_line,
    join_lines,
    change_value,
    change_value,
    change_value,
    double_key,
)


def mutated(data: bytes, seed: str) -> bytes:
    rng = random.Random(seed)
    for _ in range(rng.choice((1, 1, 1, 2))):
        data = rng.choice(MUTATIONS)(data, rng) if data else data
    return data
