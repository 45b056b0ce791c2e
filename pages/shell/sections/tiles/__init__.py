"""What the page about tiles shows."""
