"""The page about trained models."""
