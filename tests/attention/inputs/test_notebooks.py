"""The printed numbers of a notebook's two examples, digit by digit."""

import pytest

from attention.inputs.presets import notebook, token_by_token
from tests.support.presets import rows, split, traced, written

# The numbers that the notebook prints for its second example, typed off.
NOTEBOOK = {
    "x": """
        0.8676 0.3806 0.7488
        0.4281 0.2807 0.4111
        0.7204 0.1757 0.7430
        0.4438 0.3186 0.8127""",
    "queries": """
        0.6024 0.8510 0.9420 1.0115 0.9547
        0.3446 0.4839 0.5289 0.6024 0.5216
        0.5352 0.7232 0.7775 0.7431 0.8534
        0.5880 0.7507 0.7546 0.7756 0.8341""",
    "keys": """
        1.0095 0.6294 0.5370 1.0863 1.4507
        0.5679 0.3754 0.3235 0.6280 0.7935
        0.8376 0.4398 0.4392 0.8453 1.2114
        0.8223 0.4393 0.5191 0.8453 1.0981""",
    "values": """
        1.4581 0.4302 1.2097 1.2391 1.5576
        0.7631 0.2405 0.6888 0.7100 0.8673
        1.2940 0.3278 1.0332 0.9182 1.2526
        1.1068 0.2844 1.0820 0.8428 1.1486""",
    "scores": """
        4.1332 2.3591 3.3040 3.2614
        2.3474 1.3407 1.8748 1.8524
        3.4583 1.9709 2.7699 2.7268
        3.5239 2.0089 2.8202 2.7766""",
    "scaled": """
        1.8484 1.0550 1.4776 1.4586
        1.0498 0.5996 0.8384 0.8284
        1.5466 0.8814 1.2387 1.2195
        1.5759 0.8984 1.2612 1.2417""",
    "weights": """
        0.3547 0.1604 0.2448 0.2402
        0.3078 0.1962 0.2492 0.2467
        0.3367 0.1731 0.2475 0.2427
        0.3385 0.1719 0.2471 0.2424""",
    "output": """
        1.2221 0.3397 1.0523 0.9805 1.2740
        1.1942 0.3315 1.0320 0.9575 1.2452
        1.2119 0.3366 1.0449 0.9719 1.2633
        1.2129 0.3369 1.0456 0.9728 1.2644""",
}


@pytest.mark.parametrize("step", NOTEBOOK)
def test_the_notebook_prints_these_numbers(step):
    assert written(rows(step, traced(notebook())), ".4f") == split(NOTEBOOK[step])


# For its first example, the notebook prints one query: q, k and v of the first token, and the steps that follow.
FIRST_TOKEN = {
    "queries": "1.4568 2.2420 1.6187",
    "keys": "0.8648 1.8542 1.7760",
    "values": "2.1730 1.7953 1.6097",
    "scores": "8.2921 15.1280 21.9640 28.8000",
    "scaled": "4.7874 8.7342 12.6809 16.6277",
    "output": "7.6371 6.2040 5.6893",
}


@pytest.mark.parametrize("step", FIRST_TOKEN)
def test_token_by_token_prints_these_numbers(step):
    assert written(rows(step, traced(token_by_token()))[:1], ".4f") == split(FIRST_TOKEN[step])


def test_token_by_token_prints_its_weights_to_five_significant_digits():
    weights = rows("weights", traced(token_by_token()))[:1]
    assert written(weights, ".4e") == split("7.0690e-06 3.6594e-04 1.8944e-02 9.8068e-01")


def test_token_by_token_starts_from_the_tokens_of_the_notebook():
    x = token_by_token().inputs.x[0]
    assert written(x, ".1f") == split("1.1 1.2 1.3\n2.1 2.2 2.3\n3.1 3.2 3.3\n4.1 4.2 4.3")


@pytest.mark.parametrize("name", ["w_q", "w_k", "w_v"])
@pytest.mark.parametrize("preset", [notebook, token_by_token])
def test_notebook_weights_could_come_from_its_uniform_generator(preset, name):
    parameter = preset().module.get_parameter(name)
    assert ((parameter >= 0) & (parameter < 1)).all()
