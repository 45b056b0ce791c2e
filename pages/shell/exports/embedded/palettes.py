"""The colours and fonts that the app takes from Streamlit's theme, for figures outside the app."""

from functools import cache
from typing import Any

from streamlit import config

# Streamlit's colours for names that a theme leaves out; a browser test compares them with the app.
_OWN = {
    "light": {
        "text-color": "#2f2d2b",
        "heading-color": "#2f2d2b",
        "background-color": "#ffffff",
        "secondary-background-color": "#f8f8f7",
        "border-color": "rgba(47, 45, 43, 0.2)",
        "code-text-color": "#0c5a44",
        "code-background-color": "rgba(252, 252, 251, 1)",
        "link-color": "#244fb4",
        "red-text-color": "#9e303b",
        "green-text-color": "#0c5a44",
        "orange-color": "#e0682b",
        "green-color": "#079464",
        "blue-color": "#3b82f6",
        "red-color": "#d94a57",
    },
    "dark": {
        "text-color": "#edebe8",
        "heading-color": "#edebe8",
        "background-color": "#171614",
        "secondary-background-color": "#2d2b27",
        "border-color": "rgba(237, 235, 232, 0.2)",
        "code-text-color": "#7ed5b0",
        "code-background-color": "rgba(34, 33, 30, 1)",
        "link-color": "#85b8f8",
        "red-text-color": "#f2919a",
        "green-text-color": "#7ed5b0",
        "orange-color": "#f2a56d",
        "green-color": "#7ed5b0",
        "blue-color": "#85b8f8",
        "red-color": "#f2919a",
    },
}
# Fonts that systems have, because the app's own font is another 100 kB.
FONT = (
    "system-ui, 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC', 'Source Han Sans SC', "
    "'WenQuanYi Micro Hei', sans-serif"
)
_CODE = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"
_FIXED = {
    "font": FONT,
    "heading-font": FONT,
    "code-font": _CODE,
    "base-radius": "0.5rem",
    "button-radius": "0.5rem",
}


@cache
def palette(name: str) -> dict[str, str]:
    """The colours of light or dark, by their names in the styles."""

    def chosen(option: str) -> Any:
        return config.get_option(f"theme.{name}.{option}")

    lists = {
        "chart-sequential-colors": chosen("chartSequentialColors"),
        "chart-diverging-colors": chosen("chartDivergingColors"),
        "chart-categorical-colors": chosen("chartCategoricalColors"),
    }
    own = _OWN[name] | {"primary-color": str(chosen("primaryColor"))}
    return own | {key: ",".join(colours) for key, colours in lists.items()}


@cache
def styles() -> str:
    """The colours of every theme of a figure as CSS. A transparent theme keeps the colour of the surrounding page: it
    has no colour scheme of its own, because browsers paint a frame opaque if its scheme differs from its page's."""
    light, dark = palette("light"), palette("dark")
    return (
        f":root{{color-scheme:light;{_written(_FIXED | light)}}}"
        f":root[data-theme=dark]{{color-scheme:dark;{_written(dark)}}}"
        f":root[data-theme^=transparent]{{color-scheme:normal}}"
        f":root[data-theme=transparent-dark]{{{_written(dark)}}}"
        f"@media(prefers-color-scheme:dark){{:root[data-theme=auto]{{color-scheme:dark;{_written(dark)}}}}}"
    )


def _written(values: dict[str, str]) -> str:
    return ";".join(f"--st-{name}:{value}" for name, value in values.items())
