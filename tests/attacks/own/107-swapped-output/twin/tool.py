import os
import sys

with open(".part", "w") as file:
    file.write(" ".join(map(str, sorted(map(int, sys.stdin.read().split())))))
os.rename(".part", "out.txt")
