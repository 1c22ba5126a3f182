"""Documents -> spans of text with their places: bytes in, nothing run, nothing fetched, nothing unpacked to disk."""

from denominator.readers.documents.reading import FORMS, form_of, read_document

__all__ = ["FORMS", "form_of", "read_document"]
