"""What node's test runner writes in every format: words for kinds of failure, and cases that are whole files."""

from __future__ import annotations

import re

NODE_KINDS = {"testTimeoutFailure": "timeout", "hookFailed": "setup", "uncaughtException": "raised"}
_FILE = re.compile(r"(?:/|\./|[A-Za-z]:[\\/])[^\n]{1,1000}\.[cm]?[jt]sx?")


def is_node_file(name: str) -> bool:
    """Is this case a file that node ran (its path is the name)? Such a case says that the file loaded, no more."""
    return _FILE.fullmatch(name) is not None
