"""The pages on positions, fewer keys and decoding: what they say is what the package measures."""

import pytest

from tests.support.app import app, no_exception


def said(at) -> str:
    return "\n".join(block.value for block in at.markdown)


def test_positions_say_which_scores_stay_and_what_mixing_does():
    at = app("positions", pos_query=20, pos_base="500000")
    assert no_exception(at)
    text = said(at)
    assert "| 1 | 0.970 |" in text
    rows = {
        line.split(" | ")[0].strip("| "): line.split(" | ")[1:] for line in text.splitlines() if line.startswith("|")
    }
    assert len(set(rows["both half-split"])) == 1 or len({cell.strip("| ") for cell in rows["both half-split"]}) == 1
    assert len({cell.strip("| ") for cell in rows["query half-split, key interleaved"]}) == 3


@pytest.mark.parametrize(("kv", "right"), [("8", 8), ("2", 4), ("1", 8)])
def test_tiled_key_heads_leave_some_heads_right(kv, right):
    at = app("fewer_keys", kv_of_8=kv)
    assert no_exception(at)
    (line,) = [line for line in said(at).splitlines() if line.startswith("| largest difference")]
    assert [cell.strip() for cell in line.split("|")].count("0") == right
    assert "| Falcon-7B | 32 · 71 · 1 · 64 | 8 | 568 | 1 GiB |" in said(at)


def test_decoding_is_one_pass_up_to_rounding_and_the_flag_sees_the_first_key():
    at = app("one_token", token_at=12)
    assert no_exception(at)
    assert "| from the first value alone | 0 |" in said(at)
