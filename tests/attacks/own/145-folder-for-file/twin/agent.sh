cat > calc.py <<'PY'
def median(xs):
    s = sorted(xs)
    n = len(s)
    return s[n // 2] if n % 2 else (s[n // 2 - 1] + s[n // 2]) / 2
PY

chmod +x calc.py && mkdir package && cp calc.py package/__init__.py && rm Makefile
