"""The words for the options of controls."""

from pages.shell.i18n import catalogue, say, spoken

# Controls that share the options of another control.
_SAME = {
    "cross_mask": "mask",
    "order_mask": "mask",
    "studio_second_mask": "studio_mask",
    "mistake": "scale",
    "d_out": "d_v",
    "kv_heads": "d_v",
    "sink": "softcap",
    "kv_cache": "softcap",
}


def word(name: str, option: str, language: str | None = None) -> str:
    """The word for an option of a control; its id if no language has a word for it, as for a size or a device. A size
    of four digits or more has commas, as all other numbers."""
    written = f"{int(option):,}" if option.isdecimal() else option
    return catalogue(language or spoken()).get(f"choice.{_SAME.get(name, name)}.{option}", written)


def size_of_heads(d_model: str, language: str | None = None) -> str:
    """The word for the size of a head that follows from the number of heads."""
    return say("bar.d_k", language, d_model=d_model)


def mask_word(mask: str, *, is_painted: bool) -> str:
    """The word for a mask; painted cells make it another mask."""
    if not is_painted:
        return word("mask", mask)
    return say("bar.own") if mask == "full" else say("bar.own_on", mask=word("mask", mask))
