"""Controls as data, and the URL."""
