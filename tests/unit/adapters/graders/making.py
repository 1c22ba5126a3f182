"""Reports and endings as a grading makes them."""

import hashlib
import json

from denominator.adapters.graders.decide import Expectation
from denominator.ports import Ended

NONCE = "ab" * 16


def ended(report=b"", exit_code=1, signal=0, killed_by="nobody", start_error=""):
    return Ended(
        exit_code=exit_code,
        signal=signal,
        killed_by=killed_by,
        oom=False,
        wall_ns=1,
        start_ns=1,
        stdout=b"",
        stderr=b"",
        output_truncated=False,
        report=report,
        enforced={},
        start_error=start_error,
    )


def line(number, frame, nonce=NONCE):
    return raw(number, json.dumps(frame, separators=(",", ":")), nonce)


def raw(number, text, nonce=NONCE):
    code = hashlib.blake2b(f"{number} {text}".encode(), key=bytes.fromhex(nonce), digest_size=16).hexdigest()
    return f"{number} {code} {text}\n".encode()


def lines(*frames, nonce=NONCE):
    return b"".join(line(number, frame, nonce) for number, frame in enumerate(frames))


HELLO, LOADING = {"kind": "hello"}, {"kind": "loading"}


def end(code=1):
    return {"kind": "end", "code": code}


def test(id_, word="passed"):
    return {"kind": "test", "id": id_, "word": word, "why": ""}


test.__test__ = False


def whole(*frames, code=1):
    return lines(HELLO, LOADING, *frames, end(code))


def expect(expected=("a", "b"), counter=("c",), sentinels=("s", "t"), **other):
    level = other.pop("level", "G2")
    return Expectation(expected=expected, counter=counter, sentinels=sentinels, nonce=NONCE, level=level, **other)


GOOD = (test("a"), test("b"), test("c", "failed"), test("s", "failed"), test("t", "failed"))
