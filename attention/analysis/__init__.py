"""Analyses of one record: quantities read from it, and reruns with something replaced."""
