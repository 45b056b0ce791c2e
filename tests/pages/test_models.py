"""The page on real models: it draws what the models computed, and it works without their weights."""

import base64
import re
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from attention.analysis.head_patterns import PATTERNS, patterns
from attention.inputs import trained as package
from pages.shell.i18n import LANGUAGES, say
from pages.shell.runs.trained import layer_run
from pages.shell.runs.trained import loaded as loaded_models
from pages.shell.runs.trained import outputs as outputs_module
from pages.shell.runs.trained.loaded import loaded
from pages.shell.runs.trained.outputs import outputs
from pages.shell.runs.trained.recorded import effects, recorded
from pages.shell.runs.trained.request import OPENED, OTHER, REPEATED, TEXTS, Request, example, not_heads, requested
from pages.shell.state.page_controls import Models
from pages.shell.views import answered
from pages.shell.views.models import offered, switched
from pages.shell.views.models.common import spelled
from tests.support.app import app, blocks, control_of, decoded, held, linked, markdown, no_exception, payloads, widget
from tests.support.covering import some
from tests.support.trained import hide, needed
from tests.support.untrained import Untrained

pytestmark = pytest.mark.models

AGAIN = {"model": "smollm2", "model_text": REPEATED, "model_layer": 18, "model_head": 6}


def wall(at: AppTest) -> dict:
    (found,) = (payload["wall"]["wall"] for payload in payloads(at) if "wall" in payload)
    return found


def card(at: AppTest, id: str) -> dict:
    (found,) = (card for payload in payloads(at) for card in payload.get("cards", ()) if card["id"] == id)
    return found


def series(card: dict, place: int) -> np.ndarray:
    return np.frombuffer(base64.b64decode(card["chart"]["series"][place]["y"]), "<f4")


def said(at: AppTest) -> str:
    return "\n".join(each.value for each in markdown(at))


def test_an_encoder_shows_all_heads_and_the_numbers_of_the_one_that_is_opened():
    needed("minilm")
    at = app("models", model="minilm", model_text="Two quiet rivers met below the town", model_layer=4, model_head=5)
    assert no_exception(at)
    found = outputs(Request("minilm", "Two quiet rivers met below the town"))
    heads = [head for group in wall(at)["groups"] for head in group["heads"]]
    assert sorted(head["id"] for head in heads) == sorted(f"{a}.{b}" for a in range(1, 7) for b in range(1, 13))
    told = patterns(found.weights, found.tokens)
    for group, kind in zip(
        wall(at)["groups"], (each for each in PATTERNS if (told.kinds() == PATTERNS.index(each)).any()), strict=True
    ):
        for head in group["heads"]:
            layer, number = (int(part) - 1 for part in head["id"].split("."))
            assert float(head["number"]) == pytest.approx(float(told.numbers[kind][layer, number]), abs=0.0051)
    drawn = decoded(card(at, "weights"))
    np.testing.assert_allclose(drawn, found.weights[3, 4].numpy(), atol=1e-6)
    assert decoded(card(at, "attribution")).shape == (5, len(found.tokens))
    own = decoded(card(at, "attribution"))[0]
    query = len(found.tokens) - 2
    mean = found.weights[3, :, query].mean(0)
    np.testing.assert_allclose(own, mean / mean.max(), atol=1e-5)
    assert "`town`" in said(at)


def test_a_decoder_says_what_comes_next_before_and_after_a_head_is_switched_off():
    needed("smollm2")
    at = app("models", model_off="18.6, 3.99", **AGAIN)
    assert no_exception(at)
    # Layers go from 1 to 30 and heads from 1 to 9. Other heads that a link switches off are named, and left out.
    assert [toast.value for toast in at.toast] == [say("link.changed", parts="`model_off`: `18.6, 3.99` → `18.6`")]
    model = loaded("smollm2")
    plain = model.output(REPEATED)
    changed = model.output(REPEATED, off={17: (5,)})
    drawn = card(at, "next")
    first = int(plain.argmax())
    assert drawn["chart"]["x"]["names"][0] == model.shown([first])[0] == "␣quickly"
    assert series(drawn, 0)[0] == pytest.approx(float(plain[first]), abs=1e-5)
    assert series(drawn, 1)[0] == pytest.approx(float(changed[first]), abs=1e-5)
    assert f"{float(changed[first]):.2f}" in drawn["note"]
    # The sentence has the head that the page found, its weight on what followed, and what is lost without it.
    followed = next(each.value for each in markdown(at) if "followed last time" in each.value and "`" in each.value)
    assert "0.89" in followed
    assert "layer 18, head 6" in followed
    assert f"{float(plain[first]):.2f}" in followed
    assert f"{float(changed[first]):.2f}" in followed
    sinks = series(card(at, "sink-share"), 0)
    weights = outputs(Request("smollm2", REPEATED, off=((17, 5),))).weights
    np.testing.assert_allclose(sinks, weights[:, :, 1:, 0].mean((1, 2)).numpy(), atol=1e-6)
    widget(at, "model_off").set_value("3.99").run()
    assert [warning.value for warning in at.warning] == [say("models.not_heads", words="`3.99`", layers=30, heads=9)]


def test_the_knobs_reach_the_model():
    needed("minilm")
    knobs = {"model_scale": "none", "model_dropout": 0.3, "rank": 2, "hide_first": True, "everywhere": False}
    knobs |= {"model_mask": "window", "model_width": 3, "model_draw": 7}
    at = app("models", model="minilm", model_layer=2, model_head=9, step="weights", **knobs)
    assert no_exception(at)
    request = Request("minilm", TEXTS["minilm"], "none", ("window", 3), 0.3, (), (1, 8, 2), True, 1, 7)
    given = {name: str(value).lower() for name, value in knobs.items()}
    given |= {"model": "minilm", "model_layer": "2", "model_head": "9"}
    assert requested(Models.of(given)) == request
    weights = outputs(request).weights[1, 8]
    np.testing.assert_allclose(np.nan_to_num(decoded(card(at, "weights"))), weights.numpy(), atol=1e-6)
    assert weights[:, 0].abs().max() == 0
    # A query sees nothing further away than the window.
    assert weights.triu(3).abs().max() == weights.tril(-3).abs().max() == 0 < weights.triu(2).abs().max()


