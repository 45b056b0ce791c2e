"""`make mutants`: one fault at a time, to see which ones no test of the same room detects (tests/README.md)."""
