import os

os.mkfifo("out.txt")
