"""The picture of the page about one query as the server sends it, and its numbers by torch."""

import base64
from typing import Any

import numpy as np
import torch
from torch.nn.functional import scaled_dot_product_attention

from attention.inputs.plane import PLANE
from pages.shell.screen import Screen
from tests.support.app import linked, payloads

X = torch.tensor(list(PLANE.values()), dtype=torch.float64)


def sent(at, id: str) -> dict:
    """The data of a figure as sent."""
    (found,) = [card for payload in payloads(at) for card in payload.get("cards", ()) if card["id"] == id]
    return found


def numbers(text: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), "<f4")


def expected(link) -> tuple[torch.Tensor, torch.Tensor]:
    """Weights and output of the query of a link, by torch."""
    angle, length = link.get("q_angle", 130), link.get("q_length", 1.5)
    turned = np.deg2rad(float(angle))
    q = float(length) * torch.tensor([np.cos(turned), np.sin(turned)], dtype=X.dtype)
    weights = scaled_dot_product_attention(q[None], X, torch.eye(len(X), dtype=X.dtype))[0]
    return weights, scaled_dot_product_attention(q[None], X, X)[0]


def opened(**link: Any) -> Screen:
    """The screen that a link opens, for tests of its views."""
    return linked("one_query", **link)
