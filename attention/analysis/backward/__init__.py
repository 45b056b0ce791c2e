"""The backward pass of a recorded run: the gradient of one number with respect to every quantity.

Letters and formulas: `attention.analysis.backward.rules`; the values come from autograd through the one implementation.
"""

from attention.analysis.backward.gradients import gradients

__all__ = ["gradients"]
