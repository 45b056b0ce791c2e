"""A visitor's file in the app: recorded, saved, opened, shown on every page that can, and gone with the visitor."""

import gc
import io
import tomllib
import weakref
from pathlib import Path

import numpy as np
import pytest
import torch

from attention import Trace, grid, record, scaled_dot_product_attention
from attention.export.script import script
from attention.export.unreadable import SENTENCES, UnreadableError
from pages.shell.i18n import LANGUAGES, say
from pages.shell.i18n.markdown import plain
from pages.shell.runs import backward, brought, long_text
from pages.shell.runs.brought import Brought, opened
from pages.shell.server import live
from pages.shell.server.build import build
from pages.shell.state.config import FILE, HEADS, OPENS, TOKENS
from pages.shell.state.registry import BY_PAGE
from pages.shell.views import first_screen, masks
from tests.pages.test_strangers import MARK, TEXT, outside_code
from tests.server.test_live import asked
from tests.support import CLOSE, EXACT, drawn
from tests.support.app import app, blocks, figures, held, in_markdown, linked, no_exception, recorded
from tests.support.live import text as question

WORDS = ["one", "two", "three", "four", "five", "six", "seven"]
SENTENCES_, HEADS_, N, D_K, D_V = 2, 3, 7, 5, 11
ROOT = Path(__file__).resolve().parents[2]


def traced(n: int = N, heads: int = HEADS_, **given) -> Trace:
    trace, lead = Trace(), (SENTENCES_, heads, n)
    q, k, v = drawn((*lead, D_K), (*lead, D_K), (*lead, D_V), dtype=torch.float32)
    scaled_dot_product_attention(q, k, v, **given, trace=trace)
    return trace


def content(trace: Trace, folder: Path, tokens=WORDS, ending: str = ".npz") -> bytes:
    trace.save(folder / f"record{ending}", tokens=tokens)
    return (folder / f"record{ending}").read_bytes()


def link(file: Brought, **more: object) -> dict[str, object]:
    return {"preset": FILE, "tensors": file.id, **more}


@pytest.fixture
def file(tmp_path) -> Brought:
    return opened("mine.npz", content(traced(mask="causal"), tmp_path))


@pytest.mark.parametrize("ending", [".npz", ".safetensors"])
def test_what_was_recorded_is_what_the_walkthrough_shows(tmp_path, ending):
    trace = traced(mask="causal", scale=0.3)
    file = opened(f"mine{ending}", content(trace, tmp_path, ending=ending))
    screen = linked("walkthrough", **link(file, sentence=2, head=3))
    run = screen.run
    assert list(run.trace) == list(trace)
    for id, step in trace.items():
        torch.testing.assert_close(run.trace[id].value, step.value, **CLOSE[torch.float32])
        assert run.trace[id].quantity == step.quantity
    assert run.labels["key"] == tuple(WORDS)
    shown = figures(screen)
    for id in ("queries", "keys", "values", "scores", "output"):
        np.testing.assert_array_equal(shown[id].z, recorded(run, id))
    weights = np.where(grid("causal", N, N).numpy(), recorded(run, "weights"), np.nan)
    np.testing.assert_array_equal(shown["weights"].z, weights)


@pytest.mark.slow
def test_the_record_of_a_model_is_shown(tmp_path):
    model = torch.nn.TransformerEncoderLayer(15, 3, 17, batch_first=True).eval()
    with record(model) as records:
        model(drawn((1, N, 15))[0].float())
    file = opened("layer.npz", content(records[0], tmp_path))
    run = linked("walkthrough", **link(file)).run
    torch.testing.assert_close(run.trace["weights"].value, records[0]["weights"].value, **CLOSE[torch.float32])
    assert file.difference < 1e-6


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", OPENS)
def test_every_page_that_opens_a_file_shows_it_and_says_what_is_not_there(file, page, language):
    for more in ({}, {"dropout": 0.3, "last": 2}, {"mask": "window", "painted": "BAAB", "scale": "none"}):
        screen = linked(page, lang=language, **link(file, **more))
        assert no_exception(screen)
        assert screen.run.trace["queries"].quantity.given
        (note,) = [note for note in screen.run.notes if "mine.npz" in note]
        assert "W_Q" in note
    at = app(page, lang=language, **link(file))
    assert no_exception(at)


