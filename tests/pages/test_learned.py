"""The preset `learned` on the walkthrough: scores are measured, right words are framed, and a setting is trained."""

import itertools
from types import MappingProxyType

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose
from streamlit.testing.v1 import AppTest

from attention.experiments.learning import QUESTIONS, measure
from attention.inputs.grammar import EXAMPLE, read
from attention.inputs.learned import Setting, shipped
from pages.shell.i18n import say
from pages.shell.runs import learned, learned_scores
from pages.shell.runs.results import results
from pages.shell.runs.run import run
from pages.shell.screen import Screen
from pages.shell.state.config import DEFAULTS, Config
from pages.shell.views import VIEWS
from tests.support.app import app, charts, figures, linked, markdown, no_exception, payloads, recorded, widget

FULL = {"preset": "learned", "mask": "full"}
HEADS = [f"learned-head-{head}" for head in range(1, 5)]


def opened(**link) -> Screen:
    return linked(**FULL | link)


def started(**link) -> AppTest:
    """The page, with the buttons that train."""
    at = app(**FULL | link)
    assert no_exception(at)
    return at


def screen(**link) -> Config:
    return Config(**FULL | link)


def bars(at: AppTest | Screen) -> dict[str, np.ndarray]:
    series = charts(at)["learned-scores"]["series"]
    return {id: series[say(f"learned.{id}")]["y"] for id in ("accuracy", "look")}


def words(at: AppTest | Screen) -> list[str]:
    return next(payload["labels"]["query"] for payload in payloads(at) if payload.get("labels"))


def button(at: AppTest, key: str):
    return next((one for one in at.button if one.key == key), None)


class TestOpened:
    def test_bars_are_the_scores_of_the_shipped_layer(self):
        at, scores = opened(), measure(shipped(Setting()))
        assert_allclose(bars(at)["accuracy"], scores.accuracy, atol=1e-6)
        assert_allclose(bars(at)["look"], scores.look, atol=1e-6)
        assert say("learned.title", score=f"{scores.mean:.2f}") in [text.value for text in markdown(at)]
        assert not run(screen()).notes

    def test_right_words_are_framed_in_the_map_of_each_head(self):
        at = opened()
        asked = sorted({(one.place, one.target) for one in read(EXAMPLE.split()).asked})
        assert figures(at)["output"].rest.get("outlined") is None
        drawn = figures(at)
        framed = [drawn[id].rest["outlined"] for id in ("weights", *HEADS)]
        assert framed == [[list(cell) for cell in asked]] * 5

    def test_the_verb_names_all_three_each_by_another_head(self):
        table = next(text.value for text in markdown(opened()) if text.value.startswith("| Asks"))
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
        assert [row[1] for row in rows] == [row[3] for row in rows] == ["`fox`", "`owl`", "`hen`"]
        assert len({row[2].partition(",")[0] for row in rows}) == 3

    def test_jobs_of_the_heads_are_those_that_were_measured(self):
        scores, drawn = measure(shipped(Setting())), figures(opened())
        for head, (id, job) in enumerate(zip(HEADS, scores.jobs, strict=True)):
            names = [f"{say(f'learned.question.{QUESTIONS[one]}')} {scores.by_head[one][head]:.2f}" for one in job]
            assert drawn[id].rest["title"] == f"head {head + 1} of 4 · {', '.join(names)}"

    def test_a_link_without_a_text_brings_a_sentence_of_the_grammar(self):
        assert words(opened()) == EXAMPLE.split()
        assert words(opened(text="the owl")) == ["the", "owl"]

    def test_a_bare_link_opens_it(self):
        bare, named = figures(linked()), figures(opened())
        assert {id: one.rest["stamp"] for id, one in bare.items()} == {
            id: one.rest["stamp"] for id, one in named.items()
        }
        assert "mask" not in bare

    def test_the_mask_of_another_preset_is_not_taken_along(self):
        at = app(preset="story")
        assert "mask" in figures(at)
        widget(at, "preset").set_value("learned").run()
        assert "mask" not in figures(at)
        assert words(at) == EXAMPLE.split()

    @pytest.mark.parametrize("preset", ["story", "random"])
    def test_another_preset_shows_none_of_it(self, preset):
        at = linked(preset=preset, heads_off="1", trained=True)
        assert "learned-scores" not in charts(at)
        assert "outlined" not in figures(at)["weights"].rest
        torch.testing.assert_close(
            run(Config(preset=preset, heads_off="1", trained=True)).trace["projected"].value,
            run(Config(preset=preset)).trace["projected"].value,
        )


