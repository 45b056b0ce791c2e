"""Models that a reader brings along, recorded layer by layer by the one implementation, which stands in for theirs.

`recording` is the way in; `functions` stands in for the functions of torch, `transformers_models` for those of
transformers; `records` is what comes out, with `unrecorded` for what could not be recorded.
"""
