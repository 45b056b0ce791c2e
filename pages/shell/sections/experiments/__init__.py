"""What the page of experiments shows."""
