"""Prices parcels."""
