"""`become.py WORK -m MOD args...` (or `FILE args...`) becomes the solution's command, and ends as Python ends."""

import os
import runpy
import sys

if __name__ == "__main__":
    work, *argv = sys.argv[1:]
    # Last on the path, so that the solution shadows nothing.
    sys.path += [folder for folder in (work, os.path.join(work, "src")) if os.path.isdir(folder)]
    if argv[0] == "-m":
        sys.argv = argv[1:]
        runpy.run_module(argv[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = [os.path.join(work, argv[0]), *argv[1:]]
        runpy.run_path(sys.argv[0], run_name="__main__")
