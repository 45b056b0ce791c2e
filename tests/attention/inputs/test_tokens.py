"""Sentences become the same tokens and the same vectors everywhere."""

import math
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from attention.inputs.tokens import PAD, divided, embed, embedding, pad, tokenize
from attention.positions import sinusoidal
from tests.support import EXACT, refused

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("the cat sat", [["the", "cat", "sat"]]),
        ("The Cat", [["The", "Cat"]]),
        ("one two\nthree", [["one", "two"], ["three"]]),
        ("one\r\ntwo", [["one"], ["two"]]),
        ("\n\none\n\n  \ntwo\n", [["one"], ["two"]]),
        ("  spaces   and\ttabs  ", [["spaces", "and", "tabs"]]),
        ("Stop, now!", [["Stop", ",", "now", "!"]]),
        ("wait...", [["wait", ".", ".", "."]]),
        ("don't", [["don't"]]),
        ("don’t", [["don’t"]]),
        ("well-known state-of-the-art", [["well-known", "state-of-the-art"]]),
        ("'quoted' -dash-", [["'", "quoted", "'", "-", "dash", "-"]]),
        ("naïve Größe Привет", [["naïve", "Größe", "Привет"]]),
        ("猫 坐", [["猫", "坐"]]),
        ("猫坐在垫子上。", [["猫", "坐", "在", "垫", "子", "上", "。"]]),
        ("GPT模型好", [["GPT", "模", "型", "好"]]),
        ("用GPT-4写3个don't", [["用", "GPT-4", "写", "3", "个", "don't"]]),
        ("well-模型-x", [["well", "-", "模", "型", "-", "x"]]),
        ("注意力，查询“键”？", [["注", "意", "力", "，", "查", "询", "“", "键", "”", "？"]]),
        ("ねこはコーヒー", [["ね", "こ", "は", "コ", "ー", "ヒ", "ー"]]),
        ("か\u3099ｶﾞ", [["か\u3099", "ｶﾞ"]]),
        ("人々\U00020000\U00030edd", [["人", "々", "\U00020000", "\U00030edd"]]),
        ("나는 학생이다", [["나는", "학생이다"]]),
        ("[PAD]模", [[PAD, "模"]]),
        ("🦊 🐶", [["🦊", "🐶"]]),
        ("x1 + 2 = y_3", [["x1", "+", "2", "=", "y_3"]]),
        ("<b>x</b>", [["<", "b", ">", "x", "<", "/", "b", ">"]]),
        ("one [PAD] two", [["one", PAD, "two"]]),
        ("?!", [["?", "!"]]),
    ],
)
def test_a_text_has_these_tokens(text, sentences):
    assert tokenize(text) == tuple(map(tuple, sentences))


@pytest.mark.parametrize("text", ["The fox, it's well-known!", "猫坐。\nein Größer", "a  b\n\nc", "GPT模型\n好"])
def test_tokens_leave_out_white_space_and_nothing_else(text):
    joined = "".join("".join(sentence) for sentence in tokenize(text))
    assert joined == re.sub(r"\s", "", text)


@pytest.mark.parametrize("text", ["猫坐", "猫。\n坐着", "GPT好", "好GPT", "3个", "ねこ", "か\u3099き"])
def test_a_text_without_spaces_is_divided(text):
    assert divided(text)


@pytest.mark.parametrize(
    "text", ["", "the cat", "猫 坐", "猫。坐，好", "猫\n坐", "나는 학생", "か\u3099", "well-known"]
)
def test_a_text_whose_words_stand_apart_is_not_divided(text):
    assert not divided(text)


@pytest.mark.parametrize("text", ["", "   ", "\n\n", "\t \r\n", "\u2003\u00a0"])
def test_a_text_without_a_token_is_refused(text):
    with refused("the text has no token; write at least one word"):
        tokenize(text)


def test_shorter_sentences_are_padded_to_the_longest():
    tokens, lengths = pad([("a", "b", "c"), ("d",), ("e", "f")])
    assert tokens == (("a", "b", "c"), ("d", PAD, PAD), ("e", "f", PAD))
    assert lengths == (3, 1, 2)


