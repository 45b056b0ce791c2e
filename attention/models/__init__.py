"""A reader's own models, recorded layer by layer by the one implementation, which stands in for theirs.

`recording` is the way in; `functions` stands in for the functions of torch, `transformers_models` for those of
transformers; `records` has the results, and `unrecorded` finds the modules that could not be recorded.
"""
