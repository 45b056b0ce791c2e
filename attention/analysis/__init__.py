"""What one record says: quantities read off it, or computed again with something replaced."""
