import os
import sys

text = sys.stdin.read()
child = os.fork()
if child == 0:
    os.write(1, b"sorting\n")
    os._exit(0)
os.waitpid(child, 0)
open("out.txt", "w").write(" ".join(map(str, sorted(map(int, text.split())))))
