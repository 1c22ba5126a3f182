"""Which surfaces a patch uses, and which of them nobody defines (METHODS M1: ASSUME_API)."""

from denominator.readers.api.called import invented
from denominator.readers.api.check import surfaces
from denominator.readers.api.packages import modules_of, package_problem, split_entry
from denominator.readers.api.report import read_api
from denominator.readers.api.requirements import Requirements, read_requirements
from denominator.readers.api.shape import INVENTED, KNOWN, NOT_EVALUATED, ApiInputs, Surface

__all__ = [
    "INVENTED",
    "KNOWN",
    "NOT_EVALUATED",
    "ApiInputs",
    "Requirements",
    "Surface",
    "invented",
    "modules_of",
    "package_problem",
    "read_api",
    "read_requirements",
    "split_entry",
    "surfaces",
]
