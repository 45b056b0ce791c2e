"""A record as a figure that answers clicks, in one HTML document without a server, for a notebook or as a file."""
