"""The four questions about a sheet: each answer is compared with the sheet itself, or with torch."""

import pytest
import torch

from attention.export.worksheet import sheet
from attention.export.worksheet_questions import answers


@pytest.mark.parametrize("number", [0, 3])
def test_the_answers_are_those_of_the_numbers_of_the_sheet(number):
    one = sheet(number, 3, mask=torch.ones(3, 3).tril().bool())
    found, trace = answers(one), one.trace
    torch.testing.assert_close(found.scaled_first, trace["scaled"].of()[found.query])
    torch.testing.assert_close(found.kept, 2 * trace["values"].of()[0])
    assert found.softmax.isnan().all()
    assert found.shape == tuple(trace["output"].of().shape)
    assert list(found.columns) == [2, 3]


def test_one_word_has_answers_too():
    assert answers(sheet(1, 1)).shape == (1, 2)
