"""What the page about dropout shows beside the steps."""
