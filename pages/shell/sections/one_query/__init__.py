"""What the page about one query shows."""
