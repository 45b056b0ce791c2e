"""What belongs to one page alone."""
