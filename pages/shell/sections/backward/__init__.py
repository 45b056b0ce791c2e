"""The page on the backward pass: what is differentiated, every gradient beside its value, and what they teach."""
