"""An in-memory cache with a size limit."""
