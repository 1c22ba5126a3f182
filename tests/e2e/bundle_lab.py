"""The tamperings of `denominator.testing` under the name by which tests call them."""

from denominator.testing.tampered_runs import *  # noqa: F403
from denominator.testing.tampering import *  # noqa: F403