def crossed(queries: int, keys: int, **given) -> Trace:
    trace, lead = Trace(), (SENTENCES_, HEADS_)
    q, k, v = drawn((*lead, queries, D_K), (*lead, keys, D_K), (*lead, keys, D_V), dtype=torch.float32)
    scaled_dot_product_attention(q, k, v, **given, trace=trace)
    return trace


@pytest.mark.parametrize("page", OPENS)
def test_fewer_queries_than_keys_are_those_of_the_last_words(tmp_path, page):
    file = opened("mine.npz", content(crossed(5, N), tmp_path))
    for more in ({}, {"last": 3}, {"mask": "causal", "corner": "lower_right", "painted": "BAAB"}):
        screen = linked(page, **link(file, **more))
        assert no_exception(screen)
        assert screen.run.labels["query"] == tuple(WORDS[-screen.run.trace.sizes["query"] :])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", OPENS)
def test_more_queries_than_keys_are_two_texts_on_every_page_that_opens_a_file(tmp_path, page, language):
    trace = crossed(17, N, mask=grid("causal", 17, N))
    file = opened("mine.npz", content(trace, tmp_path))
    for more in (
        {},
        {"dropout": 0.3, "last": 2},
        {"mask": "window", "painted": "BAAB", "scale": "none"},
        {"sentence": 2},
    ):
        screen = linked(page, lang=language, **link(file, **more))
        assert no_exception(screen)
        (note,) = [note for note in screen.run.notes if "mine.npz" in note]
        assert say("file.crosses", "en") in note
    run = linked(page, **link(file, sentence=2, head=3)).run
    torch.testing.assert_close(run.trace["weights"].value, trace["weights"].value, **CLOSE[torch.float32])
    assert run.labels["query"] == tuple(map(str, range(1, 18)))
    assert run.labels["key"] == tuple(WORDS)
    at = app(page, lang=language, **link(file, cell="weights.16.2.arcs"))
    assert no_exception(at)
    (card,) = [card for block in blocks(at) for card in block.get("cards", ()) if card["id"] == "crossing"]
    assert (card["crossing"]["focus"], card["crossing"]["context"]) == (16, list(WORDS))
    asked = [one["weights"] for one in card["crossing"]["asks"]]
    np.testing.assert_allclose(asked, trace["weights"].value[0, :, 16], atol=1e-4)


def test_of_two_long_texts_the_first_words_of_each_are_shown_and_the_rest_as_tiles(tmp_path):
    keys, queries = TOKENS + 7, TOKENS + 13
    trace = crossed(queries, keys, mask=grid("causal", queries, keys))
    file = opened("mine.npz", content(trace, tmp_path, [f"w{at}" for at in range(keys)]))
    run = linked("walkthrough", **link(file, sentence=2, head=2, painted="AB")).run
    assert run.trace["weights"].value.shape == (SENTENCES_, HEADS_, TOKENS, TOKENS)
    assert bool(run.trace["mask"].value[0, 0, 0, 1]), "a painted cell keeps its place"
    whole = long_text.whole(linked("walkthrough", **link(file, sentence=2, head=2)).run)
    torch.testing.assert_close(whole.trace["weights"].value[0, 0], trace["weights"].value[1, 1], **CLOSE[torch.float32])
    assert len(whole.labels["query"]) == queries


def test_an_index_of_keys_says_which_matrices_a_file_lacks(file):
    (note,) = masks.chosen.blocks(linked("masks", **link(file)))
    assert (note["kind"], say("file.needs_index")) == ("note", note["markdown"])