def test_what_names_no_head_of_the_model_is_said():
    screen = Models(model="minilm", model_off="6.12, 7.1 foo; 3.13,1.1")
    assert requested(screen).off == ((0, 0), (5, 11))
    assert not_heads(screen) == ("7.1", "foo", "3.13")


def opened_head(at: AppTest) -> tuple[tuple[int, int], tuple[int, int]]:
    """The page's layer and head, and the number of each that it offers."""
    layer, head = (widget(at, name) for name in ("model_layer", "model_head"))
    return (layer.value, head.value), (len(layer.options), len(head.options))


@pytest.mark.usefixtures("untrained")
def test_layers_and_heads_are_those_of_the_model():
    at = app("models", model="minilm", model_layer=29, model_head=9)
    assert no_exception(at)
    assert opened_head(at) == ((6, 9), (6, 12))
    assert "`model_layer`: `29` → `6`" in at.toast[0].value
    widget(at, "model").set_value("smollm2").run()
    assert no_exception(at)
    # Another model opens with a head of its own that has something to show.
    assert opened_head(at) == (OPENED["smollm2"], (30, 9))


@pytest.mark.parametrize("kept", [0, 5, 31, 32, 64])
def test_what_is_more_than_a_head_has_keeps_all_of_its_directions(kept):
    assert requested(Models(model="minilm", rank=kept, model_layer=1, model_head=1)).rank == (
        (0, 0, kept) if kept < 32 else None
    )


@pytest.mark.usefixtures("untrained")
def test_the_slider_of_directions_stays_the_same_while_it_is_moved_and_ends_at_all_of_them():
    """A new widget would take the focus from a visitor who moves the slider by key."""
    at = app("models", model="minilm", rank=5)
    before = widget(at, "rank")
    after = widget(before.set_value(6).run(), "rank")
    assert (after.key, after.max) == (before.key, 32)


@pytest.mark.usefixtures("untrained")
def test_all_directions_of_a_head_stay_all_in_a_model_that_has_more():
    at = app("models", model="minilm", rank=5)
    assert widget(at, "rank").value == 5
    # The widget first redraws its parts; the page run comes after them.
    widget(at, "rank").set_value(32).run()
    assert "rank" not in held(at.run())
    widget(at, "model").set_value("smollm2").run()
    assert widget(at, "rank").value == 64


@pytest.mark.parametrize(
    "text", [" ", "word " * 79, "<b>*bold*</b> $x$ `code` | 🙂", "[CLS]"], ids=["none", "long", "hostile", "special"]
)
def test_any_text_is_shown_as_it_is(text):
    needed("minilm")
    at = app("models", model="minilm", model_text=text)
    assert no_exception(at)
    shown = len(outputs(Request("minilm", text.strip() or TEXTS["minilm"])).tokens)
    assert shown <= 64
    assert bool(at.warning) == (len(text) > 300)


def disabled(block: Any) -> dict[str, bool]:
    """Whether each widget of a block is disabled, by its key."""
    found = {}
    for child in block.children.values():
        if hasattr(child, "children"):
            found |= disabled(child)
        elif getattr(child, "key", None) and hasattr(child, "disabled"):
            found[control_of(child.key)] = child.disabled
    return found


@pytest.fixture
def without_weights(monkeypatch, tmp_path):
    hide(monkeypatch, tmp_path)
    # Other tests of this process may have loaded the weights.
    monkeypatch.setattr(loaded_models, "_process", cache(loaded_models._Process))


@pytest.mark.usefixtures("without_weights")
@pytest.mark.parametrize("language", some(LANGUAGES[::-1], 1))
@pytest.mark.slow
def test_without_the_weights_a_sentence_says_how_to_get_them_and_all_heads_are_shown(language):
    at = app("models", lang=language, **AGAIN)
    assert no_exception(at)
    # The page has one calm line, and a drawer says how to get the weights.
    assert not at.info
    assert say("models.kept", language) in [caption.value for caption in at.caption]
    assert package.COMMAND == "make models"
    told = say("models.missing", language, command="`make models`", folder="`ATTENTION_MODELS`")
    (drawer,) = [line for line in at.expander if line.label == say("drawer.model_missing", language)]
    assert [one.value for one in drawer.markdown] == [told]
    kept = recorded(Request("smollm2", REPEATED))
    assert sum(len(group["heads"]) for group in wall(at)["groups"]) == 270
    np.testing.assert_array_equal(np.nan_to_num(decoded(card(at, "weights"))), kept.weights[17, 5].numpy())
    assert card(at, "next")["chart"]["x"]["names"][0] == "␣quickly"
    assert {"sink-share", "sink-length", "spread", "effects", "importance"} <= {
        one["id"] for payload in payloads(at) for one in payload.get("cards", ())
    }
    assert "`␣quickly`" in said(at)
    # A figure of steps takes clicks. A kept record has no arithmetic, so a click on its figure would have no answer.
    (row,) = (one for one in payloads(at) if card(at, "weights") in one.get("cards", ()))
    assert not row.get("clicks")
    assert not row["chapter"]


@pytest.mark.usefixtures("without_weights")
def test_without_the_weights_every_control_is_there_and_what_a_record_answers_can_be_used():
    """Disabled controls keep their values in the link, including those of the pipeline, which is not drawn."""
    link = {"step": "scores", "told": 3, "rank": 5, "model_off": "1.2"}
    at = app("models", model="minilm", **link)
    assert no_exception(at)
    used = {name: not is_disabled for name, is_disabled in disabled(at.main).items()}
    assert {name for name in Models.knobs() if used[name]} == {"model", "model_layer", "model_head"}
    assert all(used[f"example-{name}"] for name in ("capital", "unscaled", "repeated"))
    assert held(at) == {"model": "minilm"} | {name: str(value) for name, value in link.items()}
    at.button(key="example-capital").click().run()
    assert no_exception(at)
    assert card(at, "next")["chart"]["x"]["names"][0] == "␣Paris"


@pytest.mark.usefixtures("without_weights")
def test_without_the_weights_another_text_is_said_to_need_them():
    at = app("models", model="minilm", model_text="Two quiet rivers", model_dropout=0.3)
    assert no_exception(at)
    told = say("models.kept_other", text="")[:60]
    # The warning comes before the picture, which shows another text.
    assert any(warning.value.startswith(told) for warning in at.warning)
    assert say("models.kept") not in [caption.value for caption in at.caption]
    assert sum(len(group["heads"]) for group in wall(at)["groups"]) == 72


