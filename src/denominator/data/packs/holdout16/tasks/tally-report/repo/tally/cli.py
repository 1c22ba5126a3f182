"""The command line."""

import argparse
import sys

from tally.table import InputError, read_table, total


def main(argv):
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(prog="tally")
    verbs = parser.add_subparsers(dest="verb", required=True)
    verb = verbs.add_parser("sum", help="add up a column")
    verb.add_argument("file")
    verb.add_argument("column")
    args = parser.parse_args(argv)
    try:
        rows = read_table(args.file, sys.stdin)
        print(f"{total(rows, args.column, args.file):.2f}")
    except InputError as error:
        print(f"tally: {error}", file=sys.stderr)
        return 2
    return 0
