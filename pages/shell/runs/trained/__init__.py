"""Trained models on the screen."""
