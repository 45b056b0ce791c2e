"""The sentence under a cell: the rule that computes its number and, for a mask, the part that decides."""

from attention.explain.explanation import Explanation
from attention.masks import MASKS, position, verdicts
from pages.shell.i18n import listed, say
from pages.shell.runs.run import Run, painted_cells


def sentence(run: Run, explained: Explanation, row: int, column: int) -> str:
    """The rule of a cell of a step of a run, row and column from 0."""
    if explained.rule not in ("may", "may_not"):
        return plain(run, explained)
    if explained.rule == "may_not" and run.config.padding and column >= run.keys.lengths[run.sentence]:
        return say("rule.place.padding", key=column + 1)
    return _masked(run, explained.rule, row, column)


def plain(run: Run, explained: Explanation) -> str:
    """The rule of a number without a mask's decision."""
    return say(f"rule.{explained.rule}", p=f"{run.config.dropout:.2f}")


def _masked(run: Run, rule: str, row: int, column: int) -> str:
    """The rule of a masked cell. Its positions are those that the mask compares: with fewer queries than keys, the
    corner gives a query its position, and its token may stand elsewhere."""
    config, queries, keys = run.config, run.trace.sizes["query"], run.trace.sizes["key"]
    parameters = {name: getattr(config, name) for name in MASKS[config.mask].parameters}
    stands = position(row, queries, keys, config.corner)
    kind = f"painted_{rule}" if (row, column) in painted_cells(config, queries, keys) else rule
    told = [say(f"rule.mask.{kind}", mask=_named(config.mask, parameters), query=stands + 1, key=column + 1)]
    if queries != keys:
        told.append(say("rule.place.stands", queries=queries, keys=keys, corner=config.corner, query=stands + 1))
        # Tokens of another text have no place among the keys, and the corner cannot move them.
        own = row + len(run.tokens) - queries
        if run.context is None and own != stands:
            told.append(say("rule.place.elsewhere", own=own + 1))
    if len(parts := verdicts(config.mask, stands, column, **parameters)) > 1:
        for name, allows in parts.items():
            of_part = {each: parameters[each] for each in MASKS[name].parameters}
            told.append(say(f"rule.part.{'may' if allows else 'may_not'}", part=_named(name, of_part)))
    return listed("sentence", told)


def _named(mask: str, parameters: dict[str, int]) -> str:
    if not parameters:
        return say("rule.name.alone", mask=mask)
    numbers = listed("comma", (f"{say(f'control.{name}.label')} = {value}" for name, value in parameters.items()))
    return say("rule.name.with", mask=mask, parameters=numbers)
