"""One mask in the forms in which it is passed to attention: two right ones, and two mistakes that raise no error."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from attention import checks
from attention.analysis.rerun import rerun
from attention.trace import Trace

FORMS: dict[str, Callable[[Tensor], Tensor]] = {
    "boolean": lambda may: may,
    "added": lambda may: torch.zeros(may.shape, device=may.device).masked_fill(~may, -math.inf),
    "ones": lambda may: may.float(),
    "inverted": lambda may: ~may,
}
"""A bool mask, True = may attend, to what is passed, by id.

`boolean`: as it is; `added`: 0 and minus infinity, added to the scaled scores; `ones`: the same mask as numbers, which
adds 1 to the scores that may be seen and hides nothing; `inverted`: the polarity of `torch.nn.MultiheadAttention`.
"""


def weights(trace: Trace, form: str) -> Tensor:
    """The weights (..., query, key) of the recorded queries and keys when the recorded bool mask is passed in a form.
    ValueError: an unknown form, a record without a bool mask."""
    checks.choice("form", form, FORMS)
    if "mask" not in trace or trace["mask"].value.dtype != torch.bool:
        raise ValueError("the record has no bool mask")
    handed = FORMS[form](trace["mask"].value)
    second: Tensor = rerun(trace, mask=handed)["weights"].value
    return second
