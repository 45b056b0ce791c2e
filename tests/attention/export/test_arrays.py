"""Arrays from the bytes of a file: files written by NumPy and safetensors, and files that mean harm."""

import io
import json
import time
import tracemalloc
import zipfile

import numpy as np
import pytest
import torch
from safetensors import torch as theirs

from attention.export import safetensors_file
from attention.export.arrays import Limits, read
from attention.export.unreadable import SENTENCES, UnreadableError, quoted
from tests.support import drawn

DTYPES = [torch.float64, torch.float32, torch.float16, torch.bool, torch.int64, torch.uint8]


def npz(compressed: bool = False, **arrays) -> bytes:
    file = io.BytesIO()
    (np.savez_compressed if compressed else np.savez)(file, **arrays)
    return file.getvalue()


def zipped(method: int = zipfile.ZIP_STORED, **files: bytes) -> bytes:
    """A zip archive of these files, with any content."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(f"{name}.npy", content)
    return file.getvalue()


def npy(array) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def safetensors(header: object, data: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def reason(content: bytes, limits: Limits | None = None) -> str:
    with pytest.raises(UnreadableError) as refused:
        read(content, limits)
    assert refused.value.reason in SENTENCES
    return refused.value.reason


@pytest.mark.parametrize("compressed", [False, True])
def test_what_numpy_wrote_is_read(compressed):
    given = {str(dtype): (5 * drawn((2, 3, 5))[0]).to(dtype).numpy() for dtype in DTYPES}
    given |= {"fortran": np.asfortranarray(given["torch.float32"]), "scalar": np.array(0.5), "none": np.zeros((3, 0))}
    words = np.array(["a", "two", "四"])
    found = read(npz(compressed, **given, words=words, about=np.array("one text")))
    assert found.tensors.keys() == given.keys()
    for name, array in given.items():
        np.testing.assert_array_equal(found.tensors[name].numpy(), array)
        assert found.tensors[name].numpy().dtype == array.dtype
    assert found.texts == {"words": ("a", "two", "四"), "about": ("one text",)}


def test_what_safetensors_wrote_is_read_and_the_other_way_round():
    given = {str(dtype): (5 * drawn((2, 3, 5))[0]).to(dtype) for dtype in [*DTYPES, torch.bfloat16]}
    given |= {"scalar": torch.tensor(0.5), "none": torch.zeros(3, 0)}
    metadata = {"tokens": '["a", "四"]'}
    found = read(theirs.save(given, metadata))
    assert found.texts == {"tokens": ('["a", "四"]',)}
    back = theirs.load(safetensors_file.written(given, metadata))
    for name, tensor in given.items():
        torch.testing.assert_close(found.tensors[name], tensor, rtol=0, atol=0)
        torch.testing.assert_close(back[name], tensor, rtol=0, atol=0)
    with pytest.raises(ValueError, match=r"tensor 'c' has the dtype torch\.complex64"):
        safetensors_file.written({"c": torch.zeros(2, dtype=torch.complex64)}, {})


def test_a_bomb_is_refused_before_it_is_unpacked():
    bomb = npz(True, q=np.zeros(100_000_000, np.int8))
    assert len(bomb) < 100_000
    tracemalloc.start()
    assert reason(bomb) == "unpacked"
    assert tracemalloc.get_traced_memory()[1] < 2_000_000
    tracemalloc.stop()


def test_a_bomb_that_lies_about_its_size_is_not_followed():
    bomb = bytearray(npz(True, q=np.zeros(20_000_000, np.int8)))
    # The size when unpacked, in the directory at the end of the archive.
    directory = bomb.rindex(b"PK\x01\x02")
    bomb[directory + 24 : directory + 28] = (1000).to_bytes(4, "little")
    tracemalloc.start()
    assert reason(bytes(bomb)) in ("sizes", "damaged")
    assert tracemalloc.get_traced_memory()[1] < 2_000_000
    tracemalloc.stop()


def test_objects_are_refused_by_name_and_run_no_code():
    class Harm:
        def __reduce__(self):
            return pytest.fail, ("a file has run code",)

    with pytest.raises(UnreadableError, match="array q holds Python objects, which are not read"):
        read(npz(q=np.array([Harm()], dtype=object)))
    header = npy(np.zeros(3))
    harm = header.replace(b"'<f8'", b"exit()")[: len(header)]
    assert reason(zipped(q=harm)) == "damaged"


def test_a_file_that_is_cut_or_changed_is_refused_whatever_is_left_of_it():
    q = drawn((3, 5))[0]
    for whole in (npz(q=q.numpy()), npz(True, q=q.numpy()), theirs.save({"q": q})):
        for end in range(0, len(whole), max(1, len(whole) // 97)):
            reason(whole[:end])
        # Flipped bits: the file is refused, or read as other numbers, but raises no other error.
        for at in range(0, len(whole), max(1, len(whole) // 97)):
            broken = bytearray(whole)
            broken[at] ^= 0x5A
            try:
                read(bytes(broken))
            except UnreadableError:
                continue


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "kind"),
        (b"torch's own .pt begins otherwise", "kind"),
        (bytes(9_000_000), "large"),
        (npz(**{f"a{n}": np.zeros(1) for n in range(65)}), "count"),
        (npz(q=np.zeros(3, complex)), "dtype"),
        (npz(q=np.zeros(3, ">f4")), "dtype"),
        (npz(q=np.zeros(3, "S5")), "dtype"),
        (npz(q=np.zeros(3, [("a", "f4")])), "damaged"),
        (zipped(q=b"no array"), "damaged"),
        (zipped(q=b"\x93NUMPX" + npy(np.zeros(3))[6:]), "damaged"),
        (zipped(q=npy(np.zeros(3)).replace(b"NUMPY\x01", b"NUMPY\x04")), "damaged"),
        (zipped(q=b"\x93NUMPY\x01\x00" + (65_000).to_bytes(2, "little")), "damaged"),
        (zipped(q=b"\x93NUMPY\x02\x00" + (2**31).to_bytes(4, "little") + b" " * 20), "header"),
        (zipped(q=npy(np.zeros(3)) + b"more"), "sizes"),
        (zipped(q=npy(np.zeros(30))[:-8]), "sizes"),
        (zipped(q=npy(np.zeros((2, 3))).replace(b"(2, 3)", b"(9, 9)")), "sizes"),
        (zipped(zipfile.ZIP_LZMA, q=npy(np.zeros(3))), "packing"),
        (safetensors({"q": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}, bytes(7)), "damaged"),
        (safetensors({"q": {"dtype": "F32", "shape": [3], "data_offsets": [0, 8]}}, bytes(8)), "sizes"),
        (safetensors({"q": {"dtype": "F8_E4M3", "shape": [8], "data_offsets": [0, 8]}}, bytes(8)), "dtype"),
        (safetensors({"q": {"dtype": "F32", "shape": [-2], "data_offsets": [0, -8]}}), "sizes"),
        (safetensors({"q": {"dtype": "F32", "shape": [True, 2], "data_offsets": [0, 8]}}, bytes(8)), "sizes"),
        (safetensors({"q": {"dtype": ["F32"], "shape": [2], "data_offsets": [0, 8]}}, bytes(8)), "dtype"),
        (safetensors({"q": [0, 8]}, bytes(8)), "damaged"),
        (safetensors({"__metadata__": {"tokens": 3}}), "damaged"),
        (safetensors(b"{" * 5000), "damaged"),
        (safetensors(b'{"a":' + b"[" * 90_000), "damaged"),
        (safetensors({"a" * 200_000: 0}), "header"),
        ((2**63).to_bytes(8, "little") + b"{}" + bytes(20), "header"),
        (safetensors({f"a{n}": {"dtype": "F32", "shape": [0], "data_offsets": [0, 0]} for n in range(65)}), "count"),
    ],
)
def test_a_file_that_means_harm_is_refused(content, why):
    assert reason(content) == why


def test_an_array_under_a_password_is_refused():
    # Bit 0 of the flags of an entry says that it is encrypted; `zipfile` reads such files and writes none.
    content = bytearray(npz(q=np.zeros(3)))
    for header, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(header) + flags] |= 1
    assert reason(bytes(content)) == "packing"


def test_a_name_is_quoted_up_to_its_fortieth_letter():
    assert quoted("é" * 50) == "é" * 40
    assert quoted("a\x1b[2J") == "a?[2J"


def test_tensors_that_overlap_are_refused():
    one = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}
    assert reason(safetensors({"q": one, "k": one}, bytes(8))) == "sizes"
    gap = {"dtype": "F32", "shape": [1], "data_offsets": [12, 16]}
    assert reason(safetensors({"q": one, "k": gap}, bytes(16))) == "sizes"


def test_a_directory_of_many_files_is_refused_quickly():
    many = zipped(**{f"{n}": b"" for n in range(20_000)})
    begun = time.process_time()
    assert reason(many) == "count"
    assert time.process_time() - begun < 2


def test_limits_are_those_that_are_given():
    content = npz(q=np.zeros(100))
    assert reason(content, Limits(file=100)) == "large"
    assert reason(content, Limits(unpacked=500)) == "unpacked"
    assert reason(content, Limits(header=10)) == "header"
    assert reason(content, Limits(arrays=0)) == "count"
