"""What the page about masks shows beside the steps."""