def test_one_sentence_needs_no_padding():
    assert pad([("a", "b")]) == ((("a", "b"),), (2,))


@pytest.mark.parametrize("d_model", [1, 2, 7, 64, 512])
def test_a_token_has_one_number_a_feature(d_model):
    assert embedding("fox", d_model, 0).shape == (d_model,)


def test_the_same_token_seed_and_size_give_the_same_vector():
    torch.testing.assert_close(embedding("fox", 7, 3), embedding("fox", 7, 3), **EXACT)


@pytest.mark.parametrize(
    "other",
    [("dog", 7, 3), ("Fox", 7, 3), ("fox ", 7, 3), ("fox", 7, 4), ("fox", 11, 4), (PAD, 7, 3)],
    ids=str,
)
def test_another_token_or_seed_gives_another_vector(other):
    assert not torch.isclose(embedding("fox", 7, 3)[:7], embedding(*other)[:7]).any()


@pytest.mark.parametrize("d_model", [1, 13, 17, 31, 37])
def test_more_features_leave_those_that_are_there(d_model):
    torch.testing.assert_close(embedding("fox", d_model, 3), embedding("fox", 41, 3)[:d_model], **EXACT)


@pytest.mark.parametrize(("one", "two"), [(("2/x", 3, 1), ("x", 3, 1)), (("2x", 3, 1), ("x", 3, 12))])
def test_the_parts_of_what_is_hashed_do_not_run_together(one, two):
    assert not torch.equal(embedding(*one)[:1], embedding(*two)[:1])


@pytest.mark.slow
def test_a_fresh_process_draws_the_same_vectors():
    code = "from attention.inputs.tokens import embedding; print(embedding('Größe', 5, 7).tolist())"
    fresh = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert fresh.stdout.strip() == str(embedding("Größe", 5, 7).tolist())


def test_vectors_neither_read_nor_move_the_shared_generator():
    torch.manual_seed(1)
    before, first = torch.get_rng_state(), embedding("fox", 7, 3)
    torch.testing.assert_close(torch.get_rng_state(), before, **EXACT)
    torch.manual_seed(2)
    torch.testing.assert_close(embedding("fox", 7, 3), first, **EXACT)


def test_vectors_are_drawn_from_a_standard_normal():
    drawn = torch.stack([embedding(f"token{i}", 101, 0) for i in range(103)])
    assert abs(drawn.mean().item()) < 0.05
    assert abs(drawn.std().item() - 1) < 0.05


@pytest.mark.parametrize("d_model", [1, 2, 5, 8, 13])
def test_positions_are_those_of_the_paper(d_model):
    expected = torch.zeros(11, d_model, dtype=torch.float64)
    for p in range(11):
        for feature in range(d_model):
            angle = p / 10_000 ** (2 * (feature // 2) / d_model)
            expected[p, feature] = math.sin(angle) if feature % 2 == 0 else math.cos(angle)
    torch.testing.assert_close(sinusoidal(11, d_model).double(), expected, rtol=0, atol=1e-5)


def test_the_first_position_is_zeros_and_ones():
    torch.testing.assert_close(sinusoidal(1, 5), torch.tensor([[0.0, 1, 0, 1, 0]]), **EXACT)


def test_a_position_does_not_depend_on_how_many_follow():
    torch.testing.assert_close(sinusoidal(13, 6)[:5], sinusoidal(5, 6), **EXACT)


def test_a_batch_has_one_vector_a_token():
    inputs = embed([("a", "fox", "a"), ("fox",)], 5, 3)
    assert inputs.tokens == (("a", "fox", "a"), ("fox", PAD, PAD))
    assert inputs.lengths == (3, 1)
    assert inputs.x.shape == (2, 3, 5)
    for sentence, tokens in zip(inputs.x, inputs.tokens, strict=True):
        for vector, token in zip(sentence, tokens, strict=True):
            torch.testing.assert_close(vector, embedding(token, 5, 3), **EXACT)


def test_a_word_has_the_same_vector_wherever_it_stands():
    alone, among = embed([("fox",)], 5, 3).x[0, 0], embed([("a", "quick", "fox"), ("b",)], 5, 3).x[0, 2]
    torch.testing.assert_close(alone, among, **EXACT)
