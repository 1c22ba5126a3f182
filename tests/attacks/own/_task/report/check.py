import json
import os
import sys

sys.path[:0] = ["/work"]
cases = {"even": ([4, 1, 3, 2], 2.5), "two": ([2, 1], 1.5)}
words = []
try:
    from calc import median
except Exception:
    median = None
for word, (xs, right) in cases.items():
    good = median is not None and median(list(xs)) == right
    words.append({"ancestorTitles": ["median"], "title": word, "fullName": f"median {word}", "status": "passed" if good else "failed"})
failed = [each for each in words if each["status"] == "failed"]
report = {
    "success": not failed, "numTotalTests": 2, "numPassedTests": 2 - len(failed), "numFailedTests": len(failed),
    "testResults": [
        {"name": "/work/median.test.js", "status": "failed" if failed else "passed", "assertionResults": words},
    ],
}  # fmt: skip
with open(os.environ["REPORT"], "w") as file:
    json.dump(report, file)
sys.exit(bool(failed))
