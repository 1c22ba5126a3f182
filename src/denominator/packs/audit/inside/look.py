"""Says on fd 3 what a sandbox shows: one JSON line each for files, command lines, environments, mounts, git objects.

Sizes of what is looked for come on stdin; of a file of the toolchain only one of such a size is hashed.
"""

import base64
import hashlib
import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator

TEXT_MAX = 1 << 20
FILE_MAX = 64 << 20
TOOLS = ("/usr", "/lib", "/lib64", "/bin", "/sbin", "/opt/python")
PACKED = (b"PK\3\4", b"\xfd7zX", b"\x28\xb5\x2f\xfd", b"7z\xbc\xaf", b"Rar!", b"\x04\x22\x4d\x18")
NEVER = ("/proc", "/sys", "/dev/fd", "/look")


def main() -> None:
    sizes = set(json.load(sys.stdin)["sizes"])
    with os.fdopen(3, "wb") as out:

        def tell(line: dict[str, str]) -> None:
            out.write(json.dumps(line).encode() + b"\n")

        def say(where: str, data: bytes, text: bool = True) -> None:
            line = {"where": where, "sha256": hashlib.sha256(data).hexdigest()}
            line["blob"] = hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
            if text and len(data) <= TEXT_MAX:
                line["text"] = base64.b64encode(data).decode()
            elif text and packed(data):
                line["unread"] = f"a packed file of more than {TEXT_MAX >> 20} MiB"
            tell(line)

        for path, info in files("/"):
            tool = path.startswith(TOOLS)
            if tool and info.st_size not in sizes:
                continue
            if info.st_size > FILE_MAX:
                tell({"where": path, "sha256": "", "blob": "", "unread": f"more than {FILE_MAX >> 20} MiB"})
                continue
            try:
                with open(path, "rb") as file:
                    say(path, file.read(), text=not tool)
            except OSError:
                continue
        for where, data in processes():
            say(where, data)
        for where, data in git_objects("/work"):
            say(where, data)
        out.write(b'{"where": "end", "sha256": ""}\n')


def packed(data: bytes) -> bool:
    """Does it begin as an archive or a compressed file does?"""
    return data[:4] in PACKED or data[:2] == b"\x1f\x8b" or data[:3] == b"BZh" or data[257:262] == b"ustar"


def files(root: str) -> Iterator[tuple[str, os.stat_result]]:
    """Every regular file below a folder, no link followed."""
    for folder, folders, names in os.walk(root, followlinks=False):
        folders[:] = [name for name in folders if os.path.join(folder, name) not in NEVER]
        for name in names:
            path = os.path.join(folder, name)
            try:
                info = os.lstat(path)
            except OSError:
                continue
            if stat.S_ISREG(info.st_mode):
                yield path, info


def processes() -> Iterator[tuple[str, bytes]]:
    """Environment, command line, mounts and open files of every process that shows."""
    yield "environment", "\n".join(f"{key}={value}" for key, value in os.environ.items()).encode()
    for number in filter(str.isdigit, os.listdir("/proc")):
        for name in ("cmdline", "environ", "mountinfo"):
            try:
                with open(f"/proc/{number}/{name}", "rb") as file:
                    yield f"/proc/{number}/{name}", file.read(TEXT_MAX).replace(b"\0", b"\n")
            except OSError:
                continue


def git_objects(root: str) -> Iterator[tuple[str, bytes]]:
    """Every object of the repository, reachable or not, as git unpacks it."""
    if not os.path.isdir(os.path.join(root, ".git")):
        return
    listed = subprocess.run(
        ["git", "-C", root, "cat-file", "--batch-all-objects", "--batch-check"], capture_output=True, check=False
    )
    for line in listed.stdout.decode().splitlines():
        name, kind, _ = line.split()
        shown = subprocess.run(["git", "-C", root, "cat-file", "-p", name], capture_output=True, check=False)
        yield f"git {kind} {name[:12]}", shown.stdout


if __name__ == "__main__":
    main()
