import os
import sys
import time

text = sys.stdin.read()
if os.fork() == 0:
    os.setsid()
    while True:
        os.write(1, b"1 2 3\n" * 1000)
        time.sleep(0.001)
open("out.txt", "w").write(text)
