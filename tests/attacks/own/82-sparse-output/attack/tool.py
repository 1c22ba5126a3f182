import os

for number in range(5000):
    os.close(os.open(f"f{number}", os.O_CREAT | os.O_WRONLY))
try:
    os.truncate(os.open("out.txt", os.O_CREAT | os.O_WRONLY), 10**10)
except OSError:
    pass
