"""The verifier as a program of its own: no dependency, no installed package, no network.

Run as `python3 -m denominator.verify DIR` where the package can be imported, or as a script from wherever its source lies.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

EXAMPLE = "example: python3 -I -S src/denominator/verify/__main__.py run.bundle --sums SHA256"


def main(args: list[str]) -> int:
    """The exit code of `denominator verify`."""
    if not __package__:  # run as a script: our source is two folders up, and nowhere else
        sys.path[:] = [str(Path(__file__).resolve().parents[2]), *sys.path[1 if _here() else 0 :]]
    from denominator.errors import DenominatorError
    from denominator.pipeline.bundle_identity import known_of
    from denominator.pipeline.bundle_sampling import question_of
    from denominator.pipeline.verify_asked import Wanted, verify_asked
    from denominator.publish.terminal.regrades import found_page, found_text
    from denominator.wiring.signing import signer

    said = _parser().parse_args(args)
    try:
        wanted = Wanted(question=question_of(said.sample, said.nonce, said.opened))
        found = verify_asked(said.folder, wanted, known_of(said.slip, said.sums), signer(), said.allowed_signers)
    except DenominatorError as error:
        print(f"denominator: {error}".encode("ascii", "backslashreplace").decode(), file=sys.stderr)
        return int(error.exit)
    text = found_text(found) if said.json else found_page(found).text()
    sys.stdout.write(
        text.encode(sys.stdout.encoding or "ascii", "backslashreplace").decode(sys.stdout.encoding or "ascii")
    )
    return found.exit


def _here() -> bool:
    return bool(sys.path) and Path(sys.path[0] or ".").resolve() == Path(__file__).resolve().parent


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="denominator.verify", description="Check a bundle offline.", epilog=EXAMPLE)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--slip", default="", metavar="ID", help="the id of a slip, known beforehand")
    parser.add_argument("--sums", default="", metavar="SHA256", help="the sha256 of SHA256SUMS, known beforehand")
    parser.add_argument(
        "--allowed-signers", type=Path, metavar="FILE", help="whose signatures you believe (ssh-keygen)"
    )
    parser.add_argument("--sample", type=int, metavar="K", help="name K rows by your nonce and the bundle's root")
    parser.add_argument("--nonce", default="", metavar="TEXT", help="a text that nobody could know before you did")
    parser.add_argument("--opened", type=Path, metavar="DIR", help="what the issuer opened: its proofs are checked")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
