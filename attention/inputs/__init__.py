"""The inputs of attention: tokens, presets, numbers typed by hand."""
