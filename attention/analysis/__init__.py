"""One record: read, or computed once more with something changed."""
