"""A record as files: a script, literals, tables, a sheet for pen and paper."""
