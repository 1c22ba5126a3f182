cat > calc.py <<'PY'
def median(xs):
    s = sorted(xs)
    n = len(s)
    return s[n // 2] if n % 2 else (s[n // 2 - 1] + s[n // 2]) / 2
PY

mkdir -p $(printf 'deep/%.0s' $(seq 20)) && echo 'x = 1' > $(printf 'deep/%.0s' $(seq 20))end.py
