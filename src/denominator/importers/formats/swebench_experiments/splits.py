"""The splits of the experiments repository: how many instances each holds, and where a submission says which one it is of."""

from __future__ import annotations

import re
from collections.abc import Mapping

SIZES: Mapping[str, int] = {
    "verified": 500,
    "bash-only": 500,
    "lite": 300,
    "test": 2294,
    "multimodal": 517,
    "multilingual": 300,
}
"""Instances of each split, by the folder's name; the numbers are of the datasets as published."""
BOARDS = {**{name: name for name in SIZES}, "full": "test"}
ASSET = re.compile(r"s3://[^/\s]+/(?:evaluation/)?([a-z-]+)/[^/\s]+/(?:logs|trajs)")
TOP = "evaluation"


def split_of_path(folder: str, source: str) -> str:
    """The split in `evaluation/<split>/<submission>`, or the folder that was opened; nothing where it is not known."""
    parts = folder.split("/") if folder else []
    if TOP in parts:
        below = parts[parts.index(TOP) + 1 :]
        return below[0] if len(below) == 2 and below[0] in SIZES else ""
    if len(parts) == 2 and source == TOP:
        return parts[0] if parts[0] in SIZES else ""
    return source if len(parts) == 1 and source in SIZES else ""


def split_of_assets(assets: object) -> str:
    """The split that the addresses of logs and trajectories name."""
    values = assets.values() if isinstance(assets, dict) else ()
    found = {match[1] for one in values if isinstance(one, str) and (match := ASSET.match(one))}
    return next(iter(found)) if len(found) == 1 and found <= SIZES.keys() else ""
