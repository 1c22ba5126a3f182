"""Tax on receipts."""
