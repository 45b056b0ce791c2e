"""Run parts of a page as Streamlit does: a moved widget redraws its own part, and no other."""

import json
from collections import defaultdict
from typing import Any
from unittest.mock import patch

from google.protobuf.json_format import MessageToDict
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.testing.v1 import AppTest, local_script_runner

from benchmarks.tab import mount_points

# Fields that differ without a change on the screen: the value of a widget, and addresses of files, new in each run.
_HELD = {"setValue", "value", "default", "rawValues", "url", "deferredFileId"}


def run(at: AppTest, part: str = "") -> list[ForwardMsg]:
    """Run the page, or a part of it by its id; returns the messages about elements."""
    sent: list[ForwardMsg] = []
    parse, data = local_script_runner.parse_tree_from_messages, local_script_runner.RerunData

    def kept(messages: list[ForwardMsg]) -> Any:
        sent.extend(messages)
        return parse(messages)

    with (
        patch.object(local_script_runner, "parse_tree_from_messages", kept),
        patch.object(local_script_runner, "RerunData", lambda **given: data(**given, fragment_id=part or None)),
    ):
        at.run()
    return [one for one in sent if one.WhichOneof("type") == "delta"]


def part_of(widget: Any, sent: list[ForwardMsg]) -> str:
    """The id of the part with a widget; "" if the widget is in no part."""
    return next(one.delta.fragment_id for one in sent if _element(one).get("id") == widget.id)


def by_part(sent: list[ForwardMsg]) -> dict[str, list[str]]:
    """The elements of each part, without messages about settings and results."""
    found = defaultdict(list)
    for one in sent:
        shown = _element(one)
        data = [json.loads(shown["json"])] if "json" in shown else mount_points([shown.get("body", "")])
        if not any({"settings", "computed"} & set(one) for one in data):
            said = {name: value for name, value in shown.items() if name not in _HELD}
            found[one.delta.fragment_id].append(json.dumps(said, sort_keys=True))
    return dict(found)


def _element(sent: ForwardMsg) -> dict[str, Any]:
    element = sent.delta.new_element
    kind = element.WhichOneof("type")
    return MessageToDict(getattr(element, kind)) if kind else {}