def test_the_pages_that_open_a_file_are_named():
    """On the other pages, a file leaves no trace: they show the layer that learned."""
    assert set(OPENS) <= BY_PAGE.keys()
    other = linked("order", preset=FILE, tensors="a" * 32).run
    assert (other.config.preset, other.config.tensors) == ("learned", "")
    assert other.notes == linked("order").run.notes


@pytest.mark.parametrize("told", range(8))
def test_steps_are_told_without_those_that_are_not_there(file, told):
    (strip,) = [block for block in blocks(linked("walkthrough", **link(file, told=told))) if block["kind"] == "strip"]
    assert strip["told"]["of"] == 6
    assert strip["told"]["text"]
    assert strip["told"]["at"] == min(told, 6)
    assert len(strip["told"]["sets"]) == 7


def test_gradients_of_a_file_are_those_of_autograd(file):
    screen = linked("walkthrough", **link(file, backward=True, backward_of="weights.3.2"))
    q, k = (screen.run.trace[id].value.clone().requires_grad_() for id in ("queries", "keys"))
    weights = (q @ k.mT / D_K**0.5).masked_fill(~grid("causal", N, N), -torch.inf).softmax(-1)
    expected, _ = torch.autograd.grad(weights[0, 0, 3, 2], (q, k))
    (strip,) = [block for block in blocks(screen) if block["kind"] == "strip"]
    assert {tile["id"] for tile in strip["tiles"]} == {*screen.run.trace} - {"scale"}
    made = backward.found(screen.run, backward.Goal.of("cell", "weights.3.2"), 3)
    torch.testing.assert_close(made.gradients["queries"].value, expected, **CLOSE[torch.float32])


def test_controls_act_on_a_file(file):
    plain = linked("walkthrough", **link(file)).run.trace
    full = linked("walkthrough", **link(file, mask="full")).run.trace
    assert "mask" not in full
    q, k = plain["queries"].value, plain["keys"].value
    torch.testing.assert_close(full["weights"].value, (q @ k.mT / D_K**0.5).softmax(-1), **CLOSE[torch.float32])
    scaled = linked("walkthrough", **link(file, scale="none")).run.trace
    torch.testing.assert_close(scaled["scaled"].value, q @ k.mT, **CLOSE[torch.float32])
    last = linked("walkthrough", **link(file, last=2, corner="lower_right")).run.trace
    torch.testing.assert_close(last["weights"].value, plain["weights"].value[:, :, -2:], **CLOSE[torch.float32])
    dropped = linked("walkthrough", **link(file, dropout=0.5)).run.trace
    assert "kept" in dropped
    assert "kept" not in linked("walkthrough", **link(file, dropout=0.5, mode="inference")).run.trace


def test_a_mask_with_a_name_is_chosen_by_it_and_another_stays(tmp_path):
    for name, number in (("causal", {}), ("window", {"width": 3}), ("prefix", {"length": 2}), ("full", {})):
        made = opened("a", content(traced(mask=grid(name, N, N, **number)), tmp_path))
        assert made.mask == {"mask": name, **number}
    own = torch.rand(N, N, generator=torch.Generator().manual_seed(0)) > 0.4
    file = opened("own", content(traced(mask=own), tmp_path))
    assert file.mask is None
    run = linked("masks", **link(file)).run
    assert torch.equal(run.trace["mask"].value, own.expand(SENTENCES_, HEADS_, N, N))
    both = linked("masks", **link(file, mask="causal")).run
    assert torch.equal(both.trace["mask"].value[0, 0], own & grid("causal", N, N))
    free = linked("masks", **link(file, padding=False)).run
    assert "mask" not in free.trace
    assert say("file.mask", "en") in run.notes[0]


