"""Every text on the screen is in the catalogue, in every language, and the catalogue has no other texts."""

import ast
import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest
from latex2mathml.converter import convert

from attention import index_notation, notation, state_notation
from attention.comparisons import parity
from pages.shell.i18n import LANGUAGES, catalogue, holes, say
from pages.shell.i18n.vocabulary import ROWS, words
from pages.shell.state.registry import ALL_FIELDS, BY_PAGE
from pages.shell.views.prose import html
from tests.support import refused
from tests.support.app import blocks, linked
from tests.support.screens import LINKS

PAGES = Path(__file__).resolve().parents[2] / "pages"
SOURCES = sorted(PAGES.rglob("*.py"))
SCRIPTS = sorted(PAGES.rglob("*.js"))
QUANTITIES = (*notation.QUANTITIES, *state_notation.QUANTITIES, *index_notation.QUANTITIES)
IDS = tuple(catalogue(LANGUAGES[0]))
DRAWN = {row.id for row in QUANTITIES if row.axes}
AXES = {axis for row in QUANTITIES for axis in row.axes}
AXES |= {"operand", "split", "token", "running", "layer", "latent", "joined", "corner", "method", "stage"}
# The two sides of a mask's board: the words that ask, and the words that are seen.
AXES |= {"asks", "seen"}
ANY = "[^.]+"


def group(prefix: str) -> set[str]:
    return {id.removeprefix(prefix).split(".")[0] for id in IDS if id.startswith(prefix)}


@cache
def trees() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in SOURCES}


