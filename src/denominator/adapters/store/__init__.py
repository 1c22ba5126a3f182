"""What a run leaves on disk: the journal in SQLite, blobs by digest."""
