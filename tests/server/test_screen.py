"""A browser that is sent what it needs shows what one shows that is sent everything, and forgets the same."""

from collections.abc import Iterator
from copy import deepcopy
from functools import partial
from random import Random
from types import SimpleNamespace

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_cache import create_reference_msg

from pages.shell.server.patches import unchanged_rows
from pages.shell.server.screen import Screen
from tests.support.two_browsers import BLOCKS, FRAME, GAVE_WAY, Both, drawn, run

TITLE = drawn((0, 2), "", "markdown", "title")
P = [
    drawn((0, 0), "p", "flex_container"),
    drawn((0, 0, 0), "p", "markdown", "a"),
    drawn((0, 0, 1), "p", "markdown", "b"),
    drawn((0, 0, 2), "p", "flex_container"),
    drawn((0, 0, 2, 0), "p", "markdown", "c"),
    drawn((0, 0, 2, 1), "p", "markdown", "d"),
]
Q = [
    drawn((0, 1), "q", "flex_container"),
    drawn((0, 1, 0), "q", "slider", "s"),
    drawn((0, 1, 1), "n", "flex_container"),
    drawn((0, 1, 1, 0), "n", "markdown", "e"),
    drawn((0, 1, 1, 1), "n", "markdown", "f"),
    drawn((0, 1, 2), "q", "expandable", "t"),
]
B2, X = drawn((0, 0, 1), "p", "markdown", "b2"), drawn((0, 0, 3), "p", "markdown", "x")
OTHER = drawn((0, 0, 2), "p", "expandable", "v")
SET, S2 = drawn((0, 1, 0), "q", "slider", "s", acts=True), drawn((0, 1, 0), "q", "slider", "s2")
Q2 = [Q[0], S2, *Q[2:]]
WHOLE = run(*P, *Q, TITLE)
p, q = partial(run, rows="p"), partial(run, rows="q")
ROWS = p(*P)
KNOWN = [create_reference_msg(one) if one.metadata.cacheable else one for one in P]
LONE, BUTTON = drawn((0, 0, 2), "p", "markdown", "lone"), drawn((0, 0, 0), "p", "button", "press")
IN = drawn((0, 1, 2, 0), "q", "markdown", "in")
LAST, NEXT = (drawn((0, 0, 3), "p", "button", text) for text in ("press", "press this"))
FRAMED, HUNG = drawn((0, 0, 3), "p", "flex_container", FRAME), drawn((0, 0, 3, 0), "p", "markdown", "hung")
# What happens after a page, as flushes: of each, how many elements are sent, and no word of the run; told: all of it is
# sent. None: the browser comes back.
TOLD = "told"
STEPS = {
    "unchanged": [(p(*P), 0)],
    "changed": [(p(*P[:2], B2, *P[3:]), 1), (p(*P), 1)],
    "more": [(p(*P, X), 1), (p(*P, X), 0)],
    "less": [(p(*P[:5]), 1), (p(*P[:5]), 0), (p(*P), 1)],
    "a block less": [(p(*P[:3]), 1), (p(*P), 3)],
    "nothing left in a block": [(p(*P[:4]), 1), (p(*P[:4]), 1), (p(*P), 2), (p(*P[:1]), 1), (p(*P), 6), (p(*P), 0)],
    "nothing left in a frame": [(p(*P, FRAMED, HUNG), 2), (p(*P, FRAMED), TOLD)],
    "nothing left in a line that opens": [(q(*Q, IN), 1), (q(*Q), TOLD)],
    "something else in its place": [(p(*P[:3], LONE), TOLD), (p(*P), TOLD)],
    "two in one place": [(p(*P[:2], B2, *P[2:]), TOLD)],
    "a button alone less": [(p(P[0]), 1), (p(P[0], BUTTON), 2), (p(P[0]), 1)],
    "a button less": [(p(*P, LAST), 1), (p(*P), TOLD), (p(*P), 0)],
    "another button": [(p(*P, LAST), 1), (p(*P, NEXT), TOLD)],
    "a widget less": [(q(*Q[:5]), TOLD), (q(*Q[:1], *Q[2:5]), TOLD)],
    "a nested row": [(q(*Q[:4], Q[5]), 1), (q(*Q), 1), (q(*Q[:2], Q[5]), 1)],
    "two rows": [(run(*P[:5], *Q, rows="pq"), 1)],
    "a row that was not drawn": [(run(*P, rows="pq"), 0), (q(), 0), (q(*Q), 0)],
    "a reference": [(p(P[0], create_reference_msg(P[1]), *P[2:]), 0), (p(*P[:2], B2, *P[3:]), 1)],
    "acts": [(q(Q[0], SET, *Q[2:]), 1), (q(Q[0], SET, *Q[2:]), 1), (q(*Q), 1)],
    "ends early": [(p(*P[:2], B2, end=GAVE_WAY), TOLD), (p(*P), 1)],
    "ends early with another widget": [(q(Q[0], S2, end=GAVE_WAY), TOLD), (q(*Q2), TOLD), (q(*Q2), 0)],
    "ends early in another block": [(p(*P[:3], OTHER, end=GAVE_WAY), TOLD), (p(*P), TOLD), (p(*P), 0)],
    "in two flushes": [(p(*P)[:5], TOLD), (p(*P)[5:], TOLD), (p(*P), 0)],
    "another page": [(run(*P[:5], *Q), TOLD), (p(*P), 1), (run(*P), TOLD), (p(*P[:5]), 1)],
    "a block that is emptied": [(run(*P, LONE), TOLD), (p(*P[:3], LONE), 0)],
    "a page that ends early": [(run(*P[:3], end=GAVE_WAY), TOLD), *[(p(*P), TOLD)] * 2],
    "while another is running": [(run(*P[:3])[:-2], TOLD), (p(*P)[:1] + p(*P)[2:], TOLD)],
    "a browser that comes back": [(None, 0), *[(p(*P[:5]), TOLD)] * 2, (WHOLE, TOLD), (ROWS, 0)],
    "an unknown reference": [(None, 0), (run(*KNOWN), TOLD), (p(*KNOWN), 4), (p(*P[:5]), TOLD)],
}


