"""The functions that pages are made of."""
