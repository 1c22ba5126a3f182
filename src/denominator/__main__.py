"""`python -m denominator`."""

from denominator.cli import main

if __name__ == "__main__":
    main()
