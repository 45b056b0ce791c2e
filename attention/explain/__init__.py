"""Explanations of single numbers: the arithmetic of a cell."""
