"""What the page on positions shows."""