@pytest.mark.usefixtures("without_weights")
def test_few_heads_have_a_role_that_can_be_named_and_few_matter():
    """A sentence in an encoder: most heads look at the first token or at no single place, and most could go."""
    at = app("models", model="minilm")
    groups = {group["title"].partition(":")[0]: len(group["heads"]) for group in wall(at)["groups"]}
    unnamed = sum(groups[say(f"models.pattern.{kind}.title")] for kind in ("first", "broad"))
    assert unnamed > 0.9 * sum(groups.values())
    small, count = re.search(r"(\d+) of (\d+) heads have less than a tenth", card(at, "effects")["note"]).groups()
    assert int(small) > 0.8 * int(count) == 0.8 * sum(groups.values())


def test_files_that_are_not_the_published_ones_are_refused_and_said_so(without_weights, monkeypatch, tmp_path):
    for file in package.MODELS["minilm"].files:
        (tmp_path / file).write_bytes(b"other weights")
    # The library that reads the files need not be installed: the files are refused before.
    monkeypatch.setattr(package.files, "find_spec", lambda library: True)
    monkeypatch.setattr(package.loading, "_opened", package.loading._opened.__wrapped__)
    at = app("models", model="minilm")
    assert no_exception(at)
    (told,) = at.error
    assert "SHA-256" in told.value
    assert package.COMMAND in told.value
    assert len(wall(at)["groups"]) > 1


@pytest.fixture
def untrained(monkeypatch):
    """Models in memory, as after a visitor has waited for them."""
    there = loaded_models._Process({name: Untrained(name) for name in ("minilm", "smollm2")})
    monkeypatch.setattr(loaded_models, "_process", lambda: there)
    monkeypatch.setattr(outputs_module, "_texts", cache(outputs_module._texts.__wrapped__))
    monkeypatch.setattr(layer_run, "_layers", cache(layer_run._layers.__wrapped__))
    return there.models


def shown(name: str, **parameters: str) -> dict:
    """The server's answer to a browser that asks for a view of the page."""
    return answered("models", [f"models.{name}"], parameters, "en")["views"][f"models.{name}"]


# The views that wait for the model to run. The others do not depend on the text, or have a task of their own.
OF_TEXT = (
    "sentence",
    "offered",
    "next",
    "output",
    "wall",
    "table",
    "facts",
    "ledger",
    "strip",
    "formula",
    "large",
    "importance",
    "sinks",
    "spread",
)


def test_views_wait_until_a_task_of_the_page_has_asked_the_model(untrained):
    asked = {"model": "minilm", "model_text": "Seven geese crossed the meadow", "model_layer": "1", "model_head": "3"}
    assert all(shown(name, **asked) == {"pending": True} for name in OF_TEXT)
    at = app("models", **asked)
    assert no_exception(at)
    assert all("stamp" in shown(name, **asked) for name in (*OF_TEXT, "induction", "attribution"))
    weights = untrained["minilm"].traces(asked["model_text"])[0]["weights"].value[0, 2]
    (large,) = (block for block in blocks(at) if block["kind"] == "cards" and "at" in block)
    np.testing.assert_allclose(decoded(large["cards"][0]), weights.numpy(), atol=1e-6)


def test_a_model_that_is_still_to_be_loaded_is_waited_for(monkeypatch):
    monkeypatch.setattr(loaded_models, "_process", cache(loaded_models._Process))
    monkeypatch.setattr(package, "missing", lambda name: "")
    # No other test has asked about this text, since computed answers are kept without the model.
    assert all(shown(name, model_text="Nobody has asked about this") == {"pending": True} for name in OF_TEXT)


@pytest.mark.usefixtures("untrained")
def test_a_click_on_a_head_opens_it_and_its_switch_takes_it_out():
    at = app("models", model="smollm2", model_layer=3, model_head=5, model_off="2.7")
    assert no_exception(at)
    given = {block["kind"]: block for block in blocks(at)}
    assert given["wall"]["click"] == {"model_layer": "{layer}", "model_head": "{head}", "cell": ""}
    assert given["opened"]["head"] == "3.5"
    assert given["strip"]["chooses"] == "model_head"
    shown = card(at, "offered")
    assert switches(at)[shown["labels"]["named"][shown["asking"]["head"]]] == "2.7,3.5"


@pytest.mark.usefixtures("untrained")
def test_the_effect_of_every_head_of_a_changed_model_is_computed_on_request_and_then_shown():
    at = app("models", model="minilm", model_text="Three owls", model_scale="none")
    (button,) = (one for one in at.button if one.key == "effects-start")
    assert no_exception(button.click().run())
    assert len(series(card(at, "effects"), 0)) == 72


def lines(at: AppTest) -> dict[str, tuple[str, dict]]:
    """The offered heads by their job: the name of each, and the settings of a click on its line."""
    shown = card(at, "offered")
    labels = shown["labels"]
    told = zip(labels["named"], labels["said"], shown["asking"]["sets"], strict=True)
    return {what: (said, sets) for what, said, sets in told}


def switches(at: AppTest) -> dict[str, str]:
    """For the name of each line, the heads that are off after a click on its switch. The picture then shows the
    switched head, as after a click on the line, unless it has an arc of that head already."""
    shown = card(at, "offered")
    pairs = zip(shown["labels"]["named"], shown["asking"]["switches"], strict=True)
    sets = {what: one["sets"] for what, one in pairs if one["sets"]}
    chain = card(at, "trained")["labels"]["chain"].partition(":")[0]
    for what, (head, line) in lines(at).items():
        opened = {name: value for name, value in sets.get(what, line).items() if name not in ("model_off", "guess")}
        assert opened == ({} if head == chain else line)
    return {what: one["model_off"] for what, one in sets.items()}


def alike(at: AppTest) -> str | None:
    """The heads that are off after a click on the button for all that do the same as the opened one, if it is there."""
    start = say("models.offered.alike", count="|", what="|").partition("|")[0]
    return next((sets["model_off"] for text, sets, _ in buttons(at) if text.startswith(start)), None)