def test_of_a_long_file_the_first_words_and_heads_are_shown(tmp_path):
    n, heads = TOKENS + 7, HEADS + 2
    trace = traced(n, heads, mask="causal")
    short = {"queries", "keys", "values", "mask"}
    trace._steps = {id: step for id, step in trace.items() if id in short | {"scores"}}
    file = opened("long", content(trace, tmp_path, [f"w{at}" for at in range(n)]))
    run = linked("walkthrough", **link(file)).run
    assert run.trace["weights"].value.shape == (SENTENCES_, HEADS, TOKENS, TOKENS)
    assert say("file.cut", "en", keys=TOKENS, heads=HEADS) in run.notes[0]
    whole = traced(n, heads, mask="causal")["weights"].value
    # Under a causal mask, the omitted later words change nothing.
    torch.testing.assert_close(run.trace["weights"].value, whole[:, :HEADS, :TOKENS, :TOKENS], **CLOSE[torch.float32])


def test_what_else_a_file_brings_acts_and_is_said(tmp_path):
    trace = traced(softcap=2.0, sink=torch.tensor([0.5, -1.0, 2.0]), slopes=torch.tensor([0.5, 0.25, 0.1]))
    file = opened("more", content(trace, tmp_path))
    run = linked("walkthrough", **link(file)).run
    torch.testing.assert_close(run.trace["weights"].value, trace["weights"].value, **CLOSE[torch.float32])
    for said in (say("file.factor.softcap", "en", value="2"), say("file.brings.sink", "en")):
        assert said in run.notes[0]
    assert say("file.brings.slopes", "en") in run.notes[0]


def test_a_file_goes_when_nobody_holds_it(tmp_path):
    file = opened("mine", content(traced(scale=0.37), tmp_path))
    again = opened("the same", content(traced(scale=0.37), tmp_path))
    assert again is file
    link_, id = link(file), file.id
    run = weakref.ref(linked("walkthrough", **link_).run)
    tensors = weakref.ref(file.whole.queries)
    del file
    gc.collect()
    assert brought.found(id) is again
    del again
    gc.collect()
    assert brought.found(id) is None
    assert run() is None
    assert tensors() is None
    gone = linked("walkthrough", **link_).run
    assert gone.config.preset == "learned"
    assert gone.notes[0] == say("file.gone", "en")
    assert linked("walkthrough", preset=FILE).run.notes[0] == say("file.none", "en")
    # Another visitor who opens the file itself sees it at the same address.
    held_again = opened("mine", content(traced(scale=0.37), tmp_path))
    assert linked("walkthrough", **link(held_again)).run.config.preset == FILE
    assert held_again.id == id


def test_there_is_room_for_so_many_files(tmp_path, monkeypatch, file):
    monkeypatch.setattr(brought, "MOST", sum(one.bytes for one in brought._store().values()) + 10)
    with pytest.raises(UnreadableError, match="fill the room"):
        opened("other", content(traced(scale=0.41), tmp_path))


def test_the_room_is_that_of_what_is_kept(file):
    kept = [file.whole.queries, file.whole.keys, file.whole.values]
    assert file.bytes == sum(tensor.nbytes for tensor in kept) == 4 * SENTENCES_ * HEADS_ * N * (2 * D_K + D_V)
    assert file.whole.weights is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_is_said_in_every_language(language):
    for reason, sentence in SENTENCES.items():
        names = {part.partition("}")[0] for part in sentence.split("{")[1:]}
        assert say(f"file.reason.{reason}", language, **dict.fromkeys(names, "?"))
    assert set(SENTENCES) == set(reasons(language))


def reasons(language: str) -> list[str]:
    return list(tomllib.loads((ROOT / f"pages/shell/i18n/{language}.toml").read_text())["file"]["reason"])


def test_no_answer_about_a_file_is_kept(tmp_path):
    file = opened("mine", content(traced(scale=0.59), tmp_path))
    given = question("walkthrough.ledger", preset=FILE, tensors=file.id)
    answer = asked(given)
    assert answer.status == 200
    assert answer.headers["cache-control"] == "no-store"
    closed = asked(question("walkthrough.effect", before=f"preset=file&tensors={file.id}", build=build()))
    assert (closed.status, closed.headers["cache-control"]) == (200, "no-store")
    other = asked(question("walkthrough.effect", before="heads=2", build=build()))
    assert other.headers["cache-control"] == live.CACHED
    id = file.id
    del file
    gc.collect()
    assert asked(given).body != answer.body
    assert first_screen.question("", f"preset=file&tensors={id}", "en", "build") is None
    assert '"tensors"' in (ROOT / "pages/shell/component/browser/asked.js").read_text()


