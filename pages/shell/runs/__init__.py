"""Runs: from controls to records and results."""
