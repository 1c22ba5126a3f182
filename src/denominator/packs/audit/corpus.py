"""The agents that ship with the package and play against a pack's grader: an index, and the files that a sandbox is shown."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

FORGERY = "forgery"
READING = "reading"
"""The one kind that may win at G2: what runs in the reporter's process can be the reporter."""
LEFT_OUT = ("__pycache__",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """One agent: a function of a kind's file. Its twin is the function with `__honest` behind the name.

    `beats` names the careless grader that it was shown to win against.
    """

    kind: str
    name: str
    title: str
    beats: str

    @property
    def id(self) -> str:
        """`kind.name`."""
        return f"{self.kind}.{self.name}"

    @property
    def twin(self) -> str:
        """The honest function's name."""
        return f"{self.name}__honest"


def load_corpus() -> tuple[Attack, ...]:
    """Every attack of the index, in its order."""
    told = tomllib.loads(corpus_files()["index.toml"].decode("utf-8"))
    return tuple(Attack(**one) for one in told["attack"])


def corpus_files() -> Mapping[str, bytes]:
    """Relative path -> bytes of the shipped corpus."""
    return dict(sorted(_below(files("denominator") / "data" / "attacks", "")))


def corpus_digest() -> str:
    """sha256 of the lines that `sha256sum` prints for the corpus, by path."""
    lines = [f"{hashlib.sha256(data).hexdigest()}  {path}\n" for path, data in corpus_files().items()]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _below(folder: Traversable, prefix: str) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for child in folder.iterdir():
        if child.name in LEFT_OUT:
            continue
        path = prefix + child.name
        found += _below(child, f"{path}/") if child.is_dir() else [(path, child.read_bytes())]
    return found
