"""All exercises by name, in the recommended order."""

from attention.exercises import layers, matrices
from attention.exercises.exercise import Exercise

_IN_ORDER = (
    Exercise("softmax", matrices.softmax, weights=True),
    Exercise("attention", layers.attention),
    Exercise("causal", matrices.causal, weights=True),
    Exercise("padding", matrices.padding, weights=True),
    Exercise("split_heads", layers.split_heads),
    Exercise("merge_heads", layers.merge_heads),
    Exercise("dropout", matrices.dropout),
    Exercise("cross_attention", layers.cross_attention),
    Exercise("decode", layers.decode),
    Exercise("grouped_queries", layers.grouped_queries),
    Exercise("rotate", layers.rotate),
    Exercise("softmax_backward", matrices.softmax_backward),
    Exercise("tiles", matrices.tiles),
)
EXERCISES: dict[str, Exercise] = {exercise.name: exercise for exercise in _IN_ORDER}
