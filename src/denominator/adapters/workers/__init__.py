"""Engines that take jobs to processes elsewhere (`ports.Workers`)."""
