"""The effect of the last change on the shown head: on the chosen word, on all words, and on measured numbers."""

import math
from collections.abc import Callable, Iterator, Sequence

import torch

from attention.analysis.divergence import shares
from attention.analysis.meters import meters
from attention.analysis.movement import first_change, movement
from pages.shell.component.moved import Meter, Moved
from pages.shell.i18n import listed, say, with_and
from pages.shell.i18n.markdown import quoted
from pages.shell.i18n.numbers import fixed, interval
from pages.shell.i18n.options import word
from pages.shell.runs import asking, learned, learned_scores
from pages.shell.runs.differences import differing
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.views import learned as of_learned
from pages.shell.views import naming
from pages.shell.views.blocks import Block
from pages.shell.views.steps import focus_of
from pages.shell.views.taken import acting

_CONTROLS, _LETTERS = 3, 24
# A smaller number, 0.00 in two decimals, counts as nothing.
_LEAST = 0.005


def summary(
    screen: Screen, first: Sequence[str] = (), *, invites: bool = True, scored: Run | None = None
) -> Iterator[Block]:
    """The sentences about the last change, and the score of a layer that answers. first: the page's own sentences,
    which come before; invites: whether a sentence announces them before any change; scored: the run with the earlier
    score, None for the run before the change."""
    now, before = screen.run, screen.before
    asked = screen.query()
    query = focus_of(now) if asked is None else asked
    said = [*first, *_sentences(before, now, query)] if before else [say("moved.invite")] if invites else []
    # Before a change there is no score to compare with.
    scores = _meters(_score, scored or before, now, is_kept=True) if before else []
    if said:
        yield {"kind": "moved"} | Moved(scores, [naming.opened(one) for one in said]).sent()
    yield from of_learned.training(screen)


def measured(screen: Screen) -> Iterator[Block]:
    """The measured numbers of the shown head."""
    yield {"kind": "moved"} | Moved(_meters(_measures, screen.before, screen.run), []).sent()


def _meters(
    read: Callable[[Run], dict[str, str]], before: Run | None, now: Run, *, is_kept: bool = False
) -> list[Meter]:
    """Meters with the present numbers and the changed earlier ones. read: the numbers of a run, written out, by
    name."""
    written = read(now)
    old = read(before) if before else written
    return [
        Meter(say(f"meter.{name}"), number, old[name] if old.get(name, number) != number else "", is_kept)
        for name, number in written.items()
    ]


def _score(run: Run) -> dict[str, str]:
    """The score on test sentences of a layer that answers."""
    found = learned_scores.tested(run.config, run.module)
    # A sentence outside the grammar has no known right answers: the score beside it would seem to be its own.
    return {"score": _two(found.scores.mean)} if found and asking.asked(run) else {}


def _measures(run: Run) -> dict[str, str]:
    read = meters(run.trace, **run.where)
    # Rows are summed after dropout.
    when = "_before" if "dropped" in run.trace else ""
    return {
        "raw": _two(read.raw),
        "scaled": _two(read.scaled),
        f"largest{when}": _two(read.largest),
        f"effective{when}": _two(read.effective),
        "sums": interval(*map(_two, read.sums)),
    }


def _sentences(before: Run, now: Run, followed: int) -> Iterator[str]:
    """The controls that changed, the effect on the followed query and on all weights, and the first step with other
    numbers."""
    begins = first_change(before.trace, now.trace)
    if begins is None:
        yield say("moved.nothing")
        return
    was, layer = (learned.used(run.config) for run in (before, now))
    changed = differing(before, now, is_same=False)
    is_other = False
    if was is not None and layer is not None and was != layer:
        is_other = True
        yield say("moved.layer", parts=learned.otherwise(was, layer))
        # The name of the layer tells its sizes.
        changed = {name: values for name, values in changed.items() if name not in learned.SIZES}
    # The shown head changes by itself if the number of heads falls below its own.
    if before.config.head == now.config.head:
        changed.pop("head", None)
    # The request for another layer is told in the same way.
    changed.pop("trained", None)
    if changed.pop("heads_off", None):
        yield _off(now)
        # A head that is off still has its arcs, so that there is no more to say, and the answers stand beside the
        # switches.
        if not changed and not is_other and not _has_moved(before, now):
            yield say("moved.arcs_stay")
            return
    if changed:
        parts = [
            say("moved.control", name=_name(name), before=_value(name, a), now=_value(name, b))
            for name, (a, b) in list(changed.items())[:_CONTROLS]
        ]
        yield say("moved.changed", parts=listed("comma", parts) + (" …" if len(changed) > _CONTROLS else ""))
    follows = list(_followed(before, now, followed, is_other=is_other))
    yield from follows
    yield from _weights(before, now, followed, follows)
    # In another layer all numbers differ.
    if not is_other:
        yield say("moved.begins", step=say(f"step.{begins}.title"))


