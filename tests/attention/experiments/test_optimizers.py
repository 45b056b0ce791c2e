"""The updates are those of torch.optim, whose import the app is spared."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch

from attention.experiments.optimizers import OPTIMISERS
from tests.support import seeded

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize(("name", "theirs"), [("sgd", torch.optim.SGD), ("adam", torch.optim.Adam)])
def test_the_optimisers_are_those_of_torch(name, theirs):
    shapes = ((3, 5), (7,))
    ours = [torch.randn(shape, generator=seeded(), dtype=torch.float64) for shape in shapes]
    rates = (0.1, 0.02)
    copies = [torch.nn.Parameter(weight.clone()) for weight in ours]
    update = OPTIMISERS[name](ours, rates)
    optimiser = theirs([{"params": [copy], "lr": rate} for copy, rate in zip(copies, rates, strict=True)], lr=1.0)
    generator = seeded(1)
    for _ in range(11):
        given = [torch.randn(shape, generator=generator, dtype=torch.float64) for shape in shapes]
        update(given)
        for copy, gradient in zip(copies, given, strict=True):
            copy.grad = gradient.clone()
        optimiser.step()
    torch.testing.assert_close(ours, [copy.detach() for copy in copies], rtol=0, atol=1e-12)


@pytest.mark.slow
def test_a_race_does_not_import_the_compiler():
    code = (
        "import sys; from attention.experiments.race import Race, train;"
        "list(train(Race(d_k=2, steps=1, optimiser='adam'))); print('torch._dynamo' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"
