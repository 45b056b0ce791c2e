"""Tasks of the page on the backward pass: attributions of large screens, training by hand, the choice of a target."""
