"""Exports of a record: a script, literals, tables, a worksheet for pen and paper."""
