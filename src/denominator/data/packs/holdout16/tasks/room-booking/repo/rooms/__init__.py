"""Books meeting rooms."""
