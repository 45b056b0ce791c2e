"""The three shipped palettes: texts are readable, and colours differ for every eye."""

import re
import tomllib

import numpy as np
import pytest

from tests.support.app import ROOT

# Machado, Oliveira and Fernandes, 'A Physiologically-based Model for Simulation of Color Vision Deficiency', 2009, at
# severity 1: linear RGB to linear RGB.
EYES = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
# IEC 61966-2-1: linear sRGB to CIE XYZ under D65, and the white point.
XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
WHITE = XYZ.sum(axis=1)
SCALES = ("sequential", "diverging", "categorical")


def shipped() -> dict[str, dict[str, list[str]]]:
    """Palette to scale to colours; light and dark come from the configuration, the projector's from its style sheet."""
    theme = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"]
    themes = {name: theme[name] for name in ("light", "dark")}
    found = {name: {one: theme[f"chart{one.title()}Colors"] for one in SCALES} for name, theme in themes.items()}
    style = (ROOT / "pages" / "shell" / "component" / "browser" / "projector.css").read_text(encoding="utf-8")
    lists = dict(re.findall(r"--st-chart-(\w+)-colors:\s*([^;]+);", style))
    return found | {"projector": {one: [colour.strip() for colour in lists[one].split(",")] for one in SCALES}}


PALETTES = shipped()
every_palette = pytest.mark.parametrize("palette", PALETTES)
every_eye = pytest.mark.parametrize("eye", EYES)


def linear(colours: list[str]) -> np.ndarray:
    """Linear sRGB, one row for each colour."""
    rgb = np.array([[int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)] for colour in colours])
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def seen(colours: list[str], eye: str) -> np.ndarray:
    """The colours as an eye sees them, in CIELAB."""
    share = np.clip(linear(colours) @ EYES[eye].T, 0, 1) @ XYZ.T / WHITE
    x, y, z = np.where(share > 216 / 24389, np.cbrt(share), (24389 / 27 * share + 16) / 116).T
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=1)


def contrast(colours: list[str], page: str) -> np.ndarray:
    """WCAG 2.2 contrast of colours on a page."""
    light = linear([*colours, page]) @ np.array([0.2126, 0.7152, 0.0722]) + 0.05
    return np.maximum(light[:-1], light[-1]) / np.minimum(light[:-1], light[-1])


def test_the_measures_are_those_of_the_standards():
    np.testing.assert_allclose(seen(["#ffffff", "#000000"], "normal"), [[100, 0, 0], [0, 0, 0]], atol=0.01)
    np.testing.assert_allclose(seen(["#ff0000"], "normal"), [[53.24, 80.09, 67.20]], atol=0.02)
    assert all(np.allclose(eye.sum(axis=1), 1, atol=1e-5) for eye in EYES.values())
    np.testing.assert_allclose(contrast(["#000000", "#767676"], "#ffffff"), [21, 4.54], atol=0.01)


def test_there_are_three_palettes_and_all_are_different():
    assert set(PALETTES) == {"light", "dark", "projector"}
    assert all(len({str(palette[scale]) for palette in PALETTES.values()}) == 3 for scale in SCALES)


@every_eye
def test_on_a_projector_every_eye_tells_the_lines_apart(eye):
    lab = seen(PALETTES["projector"]["categorical"], eye)
    distances = np.linalg.norm(lab[:, None] - lab, axis=-1)[np.triu_indices(len(lab), 1)]
    assert distances.min() >= 25


@every_palette
def test_each_of_all_heads_has_a_colour_of_its_own(palette):
    """With six colours for eight heads, heads 7 and 8 had the colours of heads 1 and 2."""
    lab = seen(PALETTES[palette]["categorical"], "normal")
    distances = np.linalg.norm(lab[:, None] - lab, axis=-1)[np.triu_indices(len(lab), 1)]
    assert len(lab) >= 8
    assert distances.min() >= 25


@every_palette
def test_a_word_in_the_colour_of_a_line_can_be_read(palette):
    # The page colours of Streamlit's two themes.
    page = "#171614" if palette == "dark" else "#ffffff"
    assert contrast(PALETTES[palette]["categorical"], page).min() >= 4.5


@every_eye
@every_palette
def test_more_is_lighter_or_darker_all_along_a_scale(palette, eye):
    lightness = seen(PALETTES[palette]["sequential"], eye)[:, 0]
    steps = np.diff(lightness)
    assert (steps > 1).all() or (steps < -1).all()
    assert abs(lightness[-1] - lightness[0]) > 60


@every_eye
@every_palette
def test_both_halves_of_a_diverging_scale_go_one_way(palette, eye):
    lightness = seen(PALETTES[palette]["diverging"], eye)[:, 0]
    half = len(lightness) // 2
    away = [np.diff(side) for side in (lightness[half - 1 :: -1], lightness[half:])]
    assert all((steps > 1).all() for steps in away) or all((steps < -1).all() for steps in away)


@every_eye
@every_palette
def test_the_two_signs_of_a_number_are_not_the_same_to_any_eye(palette, eye):
    lab = seen(PALETTES[palette]["diverging"], eye)
    half = len(lab) // 2
    # The innermost colours stand for nearly zero, so they need not differ.
    distances = np.linalg.norm(lab[: half - 1] - lab[:half:-1], axis=1)
    assert distances.min() >= 20
