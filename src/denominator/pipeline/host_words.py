"""Where a sandbox has no file system of its own, host paths that an agent names become the paths inside that they stand for.

Without that its own workspace, which lies in the run's folder, would be "the run" to a reader, and its /tmp "elsewhere".
"""

from __future__ import annotations

import json
import posixpath
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from denominator.pipeline.material import Material
from denominator.wire.scratch import held

WORK = "/work"
FOLDERS = {"agent": WORK, "out": "/out", "in": "/in", "relay": "/run/denominator"}
"""Folders of an attempt's scratch, and the paths inside that mean them."""
KINDS = ("bare", "landlock")
"""Sandboxes in which a job's folders keep a path of the host's, or get one of our making."""
REST = r"(?:/[^\s'\"\\;|&<>(){}=,:]*)?(?![\w.-])"
"""The rest of a path, as far as a word of a command or a JSON text goes."""
Told = Callable[[str], str]


def inside_words(material: Material) -> Told:
    """What makes host paths of a text (arguments as JSON) those inside; nothing where the sandbox has its own file system."""
    seal = material.run.seal
    name = "bare" if seal.unsandboxed else seal.sandbox.name
    if name not in KINDS:
        return lambda text: text
    attempt = material.run.folder.attempt(material.notes.key)
    hosts = dict(_hosts((Path.cwd() / attempt, attempt.resolve()), seal.arm.mounts))
    forms = {form: host for host in hosts for form in _written(host)}
    scratch = rf"{re.escape(f'{tempfile.gettempdir()}/{held(name)}')}\w+/(?P<own>tmp|home|work)"
    placed = r"/(?:run|opt)/[0-9]{1,3}(?![0-9])" if name == "landlock" else r"(?!)"
    longest = "|".join(map(re.escape, sorted(forms, key=len, reverse=True)))
    pattern = re.compile(rf"(?<![\w./-])(?P<host>{longest}|{scratch}|{placed})(?P<rest>{REST})")

    def told(hit: re.Match[str]) -> str:
        host = forms.get(hit["host"])
        inside = hosts[host] if host else {"tmp": "/tmp", "home": "/home/agent"}.get(hit["own"] or "", WORK)
        rest = posixpath.normpath(f"/{hit['rest'].lstrip('/')}") if ".." in hit["rest"] else hit["rest"]
        return hit[0] if _leaves(hit["rest"]) else f"{inside}{rest.rstrip('/')}"

    return lambda text: pattern.sub(told, text)


def _hosts(attempts: tuple[Path, ...], mounts: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for attempt in attempts:
        yield from ((f"{attempt}/{name}", inside) for name, inside in FOLDERS.items())
    for mount in mounts:
        host, _, inside = mount.rpartition("=")
        if host.startswith("/"):
            yield host.rstrip("/"), inside


def _written(path: str) -> set[str]:
    """A path as JSON texts have it."""
    return {json.dumps(path, ensure_ascii=each)[1:-1] for each in (True, False)}


def _leaves(rest: str) -> bool:
    """Does the rest of a path climb out of the folder that it begins in?"""
    depth = 0
    for part in rest.split("/"):
        depth += (part not in ("", ".")) - 2 * (part == "..")
        if depth < 0:
            return True
    return False
