python3 - <<'PY'
import os
os.mkdir("many")
for number in range(20000):
    os.close(os.open(f"many/{number}", os.O_CREAT | os.O_WRONLY))
for name in (b"\xff\xfe.py", b"a\nb.py", b"\x1b[2J\x1b]0;x\x07.py", b"-rf", b'"quoted" \\ name.py', b"x" * 255, b"con.py ", b"calc.py\n", b"..py", b"\xe2\x80\xaegpj.py", b"--version"):
    open(name, "wb").write(b"x = 1\n")
PY
echo "# an edit that mends nothing" >> calc.py
