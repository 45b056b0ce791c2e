"""What the page on fewer keys shows."""
