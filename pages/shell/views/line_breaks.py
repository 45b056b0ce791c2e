"""A long formula in pieces between which a line may end, because browsers do not break MathML."""

# A line may end before these: relations, and terms of a sum.
_BREAKS = (" = ", " + ", " - ")


def pieces(tex: str) -> list[str]:
    """A formula, cut before the relations and terms outside of groups. An empty group at the beginning of a piece keeps
    its operator a binary one."""
    found, depth, begun = [], 0, 0
    for at, letter in enumerate(tex):
        depth += {"{": 1, "(": 1, "}": -1, ")": -1}.get(letter, 0)
        if depth == 0 and tex.startswith(_BREAKS, at):
            found.append(tex[begun:at])
            begun = at + 1
    first, *others = (*found, tex[begun:])
    return [first, *(f"{{}} {piece}" for piece in others)]


def broken(tex: str, *, display: bool = False) -> str:
    """A formula in Markdown that wraps if it does not fit. display: with full fractions."""
    style = r"\displaystyle " if display else ""
    return " ".join(f"${style}{piece}$" for piece in pieces(tex))
