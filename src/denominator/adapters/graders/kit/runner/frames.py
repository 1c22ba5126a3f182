"""The report: one line a frame, `<number> <code> <json>`, the code keyed by a secret of this grading."""

import hashlib
import json
import os


class Channel:
    """Writes frames to a descriptor that no child inherits."""

    def __init__(self, fd, nonce):
        os.set_inheritable(fd, False)
        key = bytes.fromhex(nonce)
        number = iter(range(1 << 62))

        def send(kind, **fields):
            text = f"{next(number)} {json.dumps({'kind': kind, **fields}, separators=(',', ':'))}"
            code = hashlib.blake2b(text.encode(), key=key, digest_size=16).hexdigest()
            first, _, rest = text.partition(" ")
            write(fd, f"{first} {code} {rest}\n".encode())

        self.send = send


def write(fd, data):
    while data:
        data = data[os.write(fd, data) :]