def left(at: AppTest) -> dict[str, str]:
    """The remaining probabilities of the answer beside the switches, by line."""
    labels = card(at, "offered")["labels"]
    told = {what: number for what, (_, number, _) in zip(labels["named"], labels["switches"], strict=True)}
    return {what: number for what, number in told.items() if number not in ("", "?")}


def pressed(at: AppTest) -> list[str]:
    """The examples that are marked as chosen."""
    return [one.key.removeprefix("example-") for one in at.button if one.key and one.proto.type == "primary"]


@pytest.mark.usefixtures("without_weights")
@pytest.mark.parametrize("link", [{}, AGAIN, {"model": "minilm"}, {"model_layer": 3, "model_head": 5}])
def test_no_head_is_in_two_groups_and_the_head_of_a_line_is_in_none_of_another_job(link):
    """The switch for all heads that look at the first word also took out the head that takes 'France', and the text
    gave the effect of that head as theirs."""
    screen = linked("models", **link)
    found = recorded(requested(screen.own(Models)))
    shown = offered.offered(screen, found)
    groups = [one.like for one in shown if len(one.like) > 1]
    every = [head for group in groups for head in group]
    assert len(every) == len({*every}) <= found.weights[:, :, 0, 0].numel()
    for one in shown:
        assert all(other.job == one.job for other in shown if other.at in one.like)


@pytest.mark.usefixtures("without_weights")
def test_all_that_do_the_same_as_the_opened_head_can_be_switched_off_until_they_are():
    [one] = [
        one
        for one in offered.offered(linked("models", **AGAIN), recorded(Request("smollm2", REPEATED)))
        if one.at == (17, 5)
    ]
    every = ",".join(f"{layer + 1}.{head + 1}" for layer, head in one.like)
    name = say("models.offered.alike", count=len(one.like), what=say("models.does.induction"))
    # The button is not there while a guess is open.
    for at, is_there in (
        (app("models", **AGAIN), False),
        (guessed_at(**AGAIN), True),
        (app("models", **AGAIN, model_off="18.6"), True),
        (app("models", **AGAIN, model_off=every), False),
    ):
        assert [sets["model_off"] for text, sets, _ in buttons(at) if text == name] == [every] * is_there


def guess_of(name: str) -> str:
    """The last part of a guess about an example's text."""
    [place, *_] = card(app("models", **example(name)), "offered")["asking"]["guesses"]
    return place["sets"]["guess"].rpartition("-")[2]


def guessed_at(**link: Any) -> AppTest:
    """The page after a guess, at the head that the link names, if it names one."""
    place = card(app("models", **link), "offered")["asking"]["guesses"][0]
    return app("models", **place["sets"] | link)


@pytest.mark.usefixtures("without_weights")
@pytest.mark.parametrize("link", [{}, AGAIN, {"model": "minilm", "model_layer": 1, "model_head": 3}])
def test_a_guess_is_asked_before_a_number_is_told_and_then_what_no_switch_can_tell(link):
    opened = app("models", **link)
    assert left(opened) == {}
    assert alike(opened) is None
    wanted = requested(linked("models", **link).own(Models))
    is_causal = wanted.model == "smollm2"
    places = card(opened, "offered")["asking"]["guesses"]
    names = card(opened, "offered")["labels"]["named"]
    assert len(places) == len(names) > 4
    plain = recorded(wanted).output
    first = int(plain.argmax())

    def answer(off: tuple[tuple[int, int], ...]) -> float:
        less = [recorded(replace(wanted.of(text), off=off)).output for text in (wanted.text, OTHER)[: 2 - is_causal]]
        return float(less[0][first]) if is_causal else float(less[0] @ less[1])

    heads = [(int(sets["model_layer"]) - 1, int(sets["model_head"]) - 1) for _, sets in lines(opened).values()]
    numbers = [answer((head,)) for head in heads]
    lost = [answer(()) - one if is_causal else abs(answer(()) - one) for one in numbers]
    most, least = int(np.argmax(lost)), int(np.argmin(lost))
    for guessed in (most, least):
        at = app("models", **link | places[guessed]["sets"])
        assert no_exception(at)
        # The picture shows the guessed head.
        assert lines(at)[names[guessed]][0] == card(at, "trained")["labels"]["heads"][0]
        written = {what: f"{one:.2f}" for what, one in zip(names, numbers, strict=True)}
        # Numbers without a switch are told at once.
        told = {what for what in names if what not in switches(at)} | {names[guessed], names[most]}
        assert left(at) == {what: written[what] for what in told}
        verdicts = [one["verdict"] for one in card(at, "offered")["asking"]["guesses"]]
        assert verdicts == [
            "right" if line == most else "wrong" if line == guessed else "" for line in range(len(names))
        ]
        where = say("models.head", layer=heads[most][0] + 1, head=heads[most][1] + 1)
        assert where in said(at)
    # A guess is about one sentence: another one has none, although the same head has a line there.
    same = places[names.index(say("models.does.previous"))]["sets"]
    assert left(app("models", **{"guess": same["guess"]} | ({} if link == AGAIN else AGAIN))) == {}


def test_after_a_guess_each_switch_tells_one_more_number_which_stays_and_opens_its_head():
    """A number that is told at once is not found out."""
    needed("smollm2")
    model = loaded_models.load("smollm2", lambda _: None, lambda: None)
    first = int(model.output(TEXTS["smollm2"]).argmax())
    guessed, most, tried = (17, 1), (24, 5), (19, 8)
    at = app("models", guess=f"needed.17-1-{guess_of('capital')}", model_layer=17, model_head=1)
    place = [head for head, _ in lines(at).values()].index(say("models.head", layer=19, head=8))
    for told in ([guessed, most], [guessed, most, tried], [guessed, most, tried]):
        heads = {say("models.head", layer=layer, head=head): (layer - 1, head - 1) for layer, head in told}
        expected = {
            what: f"{float(model.output(TEXTS['smollm2'], off={heads[head][0]: heads[head][1:]})[first]):.2f}"
            for what, (head, _) in lines(at).items()
            if head in heads
        }
        assert left(at) == expected
        at = app("models", **held(at) | card(at, "offered")["asking"]["switches"][place]["sets"])
        assert card(at, "trained")["labels"]["heads"] == [say("models.head", layer=19, head=8)]


