"""Quote checking as pure functions: numbers in the spans of a document, held against slips."""
