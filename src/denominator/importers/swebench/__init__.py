"""What the importers of the SWE-bench family share: lists of a run report, folders of instances, predictions, endings."""
