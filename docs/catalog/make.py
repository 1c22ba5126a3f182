"""Write the pages of this folder anew: `python docs/catalog/make.py`. A test checks that they are current."""

from __future__ import annotations

from pathlib import Path

from denominator.pipeline.catalog import all_entries
from denominator.publish.pages import pages

if __name__ == "__main__":
    for name, text in pages(all_entries()).items():
        (Path(__file__).parent / name).write_text(text, encoding="utf-8")
