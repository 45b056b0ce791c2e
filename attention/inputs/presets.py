"""Inputs with weights of their own: a hand-built head with a meaning, and the numbers of a notebook."""

from collections.abc import Callable
from dataclasses import dataclass, field

import torch
from torch import Tensor

from attention.inputs.names import Name, Names
from attention.inputs.tokens import Inputs
from attention.modules import MultiHeadAttention


@dataclass(frozen=True)
class Prepared:
    """A batch, its module with the weights, and the query (an index) that shows its point.

    names: the meaning of the features, one name for each place of an axis.
    """

    inputs: Inputs
    module: MultiHeadAttention
    focus: int = -1
    names: Names = field(default_factory=dict)


STORY = "a fluffy blue creature roamed the verdant forest"
_ADJECTIVES, _NOUNS = ("fluffy", "blue", "verdant"), ("creature", "forest")


def story(positions: bool = True) -> Prepared:
    """A head in which a noun looks for the adjectives one and two places before it.

    Features of a token: 0 adjective, 1 noun, 2 other; 3 to 5 which adjective; 6 + p position p, zero without
    `positions`. A query asks on channel 0 for adjectives and on the others for the two positions before its own; a
    scaled score is 4 for each match, so that two matches outweigh one by e^4 = 54.6 to 1.
    """
    words = tuple(STORY.split())
    features, identity, place = 14, 3, 6
    x = torch.zeros(1, len(words), features)
    w_q, w_k, w_v = torch.zeros(features, 9), torch.zeros(features, 9), torch.zeros(features, 3)
    evidence = 4 * 9**0.5
    w_q[1, 0] = evidence
    w_k[0, 0] = 1
    for p, word in enumerate(words):
        x[0, p, 0 if word in _ADJECTIVES else 1 if word in _NOUNS else 2] = 1
        x[0, p, place + p] = positions
        w_k[place + p, 1 + p] = 1
        for before in (1, 2):
            if p >= before:
                w_q[place + p, 1 + p - before] = evidence
        if word in _ADJECTIVES:
            x[0, p, identity + _ADJECTIVES.index(word)] = 1
    for channel in range(3):
        w_v[identity + channel, channel] = 1
    # W_O writes each adjective back where X keeps it, so that the output reads as "this noun is fluffy and blue".
    module = _module(w_q, w_k, w_v, w_v.T)
    return Prepared(Inputs((words,), (len(words),), x), module, words.index("creature"), _names(len(words)))


def _names(words: int) -> Names:
    """The meanings of the features and the channels of the story."""
    adjectives = tuple(Name("token", word) for word in _ADJECTIVES)
    places = range(1, words + 1)
    positions = tuple(Name("position", str(place)) for place in places)
    features = (Name("adjective"), Name("noun"), Name("other"), *adjectives, *positions)
    asked = (Name("wants_adjective"), *(Name("wants_position", str(place)) for place in places))
    return {
        "model": features,
        "out": features,
        "feature": (Name("adjective"), *positions),
        "queries.feature": asked,
        "w_q.feature": asked,
        "value": adjectives,
        "concat": adjectives,
    }


def notebook() -> Prepared:
    """Four tokens, d_model 3, d_k = d_v = 5, no mask: every number that a well-known notebook prints, to its 4 digits.

    The notebook prints X, q, k, v and later steps, never its weight matrices. These were fitted to all of its
    print-outs together, with X free within its rounding: least squares on q, k and v alone misses 13 printed scores.
    """
    x = _rows(
        "0.867571 0.380583 0.748822  0.4281 0.280723 0.41109  0.720375 0.175726 0.743028  0.443842 0.318601 0.81269", 3
    )
    w_q = _rows(
        "0.084422 0.269145 0.449371 0.463564 0.365945  0.250595 0.413043 0.465762 0.967554 0.210172"
        "  0.579231 0.61475 0.500564 0.3219 0.744104",
        5,
    )
    w_k = _rows(
        "0.454796 0.364134 0.04618 0.520567 0.855591  0.496011 0.661254 0.43144 0.790182 0.534039"
        "  0.569046 0.082505 0.444328 0.446008 0.674557",
        5,
    )
    w_v = _rows(
        "0.935507 0.315113 0.353474 0.824788 0.936959  0.106326 0.271492 0.581693 0.967937 0.79887"
        "  0.809352 0.071442 0.91032 0.207189 0.588482",
        5,
    )
    return Prepared(_numbered(x), _module(w_q, w_k, w_v, torch.eye(5)))


def token_by_token() -> Prepared:
    """The notebook's first example: four tokens, d_model = d_k = d_v = 3, the query of the first token alone.

    It prints q, k and v of token 1, four scores, four weights and one output; many weight matrices give those
    numbers, and these are one choice with entries between 0 and 1, as its uniform generator would draw.
    """
    x = _rows("1.1 1.2 1.3  2.1 2.2 2.3  3.1 3.2 3.3  4.1 4.2 4.3", 3)
    w_q = _rows("0.4130251 0.6120375 0.4540595  0.4051183 0.6222227 0.4498831  0.3972115 0.632408 0.4457067", 3)
    w_k = _rows("0.0505258 0.5010882 0.4529578  0.095044 0.5143296 0.4912148  0.5347342 0.527571 0.5294719", 3)
    w_v = _rows("0.7465952 0.3922962 0.6209357  0.6111366 0.4930945 0.4562861  0.475678 0.5938928 0.2916365", 3)
    return Prepared(_numbered(x), _module(w_q, w_k, w_v, torch.eye(3)))


PRESETS: dict[str, Callable[[], Prepared]] = {"story": story, "notebook": notebook, "token_by_token": token_by_token}


def _rows(numbers: str, columns: int) -> Tensor:
    return torch.tensor([float(number) for number in numbers.split()]).reshape(-1, columns)


def _numbered(x: Tensor) -> Inputs:
    tokens = tuple(f"x{i}" for i in range(1, len(x) + 1))
    return Inputs((tokens,), (len(tokens),), x[None])


def _module(w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> MultiHeadAttention:
    module = MultiHeadAttention(
        len(w_q), d_k=w_q.shape[1], d_v=w_v.shape[1], d_out=w_o.shape[1], generator=torch.Generator()
    )
    with torch.no_grad():
        for name, values in {"w_q": w_q, "w_k": w_k, "w_v": w_v, "w_o": w_o}.items():
            module.get_parameter(name).copy_(values)
    return module
