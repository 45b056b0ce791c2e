"""The race on its page: curves that grow while they are trained, and buttons that stop, repeat and set it."""

import itertools

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose
from streamlit.testing.v1 import AppTest

from attention.race import Race, curves, train
from attention.scales import BY_D_K
from pages.shell.knobs import written
from pages.shell.lab import race
from pages.shell.own import Laboratory
from pages.shell.text import say
from tests.app_support import app, charts, no_exception
from tests.test_pages_scaling import BRIEF, RAW, SCALED, numbers, said

QUICK = {"race_d": 8, "race_seeds": 2, "race_steps": 50}


class TestRace:
    def run(self, **link) -> AppTest:
        """The page, run until the training is over."""
        at = app("scaling", **QUICK | link)
        for _ in itertools.takewhile(lambda _: not self.button(at, "race-again"), range(400)):
            assert no_exception(at.run())
        return at

    @staticmethod
    def button(at: AppTest, key: str):
        return next((button for button in at.button if button.key == key), None)

    def test_the_curves_are_those_of_the_package(self):
        drawn = charts(self.run())
        races = [Race(scale, 8, seed, 50) for seed in (0, 1) for scale in BY_D_K]
        table = curves({one: train(one) for one in races})
        for scale in BY_D_K:
            own = table[table["scale"] == scale]
            for column in ("accuracy", "loss"):
                by_step = own.dropna(subset=column).groupby("step")[column]
                sent = drawn[column]["series"][say(f"lab.scale.{scale}")]
                for statistic, name in (("mean", "y"), ("min", "low"), ("max", "high")):
                    assert_allclose(sent[name], by_step.agg(statistic), rtol=1e-4, atol=1e-6)

    def test_the_curves_grow(self):
        at = app("scaling", race_d=16, race_seeds=1, race_steps=200, race_lr="0.3")
        lengths = []
        while not self.button(at, "race-again"):
            lengths.append(len(charts(at)["loss"]["series"][RAW]["y"]))
            at.run()
        assert lengths == sorted(set(lengths))
        assert len(charts(at)["loss"]["series"][RAW]["y"]) == 201

    def test_it_can_be_stopped_and_goes_on_where_it_stood(self):
        at = app("scaling", race_d=32, race_seeds=1, race_steps=500)
        self.button(at, "race-stop").click().run()
        stood = len(charts(at)["loss"]["series"][RAW]["y"])
        at.run()
        assert len(charts(at)["loss"]["series"][RAW]["y"]) == stood
        self.button(at, "race-stop").click().run()
        at.run()
        assert len(charts(at)["loss"]["series"][RAW]["y"]) > stood

    def test_what_is_finished_is_there_for_the_next_visitor(self):
        expected = charts(self.run())["loss"]["stamp"]
        at = app("scaling", **QUICK)
        assert charts(at)["loss"]["stamp"] == expected
        assert self.button(at, "race-again")

    def test_it_can_be_seen_again(self):
        at = self.run()
        stamp = charts(at)["loss"]["stamp"]
        self.button(at, "race-again").click().run()
        assert self.button(at, "race-stop")
        while not self.button(at, "race-again"):
            at.run()
        assert charts(at)["loss"]["stamp"] == stamp

    def test_another_setting_in_the_middle_starts_another_race(self):
        at = app("scaling", race_d=16, race_seeds=1, race_steps=500)
        at.session_state["race_d"] = "4"
        at.session_state["race_steps"] = "50"
        assert no_exception(at.run())
        assert charts(at)["loss"]["chart"]["x"]["range"] == [0, 50]

    def test_smaller_weights_and_a_smaller_step_are_the_same_thing(self):
        at = self.run(race_d=16, race_twin=True)
        drawn = charts(at)["loss"]["series"]
        assert_allclose(drawn[say("lab.race.twin")]["y"], drawn[SCALED]["y"], atol=1e-5)
        (told,) = [line for line in said(at).splitlines() if "d_k^(−1/4)" in line]
        assert numbers(told.split("at most")[1])[0] <= 1e-5 or "10⁻" in told

    def test_with_adam_they_are_not(self):
        drawn = charts(self.run(race_twin=True, race_optimiser="adam", race_lr="0.01"))["loss"]["series"]
        assert np.abs(drawn[say("lab.race.twin")]["y"] - drawn[SCALED]["y"]).max() > 1e-3

    @pytest.mark.parametrize("name", race.LIMITS)
    def test_a_limit_sets_its_controls(self, name):
        at = app("scaling", **BRIEF)
        self.button(at, f"limit-{name}").click().run()
        assert no_exception(at)
        for control, value in race.LIMITS[name].items():
            assert at.session_state[control] == value
            assert Laboratory.knobs()[control].nearest(written(value), None) == value

    def test_the_shared_generator_is_left_alone(self):
        before = torch.get_rng_state()
        self.run()
        assert torch.equal(before, torch.get_rng_state())
