"""The page about heads: what they cost, with d_k shared out and with d_k fixed, and how far each of them reaches."""

import pytest

from attention.heads import parameters
from tests.app_support import app, no_exception
from tests.test_pages_masks import table


def counted(at) -> str:
    return next(block.value for block in at.markdown if block.value.startswith("On this screen"))


@pytest.mark.parametrize("heads", [1, 2, 4, 8, 16])
def test_parameters_stay_until_d_k_is_fixed(heads):
    at = app("heads", d_model="64", heads=heads)
    assert f"**{parameters(64, 4):,}**" in counted(at)
    at.session_state["fixed_d_k"] = True
    assert no_exception(at.run())
    assert f"**{parameters(64, heads, 16):,}**" in counted(at)
    assert f"{heads} heads of d_k = 16 " in counted(at)


def test_a_size_that_is_set_by_hand_is_left_alone():
    assert "d_k = 5 " in counted(app("heads", d_k="5", fixed_d_k=True))


def test_a_head_has_at_least_one_feature():
    assert "d_k = 1 " in counted(app("heads", d_model="2", heads=2, fixed_d_k=True))


def test_the_table_of_ranks_is_the_published_one():
    rows = table(app("heads"), "Rank of the weights")[2:]
    assert [row[0] for row in rows] == ["1", "2", "4", "8", "16", "32", "64"]
    assert [row[3] for row in rows] == ["32", "32", "16", "8", "4", "2", "1"]
    assert {row[2] for row in rows} == {"16,384"}


def test_one_feature_reaches_every_head():
    rows = table(app("heads", heads=8), "feature 0")[2:]
    assert len(rows) == 8
    assert all(float(row[-1]) > 0 for row in rows)
