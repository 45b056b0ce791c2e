"""Downloads of what is on the screen."""
