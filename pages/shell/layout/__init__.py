"""Functions that pages are built from."""
