"""Parts beyond a page's idea are in closed drawers, which open at once if a link names something in them."""

import pytest

from pages.shell.i18n import catalogue
from pages.shell.state.opens_with import OPENS_WITH
from tests.support.app import app, no_exception


def opened(page: str, **link) -> set[str]:
    """The drawers of a page that are open."""
    at = app(page, **link)
    assert no_exception(at)
    names = {text: id.removeprefix("drawer.") for id, text in catalogue("en").items() if id.startswith("drawer.")}
    return {names[one.label] for one in at.expander if one.proto.expanded and one.label in names}


@pytest.mark.parametrize(
    ("page", "link", "expected"),
    [
        ("backward", {}, set()),
        ("backward", {"cell": "d_w_q.1.2.backward-w_q"}, {"gradients"}),
        ("backward", {"cell": "d_projected.1.2.backward-projected"}, {"gradients"}),
        ("backward", {"cell": "d_scores.1.2.backward-scores"}, {"gradient_maps"}),
        ("backward", {"sgd_steps": 3}, {"training"}),
        ("backward", {"goal": "answer", "updates": 110}, {"whole_training"}),
        ("tiles", {"field_width": 6}, {"field"}),
        # The picture above the drawer chooses the head; only a cell of the head is in the drawer.
        ("fewer_keys", {}, set()),
        ("fewer_keys", {"asks": 4}, set()),
        ("fewer_keys", {"cell": "head-scores.1.1.fewer-keys"}, {"shared"}),
        # The page's own opening settings open no drawer.
        ("taming", OPENS_WITH["taming"], set()),
        ("taming", {"taming_cap": 0.5}, {"cap"}),
        ("masks", {"cell": "weights.1.1.one_mask"}, {"one_mask"}),
        ("one_query", {"cell": "queries.1.1.one_token"}, {"by_token"}),
    ],
    ids=str,
)
def test_a_link_opens_the_drawer_of_what_it_names(page, link, expected):
    assert opened(page, **link) == expected
