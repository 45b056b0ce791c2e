"""Train every shipped setting, and write the weights beside `attention.inputs.learned`, `attention.inputs.translating`
(both with their scores) and `attention.inputs.shared_keys`; and the worth of a training with dropout beside
`attention.experiments.few_sentences`.

`python -m attention.experiments.learned_weights`, or `make weights`; about five minutes of one core.
"""

import numpy as np
import torch

from attention.experiments import few_sentences, shared_keys, translation
from attention.experiments.learning import measure, trained
from attention.inputs import shared_keys as sharing
from attention.inputs import translating
from attention.inputs.learned import FILE, SHIPPED, key, unpacked

# Entries of the file beside the weights: accuracy and look, by setting and question.
SCORES = "scores"


def main() -> None:
    torch.set_num_threads(1)
    write_grammar()
    write_shared_keys()
    write_dictionary()
    write_few_sentences()


def write_grammar() -> None:
    packed = {key(setting): trained(setting).packed() for setting in SHIPPED}
    measured = [measure(unpacked(setting, packed[key(setting)])) for setting in SHIPPED]
    scores = np.array([(one.accuracy, one.look) for one in measured], dtype=np.float32)
    np.savez_compressed(FILE, allow_pickle=False, **packed, **{SCORES: scores})
    for setting, one in zip(SHIPPED, measured, strict=True):
        told = (f"{right:.2f}|{look:.2f}" for right, look in zip(one.accuracy, one.look, strict=True))
        print(f"{key(setting):32} {one.mean:.3f}", *told)


def write_shared_keys() -> None:
    packed = {kv_heads: shared_keys.on_the_way(kv_heads) for kv_heads in sharing.KV_HEADS}
    rights = {kv_heads: shared_keys.rights(kv_heads, rows) for kv_heads, rows in packed.items()}
    named = {str(kv_heads): rows for kv_heads, rows in packed.items()}
    measured = {sharing.rights_of(kv_heads): shares for kv_heads, shares in rights.items()}
    np.savez_compressed(sharing.FILE, allow_pickle=False, **named, **measured)
    for kv_heads, shares in rights.items():
        print(f"kv_heads={kv_heads:<23} {shares[-1]:.3f}")


def write_dictionary() -> None:
    packed = {key(setting): translation.trained(setting).packed() for setting in translating.SHIPPED}
    measured = [
        translation.measure(translating.unpacked(setting, packed[key(setting)])) for setting in translating.SHIPPED
    ]
    scores = np.array([(one.accuracy, one.found) for one in measured], dtype=np.float32)
    np.savez_compressed(translating.FILE, allow_pickle=False, **packed, **{SCORES: scores})
    for setting, one in zip(translating.SHIPPED, measured, strict=True):
        told = (f"{right:.2f}|{found:.2f}" for right, found in zip(one.accuracy, one.found, strict=True))
        print(f"{key(setting):32} {one.mean:.3f}", *told)


def write_few_sentences() -> None:
    shares = few_sentences.measured()
    np.savez_compressed(few_sentences.FILE, allow_pickle=False, seen=shares.seen, new=shares.new)
    for count, *both in zip(few_sentences.COUNTS, shares.seen, shares.new, strict=True):
        seen, new = (" ".join(f"{share:.3f}" for share in one.mean(-1)) for one in both)
        print(f"sentences={count:<22} seen {seen} new {new}")


if __name__ == "__main__":
    main()
