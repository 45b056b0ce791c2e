"""Masks of documents, blocks, canvases and trees: parameters for tests, and each mask in plain Python."""

from attention import MASKS
from attention.masks import Mask
from attention.patterns import PATTERNS

EVERY_MASK: dict[str, Mask] = MASKS | PATTERNS
# Parameters that differ from every size of the tests' grids, and a canvas that is not square.
PARAMETERS: dict[str, int | tuple[int, ...]] = {
    "lengths": (2, 3, 1),
    "parents": (-1, 0, 0, 1, -1),
    "length": 2,
    "step": 2,
    "reach": 5,
    "chunk": 3,
    "noised": 5,
    "kernel": 3,
    "size": 7,
    "rows": 2,
    "columns": 3,
    "width": 2,
}


def parameters_of(mask: str | Mask) -> dict[str, int | tuple[int, ...]]:
    chosen = EVERY_MASK[mask] if isinstance(mask, str) else mask
    return {name: PARAMETERS[name] for name in chosen.parameters}


def document(at, lengths):
    for number, length in enumerate(lengths):
        if at < length:
            return number
        at -= length
    return len(lengths)


def near(i, j, kernel, size):
    """Whether j is among `kernel` successive keys around i, shifted at an edge so that all of them exist."""
    first = min(max(i - kernel // 2, 0), max(size - kernel, 0))
    return j in range(first, first + kernel)


def line(node, parents):
    """A node and the nodes above it."""
    return {node} | (line(parents[node], parents) if parents[node] >= 0 else set())


def in_tree(i, j, length, parents):
    if j < length or i == j:
        return j <= i
    nodes = range(len(parents))
    return i - length in nodes and j - length in nodes and j - length in line(i - length, parents)


def in_training(i, j, chunk, noised):
    first, second = i % noised // chunk, j % noised // chunk
    if i < noised:
        return first == second if j < noised else second < first
    return j >= noised and second <= first


REFERENCES = {
    "full": lambda i, j: True,
    "causal": lambda i, j: j <= i,
    "window": lambda i, j, width: -width < i - j < width,
    "prefix": lambda i, j, length: j < length or j <= i,
    "causal & window": lambda i, j, width: 0 <= i - j < width,
    "documents": lambda i, j, lengths: document(i, lengths) == document(j, lengths),
    "sinks": lambda i, j, length: j < length,
    "dilated": lambda i, j, step, reach: abs(i - j) < reach and (i - j) % step == 0,
    "chunks": lambda i, j, chunk: i // chunk == j // chunk,
    "block_causal": lambda i, j, chunk: j // chunk <= i // chunk,
    "block_diffusion": in_training,
    "neighbourhood": near,
    "neighbourhood_2d": lambda i, j, kernel, rows, columns: (
        near(i // columns, j // columns, kernel, rows) and near(i % columns, j % columns, kernel, columns)
    ),
    "tree": in_tree,
}
