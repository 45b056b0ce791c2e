"""`make mutants`: one fault at a time, to find those that no test of the same room detects (tests/README.md)."""
