"""Trained transformers: a record of any layer and head, as trained or with something changed."""

from attention.inputs.trained.changes import Changes
from attention.inputs.trained.files import COMMAND, FOLDER, MODELS, MissingModelError, missing
from attention.inputs.trained.loading import SIZES, load
from attention.inputs.trained.model import TrainedModel

__all__ = ["COMMAND", "FOLDER", "MODELS", "SIZES", "Changes", "MissingModelError", "TrainedModel", "load", "missing"]
