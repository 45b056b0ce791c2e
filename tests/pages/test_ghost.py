"""A as a ghost: the weights of the kept screen's heads for the same word, and the cases without a ghost."""

import pytest
import torch

from pages.shell.runs.run import run
from pages.shell.state.config import Config
from pages.shell.views import VIEWS
from tests.support.app import linked

VIEW = {"heads": "heads.arcs", "walkthrough": "walkthrough.arcs"}


def ghosts(page: str, kept: Config | None, **link) -> list[dict]:
    if kept is not None:
        link["pinned"] = kept.bundled()
    at = linked(page, **link)
    return next(
        card["arcs"]["ghost"]
        for view in VIEWS.values()
        if view.name == VIEW[page]
        for block in view.blocks(at)
        for card in block.get("cards", ())
        if "arcs" in card
    )


def test_the_arcs_of_all_heads_have_those_of_the_kept_screen_behind_them():
    kept = Config(mask="causal")
    expected = run(kept).trace["weights"].value[0, :, 4]
    drawn = torch.tensor([one["weights"] for one in ghosts("heads", kept)])
    torch.testing.assert_close(drawn, expected, rtol=0, atol=1e-3)


def test_on_the_opening_page_the_ghost_is_that_of_the_shown_head():
    kept = Config(mask="causal")
    (one,) = ghosts("walkthrough", kept, head=3)
    assert one["head"] == 3
    expected = run(kept).trace["weights"].value[0, 2, 4]
    torch.testing.assert_close(torch.tensor(one["weights"]), expected, rtol=0, atol=1e-3)


@pytest.mark.parametrize("page", VIEW)
@pytest.mark.parametrize(
    ("kept", "link"),
    [
        (None, {}),
        (Config(mask="causal"), {"mask": "causal"}),
        (Config(text="the cat shows the owl to the hen"), {}),
        (Config(preset="story"), {}),
    ],
    ids=["nothing is kept", "A is the screen", "other words", "another preset"],
)
def test_there_is_no_ghost_where(page, kept, link):
    assert ghosts(page, kept, **link) == []
