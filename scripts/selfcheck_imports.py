"""Writes src/denominator/data/selfcheck/imports.zip: the first example of each format, for `denominator selfcheck`."""

from __future__ import annotations

import json
import sys
import tempfile
import zipfile
from pathlib import Path

from denominator.wiring.importers import importer_names

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "src" / "denominator" / "data" / "selfcheck" / "imports.zip"
OLD = (1980, 1, 1, 0, 0, 0)


def main() -> None:
    """One folder a format, and index.json: where the example lies in it, its part, its rows."""
    sys.path.insert(0, str(ROOT / "tests"))
    from importer_examples import examples

    members: dict[str, bytes] = {}
    index: list[dict[str, object]] = []
    for name in importer_names():
        with tempfile.TemporaryDirectory() as folder:
            for one in examples(name, Path(folder))[:1]:
                index.append({"importer": name, "path": one.path.name, "part": one.part, "rows": one.rows})
                files = [one.path] if one.path.is_file() else [path for path in one.path.rglob("*") if path.is_file()]
                for path in files:
                    members[f"{name}/{path.relative_to(one.path.parent).as_posix()}"] = path.read_bytes().replace(
                        folder.encode(), b"/runs"
                    )
    members["index.json"] = json.dumps(index, indent=1).encode() + b"\n"
    with zipfile.ZipFile(TARGET, "w") as made:
        for name, data in sorted(members.items()):
            made.writestr(zipfile.ZipInfo(name, OLD), data, zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    main()