def upload(at, name: str, body: bytes):
    (key,) = [one.key for one in at.get("file_uploader") if one.key.startswith("open-file")]
    return at.file_uploader(key=key).upload(name, body, "application/octet-stream").run()


def test_a_visitor_opens_a_file_and_closes_it_and_it_is_gone_with_the_visit(tmp_path):
    at = app("walkthrough", preset=FILE, last=3, cell="weights.9.9.result", painted="AB")
    assert say("file.none", "en") in str(blocks(at))
    at = upload(at, "mine.npz", content(traced(mask="causal", scale=0.43), tmp_path))
    assert no_exception(at)
    found = held(at)
    assert {"preset": FILE, "mask": "causal"}.items() <= found.items()
    assert not {"last", "cell", "painted"} & {name for name, text in found.items() if text}
    assert "mine.npz" in str(blocks(at))
    file = brought.found(found["tensors"])
    assert file is not None
    at.button(key="close-file").click().run()
    assert held(at).get("preset", "learned") == "learned"
    gone = weakref.ref(file)
    del file
    gc.collect()
    assert gone() is None


def test_a_session_that_opens_a_link_holds_the_file_as_well(tmp_path):
    file = opened("mine", content(traced(scale=0.47), tmp_path))
    at, id = app("heads", **link(file)), file.id
    del file
    gc.collect()
    assert brought.found(id) is not None
    del at
    gc.collect()
    assert brought.found(id) is None


BAD = {
    "nan": lambda q: {"q": q * np.nan, "k": q, "v": q},
    "shapes": lambda q: {"q": q, "k": q[:, 1:], "v": q},
    "missing": lambda q: {"q": q},
    "dtype": lambda q: {"q": q.astype(int), "k": q, "v": q},
    "bomb": lambda q: {"q": np.zeros((4, 9_000_000), np.int8), "k": q, "v": q},
}


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_file_that_cannot_be_opened_is_told_and_the_page_stays(bad, language):
    body = io.BytesIO()
    np.savez_compressed(body, **BAD[bad](np.ones((3, 5), np.float32)))
    at = upload(app("walkthrough", lang=language, preset=FILE), "bad.npz", body.getvalue())
    assert no_exception(at)
    assert len(at.error) == 1
    assert "tensors" not in held(at)


def test_pages_that_show_no_file_do_not_offer_one():
    for page in ("walkthrough", "order"):
        (presets,) = [one for one in app(page).get("button_group") if one.key.startswith("preset")]
        assert (say("choice.preset.file", "en") in presets.options) == (page in OPENS)


@pytest.mark.parametrize("page", OPENS)
def test_the_words_of_a_file_and_its_name_are_code_or_escaped(tmp_path, page):
    tokens = [f"{MARK}{word}"[:40] for word in TEXT.split()][:N]
    tokens += ["a"] * (N - len(tokens))
    file = opened(f"<b>{TEXT}</b>", content(traced(scale=0.53), tmp_path, tokens))
    at = app(page, **link(file))
    for text in [*in_markdown(blocks(at)), *(one.value for one in at.markdown)]:
        assert MARK not in outside_code(text), text
    assert say("file.is_open", "en", name=plain(file.name)) in [one.value for one in at.caption]


def test_exports_of_a_file_compute_its_numbers(file):
    trace = linked("walkthrough", **link(file)).run.trace
    space: dict[str, object] = {}
    exec(compile(script(trace), "script", "exec"), space)
    torch.testing.assert_close(space["O"], trace["output"].value, **EXACT)