class TestHeadsOff:
    def test_a_head_that_is_off_has_no_block_of_w_o_and_its_question_no_answer(self):
        on, off = opened(), opened(heads_off="4, 0, 17 x")
        w_o = figures(off)["w_o"].z
        assert not w_o[12:].any()
        assert_allclose(w_o[:12], figures(on)["w_o"].z[:12])
        assert measure(shipped(Setting())).jobs[3] == (QUESTIONS.index("whom"),)
        fallen = bars(on)["accuracy"] - bars(off)["accuracy"]
        assert fallen[1] > 0.5
        assert_allclose(fallen[[0, 2]], 0, atol=0.01)
        assert_allclose(figures(on)["weights"].z, figures(off)["weights"].z)

    def test_each_button_leads_to_the_screen_with_this_head_switched(self):
        def switches(**link):
            [found] = [
                block for block in VIEWS["walkthrough.learned_heads"].blocks(opened(**link)) if "buttons" in block
            ]
            return found["buttons"]

        on = switches()
        assert [one["sets"] for one in on] == [{"heads_off": str(head)} for head in range(1, 5)]
        assert all(one["pressed"] for one in on)
        off = switches(heads_off="2")
        assert off[1]["line"].startswith("Head 2 is off")
        assert [one["pressed"] for one in off] == [True, False, True, True]
        assert [one["sets"]["heads_off"] for one in off] == ["1,2", "", "2,3", "2,4"]


class TestConditions:
    def test_a_mask_acts_on_the_layer_that_is_there_or_on_the_one_that_was_trained_with_it(self):
        acts, with_it = opened(mask="causal"), opened(mask="causal", trained=True)
        assert_allclose(bars(with_it)["accuracy"], measure(shipped(Setting(mask="causal"))).accuracy, atol=1e-6)
        acted_on = measure(shipped(Setting()), Setting(mask="causal"))
        assert_allclose(bars(acts)["accuracy"], acted_on.accuracy, atol=1e-6)
        assert not run(screen(mask="causal")).notes
        assert not run(screen(mask="causal", trained=True)).notes
        told = say("learned.trained_with", parts="`mask = causal`")
        assert [any(told in each.value for each in markdown(at)) for at in (acts, with_it)] == [False, True]

    @pytest.mark.parametrize(
        ("link", "setting", "words"),
        [
            ({"d_k": "5"}, Setting(), ("trained with d_k = 5: the nearest one has d_k = 4.",)),
            (
                {"heads": 16, "d_k": "8"},
                Setting(heads=8, d_k=8, d_v=8),
                ("trained with heads = 16: the nearest one has heads = 8.",),
            ),
            # d_v is named if it differs from d_k.
            ({"d_k": "4", "d_v": "5"}, Setting(), ("d_v = 5", "d_v = 4")),
            ({"seed": 3}, Setting(), ("seed = 3", "seed = 0")),
            (
                {"mask": "window", "width": 3, "trained": True},
                Setting(mask="window"),
                ("mask = window, width = 3", "trained with `mask = window, width = 2`"),
            ),
            (
                {"dropout": 0.25, "trained": True},
                Setting(dropout=0.3),
                ("dropout = 0.25", "trained with `dropout = 0.3`"),
            ),
            ({"heads": 2, "scale": "none", "trained": True}, Setting(heads=2, d_k=8, d_v=8), ("scale = none",)),
            ({"positions": "none", "mask": "prefix", "trained": True}, Setting(mask="prefix"), ("positions = false",)),
        ],
    )
    def test_what_is_not_shipped_is_the_nearest_with_a_note(self, link, setting, words):
        shown = run(screen(**link))
        assert learned.used(shown.config) == setting
        assert shown.module.d_k == setting.d_k
        [note] = shown.notes
        assert all(word in note for word in words)

    def test_positions_are_left_out_where_they_are_switched_off(self):
        x = [recorded(run(screen(positions=positions)), "x") for positions in ("none", "preset", "sinusoidal")]
        assert not np.allclose(x[0], x[1])
        assert_allclose(x[1], x[2])

    def test_dropout_is_tested_as_it_is_shown(self):
        config = screen(dropout=0.3)
        training = learned_scores.tested(config, run(config).module)
        inference = learned_scores.tested(screen(dropout=0.3, mode="inference"), run(config).module)
        assert inference.scores.accuracy == measure(shipped(Setting())).accuracy
        assert training.scores.mean < inference.scores.mean

    def test_what_heads_attend_to_is_measured_once_for_every_p(self):
        few, many = screen(dropout=0.1), screen(dropout=0.7, draw=3)
        attended = learned_scores.attended(few, run(few).module)
        assert learned_scores.attended(many, run(many).module) is attended
        assert attended.by_head == learned_scores.tested(many, run(many).module).scores.by_head


