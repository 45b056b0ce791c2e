"""Widgets and tasks of the page on scaling: headings that open, and a race that is trained while a visitor watches."""
