"""Whose interpreter grades again: the verifier's. A seal is the issuer's word, and names no path of this machine.

A sealed interpreter is started outside the sandbox too (to read its version), and what lies beside it is shown inside.
"""

from __future__ import annotations

import os
import re
import sys
import sysconfig
from dataclasses import replace
from pathlib import Path

from denominator.errors import InputError
from denominator.records.envelopes import SandboxTerms
from denominator.records.values import NotMeasured

INTERPRETER = re.compile(r"/usr/(?:local/)?bin/python3(?:\.\d+)?")
SYSTEM = Path("/usr")


def terms_here(terms: SandboxTerms, python: str, site: str) -> SandboxTerms | NotMeasured:
    """The sealed terms with the toolchain that this machine grades with, or why there is none.

    What the verifier names takes the place of what is sealed; else the sealed path must be the system's own, or of the
    interpreter that runs this. InputError: what was named is not there. A container has its image's toolchain.
    """
    if terms.backend == "docker":
        return terms
    named = replace(terms, python=_named(python, "--python") or terms.python, site=_named(site, "--site") or terms.site)
    if not python and not own_interpreter(terms.python):
        return _refused("interpreter", terms.python, "--python PATH")
    if terms.site and not site and not own_site(terms.site):
        return _refused("folder of packages", terms.site, "--site DIR")
    return named


def own_interpreter(path: str) -> bool:
    """A Python of the system, or the one that runs this."""
    return bool(INTERPRETER.fullmatch(path)) or path == sys.executable


def own_site(path: str) -> bool:
    """Below /usr, which every sandbox shows anyway, or where packages of the running interpreter lie."""
    if os.path.normpath(path) != path:
        return False
    return SYSTEM in Path(path).parents or path in {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}


def _named(path: str, option: str) -> str:
    if not path:
        return ""
    if not (os.access(path, os.X_OK) if option == "--python" else Path(path).is_dir()):
        raise InputError(
            f"{path} is not there", where=option, fix=f"name what is on this machine, or leave out {option}"
        )
    return str(Path(path).absolute())


def _refused(what: str, path: str, option: str) -> NotMeasured:
    why = (
        f"the seal names {path!r} as its {what}, which is none of this machine's own: to grade all the same, name yours"
    )
    return NotMeasured(f"{why} with {option}")
