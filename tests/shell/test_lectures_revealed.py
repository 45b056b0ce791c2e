"""The answer of a stop is hidden until it is wanted. After the other tests of lectures, whose screens it takes over."""

import pytest

from pages.shell.i18n.markdown import plain
from pages.shell.lectures.format import in_language, lecture
from tests.shell.test_lectures import each_stop, taken
from tests.support.covering import EVERY_TEST

pytestmark = pytest.mark.usefixtures("one_step_a_run")


@each_stop
def test_a_stop_asks_and_hides_its_answer_until_it_is_wanted(name, number):
    at, stop = taken(name, number), lecture(name).stops[number - 1]
    texts = "\n".join(markdown.value for markdown in at.markdown)
    assert plain(in_language(stop.question, "en")) in texts
    # Buttons, for who reads alone.
    offered = at.pills(key=f"lecture-choice-{name}-{number}").options if stop.choices else []
    assert [option.partition(") ")[2] for option in offered] == [
        plain(in_language(choice, "en")) for choice in stop.choices
    ]
    assert not at.success
    at.button(key="lecture-reveal").click().run()
    assert plain(in_language(stop.answer, "en")) in at.success[0].value
    assert at.success[0].value.startswith(
        f"**({stop.right})**" if stop.choices else plain(in_language(stop.answer, "en"))
    )
    # What hides it again is the same at every stop.
    if EVERY_TEST or number == 1:
        at.button(key="lecture-reveal").click().run()
        assert not at.success
