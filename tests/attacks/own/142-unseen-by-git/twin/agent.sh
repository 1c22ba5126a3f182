cat > calc.py <<'PY'
def median(xs):
    s = sorted(xs)
    n = len(s)
    return s[n // 2] if n % 2 else (s[n // 2 - 1] + s[n // 2]) / 2
PY

printf '*.pyc\n' > .gitignore
git add -A && git -c user.name=a -c user.email=a@example.invalid commit -qm mended
