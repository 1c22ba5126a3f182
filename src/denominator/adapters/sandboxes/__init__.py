"""Where hostile commands run: bubblewrap, containers (docker), a weak one without root (landlock), or nothing at all (bare)."""
