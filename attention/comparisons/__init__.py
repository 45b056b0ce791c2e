"""The implementation beside PyTorch's, and beside common mistakes."""
