"""Widgets and tasks that belong to one page alone."""
