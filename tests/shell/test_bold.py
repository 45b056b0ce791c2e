"""Text that the catalogue marks as bold is bold, whatever stands beside it."""

import re

import pytest

from pages.shell.i18n import LANGUAGES, catalogue
from pages.shell.views.prose import html

FILLED = {"en": "word", "zh": "词"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_stars_are_left(language):
    """Between a full stop and a Chinese character, Markdown takes `**` for two stars."""
    bold = {id: text for id, text in catalogue(language).items() if "**" in text}
    written = {id: re.sub(r"\{\{\w+\}\}", FILLED[language], text) for id, text in bold.items()}
    assert len(written) > 50
    assert [id for id, text in written.items() if "**" in html(text)] == []


def test_stars_beside_a_chinese_character_are_found():
    assert "**" in html("**先猜一猜：**词")
