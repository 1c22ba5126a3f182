"""One module a format. Each is an entry point of the group `denominator.importers`, as a third party's would be."""