def test_of_two_heads_that_take_from_one_word_it_is_told_what_each_adds_by_itself():
    """The whole score is the sum of such pushes. The page proposes the second head before it is switched."""
    needed("smollm2")
    text = guess_of("capital")
    pushes = recorded(Request("smollm2", TEXTS["smollm2"])).pushes
    assert int(pushes.argmax()) == 9 * 23 + 4
    asked = app("models", guess=f"needed.24-5-{text}", model_layer=24, model_head=5)
    told = app("models", guess=f"needed.24-5-{text}_17-1", model_layer=24, model_head=5)
    proposed = say("models.carried.try", other="Layer 17, head 1", word="'Paris'", key="France")
    both = say("models.carried.both", head="Layer 24, head 5", other="layer 17, head 1", key="France")
    assert (proposed in said(asked), both in said(asked)) == (True, False)
    assert (proposed in said(told), both in said(told)) == (False, True)
    written = {(layer, head): f"{pushes[layer, head]:+.2f}".replace("-", "−") for layer, head in ((23, 4), (16, 0))}
    numbers = {"push": written[23, 4], "less": written[16, 0]}
    assert say("models.carried.pushes", word="'Paris'", **numbers) in said(told)
    beside = [pushed for *_, pushed in card(told, "offered")["labels"]["switches"] if pushed]
    assert beside == [written[16, 0], written[23, 4]]


@pytest.mark.usefixtures("without_weights")
def test_while_a_head_is_off_nobody_is_asked_and_who_has_guessed_keeps_the_verdict():
    """A switch tells a result, which would stand beside an open guess."""
    places = card(app("models", **AGAIN), "offered")["asking"]["guesses"]
    off = AGAIN | {"model_off": "18.6"}
    at = app("models", **off)
    assert card(at, "offered")["asking"]["guesses"] == []
    assert [*left(at)] == [say("models.does.induction")]
    assert card(at, "offered")["text"] == [say("models.offered.bars", word="'quickly'", before="0.55")]
    guessed = card(app("models", **off | places[0]["sets"]), "offered")["asking"]["guesses"]
    assert {"right", "wrong"} <= {one["verdict"] for one in guessed}


def test_the_head_that_the_answer_needs_most_is_among_the_lines_of_a_sentence_of_ones_own():
    """The lines include this head once every head has been switched off alone; by their weights alone, none of the
    other heads seems to matter."""
    needed("smollm2")
    text = "The capital of Japan is"
    link = {"model_text": text, "model_layer": 17, "model_head": 1}
    takes = say("models.takes", word="Japan")
    names = [*lines(app("models", **link))]
    place = card(app("models", **link), "offered")["asking"]["guesses"][names.index(takes)]
    tried = [f"{sets['model_layer']}-{sets['model_head']}" for _, sets in lines(app("models", **link)).values()]
    at = app("models", **link | place["sets"] | {"guess": "_".join((place["sets"]["guess"], *tried))})
    assert len(left(at)) == len(names)
    # The page has loaded it.
    model = loaded("smollm2")
    first = int(model.output(text).argmax())
    assert left(at)[takes] == f"{float(model.output(text, off={23: (4,)})[first]):.2f}" == "0.31"
    assert min(number for what, number in left(at).items() if what != takes) > "0.65"
    verdicts = [one["verdict"] for one in card(at, "offered")["asking"]["guesses"]]
    assert verdicts == ["right" if what == takes else "" for what in names]


@pytest.mark.slow
def test_where_no_head_matters_much_no_guess_is_right():
    """From 0.97 to 0.90 is no need, and a tick would teach that it is one."""
    needed("smollm2")
    link = {"model_text": "the cat " * 11 + "the", "model_layer": 17, "model_head": 1}
    at = guessed_at(**link)
    assert min(map(float, left(at).values())) > 0.9 * float(loaded("smollm2").output(link["model_text"]).max())
    assert {one["verdict"] for one in card(at, "offered")["asking"]["guesses"]} == {""}
    assert f"**{say('models.most.little')}**" in said(at)
    assert all(f"**{say(f'predict.{judged}')}**" not in said(at) for judged in ("right", "wrong"))


def test_what_comes_next_has_its_place_among_all_words():
    """Without most heads, the word that was first is no longer likely, but still stands in the list."""
    needed("smollm2")
    off = alike(guessed_at(model_layer=19, model_head=8))
    heads: dict[int, tuple[int, ...]] = {}
    for one in off.split(","):
        layer, head = (int(part) - 1 for part in one.split("."))
        heads[layer] = (*heads.get(layer, ()), head)
    model = loaded("smollm2")
    order = model.output(TEXTS["smollm2"], off=heads).argsort(descending=True).tolist()
    labels = card(app("models", model_off=off), "said")["labels"]
    first = int(model.output(TEXTS["smollm2"]).argmax())
    rank = order.index(first) + 1
    assert rank > 5
    assert (labels["asked"][-1], labels["said"][-1]) == (f"{rank}.", "Paris")
    assert labels["asked"][0] == "1."


@pytest.mark.usefixtures("without_weights")
@pytest.mark.parametrize("link", [{}, AGAIN, {"model": "minilm", "model_layer": 1, "model_head": 3}])
def test_neither_the_order_nor_the_opened_head_tells_which_one_is_needed_most(link):
    shown = card(app("models", **link), "offered")
    heads = [(int(sets["model_layer"]), int(sets["model_head"])) for _, sets in lines(app("models", **link)).values()]
    assert heads == sorted(heads)
    guess = shown["asking"]["guesses"][shown["asking"]["head"]]["sets"]
    at = app("models", **link | guess)
    assert card(at, "offered")["asking"]["guesses"][shown["asking"]["head"]]["verdict"] == "wrong"
    # Links made before still open the head that they opened then.
    assert opened_head(app("models", cell="weights.1.0.words"))[0] == (24, 5)


