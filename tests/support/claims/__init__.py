"""The claims of the catalogue's sentences, in one file for each page.

A claim gets the screen and the values in the places of the sentence, as texts, and says whether the sentence is true
there. If it can, it computes the values anew: from the record of the run, or by a formula of its own.
"""

from tests.support.claims import (  # noqa: F401  (each file adds its claims)
    backward,
    compare,
    costs,
    cross_attention,
    dropout,
    experiments,
    fewer_keys,
    heads,
    masks,
    one_query,
    one_token,
    order,
    positions,
    pushed,
    scaling,
    state,
    taming,
    tiles,
    walkthrough,
)
from tests.support.claims.claim import CLAIMS, Claim, said, spoken

__all__ = ["CLAIMS", "Claim", "said", "spoken"]
