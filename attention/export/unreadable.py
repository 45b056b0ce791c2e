"""The reasons why a file with numbers is refused: an id with its numbers, for a sentence in any language."""

SENTENCES = {
    "large": "the file has {size} bytes; {most} can be opened",
    "kind": "the file is neither .npz nor .safetensors",
    "damaged": "the file is damaged or ends too early ({where})",
    "header": "the header has {size} bytes; {most} can be read",
    "count": "the file has {count} arrays; {most} can be opened",
    "unpacked": "unpacked, the arrays have {size} bytes; {most} can be opened",
    "packing": "array {name} is encrypted, or packed in another way than np.savez and np.savez_compressed do",
    "dtype": "array {name} has the dtype {dtype}; one of {choices} can be read",
    "pickled": "array {name} holds Python objects, which are not read: they could run code",
    "sizes": "array {name}: its sizes and its bytes do not fit together",
    "record": "the record cannot be read: {why}",
    "missing": "the file has neither a record nor all of q, k and v; missing: {names}",
    "axes": "{name} has {axes} axes; 2 (n, d), 3 (heads, n, d) or 4 (batch, heads, n, d) can be opened",
    "empty": "{name} has an axis of size 0",
    "largest": "{name}: axis {axis} has size {size}; up to {most} can be opened",
    "differ": "axis {axis}: {one} has size {size}, {other} has {others}",
    "heads": "{heads} query heads are no multiple of {kv_heads} key heads",
    "number": "{name} is {value} at {place}; every number must be finite",
    "floats": "{name} has the dtype {dtype}; queries, keys and values are floating-point numbers",
    "mask": "mask has the dtype {dtype}; a mask is boolean (True: may attend), or numbers that are added to the scores",
    "adds": "the mask adds {value} at {place}; only masks that hide can be opened: 0, or at most {hides}",
    "fits": "{name} has the sizes {sizes}, where {wanted} is asked for",
    "scalar": "{name} must be one finite number",
    "room": "other visitors have files open that fill the room that there is for them",
    "tokens": "there are {count} tokens and {keys} keys",
}


class UnreadableError(ValueError):
    """A file cannot be opened. reason: a key of `SENTENCES`; numbers: the values in its sentence."""

    def __init__(self, reason: str, **numbers: object) -> None:
        super().__init__(SENTENCES[reason].format(**numbers))
        self.reason, self.numbers = reason, numbers


def quoted(name: object, most: int = 40) -> str:
    """A name from a file, made printable for a message."""
    return "".join(letter if letter.isprintable() else "?" for letter in str(name)[:most])
