"""A head that depends on another one: an induction head, and the earlier head that moves the previous word along.

Links lead there: below the picture, from a model that predicts no word to one that does; below the heads, after the
guess, to a phrase that is repeated.
"""

from collections.abc import Iterator

from pages.shell.component.trained_arcs import Chain
from pages.shell.i18n import say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs.trained.recorded import Outputs
from pages.shell.runs.trained.request import example, sizes_of
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Models
from pages.shell.state.url import written
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.models.alone import Head, sets
from pages.shell.views.models.common import asks_at, name, request, soon, spelled
from pages.shell.views.models.offered import CLEAR, Offered, asks, offered, opened
from pages.shell.views.models.tried import noted
from pages.shell.views.registry import named


@named("models.relay")
def ways(screen: Screen) -> Iterator[Block]:
    wanted = request(screen)
    if not sizes_of(wanted.model).causal:
        there = (say("models.relay.decoder"), None, _written(screen, example("capital")))
        yield blocks.buttons(there, said=say("models.relay.encoder"))
        return
    found = soon(wanted)
    if found is None:
        return
    chain, first = chained(screen, found), _first(screen, found)
    switch = None if chain is None or first is None else sets(screen, [first.at])
    if chain is None or first is None or switch is None:
        return
    tokens, where = spelled(wanted.model, found.tokens), name(*first.at)
    told = {"word": tokens[asks_at(screen, found)], "key": tokens[chain.of], "taken": tokens[chain.to]}
    said = say("models.relay.how", head=where, number=fixed(chain.weights[chain.to]), **told)
    switches = say(f"models.relay.switch.{'on' if chain.is_off else 'off'}", head=where)
    yield blocks.buttons((switches, None, switch | noted(screen, [first.at])), said=said)


def onward(screen: Screen, found: Outputs) -> Iterator[Block]:
    """The link from other texts to the one in which a head needs another one."""
    if sizes_of(request(screen).model).causal and chained(screen, found) is None:
        shows = example("repeated")
        is_there = request(screen).text == shows["model_text"]
        opens = say("models.induction.open", head=name(shows["model_layer"] - 1, shows["model_head"] - 1))
        there = (opens if is_there else say("models.relay.see"), None, _written(screen, shows))
        yield blocks.buttons(there, said=say("models.relay.needs"))


def chained(screen: Screen, found: Outputs) -> Chain | None:
    """For an open induction head of the trained model: the earlier head from which the found word clearly takes the
    word before it. The last 'roamed' finds 'quickly', which took 'roamed' along."""
    plain, first = soon(request(screen).plain()), _first(screen, found)
    if first is None or plain is None or len(plain.tokens) != len(found.tokens):
        return None
    heads = offered(screen, found)
    key = asks(heads, plain, asks_at(screen, found))[opened(screen, heads)].answer
    if key < 1:
        return None
    row = first.row(found, key)
    if float(row[key - 1]) < CLEAR:
        return None
    is_off = first.at in request(screen).off
    where = say("models.relay.is_off", head=name(*first.at)) if is_off else name(*first.at)
    return Chain(key, key - 1, row.tolist(), where, is_off)


def in_picture(screen: Screen, found: Outputs) -> Head | None:
    """The other head with an arc in the picture of the opened one."""
    first = _first(screen, found)
    return None if first is None or chained(screen, found) is None else first.at


def _first(screen: Screen, found: Outputs) -> Offered | None:
    """The head of a layer before the opened one that attends to the previous word."""
    heads = offered(screen, found)
    second = heads[opened(screen, heads)]
    if second.kind != "induction":
        return None
    return next((one for one in heads if one.kind == "previous" and one.layer < second.layer), None)


def _written(screen: Screen, settings: dict[str, object]) -> dict[str, str]:
    """Settings in the form of a click: a default is named only if the address sets the control."""
    differ = {control for control, value in settings.items() if value != getattr(Models, control)}
    named = differ | settings.keys() & screen.parameters.keys()
    return {control: written(settings[control]) for control in sorted(named)} | {"cell": ""}
