"""The layers of a model from its config.json, in the words of transformers (version 5.23).

No weights are needed, and nothing is fetched.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from attention import checks
from attention.layer_kinds import LayerKind, Strip

# No model has more layers or larger sizes; a file that claims them would only make a page slow.
_MOST_LAYERS, _LARGEST = 512, 2**24
_KINDS = {
    "full_attention": "full",
    "sliding_attention": "window",
    "chunked_attention": "chunk",
    "indexed_attention": "chosen",
    "linear_attention": "linear",
}
# Every entry that this module reads; each model has some of them.
READ = [
    "model_type",
    "num_hidden_layers",
    "n_layer",
    "num_layers",
    "num_attention_heads",
    "n_head",
    "num_key_value_heads",
    "num_kv_heads",
    "multi_query",
    "swa_num_key_value_heads",
    "hidden_size",
    "n_embd",
    "head_dim",
    "v_head_dim",
    "kv_lora_rank",
    "qk_rope_head_dim",
    "layer_types",
    "attn_type_list",
    "hybrid_layer_pattern",
    "linear_attn_config",
    "full_attention_interval",
    "layer_group_size",
    "sliding_window_pattern",
    "_sliding_window_pattern",
    "global_attn_every_n_layers",
    "use_sliding_window",
    "sliding_window",
    "local_attention",
    "attention_chunk_size",
    "no_rope_layers",
    "no_rope_layer_interval",
    "index_topk",
    "index_head_dim",
    "linear_num_value_heads",
    "linear_key_head_dim",
    "linear_value_head_dim",
    "linear_num_heads",
    "linear_head_dim",
    "num_kv_shared_layers",
]
# The full layers of these models have no positions, and no entry of config.json says so.
_FULL_WITHOUT_POSITIONS = ("cohere2", "kimi_linear")


def strip(config: Mapping[str, Any], name: str = "") -> Strip:
    """The layers of a model, from the entries of its config.json. name: the model's name, by default its `model_type`.

    It reads the number of layers and heads, `layer_types` or the older entries that say the same, windows, chunks, the
    sizes of latents and states, layers without positions, and layers that read the keys and values of others.
    ValueError, with the entry, its value and what it may be: an entry that is missing or out of range, or a type of
    layer that this package does not know.
    """
    if not isinstance(config, Mapping):
        raise ValueError(f"a configuration has entries by name, got {type(config).__name__}")
    inner = config.get("text_config")
    read = _Entries({**config, **inner} if isinstance(inner, Mapping) else config)
    count = read.size("num_hidden_layers", "n_layer", "num_layers", most=_MOST_LAYERS)
    heads = read.size("num_attention_heads", "n_head")
    kinds = _kinds(read, count)
    layers = [_layer(read, kind, heads) for kind in kinds]
    layers = _with_positions(read, layers)
    return Strip(name or str(read.get("model_type", ""))[:99], heads, tuple(_shared(read, layers)))


class _Entries:
    """The entries of a visitor's file; each entry is checked when it is read."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self._given = given

    def get(self, name: str, default: Any = None) -> Any:
        found = self._given.get(name)
        return default if found is None else found

    def size(self, *names: str, default: int | None = None, least: int = 1, most: int = _LARGEST) -> int:
        """The first of the named entries that the file has."""
        for name in names:
            found = self.get(name)
            if found is None:
                continue
            if isinstance(found, bool) or not isinstance(found, int) or not least <= found <= most:
                raise ValueError(f"{name} must be a whole number from {least} to {most}, got {str(found)[:40]!r}")
            return found
        if default is None:
            raise ValueError(f"the configuration has none of these entries: {', '.join(names)}")
        return default

    def each(self, name: str, count: int) -> Sequence[Any] | None:
        """An entry that has a value for each layer."""
        found = self.get(name)
        if found is None or found == []:
            return None
        if not isinstance(found, Sequence) or isinstance(found, str) or len(found) < count:
            size = len(found) if isinstance(found, Sequence) else type(found).__name__
            raise ValueError(f"{name} needs a value for each of {count} layers, got {size}")
        return found[:count]


