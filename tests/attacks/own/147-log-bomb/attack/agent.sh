python3 - <<'PY'
import sys
out = sys.stdout.buffer
out.write(b'{"a":' * 100_000 + b"[" * 200_000 + b"\n")
out.write(b'{"usage": {"input_tokens": ' + b"9" * 100_000 + b"}}\n")
out.write(b'{"type": "result", "is_error": "\\ud800", "usage": {"input_tokens": NaN, "output_tokens": -1}}\n')
out.write(b"\xff\xfe\x00\x1b[2J\x1b]52;c;eA==\x07\x1bP\n" * 100)
out.write(b"x" * 300_000)
PY
echo "# an edit that mends nothing" >> calc.py
