"""Which surfaces a patch uses, and which of them nobody defines (METHODS M1: ASSUME_API)."""

from denominator.readers.api.called import invented
from denominator.readers.api.check import read_api, surfaces
from denominator.readers.api.shape import INVENTED, KNOWN, NOT_EVALUATED, ApiInputs, Surface

__all__ = ["INVENTED", "KNOWN", "NOT_EVALUATED", "ApiInputs", "Surface", "invented", "read_api", "surfaces"]
