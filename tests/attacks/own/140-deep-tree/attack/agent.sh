python3 - <<'PY'
import os
for _ in range(6000):
    os.mkdir("d" * 8)
    os.chdir("d" * 8)
open("end.py", "w").write("x = 1\n")
PY
echo "# an edit that mends nothing" >> calc.py
