"""The reason of a push on a weight: the answer that its head's value of the word supports."""

from torch import Tensor

from attention.inputs.grammar import Asked
from pages.shell.i18n import say
from pages.shell.runs import brings
from pages.shell.runs.run import Run
from pages.shell.views import naming
from pages.shell.views.backward import answer, strength


def said(run: Run, row: int, one: Asked, pushes: Tensor) -> list[list[str]]:
    """The reason of each weight with an arrow (heads, keys); "" for the others."""
    found, sizes = brings.rivals(run, row, one.question, pushes), strength.sizes(pushes)
    right = answer.right_named(run, one)

    def told(head: int, key: int) -> str:
        sign, ahead = int(sizes[head, key]), float(found.ahead[head, key])
        # A weight that dropout takes away brings nothing.
        if not ahead or sign * float(found.beyond[head, key]) <= 0:
            return ""
        other = answer.placed(run, one.question, int(found.answer[head, key]))
        more, less = (right, other) if ahead > 0 else (other, right)
        # A weight may speak for the right answer and still be pushed down, if other words speak for it more.
        kind = "alone" if sign * ahead > 0 else "than_others"
        return say(f"backward.why.{kind}", head=head + 1, key=naming.of_key(run, key), more=more, less=less)

    return [[told(head, key) for key in range(pushes.shape[1])] for head in range(pushes.shape[0])]
