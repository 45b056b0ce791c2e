"""The walkthrough's heatmaps in Dash, with one slider: `python -m benchmarks.dash_page PORT`."""

import sys
from typing import Any

import dash
from dash import Input, Output, dcc, html

from attention.figures import plotly_figure
from pages.shell.runs.run import run
from pages.shell.state.config import Config


def figures(value: float) -> list[Any]:
    shown = run(Config(dropout=value))
    return [plotly_figure(step, shown.labels).update_layout(height=300) for step in shown.trace.values() if step.axes]


def made() -> dash.Dash:
    app = dash.Dash(__name__, serve_locally=True)
    first = figures(0.1)
    names = [f"graph-{index}" for index in range(len(first))]
    graphs = [dcc.Graph(id=name, figure=figure) for name, figure in zip(names, first, strict=True)]
    app.layout = html.Div([dcc.Slider(0.0, 0.9, 0.05, value=0.1, id="dropout"), *graphs])
    outputs = [Output(name, "figure") for name in names]
    app.callback(*outputs, Input("dropout", "value"), prevent_initial_call=True)(figures)
    return app


if __name__ == "__main__":
    made().run(port=sys.argv[1], debug=False)