def _has_moved(before: Run, now: Run) -> bool:
    a, b = (run.trace[acting(run)].value for run in (before, now))
    return a.shape != b.shape or not torch.equal(a, b)


def _off(now: Run) -> str:
    """The heads that are off, by number: a list of settings would be read as a count."""
    off = [str(head + 1) for head in learned.off(now.config, now.module.heads)]
    if not off:
        return say("moved.heads_on")
    return say("moved.head_off" if len(off) == 1 else "moved.heads_off", heads=with_and(off))


def _followed(before: Run, now: Run, query: int, *, is_other: bool) -> Iterator[str]:
    """The present and the earlier weights of the word; nothing if it was not there, or if the words differed. is_other:
    whether the layer is another one, whose heads share only their numbers with those before."""
    if before.labels != now.labels or before.head != now.head:
        return
    old, new = (run.matrix(acting(run))[query].cpu() for run in (before, now))
    named = {"word": naming.of_query(now, query, _LETTERS)}
    first, then = (naming.of_key(now, int(row.argmax()), _LETTERS) for row in (new, old))
    if torch.allclose(old, new, atol=_LEAST):
        yield say("moved.same", **named)
    elif not bool(new.any()):
        yield say("moved.takes_nothing", **named)
    elif is_other and now.module.heads > 1 and float(new.max()) >= _LEAST:
        now_takes, took = fixed(new.max()), fixed(old.max())
        yield say("moved.other_head", head=now.head + 1, now=now_takes, key=first, before=took, old=then)
    elif int(old.argmax()) == int(new.argmax()):
        yield say("moved.takes", now=fixed(new.max()), before=fixed(old.max()), key=first, **named)
    elif float(new.max()) < _LEAST:
        yield say("moved.takes_little", old=then, before=fixed(old.max()), **named)
    else:
        yield say("moved.turns", now=fixed(new.max()), key=first, before=fixed(old.max()), old=then, **named)


def _weights(before: Run, now: Run, followed: int, follows: Sequence[str]) -> Iterator[str]:
    """The change of the words' weights. follows: the sentences about the followed word, which are not repeated; nor is
    it said that others stay if that word stays."""
    a, b = (run.matrix("weights").cpu() for run in (before, now))
    if a.shape != b.shape:
        yield say("moved.sizes", before=" × ".join(map(str, a.shape)), now=" × ".join(map(str, b.shape)))
        return
    if before.labels != now.labels:
        yield say("moved.words")
        return
    if before.head != now.head:
        yield say("moved.head", head=now.head + 1)
        return
    has_sink = "sink" in before.trace or "sink" in now.trace
    both = (shares(before.trace, a), shares(now.trace, b)) if has_sink else (a, b)
    found = movement(*both, followed)
    if not found.most >= _LEAST:
        # The followed word has not moved; another one may have.
        found = movement(*both)
    drops = "kept" in now.trace or "kept" in before.trace
    has_moved = found.most >= _LEAST
    if has_moved and not (follows and found.query == followed):
        query = naming.of_query(now, found.query, _LETTERS)
        source, target = (
            say("compare.sink") if key == a.shape[1] else naming.of_key(now, key, _LETTERS)
            for key in (found.source, found.target)
        )
        yield say("moved.most", share=fixed(found.most), query=query, source=source, target=target)
    elif not (has_moved or follows or found.emptied or found.filled or drops):
        yield say("moved.still")
    if found.emptied:
        yield say("moved.emptied", count=found.emptied)
    if found.filled:
        yield say("moved.filled", count=found.filled)
    if drops:
        yield say("moved.dropped", now=_dropped(now), before=_dropped(before), pairs=_pairs(now))


def _pairs(run: Run) -> int:
    return int(_seen(run).sum())


def _dropped(run: Run) -> int:
    """The number of pairs that the mask allows and dropout takes away."""
    return int((_seen(run) & ~run.matrix("kept")).sum()) if "kept" in run.trace else 0


def _seen(run: Run) -> torch.Tensor:
    return run.matrix("mask") if "mask" in run.trace else torch.ones_like(run.matrix("weights"), dtype=torch.bool)


def _name(control: str) -> str:
    """The name of a control without its explanation, which follows a point in its label."""
    return say(f"control.{control}.label").partition(" · ")[0]


def _value(control: str, value: str | None) -> str:
    """The name of a choice, any other value as in a link; a dash if the control has no effect."""
    if value is None:
        return "–"
    called = word(control, value)
    return called if called != value or _is_number(value) else quoted(value, _LETTERS)


def _is_number(value: str) -> bool:
    try:
        return math.isfinite(float(value))
    except ValueError:
        return False


def _two(value: float) -> str:
    return "–" if math.isnan(value) else fixed(value)
