"""One number: how it came about."""