class TestSentences:
    @pytest.mark.parametrize(
        ("text", "word"),
        [
            ("to the owl the fox brings the hen", "order"),
            ("hello", "class"),
            ("the fox brings the owl to the fox", "nouns"),
        ],
    )
    def test_a_sentence_outside_the_grammar_is_shown_with_an_honest_word(self, text, word):
        shown = run(screen(text=text))
        assert shown.tokens == tuple(text.split())
        [note] = shown.notes
        why = say(f"learned.fault.{word}", words="`hello`")
        assert why in note
        assert "outlined" not in figures(opened(text=text))["weights"].rest

    def test_an_unknown_noun_is_framed_and_not_named(self):
        at = opened(text="The wizard brings the owl to the hen.")
        assert figures(at)["weights"].rest["outlined"][0] == [0, 1]
        table = next(text.value for text in markdown(at) if text.value.startswith("| Asks"))
        assert "| `wizard` |" in table.splitlines()[2]
        assert table.splitlines()[2].endswith("| ? | – |")
        assert any("`wizard`" in text.value for text in markdown(at))

    def test_the_story_is_no_sentence_of_the_grammar_and_gives_way_to_its_example(self):
        assert run(screen(text=DEFAULTS.text)).tokens == tuple(EXAMPLE.split())


class TestTraining:
    LINK = MappingProxyType({"d_model": "3", "heads": 1, "d_k": "3", "d_v": "2"})
    SETTING = Setting(3, 1, 3, 2)

    @pytest.mark.slow
    def test_a_setting_is_trained_and_then_shown(self):
        at = started(**self.LINK)
        assert figures(at)["w_q"].z.shape != (3, 3)
        button(at, "learned-train").click()
        lengths = [0]
        for _ in itertools.takewhile(lambda _: results("learned").get(self.SETTING) is None, range(400)):
            assert no_exception(at.run())
            lengths.append(len(charts(at)["learned-curve"]["series"][say("learned.score")]["y"]))
        assert lengths == sorted(lengths)
        assert no_exception(at.run())
        assert figures(at)["w_q"].z.shape == (3, 3)
        assert not run(screen(**self.LINK)).notes
        assert button(at, "learned-train") is None
        scores = measure(learned.layer(self.SETTING))
        assert_allclose(bars(at)["accuracy"], scores.accuracy, atol=1e-6)
        last = charts(at)["learned-curve"]["series"][say("learned.score")]["y"][-1]
        assert last == pytest.approx(scores.mean)
        # Another visitor finds the training done.
        assert figures(opened(**self.LINK))["w_q"].z.shape == (3, 3)

    def test_it_is_stopped_by_its_button_and_by_another_setting(self):
        at = started(seed=7)
        button(at, "learned-train").click()
        assert no_exception(at.run())
        assert button(at, "learned-stop") is not None
        button(at, "learned-stop").click()
        assert no_exception(at.run())
        assert button(at, "learned-stop") is None
        button(at, "learned-train").click()
        assert no_exception(at.run())
        assert no_exception(widget(at, "seed").set_value(8).run())
        assert button(at, "learned-stop") is None
        assert results("learned").get(Setting(seed=7)) is None

    def test_a_setting_that_is_too_large_is_not_offered(self):
        at = started(d_model="128", heads=16, d_k="64")
        assert button(at, "learned-train") is None
        assert any("100,000" in caption.value for caption in at.caption)


def test_the_setting_that_a_screen_asks_for_is_made_once():
    """Fifteen answers look at the run two hundred times, each time for the setting. Other sizes have another one."""
    assert learned.wanted(Config()) is learned.wanted(Config())
    assert learned.wanted(Config(heads=2)).heads == 2
    assert learned.wanted(Config(trained=True, dropout=0.3)).dropout == 0.3
    assert learned.wanted(Config(dropout=0.3)).dropout == 0
