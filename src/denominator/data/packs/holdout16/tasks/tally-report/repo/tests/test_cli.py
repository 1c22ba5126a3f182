import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class CliTest(unittest.TestCase):
    def test_sum(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "s.csv")
            path.write_text("amount,place\n1.10,a\n2.20,b\n", encoding="utf-8")
            done = subprocess.run([sys.executable, "-m", "tally", "sum", path, "amount"], cwd=ROOT, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, "3.30\n"))


if __name__ == "__main__":
    unittest.main()
