"""Figures as pictures that the server draws from their blocks: rectangles, lines and texts, as SVG or as PNG."""
