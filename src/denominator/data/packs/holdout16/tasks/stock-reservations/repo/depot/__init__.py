"""Stock in several warehouses."""
