"""From controls to records and results."""
