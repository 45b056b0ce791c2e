"""What of the page on scaling is no view: headings that open, and a race that is trained while one looks on."""
