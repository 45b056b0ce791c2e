"""A page's text about its parameters, and about the comparison of its numbers with PyTorch."""

import pytest

from pages.shell.i18n import say
from pages.shell.screen import Screen
from pages.shell.views import VIEWS
from tests.support.app import computed, linked, markdown

RANDOM = {"preset": "random"}


def ledger(at) -> str:
    unit = say("ledger.parameters", count="").replace("*", "").strip()
    (text,) = [one.value for one in markdown(at) if unit in one.value]
    return text


def comparison(screen: Screen) -> dict:
    """The text about the comparison with PyTorch."""
    [found] = [block for block in VIEWS["walkthrough.ledger"].blocks(screen) if block["kind"] == "ledger"]
    return found


@pytest.mark.parametrize(
    "link",
    [
        {},
        {"preset": "notebook"},
        RANDOM | {"d_model": 33, "heads": 3},
        RANDOM | {"d_model": 33, "heads": 3, "d_k": 13, "d_v": 7, "bias": True},
        RANDOM | {"d_model": 10, "heads": 1, "d_k": 6, "d_out": 8},
        RANDOM | {"d_model": 17, "heads": 5},
        RANDOM | {"d_model": 512, "heads": 16},
    ],
    ids=str,
)
def test_the_ledger_counts_the_parameters(link):
    module = computed(**link).module
    d_model, h, d_k, d_v, d_out = module.d_model, module.heads, module.d_k, module.d_v, module.d_out
    count = 2 * d_model * h * d_k + d_model * h * d_v + h * d_v * d_out
    if link.get("bias"):
        count += 2 * h * d_k + h * d_v + d_out
    text = ledger(linked(**link))
    assert f"**{count:,}**" in text
    for name, size in {"d_model": d_model, "h": h, "d_k": d_k, "d_v": d_v}.items():
        assert f"{name} **{size}**" in text
    assert (f"d_out **{d_out}**" in text) == (d_out != d_model)


@pytest.mark.parametrize(
    ("link", "agreeing", "reasons"),
    [
        (RANDOM, 2, ()),
        (RANDOM | {"bias": True, "last": 3, "mask": "window", "text": "a b c d\ne"}, 2, ()),
        (RANDOM | {"scale": "none"}, 1, ("scale",)),
        (RANDOM | {"d_k": 13}, 1, ("d_k",)),
        (RANDOM | {"d_v": 7}, 1, ("d_v",)),
        (RANDOM | {"d_out": 8}, 1, ("d_out",)),
        (RANDOM | {"dropout": 0.3}, 0, ("dropout", "dropout")),
        (RANDOM | {"dropout": 0.3, "mode": "inference"}, 2, ()),
        ({}, 2, ()),
        ({"preset": "story"}, 1, ("d_k",)),
    ],
    ids=str,
)
def test_a_badge_compares_the_numbers_with_torch_or_says_why_not(link, agreeing, reasons):
    at = linked(**link)
    said = comparison(at)
    text = " ".join(badge["line"] for badge in said["badges"])
    agrees, differs = (
        say(id, name="", difference="").split("{")[0].strip(" :") for id in ("badge.agrees", "badge.differs")
    )
    assert text.count(agrees) == agreeing
    assert differs not in text
    for reason in reasons:
        assert text.count(say(f"reason.{reason}")) == reasons.count(reason)
    assert "torch.nn.functional.scaled_dot_product_attention" in text
    assert "torch.nn.MultiheadAttention" in text
    assert said["word"] == say("parity.agrees" if agreeing else "parity.none")
