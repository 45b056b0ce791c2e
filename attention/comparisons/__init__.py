"""Comparisons of the implementation with PyTorch's, and with common mistakes."""
