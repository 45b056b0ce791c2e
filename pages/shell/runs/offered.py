"""The numbers of heads, and the sizes of a head, that a visitor can choose."""

from attention.inputs.learned import SHIPPED
from pages.shell.state.config import AUTO, HEADS, LEARNED, Config

POWERS = tuple(2**exponent for exponent in range(10))


def offered(config: Config) -> tuple[list[int], list[str]]:
    """The numbers of heads, and the sizes of a head: those that were trained or, for random weights, divisors of
    d_model and powers of two."""
    if config.preset == LEARNED:
        alike = [setting for setting in SHIPPED if setting.d_model == int(Config.d_model)]
        heads, sizes = {one.heads for one in alike}, {one.d_k for one in alike}
    else:
        whole = {each for each in range(1, HEADS + 1) if int(config.d_model) % each == 0}
        heads = whole | ({each for each in POWERS if each <= HEADS} if config.d_k != AUTO else set())
        sizes = set(POWERS)
    # A link may hold another size, which is then offered as well.
    now = set() if config.d_k == AUTO else {int(config.d_k)}
    return sorted({*heads, Config.heads, config.heads}), [AUTO, *map(str, sorted(sizes | now))]
