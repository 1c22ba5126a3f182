import os

path = os.environ["REPORT"]
if os.path.lexists(path):
    os.unlink(path)
os.mkfifo(path)
os._exit(0)
