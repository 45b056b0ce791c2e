"""Widgets and tasks of the page about costs."""
