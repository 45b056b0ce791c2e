"""The race on its page: curves that grow during the training, and buttons that stop, repeat and set it."""

import itertools
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose
from streamlit.testing.v1 import AppTest

from attention.experiments.race import Race, curves
from attention.scales import BY_D_K
from pages.shell.i18n import say
from pages.shell.runs import training
from pages.shell.sections.scaling import race
from pages.shell.state.page_controls import Laboratory
from pages.shell.state.registry import default
from pages.shell.state.url import written
from tests.support.app import app, charts, give, held, no_exception, widget
from tests.support.lab import BRIEF, RAW, SCALED, everything, numbers, said
from tests.support.training import trained

QUICK = {"race_d": 8, "race_seeds": 2, "race_steps": 50}


def steps_a_run(monkeypatch, count: int) -> None:
    """Let each further run of the page train `count` steps of one head, however long they take."""
    ticks = itertools.count()
    monkeypatch.setattr(training, "time", SimpleNamespace(monotonic=lambda: next(ticks)))
    monkeypatch.setattr(training, "TURN", count - 0.5)


class TestRace:
    def run(self, **link) -> AppTest:
        """The page, run until the training is over; in few turns, because each turn draws the page."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(training, "TURN", 5.0)
            at = app("scaling", **QUICK | link)
            for _ in self.turns(at):
                assert no_exception(at.run())
        return at

    def turns(self, at: AppTest):
        """As many turns as the training takes, up to a limit."""
        return itertools.takewhile(lambda _: not self.button(at, "race-again"), range(400))

    @staticmethod
    def button(at: AppTest, key: str):
        return next((button for button in at.button if button.key == key), None)

    @pytest.mark.slow
    def test_the_curves_are_those_of_the_package(self):
        drawn = charts(self.run())
        races = [Race(scale, 8, seed, 50) for seed in (0, 1) for scale in BY_D_K]
        table = curves({one: trained(one) for one in races})
        for scale in BY_D_K:
            own = table[table["scale"] == scale]
            for column in ("accuracy", "loss"):
                by_step = own.dropna(subset=column).groupby("step")[column]
                sent = drawn[column]["series"][say(f"lab.scale.{scale}")]
                for statistic, name in (("mean", "y"), ("min", "low"), ("max", "high")):
                    assert_allclose(sent[name], by_step.agg(statistic), rtol=1e-4, atol=1e-6)

    @pytest.mark.slow
    def test_the_curves_grow(self, monkeypatch):
        steps_a_run(monkeypatch, 3 * 11)
        at = app("scaling", race_d=16, race_seeds=1, race_steps=50, race_lr="0.3")
        lengths = []
        for _ in self.turns(at):
            lengths.append(len(charts(at)["loss"]["series"][RAW]["y"]))
            at.run()
        assert lengths == [11, 22, 33, 44]
        assert len(charts(at)["loss"]["series"][RAW]["y"]) == 51

    @pytest.mark.slow
    def test_it_can_be_stopped_and_goes_on_where_it_stood(self):
        at = app("scaling", race_d=32, race_seeds=1, race_steps=500)
        self.button(at, "race-stop").click().run()
        stood = len(charts(at)["loss"]["series"][RAW]["y"])
        at.run()
        assert len(charts(at)["loss"]["series"][RAW]["y"]) == stood
        self.button(at, "race-stop").click().run()
        at.run()
        assert len(charts(at)["loss"]["series"][RAW]["y"]) > stood

    @pytest.mark.slow
    def test_what_is_finished_is_there_for_the_next_visitor(self):
        expected = charts(self.run())["loss"]["stamp"]
        at = app("scaling", **QUICK)
        assert charts(at)["loss"]["stamp"] == expected
        assert self.button(at, "race-again")

    @pytest.mark.slow
    def test_it_can_be_seen_again(self, monkeypatch):
        at = self.run()
        steps_a_run(monkeypatch, 150)
        stamp = charts(at)["loss"]["stamp"]
        self.button(at, "race-again").click().run()
        assert self.button(at, "race-stop")
        for _ in self.turns(at):
            at.run()
        assert charts(at)["loss"]["stamp"] == stamp

    def test_the_race_of_the_question_waits_for_a_guess_or_for_who_asks_to_see_it(self, monkeypatch):
        """The curves are the answer, and were once drawn under the question."""
        steps_a_run(monkeypatch, 1)
        link = {"race_seeds": 1}
        at = everything(("race",), **link)
        assert not {"accuracy", "loss"} & set(charts(at))
        self.button(at, "race-start").click().run()
        assert {"accuracy", "loss"} <= set(charts(at))
        guessed = everything(("race",), guess="race.all", **link)
        assert {"accuracy", "loss"} <= set(charts(guessed))
        # Another race does not answer the question, so it is drawn at once.
        other = everything(("race",), race_lr="0.1", **link)
        assert {"accuracy", "loss"} <= set(charts(other))
        assert not any(self.button(one, "race-start") for one in (at, guessed, other))

    def test_another_setting_in_the_middle_starts_another_race(self):
        at = app("scaling", race_d=16, race_seeds=1, race_steps=500)
        assert no_exception(give(at, race_d="4", race_steps="50"))
        assert charts(at)["loss"]["chart"]["x"]["range"] == [0, 50]

    @pytest.mark.slow
    def test_smaller_weights_and_a_smaller_step_are_the_same_thing(self):
        at = self.run(race_d=16, race_twin=True)
        drawn = charts(at)["loss"]["series"]
        assert_allclose(drawn[say("lab.race.twin")]["y"], drawn[SCALED]["y"], atol=1e-5)
        (told,) = [line for line in said(at).splitlines() if "dₖ^(−1/4)" in line]
        assert numbers(told.split("at most")[1])[0] <= 1e-5 or "10⁻" in told
        assert told.endswith(say("lab.race.twin_same"))

    @pytest.mark.slow
    def test_where_rounding_parts_them_that_is_said_with_the_step(self):
        at = self.run(race_twin=True)
        races = {
            one: [state.loss for state in trained(one)]
            for one in race.races(replace(Laboratory(), race_d="8", race_steps="50", race_seeds=2, race_twin=True))
        }
        pairs = [
            (losses, races[replace(one, scale="sqrt_d_k", small_weights=False, small_step=False)])
            for one, losses in races.items()
            if one.small_step
        ]
        apart = np.abs([np.subtract(*pair) for pair in pairs]).max(0)
        # At 8 features and this step size, errors grow, in float64, too: the twin computes nothing different.
        first = int((apart > 1e-3).argmax())
        assert 5 < first < 50
        assert say("lab.race.twin_parted", step=first, apart=0.001) in said(at)

    @pytest.mark.slow
    def test_with_adam_they_are_not(self):
        at = self.run(race_twin=True, race_optimiser="adam", race_lr="0.01")
        assert say("lab.race.twin_adam") in said(at)
        drawn = charts(at)["loss"]["series"]
        assert np.abs(drawn[say("lab.race.twin")]["y"] - drawn[SCALED]["y"]).max() > 1e-3

    @pytest.mark.slow
    def test_more_seeds_are_drawn_and_told_where_all_of_them_have_come(self, monkeypatch):
        """Three of five seeds are there from the start; the line and its caption wait for the other two."""
        at = self.run(race_seeds=3)
        steps_a_run(monkeypatch, 1)
        assert no_exception(widget(at, "race_seeds").set_value(5).run())
        drawn = charts(at)
        assert drawn["loss"]["series"] == {}
        assert say("lab.race.not_yet", seeds=5) in drawn["loss"]["note"]
        # Six heads have not been trained yet.
        steps_a_run(monkeypatch, 6 * 7 - 1)
        at.run()
        for _ in range(2):
            drawn = charts(at)
            assert [len(one["y"]) for one in drawn["loss"]["series"].values()] == [7, 7, 7]
            # Both captions are about the last step at which both were measured.
            assert all("At step 5 (seeds: 5)" in drawn[one]["note"] for one in ("loss", "accuracy"))
            assert "step 50" not in drawn["loss"]["note"] + drawn["accuracy"]["note"]
            self.button(at, "race-stop").click().run()
        races = [Race("none", 8, seed, 50) for seed in range(5)]
        table = curves({one: trained(one) for one in races}).groupby("step")["loss"]
        assert_allclose(drawn["loss"]["series"][RAW]["y"], table.mean()[:7], rtol=1e-4)

    @pytest.mark.slow
    def test_the_twin_is_told_at_its_own_step(self, monkeypatch):
        at = self.run(race_lr="0.3")
        steps_a_run(monkeypatch, 2 * 7)
        widget(at, "race_twin").set_value(True).run()
        twin, note = say("lab.race.twin"), charts(at)["loss"]["note"]
        finished, late = note.split("At step 5 ")
        assert finished.startswith("At step 50 ")
        assert (twin in finished, twin in late) == (False, True)
        assert all(name in finished for name in (RAW, SCALED))
        assert [len(one["y"]) for one in charts(at)["loss"]["series"].values()] == [51, 51, 51, 7]
        (told,) = [line for line in said(at).splitlines() if "dₖ^(−1/4)" in line]
        assert "up to step 6 " in told

    @pytest.mark.slow
    def test_seeds_that_diverge_are_counted(self):
        drawn = charts(self.run(race_d=256, race_lr="3"))
        races = [Race("none", 256, seed, 50, lr=3.0) for seed in (0, 1)]
        table = curves({one: trained(one) for one in races})
        first = table[~np.isfinite(table["loss"])].groupby("seed")["step"].min()
        assert len(first) == 2
        told = say("lab.race.diverged_seeds", name=RAW, count=2, seeds=2, step=first.min())
        assert told.endswith(f"2 of 2 seeds, the first at step {first.min()}")
        for column in ("loss", "accuracy"):
            assert told in drawn[column]["note"]
            assert "∞" not in drawn[column]["note"]
        line = drawn["loss"]["series"][RAW]
        assert line["x"][-1] == first.min() - 1
        assert np.isfinite(line["high"]).all()
        assert drawn["loss"]["chart"]["y"]["log"]
        calm = charts(self.run())["loss"]
        assert "Diverged" not in calm["note"]
        assert not calm["chart"]["y"]["log"]

    @pytest.mark.parametrize("name", race.LIMITS)
    def test_a_limit_sets_its_controls(self, name):
        at = app("scaling", **BRIEF)
        self.button(at, f"limit-{name}").click().run()
        assert no_exception(at)
        for control, value in race.LIMITS[name].items():
            assert held(at).get(control, written(default(control))) == written(value)
            assert Laboratory.knobs()[control].nearest(written(value), None) == value

    def test_the_shared_generator_is_left_alone(self):
        before = torch.get_rng_state()
        self.run()
        assert torch.equal(before, torch.get_rng_state())


def ends(name: str, *scales: str) -> dict[str, float]:
    """The last accuracies of the named heads that a limit trains, for one seed."""
    lab = replace(Laboratory(), race_seeds=1, **race.LIMITS[name])
    last = {one: trained(one)[-1].accuracy for one in race.races(lab) if one.scale in scales}
    return {"twin" if one.small_step else one.scale: accuracy for one, accuracy in last.items()}


class TestLimits:
    """The lesson of each button, at the settings that it makes."""

    @pytest.mark.exhaustive(
        "attention/experiments/test_race_published.py::test_the_curves_separate_for_five_seeds_out_of_five"
    )
    def test_default_only_the_root_learns_soon(self):
        last = ends("default", *BY_D_K)
        assert last["sqrt_d_k"] >= 0.99
        assert last["none"] <= 0.5 <= last["d_k"] < 0.99

    @pytest.mark.exhaustive(
        "attention/experiments/test_race.py::test_at_d_k_16_a_small_learning_rate_does_without_scaling"
    )
    def test_small_d_no_scaling_does_as_well(self):
        last = ends("small_d", "none", "sqrt_d_k")
        assert min(last.values()) >= 0.98

    @pytest.mark.exhaustive(
        "attention/experiments/test_race.py::test_at_d_k_16_a_small_learning_rate_does_without_scaling"
    )
    def test_small_step_no_scaling_learns_later_and_1_over_d_k_is_cold(self):
        last = ends("small_step", *BY_D_K)
        assert last["sqrt_d_k"] >= 0.99
        assert last["none"] >= 0.85
        assert last["d_k"] <= 0.6

    @pytest.mark.exhaustive("attention/experiments/test_race.py::test_adam_learns_with_either_root_and_not_without")
    def test_adam_learns_with_either_scale_and_not_quite_without(self):
        last = ends("adam", *BY_D_K)
        assert min(last["sqrt_d_k"], last["d_k"]) >= 0.98
        assert last["none"] <= 0.95

    @pytest.mark.exhaustive(
        "attention/experiments/test_race.py::test_smaller_weights_and_a_smaller_step_are_the_scaled_run_itself"
    )
    def test_twin_learns_as_the_scaled_one(self):
        last = ends("twin", "none", "sqrt_d_k")
        assert last["twin"] == last["sqrt_d_k"] >= 0.99
        assert last["none"] <= 0.5
