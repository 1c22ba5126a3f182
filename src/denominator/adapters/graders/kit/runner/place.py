"""Copies the graded tree to where it runs: without bytecode and without `.git`, links as links."""

import os
import stat

LEFT_OUT = frozenset({"__pycache__", ".git"})


def copy(source: str, target: str) -> None:
    os.makedirs(target, exist_ok=True)
    for entry in os.scandir(source):
        if entry.name in LEFT_OUT:
            continue
        to = os.path.join(target, entry.name)
        if entry.is_symlink():
            os.symlink(os.readlink(entry.path), to)
        elif entry.is_dir(follow_symlinks=False):
            copy(entry.path, to)
        elif entry.is_file(follow_symlinks=False):
            copy_file(entry.path, to)


def copy_file(source: str, target: str) -> None:
    with open(source, "rb") as old, open(target, "xb") as new:
        while chunk := old.read(1 << 20):
            new.write(chunk)
        run = os.fstat(old.fileno()).st_mode & stat.S_IXUSR
        os.fchmod(new.fileno(), 0o755 if run else 0o644)
