"""Masking."""

import re

MASK = "****"


def redact(line, names):
    """The line with the values of `names` masked."""
    for name in names:
        line = re.sub(name + r"=\S+", name + "=" + MASK, line)
    return line
