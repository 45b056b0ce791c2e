"""Find modules that ran without a record: they compute attention, or something in its place, by themselves."""

import re
from collections.abc import Collection, Mapping

from torch import nn

# Names of attention, and of layers that keep a state in place of weights.
_LOOKS = re.compile("attention|attn|mamba|delta|retention|rwkv|hyena", re.IGNORECASE)

# Parts of such a layer that carry the name of its model: MambaRMSNorm.
_PARTS = re.compile("(norm|mlp|feedforward|embeddings?)$", re.IGNORECASE)


def unrecorded(model: nn.Module, ran: Collection[str], called: Collection[str]) -> dict[str, str]:
    """The class of each module that ran, looks like attention and called no attention that can be recorded, by name.

    Two signs: the name of a class; or a module of a `ModuleList` that called none, beside one of its class that did. In
    the second case the result names the parts that the other module lacks.
    """
    modules = dict(model.named_modules())
    silent = [name for name in modules if name in ran and not _calls(name, called)]
    kinds = {name: type(modules[name]).__name__ for name in silent}
    looks = [name for name, kind in kinds.items() if _LOOKS.search(kind) and not _PARTS.search(kind)]
    # Keep the innermost of nested modules, and no part of a recorded layer.
    alone = [name for name in looks if not any(_lies_in(other, name) for other in looks)]
    named = [name for name in alone if not any(_lies_in(name, layer) for layer in called)]
    for name in _beside(modules, silent, called):
        if not any(_lies_in(other, name) or _lies_in(name, other) for other in named):
            named.append(name)
    return {name: type(modules[name]).__name__ for name in named}


def _beside(modules: Mapping[str, nn.Module], silent: Collection[str], called: Collection[str]) -> list[str]:
    """The parts of modules that called no attention, beside others of the same list that did."""
    found = []
    for name, module in modules.items():
        if not isinstance(module, nn.ModuleList):
            continue
        children = [f"{name}.{place}" if name else place for place, _ in module.named_children()]
        calling = [child for child in children if _calls(child, called)]
        theirs = {part for child in calling for part, _ in modules[child].named_children()}
        kinds = {type(modules[child]) for child in calling}
        for child in children:
            if child in silent and type(modules[child]) in kinds:
                own = [f"{child}.{part}" for part, _ in modules[child].named_children() if part not in theirs]
                found += [part for part in own if part in silent] or [child]
    return found


def _calls(name: str, called: Collection[str]) -> bool:
    """Whether a module, or one in it, called attention."""
    return any(layer == name or _lies_in(layer, name) for layer in called)


def _lies_in(name: str, other: str) -> bool:
    return name != other and (not other or name.startswith(f"{other}."))
