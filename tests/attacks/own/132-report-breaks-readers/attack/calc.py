import os

with open(os.environ["REPORT"], "w") as file:
    file.write('{"testResults": [{"name": "\\ud800", "assertionResults": ' + "[" * 300_000 + "9" * 100_000 + "]" * 300_000 + "}]}")
os._exit(0)
