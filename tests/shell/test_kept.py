"""What is drawn from a run is made once, and goes with the run."""

import gc
import weakref
from dataclasses import replace

from pages.shell.runs.kept import MOST, kept
from pages.shell.runs.run import computed, run
from pages.shell.state.config import Config

BEFORE = Config(preset="random", text="a b c", d_model="5")


def test_it_is_made_once_for_each_run_and_for_what_is_given():
    made = []

    def make(run, row, *, column=0):
        made.append((run, row, column))
        return object()

    one, other = run(BEFORE), run(replace(BEFORE, seed=3))
    assert kept(one, make, 2, column=3) is kept(one, make, 2, column=3)
    assert kept(one, make, 3) is not kept(one, make, 2)
    assert kept(other, make, 2) is not kept(one, make, 2)
    assert [told[1:] for told in made] == [(2, 3), (3, 0), (2, 0), (2, 0)]


def test_of_one_run_so_many_are_kept():
    made = []

    def make(run, cell):
        made.append(cell)
        return cell

    one = computed(BEFORE.complete())
    for cell in range(MOST + 1):
        kept(one, make, cell)
    assert kept(one, make, MOST) == MOST
    assert len(made) == MOST + 1
    kept(one, make, 0)
    assert made[-1] == 0


def test_it_goes_with_its_run_and_does_not_pass_to_a_copy():
    class Drawn:
        pass

    def make(run):
        return Drawn()

    one = computed(BEFORE.complete())
    drawn = weakref.ref(kept(one, make))
    assert kept(replace(one, focus=2), make) is not drawn()
    assert drawn() is not None
    del one
    gc.collect()
    assert drawn() is None
