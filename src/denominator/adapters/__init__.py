"""The world: what implements the ports. Adapters know ports and records, no stage."""
