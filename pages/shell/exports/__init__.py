"""What is on the screen as files."""
