"""Declared packages: which modules they bring, as far as their declaration or their name tells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

DASHES = re.compile(r"[-_.]+")
VERSION = re.compile(r"\s*(?:[\[<>=!~;@(].*)?\Z", re.S)
NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")
OTHER_NAMES = {
    "attrs": ("attr", "attrs"),
    "beautifulsoup4": ("bs4",),
    "gitpython": ("git",),
    "mysqlclient": ("MySQLdb",),
    "opencv_python": ("cv2",),
    "pillow": ("PIL",),
    "protobuf": ("google",),
    "psycopg2_binary": ("psycopg2",),
    "pycryptodome": ("Crypto",),
    "pyjwt": ("jwt",),
    "pyserial": ("serial",),
    "pytest": ("pytest", "_pytest"),
    "python_dateutil": ("dateutil",),
    "python_dotenv": ("dotenv",),
    "pyyaml": ("yaml",),
    "pyzmq": ("zmq",),
    "scikit_image": ("skimage",),
    "scikit_learn": ("sklearn",),
    "setuptools": ("setuptools", "pkg_resources"),
}
"""Modules of well-known packages whose name tells nothing of them."""
ALIKE_MIN = 3


@dataclass(frozen=True, slots=True)
class Declared:
    """Modules that declared packages are known to bring, and the packages that may bring more."""

    modules: frozenset[str]
    open_names: frozenset[str]


def read_declared(entries: Sequence[str]) -> Declared:
    """`requests`, `requests[socks]>=2` (its modules are not declared), or `PyYAML:yaml` (exactly these modules)."""
    modules: set[str] = set()
    open_names: set[str] = set()
    for entry in entries:
        name, brought = split_entry(entry)
        if brought:
            modules |= set(brought)
        elif name:
            short = normal(name)
            modules |= {short, name, *OTHER_NAMES.get(short, ())}
            open_names.add(name)
    return Declared(frozenset(modules), frozenset(open_names))


def split_entry(entry: str) -> tuple[str, tuple[str, ...]]:
    """Name of the package without version or extras, and the modules that it says it brings."""
    name, _, brought = entry.partition(":")
    return VERSION.sub("", name.strip(), count=1), tuple(part.strip() for part in brought.split(",") if part.strip())


def modules_of(entry: str) -> str:
    """The same package as an entry that names its modules, as far as its name tells them."""
    name, brought = split_entry(entry)
    return entry if brought else f"{name}:{','.join(sorted(read_declared([name]).modules))}"


def normal(name: str) -> str:
    """Name of a package as a module would be written."""
    return DASHES.sub("_", name.strip().lower())


def package_problem(entry: str) -> str:
    """What is wrong with an entry, or ""."""
    name, brought = split_entry(entry)
    if not NAME.fullmatch(name):
        return "does not begin with the name of a package"
    if ":" in entry and not brought:
        return "names no module after the colon"
    odd = [module for module in brought if not module.isidentifier()]
    return f'brings "{odd[0]}", which is no top-level module' if odd else ""


def brings(entries: Sequence[str], top: str) -> bool:
    """Is a top-level module one of the declared ones, or so alike to an open package's name that it may be?"""
    declared = read_declared(entries)
    small = top.lower()
    alike = len(small) >= ALIKE_MIN and any(small in normal(n) or normal(n) in small for n in declared.open_names)
    return top in declared.modules or alike
