"""Adds up a column of a CSV file."""
