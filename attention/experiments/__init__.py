"""Experiments over many draws, as pandas tables."""