@pytest.mark.usefixtures("without_weights")
def test_a_click_on_a_phrase_shows_what_a_head_takes_without_the_one_that_it_needs_and_a_second_one_with_it():
    """Arcs as trained stand behind the present ones. The head looks for a word that came after 'roamed', and an earlier
    head has carried 'roamed' to that word."""

    def ways(at: AppTest) -> list[dict[str, str]]:
        return [one["sets"] for block in blocks(at) if block["kind"] == "buttons" for one in block["buttons"]]

    def way(at: AppTest) -> dict[str, str]:
        return ways(at)[0]

    before, now = (
        recorded(replace(Request("smollm2", REPEATED), off=off)).weights[:, :, -1] for off in ((), ((16, 0),))
    )
    first = recorded(Request("smollm2", REPEATED)).weights[16, 0, 4]
    # The link to this phrase appears after the guess.
    onward = {name: str(value) for name, value in AGAIN.items() if name != "model"} | {"cell": ""}
    assert onward not in ways(app("models"))
    assert onward in ways(guessed_at())
    # The phrase is first shown as trained: a visitor who has not seen the arc sees no change.
    assert card(app("models", **onward), "trained")["arcs"]["was"] == []
    assert way(app("models", **onward)) == {"model_off": "17.1"}
    off = app("models", **{**onward, "model_off": "17.1"})
    on = app("models", **{**onward, **way(off)})
    for at, weights, was, is_off in ((off, now, before, True), (on, before, [], False)):
        drawn = card(at, "trained")["arcs"]
        np.testing.assert_allclose(drawn["weights"], weights[17, 5], rtol=1e-3)
        np.testing.assert_allclose(drawn["was"], was[17, 5] if len(was) else [], rtol=1e-3)
        chain = drawn["chain"]
        assert [drawn["tokens"][chain[end]] for end in ("of", "to")] == ["quickly", "roamed"]
        assert chain["is_off"] is is_off
        np.testing.assert_allclose(chain["weights"], first, rtol=1e-3)
        assert drawn["answer"] == 4
    # Another head has no such arc, and a model that predicts no word links to the one that does.
    assert card(app("models"), "trained")["arcs"]["chain"] is None
    assert way(app("models", model="minilm"))["model"] == "smollm2"


@pytest.mark.usefixtures("without_weights")
def test_what_a_head_finds_with_another_one_it_finds_less_of_without_it():
    """The head for a repeated phrase looks for what a head of an earlier layer has written."""
    [place] = [
        one["sets"]
        for what, one in zip(
            card(app("models", **AGAIN), "offered")["labels"]["named"],
            card(app("models", **AGAIN), "offered")["asking"]["guesses"],
            strict=True,
        )
        if what == say("models.does.induction")
    ]
    watch = say("models.offered.watch", head="layer 17, head 1", opened="layer 18, head 6")
    assert watch in said(app("models", **AGAIN | place))
    assert watch not in said(app("models", **AGAIN | place | {"model_off": "17.1"}))
    at = app("models", **AGAIN, model_off="17.1")
    before, now = (
        recorded(replace(Request("smollm2", REPEATED), off=off)).weights[17, 5, -1, 4] for off in ((), ((16, 0),))
    )
    assert float(now) < float(before) / 2
    told = {"head": "layer 18, head 6", "word": "roamed", "key": "quickly"}
    assert card(at, "trained")["note"] == say("models.sentence.took", before=f"{before:.2f}", now=f"{now:.2f}", **told)


@pytest.mark.usefixtures("without_weights")
def test_of_a_job_without_one_head_much_is_left_and_without_all_nothing():
    """The line's head can go, but without all such heads the answer goes. The text does not say that others stand in,
    since one of them alone moves most of it."""
    wanted = Request("smollm2", REPEATED)
    weights, tokens = recorded(wanted).weights, recorded(wanted).tokens
    earlier = [(i, j + 1) for i in range(len(tokens)) for j in range(i) if tokens[j] == tokens[i]]
    taken = sum(weights[:, :, i, j] for i, j in earlier) / len(earlier)
    off = ",".join(f"{layer + 1}.{head + 1}" for layer, head in (taken >= 0.5).nonzero().tolist())
    what = say("models.does.induction")
    assert alike(guessed_at(**AGAIN)) == off
    at = app("models", **AGAIN, model_off=off)
    every = tuple((layer, head) for layer, head in (taken >= 0.5).nonzero().tolist())
    now = f"{float(recorded(replace(wanted, off=every)).output[recorded(wanted).output.argmax()]):.2f}"
    assert (left(at)[what], now) == ("0.45", "0.02")
    count = len(off.split(","))
    told = {"word": "'quickly'", "before": f"{float(recorded(wanted).output.max()):.2f}", "now": now}
    assert buttons(at) == [
        (say("all_heads.all_on"), {"model_off": ""}, say("models.offered.together", count=count, **told))
    ]


@pytest.mark.usefixtures("without_weights")
def test_a_head_that_takes_from_a_word_says_for_which_other_word_it_does_so():
    """The name is about the last word; if another word asks, the head's arc goes elsewhere."""
    assert say("models.takes", word="France") in lines(app("models"))
    assert say("models.takes_for", word="France", last="is") in lines(app("models", cell="weights.1.0.words"))


@pytest.mark.usefixtures("without_weights")
def test_only_arcs_with_a_name_are_drawn_and_what_comes_next_names_its_word():
    """Arcs of unnamed heads are noise. The next word follows the last one, whichever word is chosen."""
    for link in ({}, {"cell": "weights.1.0.words"}):
        at = app("models", **link)
        assert len(card(at, "trained")["arcs"]["asks"]) == 1
        assert card(at, "trained")["labels"]["lines"]["next"] == say("models.sentence.next", word="is")
        assert card(at, "said")["title"] == say("models.next.title.next_token", word="is")


@pytest.mark.usefixtures("without_weights")
def test_of_a_changed_model_it_is_not_said_what_the_one_as_trained_needs_most():
    at = app("models", model_scale="none")
    assert no_exception(at)
    needed = say("models.takes", word="France")
    assert needed not in lines(at)
    assert needed in lines(app("models"))


@pytest.mark.usefixtures("without_weights")
def test_an_example_opens_at_its_own_word_and_is_the_one_that_is_marked():
    at = app("models", cell="weights.1.0.words")
    assert (pressed(at), card(at, "trained")["arcs"]["focus"]) == (["capital"], 1)
    for name, last in (("repeated", "roamed"), ("unscaled", "is"), ("capital", "is")):
        at.button(key=f"example-{name}").click().run()
        drawn = card(at, "trained")["arcs"]
        assert (pressed(at), drawn["tokens"][drawn["focus"]]) == ([name], last)
        assert drawn["focus"] == len(drawn["tokens"]) - 1
    assert pressed(app("models", model="minilm")) == []


