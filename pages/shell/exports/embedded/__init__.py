"""A single figure for other sites: a view of the app as a page of its own, as a picture and as data."""