@pytest.mark.parametrize("steps", STEPS.values(), ids=STEPS)
def test_what_is_sent_of_a_run(steps):
    both = Both()
    both.sent(WHOLE)
    for messages, expected in steps:
        if messages is None:
            both.screen = Screen()
            continue
        sent = both.sent(messages)
        if expected == TOLD:
            assert sent == messages
        else:
            assert (len(sent), sent[-1].WhichOneof("type")) == (expected + 1, "script_finished")
            assert not any(one.metadata.cacheable or one.metadata.run.script_run_id for one in sent)


class Rows:
    """Rows of a page whose content changes, as messages of which some refer to those that a browser keeps."""

    def __init__(self, random: Random):
        self.random, self.shown = random, dict[str, list[ForwardMsg]]()

    def told(self, rows: str, kept: dict[str, ForwardMsg]) -> list[ForwardMsg]:
        for at, row in enumerate("pqr"):
            if row not in self.shown or (row in rows and self.random.random() < 0.4):
                self.shown[row] = [drawn((0, at), row, "flex_container"), *self.within((0, at), row)]
            elif row in rows and self.random.random() < 0.5:
                self.shown[row] = self.shown[row][: max(1, len(self.shown[row]) - 1)]
        shown = [message for row in rows or "pqr" for message in self.shown[row]]
        return [create_reference_msg(one) if one.hash in kept and self.random.random() < 0.5 else one for one in shown]

    def within(self, place: tuple[int, ...], row: str) -> Iterator[ForwardMsg]:
        for here in ((*place, at) for at in range(self.random.randrange(4))):
            kind = self.random.choice(("markdown", "markdown", "slider", "button", "expandable", "flex_container"))
            text = f"{kind} {here} {self.random.choice('abc')}"
            if kind in BLOCKS and len(place) < 4:
                inner = row if kind == "expandable" else f"{row}n"
                yield drawn(here, inner, kind, text)
                yield from self.within(here, inner)
            else:
                acts = self.random.random() < 0.1
                yield drawn(here, row, "markdown" if kind in BLOCKS else kind, text, acts)


@pytest.mark.parametrize("seed", range(3))
def test_after_any_sequence_of_runs_both_show_the_same(seed):
    random, both, silent = Random(seed), Both(), 0
    page = Rows(random)
    both.sent(run(*page.told("", {})))
    for _ in range(200):
        rows = "".join(row for row in "pqr" if random.random() < 0.4) if random.random() < 0.9 else ""
        messages, chance = run(*page.told(rows, both.needing.seen), rows=rows), random.random()
        cut = random.randrange(2, len(messages) - 1)
        if chance < 0.1:
            both.sent(messages[:cut])
            messages = messages[cut:]
        elif chance < 0.2:
            messages = run(*messages[2:cut], rows=rows, end=GAVE_WAY)
        elif chance < 0.25:
            # Another takes its place, and nobody says that it is over.
            messages = messages[:cut]
        elif chance < 0.3:
            both.screen = Screen()
        silent += len(both.sent(messages)) < len(messages)
    assert silent > 10


def test_a_browser_that_connects_is_told_of_everything(monkeypatch):
    session = SimpleNamespace(messages=[])
    session._browser_queue = SimpleNamespace(is_empty=lambda: not session.messages)
    manager = SimpleNamespace(get_active_session_info=lambda id: SimpleNamespace(session=session))
    monkeypatch.setattr(unchanged_rows, "_original_flush", lambda session: deepcopy(session.messages))
    monkeypatch.setattr(unchanged_rows, "_original_connect", lambda runtime, *given: "id")
    counts = []
    for messages in (WHOLE, ROWS, [], ROWS, WHOLE, ROWS):
        session.messages = messages
        if not messages:
            assert unchanged_rows._connect(SimpleNamespace(_session_mgr=manager), "client") == "id"
        counts.append(len(unchanged_rows._flush(session)))
    assert counts == [len(WHOLE), 1, 0, len(ROWS), len(WHOLE), 1]
