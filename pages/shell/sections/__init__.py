"""What one page alone has."""
