"""What the page about costs shows."""
