"""The error of the bundled token estimator against a real vocabulary: `estimator_error.py FILE ...`; needs tiktoken.

Prints, over the files given, the error of all tokens and the 5th and 95th percentile of single files. The vocabulary
(cl100k_base) must be in tiktoken's cache folder (TIKTOKEN_CACHE_DIR); nothing is fetched by this script itself.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from denominator.readers.estimating import NAME, tokens_of

LEAST = 50
MOST_CHARS = 40_000


def main(names: list[str]) -> None:
    """Measure and print."""
    vocabulary = import_module("tiktoken").get_encoding("cl100k_base")
    pairs = []
    for name in names:
        text = Path(name).read_text("utf-8", "replace")[:MOST_CHARS]
        real = len(vocabulary.encode(text, disallowed_special=()))
        if real >= LEAST:
            pairs.append((tokens_of(text), real))
    if not pairs:
        sys.exit("no file has 50 tokens or more")
    errors = sorted(told / real - 1 for told, real in pairs)
    whole = sum(told for told, _ in pairs) / sum(real for _, real in pairs) - 1
    low, high = (errors[int(share * (len(errors) - 1))] for share in (0.05, 0.95))
    print(f"{NAME}: {len(pairs)} files, all tokens {whole:+.1%}, single files {low:+.1%} .. {high:+.1%}")


if __name__ == "__main__":
    main(sys.argv[1:])