def pattern(node: ast.expr) -> str | None:
    """The ids that a string literal or an f-string may name, as a pattern."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.escape(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(re.escape(part.value) if isinstance(part, ast.Constant) else ANY for part in node.values)
    return None


def calls(name: str) -> list[ast.Call]:
    found = [node for tree in trees().values() for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [call for call in found if isinstance(call.func, ast.Name | ast.Attribute) and called(call) == name]


def called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else call.func.attr


@pytest.mark.parametrize("id", sorted(DRAWN))
def test_every_step_has_a_title_and_a_sentence(id):
    assert {f"step.{id}.title", f"step.{id}.text"} <= set(IDS)


@pytest.mark.parametrize("axis", sorted(AXES))
def test_every_axis_has_a_name(axis):
    assert f"axis.{axis}" in IDS


def test_every_control_has_a_label_and_a_help():
    assert {f"control.{name}.{part}" for name in ALL_FIELDS for part in ("label", "help")} <= set(IDS)


@pytest.mark.parametrize("page", [path.stem for path in PAGES.glob("*.py")])
def test_every_page_has_a_title_and_says_what_it_is_about(page):
    assert {f"page.{page}.title", f"page.{page}.lead"} <= set(IDS)


def chapters() -> set[str]:
    """The chapters that views name, on screens that together have every step."""
    links = ("default", "every step", "upper left corner", "variants of today", "linear biases", "a cache")
    screens = [linked(page, **LINKS[link]) for link in links for page in BY_PAGE if page != "models"]
    return {block["chapter"] for screen in screens for block in blocks(screen) if block.get("chapter")}


def reasons() -> set[str]:
    """The reasons that the comparison documents."""
    return set(re.findall(r"`(\w+)`", parity.against_torch.__doc__.partition("Reasons:")[2]))


@pytest.mark.parametrize(
    ("prefix", "wanted"),
    [
        ("step.", DRAWN),
        ("axis.", AXES),
        ("page.", {path.stem for path in PAGES.glob("*.py")}),
        ("reason.", reasons()),
        ("control.", {*ALL_FIELDS, "fixed"}),
    ],
)
def test_a_group_has_exactly_the_entries_of_its_registry(prefix, wanted):
    assert group(prefix) == wanted


def test_every_chapter_has_a_heading_and_every_heading_a_chapter():
    assert group("chapter.") == chapters()


def test_the_reasons_of_the_comparison_are_those_it_documents():
    code = ast.parse(Path(parity.__file__).read_text(encoding="utf-8"))
    literals = {node.value for node in ast.walk(code) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    assert reasons() <= literals


@cache
def matching(wanted: str) -> tuple[str, ...]:
    """The ids that match a pattern; a pattern without a hole is one id, so the catalogue need not be searched."""
    if ANY not in wanted:
        id = re.sub(r"\\(.)", r"\1", wanted)
        return (id,) if id in catalogue(LANGUAGES[0]) else ()
    whole = re.compile(wanted)
    return tuple(id for id in IDS if whole.fullmatch(id))


def wrong(call: ast.Call, wanted: str) -> str:
    """The fault of a call, or an empty text."""
    if not (found := matching(wanted)):
        return "no such text"
    given = {keyword.arg for keyword in call.keywords if keyword.arg}
    spread = any(keyword.arg is None for keyword in call.keywords)
    needed = set().union(*(holes(catalogue(LANGUAGES[0])[id]) for id in found))
    if not given <= needed:
        return f"a value that no text has a place for: {sorted(given - needed)}"
    return "" if spread or needed <= given else f"no value for {sorted(needed - given)}"


def test_what_is_said_has_an_entry_and_gets_the_values_for_its_holes():
    """The test reads the calls: a text for rare data would otherwise first fail before a visitor."""
    said = [(call, wanted) for call in calls("say") if call.args and (wanted := pattern(call.args[0]))]
    assert len(said) > 400
    assert [(wanted, call.lineno, found) for call, wanted in said if (found := wrong(call, wanted))] == []


def test_no_text_is_left_over():
    patterns = {found for tree in trees().values() for node in ast.walk(tree) if (found := pattern(node))} - {ANY}
    # All patterns are one expression, since single ones would be compiled anew for each text.
    named = re.compile("|".join(f"(?:{wanted})" for wanted in sorted(patterns)))
    of_scripts = re.findall(r"words\.ui\.(\w+)", "".join(path.read_text(encoding="utf-8") for path in SCRIPTS))
    unused = [id for id in IDS if not named.fullmatch(id)]
    assert (
        set(unused) - {f"ui.{name}" for name in of_scripts} - {id for id in IDS if id.startswith("chapter.")} == set()
    )


def test_every_word_that_a_script_uses_is_there():
    used = {name for path in SCRIPTS for name in re.findall(r"words\.ui\.(\w+)", path.read_text(encoding="utf-8"))}
    assert used == group("ui.")


@pytest.mark.parametrize("language", LANGUAGES)
class TestLanguage:
    def test_it_has_the_same_texts_with_the_same_holes(self, language):
        first, here = catalogue(LANGUAGES[0]), catalogue(language)
        missing, unknown = sorted(set(first) - set(here)), sorted(set(here) - set(first))
        assert not missing, f"missing: {', '.join(missing)}"
        assert not unknown, f"not in English: {', '.join(unknown)}"
        assert {id: holes(text) for id, text in here.items()} == {id: holes(text) for id, text in first.items()}

    def test_no_text_is_empty_or_badly_spaced(self, language):
        for id, text in catalogue(language).items():
            assert text, id
            assert text == " ".join(text.split()), id

    def test_braces_stand_for_holes_only(self, language):
        for id, text in catalogue(language).items():
            outside = re.sub(r"\{\{\w+\}\}", "", text)
            assert "{{" not in outside, id
            assert "}}" not in outside, id

    def test_dollars_come_in_pairs_around_formulas(self, language):
        for id, text in catalogue(language).items():
            assert text.count("$") % 2 == 0, id
            for formula in text.split("$")[1::2]:
                assert formula == formula.strip() != "", id
                assert mathml(formula) is not None, id

    def test_every_hole_is_filled(self, language):
        for id, text in catalogue(language).items():
            said = say(id, language, **{name: f"«{name}»" for name in holes(text)})
            assert holes(said) == set(), id
            assert all(f"«{name}»" in said for name in holes(text)), id

    def test_the_figures_get_words_for_all_that_they_draw(self, language):
        sent = words(language)
        assert set(ROWS) == {row for row in QUANTITIES if row.axes}
        for row, index in ROWS.items():
            entry = sent["table"][index]
            title, formula = say(f"step.{row.id}.title", language), convert(row.formula)
            assert (entry["title"], entry["formula"], entry["kind"]) == (title, formula, row.kind)
        assert set(ROWS.values()) == set(range(len(sent["table"])))
        assert set(sent["axes"]) == AXES
        assert set(sent["ui"]) == group("ui.")
        assert set(sent["chapters"]) == group("chapter.")


def test_a_value_is_put_in_as_it_is():
    assert say("bar.back", preset="{{preset}} $x$ \\1") == say("bar.back", preset="¤").replace(
        "¤", "{{preset}} $x$ \\1"
    )


def test_an_unknown_id_is_an_error():
    with pytest.raises(KeyError, match=r"no\.such\.text"):
        say("no.such.text")


def test_a_hole_without_a_value_is_an_error():
    with pytest.raises(KeyError, match="preset"):
        say("bar.back")


def test_an_unknown_language_is_an_error():
    with refused(f"unknown language 'xx'; one of {', '.join(LANGUAGES)}"):
        catalogue("xx")


@pytest.mark.parametrize("language", sorted(path.stem for path in (PAGES / "shell" / "i18n").glob("*.toml")))
def test_every_file_of_texts_is_a_language(language):
    assert language in LANGUAGES


def mathml(formula: str) -> ElementTree.Element:
    return ElementTree.fromstring(convert(formula))


@pytest.mark.parametrize("formula", sorted({row.formula for row in QUANTITIES}))
def test_every_formula_becomes_mathml_with_nothing_left_over(formula):
    root = mathml(formula)
    assert root.tag == "{http://www.w3.org/1998/Math/MathML}math"
    shown = "".join(root.itertext())
    assert shown.strip()
    assert not set(shown) & set("\\{}^_$&")


def test_a_formula_in_a_sentence_is_inline_and_one_of_its_own_a_block():
    assert 'display="inline"' in html("so $x$ is")
    assert 'display="block"' in html("$$x$$")
    assert 'class="att-lit"' in html(r"so $\textcolor{lit}{x}$ is")
