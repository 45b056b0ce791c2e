"""Colours of a picture, as the browser mixes them (browser/colour.js)."""

from collections.abc import Sequence
from dataclasses import dataclass

from pages.shell.component.chart import INK
from pages.shell.exports.embedded.palettes import palette


@dataclass(frozen=True)
class Style:
    """The colours of a theme. paper: the colour of the picture's background, empty if it is transparent; language: a
    key of `LANGUAGES`."""

    dark: bool
    paper: str
    language: str

    @classmethod
    def of(cls, theme: str, language: str) -> "Style":
        """The style of a theme. Theme auto means light, because a picture cannot know its viewer's theme."""
        dark = theme in ("dark", "transparent-dark")
        colours = palette("dark" if dark else "light")
        return cls(dark, "" if theme.startswith("transparent") else colours["background-color"], language)

    def colour(self, name: str) -> str:
        return palette("dark" if self.dark else "light")[name]

    @property
    def text(self) -> str:
        return self.colour("text-color")

    @property
    def page(self) -> str:
        return self.colour("background-color")

    @property
    def quiet(self) -> str:
        """The colour of secondary lines and words."""
        return mixed([self.page, self.text], 0.6)

    @property
    def grid(self) -> str:
        return mixed([self.page, self.text], 0.2)

    def scale(self, kind: str) -> list[str]:
        """The colours of a kind of numbers: signed, probability or binary."""
        if kind == "binary":
            return [self.colour("secondary-background-color"), self.colour("primary-color")]
        name = "chart-diverging-colors" if kind == "signed" else "chart-sequential-colors"
        return self.colour(name).split(",")

    def series(self, at: int) -> str:
        if at == INK:
            return self.text
        colours = self.colour("chart-categorical-colors").split(",")
        return colours[at % len(colours)]


def parts(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue


def mixed(scale: Sequence[str], share: float) -> str:
    """The colour at a share, from 0 to 1, of a scale."""
    place = min(max(share, 0.0), 1.0) * (len(scale) - 1)
    first = min(int(place), len(scale) - 2)
    low, high = parts(scale[first]), parts(scale[first + 1])
    return "#" + "".join(f"{round(a + (b - a) * (place - first)):02x}" for a, b in zip(low, high, strict=True))


def ink(colour: str) -> str:
    """Black or white, whichever stands out on a colour (relative luminance, WCAG 2.2)."""
    red, green, blue = (
        part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in parts(colour)
    )
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "#000000" if (luminance + 0.05) ** 2 > 1.05 * 0.05 else "#ffffff"
