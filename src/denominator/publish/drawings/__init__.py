"""The drawings of the terminal as SVG: no scripts, readable without colour, light and dark, the same bytes for the same data."""

from __future__ import annotations

from denominator.publish.drawings.forest import forest_svg
from denominator.publish.drawings.heat_map import heat_map_svg
from denominator.publish.drawings.slope import slope_svg

__all__ = ["forest_svg", "heat_map_svg", "slope_svg"]
