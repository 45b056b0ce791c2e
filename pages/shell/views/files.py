"""The files that a page offers for download, which the server makes on request (server/files.py)."""

from collections.abc import Iterator
from urllib.parse import urlencode

from pages.shell.i18n import listed, say
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Walkthrough
from pages.shell.views.blocks import Block, text
from pages.shell.views.models import common
from pages.shell.views.registry import named

CODE = ("script", "notebook")
NUMBERS = ("npz", "csv")
MOST_SHEETS = 40


@named("walkthrough.files")
def of_walkthrough(screen: Screen) -> Iterator[Block]:
    run, is_back = screen.run, screen.own(Walkthrough).backward
    size = sum(step.value.numel() * step.value.element_size() for step in run.trace.values())
    yield text(say("takeaway.lead", steps=len(run.trace), size=_bytes(size)))
    yield _block(screen, [*(_file(kind, run) for kind in (*CODE, *NUMBERS)), _worksheets(run, is_back)])
    if is_back:
        yield text(say("takeaway.backward"))


@named("backward.files")
def of_backward(screen: Screen) -> Iterator[Block]:
    yield text(say("backward.takeaway.lead"))
    yield _block(screen, [*(_file(kind, screen.run) for kind in CODE), _worksheets(screen.run, True)])


@named("models.files")
def of_models(screen: Screen) -> Iterator[Block]:
    if run := common.run(screen):
        yield text(say("models.take.text"))
        yield _block(screen, [_file(kind, run) for kind in (*CODE, *NUMBERS)])


def _block(screen: Screen, files: list[Block]) -> Block:
    query = urlencode([("page", screen.page), ("language", screen.language), *sorted(screen.parameters.items())])
    return {"kind": "files", "query": query, "files": files}


def _file(kind: str, run: Run) -> Block:
    """A button with a description of the file."""
    told = say(f"takeaway.{kind}.text", sentence=run.sentence + 1, head=run.head + 1)
    return {"file": kind, "label": say(f"takeaway.{kind}.label"), "line": told} | (
        {"read": say("takeaway.read")} if kind == "script" else {}
    )


def _worksheets(run: Run, is_back: bool) -> Block:
    """As many worksheets as there are students."""
    told = [say("worksheet.text")]
    if missing := left_out(run, is_back):
        named = listed("comma", (say(f"control.{name}.label") for name in missing))
        told.append(say("worksheet.left_out", names=named))
    count = {"label": say("worksheet.count"), "from": 1, "to": MOST_SHEETS}
    return {"file": "worksheet", "label": say("worksheet.label"), "line": listed("sentence", told), "asks": count}


def left_out(run: Run, is_back: bool) -> list[str]:
    """The controls of a run whose steps no sheet has: they leave no whole numbers, or take several heads. Sheets with a
    page on gradients have none of the changes of later models."""
    without: dict[str, tuple[str, ...]] = {"positions": ("queries_rotated",), "qk_norm": ("queries_normed",)}
    without |= {"kv_cache": ("past_keys",)}
    if is_back:
        without |= {"positions": ("queries_rotated", "slopes"), "softcap": ("softcap",), "sink": ("sink",)}
    named = [name for name, ids in without.items() if not run.trace.keys().isdisjoint(ids)]
    return [*named, "kv_heads"] if run.module.kv_heads != run.module.heads else named


def _bytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size >= 1e6 else f"{size / 1e3:,.1f} kB"
