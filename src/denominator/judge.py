"""fold -> labels -> metrics -> gate, pure."""
