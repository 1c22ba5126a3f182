"""`leave WORD`: lays a marked file wherever it may. `find WORD`: says on fd 3 where one is found."""

import os
import sys


def main() -> None:
    action, word = sys.argv[1:]
    found = []
    for folder, folders, names in os.walk("/", followlinks=False):
        folders[:] = [one for one in folders if os.path.join(folder, one) not in ("/proc", "/sys", "/usr", "/lib")]
        found += [os.path.join(folder, name) for name in names if word in name]
        if action == "leave":
            try:
                with open(os.path.join(folder, f".{word}"), "w", encoding="utf-8") as file:
                    file.write(word)
                found.append(folder)
            except OSError:
                pass
    with os.fdopen(3, "w", encoding="utf-8", errors="replace") as out:
        out.write("\n".join(["done", *found]))


if __name__ == "__main__":
    main()
