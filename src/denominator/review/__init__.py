"""People: sheets they fill, what their labels decide, how far they agree."""
