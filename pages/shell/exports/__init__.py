"""Downloads of the screen."""
