"""`selfcheck`: the gates of the product are shown to bite. One module a kind of bad thing; `running.py` has their order."""

from denominator.selfcheck.running import selfcheck

__all__ = ["selfcheck"]
