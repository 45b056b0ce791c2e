"""`make mutants`: one fault at a time in the code, to see which ones no test of the same room detects (tests/README.md)."""
