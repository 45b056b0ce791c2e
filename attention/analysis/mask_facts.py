"""Facts about a mask: the number of permitted pairs, in all, in a row, on the diagonal and in the future."""

from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True)
class MaskFacts:
    """Facts about a mask, bool (queries, keys), True = may attend.

    cells, visible: the numbers of pairs and of permitted pairs; fewest, most: keys of a query; empty_rows: queries that
    see no key, whose softmax alone would be NaN; hidden_diagonal: queries that do not see the key at their own place;
    ahead: visible cells above the diagonal; symmetric: whether i sees j where j sees i, None unless there are as many
    queries as keys. The diagonal begins at the first query and the first key.
    """

    cells: int
    visible: int
    fewest: int
    most: int
    empty_rows: int
    hidden_diagonal: int
    ahead: int
    symmetric: bool | None

    @property
    def density(self) -> float:
        """The share of pairs that may attend, from 0 to 1."""
        return self.visible / self.cells


def mask_facts(mask: Tensor) -> MaskFacts:
    """Facts about a mask. ValueError: not two axes, an axis of 0, another dtype than bool."""
    if mask.ndim != 2 or not mask.numel() or mask.dtype != mask.bool().dtype:
        dtype = str(mask.dtype).removeprefix("torch.")
        raise ValueError(f"a mask of cells is bool (queries, keys), got {dtype} {tuple(mask.shape)}")
    seen = mask.sum(-1)
    return MaskFacts(
        cells=mask.numel(),
        visible=int(seen.sum()),
        fewest=int(seen.min()),
        most=int(seen.max()),
        empty_rows=int((seen == 0).sum()),
        hidden_diagonal=int((~mask.diagonal()).sum()),
        ahead=int(mask.triu(1).sum()),
        symmetric=bool((mask == mask.mT).all()) if mask.shape[0] == mask.shape[1] else None,
    )
