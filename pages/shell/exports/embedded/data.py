"""A figure as data: its words, the settings behind it, and the numbers that it shows."""

import math
from typing import Any

from pages.shell.exports.embedded.figure import Figure, plain
from pages.shell.exports.embedded.picture import chart, heatmap

# Entries of other figures than heatmaps and charts that only the browser needs.
_OF_THE_BROWSER = ("stamp", "of", "text", "formula", "sets", "own")


def made(figure: Figure, address: str) -> dict[str, Any]:
    """The figure as data. address: that of the figure itself, which holds the settings."""
    return {
        "figure": figure.name,
        "address": address,
        "page": figure.screen.page,
        "language": figure.language,
        "settings": figure.settings,
        "title": figure.title,
        "sentence": figure.sentence,
        "parts": [part for block in figure.blocks for part in _parts(block, figure)],
    }


def _parts(block: dict[str, Any], figure: Figure) -> list[dict[str, Any]]:
    match block["kind"]:
        case "cards":
            return [_card(figure.worded(card), block.get("labels", {})) for card in block["cards"]]
        case "table":
            header = [plain(one["html"]) for one in block["header"]]
            return [{"kind": "table", "header": header, "rows": [[plain(x["html"]) for x in r] for r in block["rows"]]}]
        case "text" | "heading" | "note":
            return [{"kind": block["kind"], "text": plain(block["html"])}]
    return [{"kind": block["kind"]}]


def _card(card: dict[str, Any], labels: dict[str, list[str]]) -> dict[str, Any]:
    told = {name: card[name] for name in ("id", "title", "part", "tag", "note") if card.get(name)}
    if "z" in card:
        sides = {side: card.get(side, "") for side in ("rows", "columns")}
        names = card.get("labels") or labels
        axes = {side: {"axis": axis, "names": names.get(axis, [])} for side, axis in sides.items()}
        values = [[_finite(one) for one in row] for row in heatmap.numbers(card).tolist()]
        return {"kind": "matrix", **told, **axes, "values": values}
    if "chart" in card:
        drawn = card["chart"]
        series = [
            {"name": one["name"], **{side: [_finite(x) for x in each] for side, each in chart.numbers(one).items()}}
            for one in drawn["series"]
        ]
        return {"kind": "chart", **told, "x": drawn["x"]["title"], "y": drawn["y"]["title"], "series": series}
    rest = {name: part for name, part in card.items() if name not in (*_OF_THE_BROWSER, *told)}
    return {"kind": "figure", **told, **rest}


def _finite(number: float) -> float | None:
    """A number for JSON, to its seven digits; None for a number that is missing or not finite."""
    return float(f"{number:.7g}") if math.isfinite(number) else None