def _kinds(read: _Entries, count: int) -> list[str]:
    if (named := read.each("layer_types", count)) is not None:
        for found in named:
            checks.choice("layer_types", str(found)[:40], _KINDS)
        return [_KINDS[found] for found in named]
    if (flags := read.each("attn_type_list", count)) is not None:
        return ["full" if flag == 1 else "linear" for flag in flags]
    if (flags := read.each("hybrid_layer_pattern", count)) is not None:
        return ["window" if flag == 1 else "full" for flag in flags]
    linear = read.get("linear_attn_config")
    if isinstance(linear, Mapping) and isinstance(linear.get("full_attn_layers"), Sequence):
        return ["full" if layer + 1 in linear["full_attn_layers"] else "linear" for layer in range(count)]
    every = _every(read)
    if every is not None:
        full, other = every
        return ["full" if full(layer, count) else other for layer in range(count)]
    if read.get("index_topk") is not None:
        return ["chosen"] * count
    window = read.get("sliding_window") is not None and read.get("use_sliding_window", True) is not False
    return ["window" if window else "full"] * count


def _every(read: _Entries) -> tuple[Callable[[int, int], bool], str] | None:
    """The full layers, and the kind of the others, for files that give the distance between full layers."""
    if read.get("attention_chunk_size") is not None:
        step = read.size("no_rope_layer_interval", default=4)
        return lambda layer, _: (layer + 1) % step == 0, "chunk"
    if read.get("global_attn_every_n_layers") is not None:
        step = read.size("global_attn_every_n_layers")
        return lambda layer, _: layer % step == 0, "window"
    for name, other in {
        "full_attention_interval": "linear",
        "layer_group_size": "linear",
        "sliding_window_pattern": "window",
        "_sliding_window_pattern": "window",
    }.items():
        if read.get(name) is not None:
            step = read.size(name)
            return lambda layer, _, step=step: (layer + 1) % step == 0, other
    return None


def _layer(read: _Entries, kind: str, heads: int) -> LayerKind:
    if kind == "linear":
        return LayerKind(kind, state=_state(read, heads))
    reach = 0
    if kind == "window":
        reach = read.size("sliding_window", "local_attention")
    if kind == "chunk":
        reach = read.size("attention_chunk_size")
    if read.get("kv_lora_rank") is not None:
        latent = read.size("kv_lora_rank") + read.size("qk_rope_head_dim", default=0, least=0)
        # The scorer of the layer has keys of its own.
        scorer = read.size("index_head_dim") if kind == "chosen" else 0
        return LayerKind(kind, reach, cached=latent + scorer)
    d_k = read.size("head_dim", default=_split(read, heads))
    d_v = read.size("v_head_dim", default=d_k)
    one = 1 if read.get("multi_query") is True else heads
    kv_heads = read.size("num_key_value_heads", "num_kv_heads", default=one)
    if kind == "window":
        kv_heads = read.size("swa_num_key_value_heads", default=kv_heads)
    return LayerKind(kind, reach, kv_heads, kv_heads * (d_k + d_v))


def _split(read: _Entries, heads: int) -> int:
    """The features of a head, for models that divide their width among the heads."""
    return max(read.size("hidden_size", "n_embd", default=heads) // heads, 1)


def _state(read: _Entries, heads: int) -> int:
    """Numbers in the state of a linear layer: d_k × d_v for each of its heads, without those of its convolution."""
    given = read.get("linear_attn_config")
    if isinstance(given, Mapping):
        inner = _Entries(given)
        return inner.size("num_heads") * inner.size("head_dim") ** 2
    if read.get("linear_num_value_heads") is not None:
        sides = read.size("linear_key_head_dim") * read.size("linear_value_head_dim")
        return read.size("linear_num_value_heads") * sides
    linear_heads = read.size("linear_num_heads", default=heads)
    side = read.size("linear_head_dim", "head_dim", default=_split(read, heads))
    return linear_heads * side**2


def _with_positions(read: _Entries, layers: list[LayerKind]) -> list[LayerKind]:
    flags = read.each("no_rope_layers", len(layers))
    if flags is not None:
        # In these files 1 stands for a layer that has positions, whatever the name says.
        return [replace(layer, positions=flag == 1) for layer, flag in zip(layers, flags, strict=True)]
    if read.get("model_type") in _FULL_WITHOUT_POSITIONS:
        return [replace(layer, positions=layer.kind != "full") for layer in layers]
    return layers


def _shared(read: _Entries, layers: list[LayerKind]) -> list[LayerKind]:
    """The last layers may read the keys and values of the last layer of their kind that makes some."""
    own = len(layers) - read.size("num_kv_shared_layers", default=0, least=0, most=len(layers))
    last = {layer.kind: place for place, layer in enumerate(layers[:own])}
    for layer in layers[own:]:
        if layer.kind not in last:
            raise ValueError(f"num_kv_shared_layers: no layer of the kind {layer.kind!r} makes keys and values")
    return [*layers[:own], *(replace(layer, of=last[layer.kind], cached=0) for layer in layers[own:])]