@pytest.mark.usefixtures("without_weights")
@pytest.mark.parametrize("name", ["unscaled", "repeated"])
def test_a_model_that_is_not_there_opens_with_what_is_kept_of_it(name):
    at = app("models")
    at.button(key=f"example-{name}").click().run()
    widget(at, "model").set_value("minilm").run()
    assert no_exception(at)
    assert not at.warning
    assert held(at) == {"model": "minilm", "model_layer": "1", "model_head": "3"}


@pytest.mark.usefixtures("without_weights")
def test_heads_are_offered_by_what_they_do_most():
    """The test counts each pattern again, cell by cell, for every head of the record."""
    kept = recorded(Request("smollm2", REPEATED))
    weights, tokens = kept.weights.double().numpy(), kept.tokens
    n = len(tokens)
    earlier = [(i, j) for i in range(n) for j in range(i) if tokens[j] == tokens[i]]
    assert earlier
    places = {
        "previous": [(i, i - 1) for i in range(1, n)],
        "first": [(i, 0) for i in range(1, n)],
        "induction": [(i, j + 1) for i, j in earlier],
    }
    at = app("models", **AGAIN)
    assert no_exception(at)
    found = lines(at)
    for kind, cells in places.items():
        means = sum(weights[:, :, i, j] for i, j in cells) / len({i for i, _ in cells})
        layer, head = np.unravel_index(means.argmax(), means.shape)
        said, sets = found[say(f"models.does.{kind}")]
        assert said == f"layer {layer + 1}, head {head + 1}"
        assert sets == {"model_layer": str(layer + 1), "model_head": str(head + 1), "cell": ""}
    # The open head has the arc with its name, at the word where it does its job.
    drawn = card(at, "trained")
    assert drawn["labels"]["names"][drawn["arcs"]["head"]] == say("models.does.induction")
    assert tokens[drawn["arcs"]["answer"]] == "␣quickly"


@pytest.mark.usefixtures("without_weights")
def test_a_line_stays_where_it_is_when_the_model_has_been_loaded(monkeypatch):
    """Two heads may do a thing nearly as much. The loaded model rounds differently, and would name the other one; here,
    its heads are in the opposite order."""
    at = linked("models", **AGAIN)
    before = offered.offered(at, recorded(Request("smollm2", REPEATED)))
    kept = recorded(Request("smollm2", REPEATED))
    monkeypatch.setattr(offered, "soon", lambda asked: replace(kept, weights=kept.weights.flip(1)))
    assert offered.offered(at, kept) == before
    assert len(before) > 2


@pytest.mark.usefixtures("without_weights")
def test_a_head_that_does_nothing_with_a_name_is_offered_while_it_is_open():
    at = app("models", model="minilm", model_layer=1, model_head=5)
    # The line of the most needed head is offered, too.
    assert lines(at)[say("models.does.unnamed")][0] == "layer 1, head 5"
    assert lines(at)[say("models.offered.too", what=say("models.does.unnamed"))][0] == "layer 6, head 2"
    assert len(lines(at)) == len(lines(app("models", model="minilm", model_layer=1, model_head=3))) + 1


@pytest.mark.usefixtures("without_weights")
def test_a_clicked_word_asks_and_what_comes_next_stands_behind_the_last_one():
    at = app("models", cell="weights.2.0.words")
    drawn, kept = card(at, "trained")["arcs"], recorded(Request("smollm2", TEXTS["smollm2"]))
    assert drawn["tokens"] == ["The", "capital", "of", "France", "is"]
    assert (drawn["focus"], drawn["next"]) == (2, ["Paris", "0.77", ""])
    np.testing.assert_allclose(drawn["weights"], kept.weights[23, 4, 2], rtol=1e-3)
    # Words that the mask hides have no share.
    assert [share is None for _, share, *_ in drawn["columns"]] == [False, False, False, True, True]
    # Without the model, nobody can ask about another sentence.
    assert card(at, "trained")["labels"]["own"] is None


def test_another_model_opens_as_it_was_trained():
    at = app("models", model_scale="none", model_off="24.5")
    widget(at, "model").set_value("minilm").run()
    assert no_exception(at)
    # The other model has its own head and name, and none of the first model's changes.
    assert not {"model_scale", "model_off"} & held(at).keys()


@pytest.mark.usefixtures("without_weights")
@pytest.mark.slow
def test_the_head_that_the_page_opens_can_be_switched_off_without_the_models():
    plain = Request("smollm2", TEXTS["smollm2"])
    whole, less = recorded(plain).output, recorded(replace(plain, off=((23, 4),))).output
    opened = app("models")
    # There is no record of the text without any other head.
    takes = say("models.takes", word="France")
    assert switches(opened) == {takes: "24.5"}
    at = app("models", model_off="24.5")
    labels = card(at, "said")["labels"]
    assert labels["said"][0] == "Paris"
    before, now = f"{float(whole.max()):.2f}", f"{float(less.max()):.2f}"
    assert (before, now) == ("0.77", "0.14")
    assert labels["elsewhere"][0] == f"{now}, was {before}"
    # The number stands at its line, its next word and its arcs; before the click it stood nowhere.
    assert left(at) == {takes: now}
    told = [(card(opened, id)["note"], card(opened, id)["labels"]) for id in ("trained", "offered", "said")]
    assert now not in str(told)
    assert card(at, "trained")["arcs"]["next"] == ["Paris", "0.14", say("models.sentence.trained", was="0.77")]
    # The answer is much less likely, but still the first.
    assert card(at, "trained")["labels"]["lines"]["next"] == say("models.sentence.still_first")
    still = say("models.next.said.still_first", name="Paris", before=before, now=now)
    assert card(at, "said")["note"].startswith(still)
    assert buttons(opened) == []
    assert buttons(at)[-1] == (say("all_heads.all_on"), {"model_off": ""}, "")
    assert [card(one, "trained")["arcs"]["is_off"] for one in (opened, at)] == [False, True]
    # The other lines keep their places.
    assert [*lines(at)] == [*lines(opened)]
    # The text says that no other head moves the answer more.
    assert card(at, "said")["note"].endswith(say("models.next.said.most", count=270))
    # The text of the page stays, and its button is marked.
    assert pressed(at) == ["capital"]


