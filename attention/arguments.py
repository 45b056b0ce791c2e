"""Turn torch's argument names into ours, and masks by name into tensors."""

from collections.abc import Mapping

from torch import Tensor

from attention.masks import MASKS, Mask, grid, named


def one_mask(mask: Tensor | Mask | str | None, attn_mask: Tensor | None, is_causal: bool) -> Tensor | Mask | str | None:
    """The requested mask, by our name or by one of torch's. ValueError: two of the three are given."""
    given = {"mask": mask is not None, "attn_mask": attn_mask is not None, "is_causal": bool(is_causal)}
    _at_most_one(given, "each of them is a mask; combine two masks with & or, where one is added, with +")
    if is_causal:
        return "causal"
    return mask if attn_mask is None else attn_mask


def one_dropout(dropout: float, dropout_p: float) -> float:
    """The probability of dropout, by our name or by torch's. ValueError: both are given."""
    _at_most_one({"dropout": dropout != 0, "dropout_p": dropout_p != 0}, "they are two names of one probability")
    return dropout_p if dropout == 0 else dropout


def as_tensor(mask: Tensor | Mask | str | None, query: Tensor, keys: int, *, cached: bool) -> Tensor | None:
    """The mask as a tensor; a Mask or a name becomes bool (L, keys), one cell for each query and key.

    cached: the queries are the newest positions, so the last query stands at the last key; otherwise the first query
    stands at the first key. ValueError: no mask has this name, or the mask has a parameter.
    """
    if mask is None or isinstance(mask, Tensor):
        return mask
    if not isinstance(mask, (str, Mask)):
        raise ValueError(f"mask must be a tensor, a Mask or one of {', '.join(MASKS)}; got {type(mask).__name__}")
    chosen, queries = named(mask), query.shape[-2]
    if chosen.parameters:
        given = ", ".join(f"{name}=…" for name in chosen.parameters)
        raise ValueError(
            f"mask {chosen.name!r} has a parameter: pass grid({chosen.name!r}, {queries}, {keys}, {given})"
        )
    return grid(mask, queries, keys, corner="lower_right" if cached else "upper_left", device=query.device)


def one_size(name: str, size: int | None, torchs: str, same: int | None) -> int:
    """A size, by our name or by torch's. ValueError: neither or both are given."""
    _at_most_one({name: size is not None, torchs: same is not None}, "they are two names of one size")
    found = same if size is None else size
    if found is None:
        raise ValueError(f"{name} is missing ({torchs} in torch)")
    return found


def _at_most_one(given: Mapping[str, bool], because: str) -> None:
    names = [name for name, there in given.items() if there]
    if len(names) > 1:
        raise ValueError(f"give one of {', '.join(names)}: {because}")
