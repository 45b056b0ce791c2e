"""A drawing as PNG, for programs without SVG: two pixels for each pixel of the drawing, and texts above all shapes."""

import io
import math
from collections.abc import Iterator
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path

import streamlit as st
from PIL import Image, ImageDraw, ImageFont
from PIL.PngImagePlugin import PngInfo

from pages.shell.exports.embedded.picture.drawing import Drawing, Line, Rect, Text

_SCALE = 2
# Shapes are drawn larger by this factor and then reduced, because Pillow's lines have hard edges.
_FINER = 2
# Streamlit brings the app's font. Fonts of the system may have the missing letters: Chinese, rare signs.
_OF_APP = Path(st.__file__).parent / "static" / "static" / "media"
_UPRIGHT = "SourceSansVF-Upright*.woff2"
_OF_SYSTEM = (
    "NotoSansCJK-Regular.ttc",
    "NotoSansSC-Regular.otf",
    "SourceHanSansSC-Regular.otf",
    "wqy-microhei.ttc",
    "PingFang.ttc",
    "msyh.ttc",
    "DejaVuSans.ttf",
    "NotoSerifCJK-Bold.ttc",
)
_WEIGHTS = {False: 400, True: 600}
# No font has this character, so its glyph is the one that a font draws for a missing letter.
_NOTHING = "\uffff"


class NoFontError(LookupError):
    """No font on this machine has some of the letters."""


def written(drawing: Drawing, title: str, told: str) -> bytes:
    """The picture. title, told: texts in the file's metadata. NoFontError: one of its texts cannot be drawn here."""
    size = (math.ceil(drawing.width * _SCALE), math.ceil(drawing.height * _SCALE))
    shapes = Image.new("RGBA", (size[0] * _FINER, size[1] * _FINER))
    for item in drawing.items:
        if not isinstance(item, Text):
            _shape(shapes, item, _SCALE * _FINER)
    image = shapes.reduce(_FINER)
    for item in drawing.items:
        if isinstance(item, Text):
            _text(image, item)
    info = PngInfo()
    for name, text in (("Title", title), ("Description", told)):
        info.add_itxt(name, text)
    out = io.BytesIO()
    image.save(out, "png", pnginfo=info, optimize=True)
    return out.getvalue()


def _shape(image: Image.Image, item: Rect | Line, scale: int) -> None:
    draw = ImageDraw.Draw(image)
    if isinstance(item, Line):
        _line(image, item, scale)
        return
    box = (item.x * scale, item.y * scale, (item.x + item.width) * scale, (item.y + item.height) * scale)
    if item.fill:
        draw.rectangle(box, item.fill)
    if item.stroke and item.wide:
        draw.rectangle(box, outline=item.stroke, width=max(round(item.wide * scale), 1))


def _line(image: Image.Image, item: Line, scale: int) -> None:
    points = [(x * scale, y * scale) for x, y in item.points]
    if item.opacity == 1:
        _stroke(ImageDraw.Draw(image), item, points, scale)
        return
    # Draw a transparent line on a sheet of its own, as large as the line, and lay the sheet over the picture.
    room = math.ceil(item.wide * scale) + 1
    left, top = (max(math.floor(min(each)) - room, 0) for each in zip(*points, strict=True))
    right, bottom = (math.ceil(max(each)) + room for each in zip(*points, strict=True))
    sheet = Image.new("RGBA", (max(right - left, 1), max(bottom - top, 1)))
    _stroke(ImageDraw.Draw(sheet), item, [(x - left, y - top) for x, y in points], scale)
    sheet.putalpha(sheet.getchannel("A").point([round(one * item.opacity) for one in range(256)]))
    image.alpha_composite(sheet, (left, top))


def _stroke(draw: ImageDraw.ImageDraw, item: Line, points: list[tuple[float, float]], scale: int) -> None:
    if item.fill:
        draw.polygon(points, item.fill)
    if item.stroke:
        for piece in _dashed(points, [one * scale for one in item.dash]):
            draw.line(piece, item.stroke, max(round(item.wide * scale), 1), joint="curve")


def _dashed(points: list[tuple[float, float]], dash: list[float]) -> Iterator[list[tuple[float, float]]]:
    """The pieces of a dashed line between its gaps."""
    if not dash:
        yield points
        return
    at, left, piece = 0, dash[0], [points[0]]
    for (x0, y0), (x1, y1) in pairwise(points):
        far, done = math.hypot(x1 - x0, y1 - y0), 0.0
        while far - done > left:
            done += left
            place = (x0 + (x1 - x0) * done / far, y0 + (y1 - y0) * done / far)
            if at % 2 == 0:
                yield [*piece, place]
            at, piece = at + 1, [place]
            left = dash[at % len(dash)]
        left -= far - done
        piece.append((x1, y1))
    if at % 2 == 0 and len(piece) > 1:
        yield piece


def _text(image: Image.Image, item: Text) -> None:
    size = max(round(item.size * _SCALE), 1)
    runs = [(_font(size, item.bold, name), "".join(letters)) for name, letters in groupby(item.text, _font_of)]
    wide = sum(font.getlength(run) for font, run in runs)
    start = {"start": 0.0, "middle": wide / 2, "end": wide}[item.anchor]
    if not item.turn:
        left = item.x * _SCALE - start
        for font, run in runs:
            ImageDraw.Draw(image).text((left, item.y * _SCALE), run, item.fill, font, anchor="ls")
            left += font.getlength(run)
        return
    # Draw the text level, with its anchor in the middle of a square, and turn the square.
    half = math.ceil(wide + 2 * size)
    sheet = Image.new("RGBA", (2 * half, 2 * half))
    left = half - start
    for font, run in runs:
        ImageDraw.Draw(sheet).text((left, half), run, item.fill, font, anchor="ls")
        left += font.getlength(run)
    turned = sheet.rotate(-item.turn, Image.Resampling.BICUBIC)
    corner = (round(item.x * _SCALE) - half, round(item.y * _SCALE) - half)
    cropped = (max(-corner[0], 0), max(-corner[1], 0))
    image.alpha_composite(turned, (max(corner[0], 0), max(corner[1], 0)), cropped)


@cache
def _names() -> tuple[str, ...]:
    """The paths of the fonts that exist here."""
    found = [str(path) for path in sorted(_OF_APP.glob(_UPRIGHT))]
    for name in _OF_SYSTEM:
        try:
            ImageFont.truetype(name, 12)
        except OSError:
            continue
        found.append(name)
    return tuple(found)


@cache
def _font(size: int, bold: bool, name: str) -> ImageFont.FreeTypeFont:
    font = ImageFont.truetype(name, size)
    if name.startswith(str(_OF_APP)):
        font.set_variation_by_axes([_WEIGHTS[bold]])
    return font


@cache
def _font_of(letter: str) -> str:
    """The first of the fonts that has a letter."""
    for name in _names():
        font = _font(24, False, name)
        if letter.isspace() or bytes(font.getmask(letter)) != bytes(font.getmask(_NOTHING)):
            return name
    raise NoFontError(f"no font of this server has the letter {letter!r}: ask for the .svg, or install a font")
