"""Where hostile commands run: bubblewrap, or nothing at all (bare)."""
