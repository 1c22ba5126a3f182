"""`python3 -I -S .../denominator/verify/__main__.py DIR`: checking a bundle with the standard library and our source alone."""