def buttons(at: AppTest) -> list[tuple[str, dict[str, str], str]]:
    """The buttons that set switches: the text of each, its settings, and the words before it."""
    rows = [block for block in blocks(at) if block["kind"] == "buttons"]
    found = [(one, row.get("said", {}).get("line", "")) for row in rows for one in row["buttons"]]
    return [(one["line"], one["sets"], said) for one, said in found if {*one["sets"]} - {"guess"} == {"model_off"}]


def test_each_of_two_heads_that_are_off_keeps_its_own_effect_beside_that_of_both():
    """Switches add up, but a visitor who looks for the head that the answer needs compares heads one by one."""
    needed("smollm2")
    at = app("models", model_off="17.1,24.5")
    assert no_exception(at)
    model, text = loaded("smollm2"), TEXTS["smollm2"]
    plain = model.output(text)
    first = int(plain.argmax())

    def kept(off: dict[int, tuple[int, ...]]) -> str:
        return f"{float(model.output(text, off=off)[first]):.2f}"

    told = {"word": "'Paris'", "before": f"{float(plain[first]):.2f}"}
    before, needed_most, both = kept({16: (0,)}), kept({23: (4,)}), kept({16: (0,), 23: (4,)})
    assert len({before, needed_most, both}) == 3
    assert left(at) == {say("models.does.previous"): before, say("models.takes", word="France"): needed_most}
    together = say("models.offered.together", count=2, now=both, **told)
    assert buttons(at)[-1] == (say("all_heads.all_on"), {"model_off": ""}, together)
    # Without both heads, another word comes first, and the text names it.
    other = model.shown([int(model.output(text, off={16: (0,), 23: (4,)}).argmax())])[0].removeprefix("␣")
    moved = say("models.next.said.first_moved", name="Paris", before=told["before"], now=both, other=other)
    assert other != "Paris"
    assert card(at, "said")["note"].startswith(moved)


@pytest.mark.usefixtures("untrained")
def test_no_head_is_asked_alone_but_those_of_the_lines_and_none_in_a_model_that_is_changed_otherwise():
    """Each head would be one more run of the model; in a changed model, the other change would make the difference."""
    many = ",".join(f"3.{at}" for at in range(1, 10))
    for off, scale in ((many, "sqrt_d_k"), ("2.5", "none")):
        at = app("models", model="smollm2", model_off=off, model_scale=scale)
        assert no_exception(at)
        screen = linked("models", model="smollm2", model_off=off, model_scale=scale)
        wanted = requested(screen.own(Models))
        found = outputs(wanted)
        heads = {one.at for one in offered.offered(screen, found)}
        asked = {one.off for one in switched.asked(screen, found)} - {(), wanted.off}
        assert asked == ({(head,) for head in heads & {*wanted.off}} if scale == "sqrt_d_k" else set())
        assert bool(left(at)) == bool(asked)


@pytest.mark.usefixtures("without_weights")
def test_a_head_that_does_what_another_one_does_more_is_not_called_like_it():
    """Two lines with one name look like a repeated line."""
    at = app("models", model_scale="none")
    names = card(at, "offered")["labels"]["named"]
    assert len({*names}) == len(names)
    assert names[-1] == say("models.offered.too", what=say("models.does.first"))


def test_of_a_head_that_hardly_matters_it_is_said_which_others_take_from_the_same_word():
    """If a head with a named job can go, a reader feels cheated without a reason. If one of the other heads matters
    much, looking at that word is not the reason."""
    needed("smollm2")
    plain = Request("smollm2", TEXTS["smollm2"])
    made, table = outputs(plain), effects(plain).set_index(["layer", "head"])["effect"]

    def looking(key: int) -> dict[tuple[int, int], float]:
        return {tuple(at): table[tuple(at)] for at in (made.weights[:, :, -1, key] >= 0.5).nonzero().tolist()}

    at = app("models", model_layer=17, model_head=1, model_off="17.1")
    layer, head = max(looking(3), key=looking(3).get)
    told = {"head": say("models.head", layer=layer + 1, head=head + 1), "key": "France"}
    assert (layer, head) == (23, 4)
    gone = f"{looking(3)[layer, head]:.2f}"
    assert card(at, "said")["note"].endswith(say("models.next.said.differs", gone=gone, **told))
    # None of the heads that take from the first word matters much.
    assert max(looking(0).values()) < 0.5
    at = app("models", model_layer=19, model_head=8, model_off="19.8")
    stand_in = say("models.next.said.stand_in", others=len(looking(0)) - 1, key="The", word="is")
    assert card(at, "said")["note"].endswith(stand_in)
    # No head stands in for the head that is needed most.
    note = card(app("models", model_off="24.5"), "said")["note"]
    assert "other heads take most" not in note
    assert "does not say" not in note


@pytest.mark.parametrize(
    ("model", "tokens", "expected"),
    [
        ("smollm2", ("The", "␣ver", "d", "ant", "␣1", "9", ".", "␣"), ["The", "ver", "-d", "-ant", "1", "9", ".", "␣"]),
        ("minilm", ("[CLS]", "ve", "##rdan", "forest"), ["[CLS]", "ve", "-rdan", "forest"]),
    ],
)
def test_tokens_are_spelled_as_one_reads_them(model, tokens, expected):
    assert spelled(model, tokens) == expected


def test_a_head_that_is_opened_is_named_after_the_word_that_it_clearly_takes_from(monkeypatch):
    """In a text about another country, the same head finds it. Over the whole text it mostly does what most heads do,
    and was named after that."""
    needed("smollm2")
    text = "The capital of Japan is"
    at = linked("models", model="smollm2", model_text=text, model_layer=24, model_head=5)
    loaded_models.load("smollm2", lambda _: None, lambda: None)
    found = outputs(Request("smollm2", text))
    monkeypatch.setattr(offered, "soon", outputs)
    opened = offered.offered(at, found)[-1]
    row = found.weights[23, 4, -1]
    assert (opened.layer, opened.head) == (23, 4)
    assert float(row[opened.key]) == float(row.max()) > 0.5
    assert opened.what == say("models.takes", word=opened.word) == say("models.takes", word="Japan")
