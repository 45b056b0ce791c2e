"""What goes into attention: tokens, presets, numbers typed over."""
