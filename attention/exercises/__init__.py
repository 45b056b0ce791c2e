"""Exercises on implementing attention, whose check names the mistake: `python -m attention.exercises`."""

from attention.exercises.checking import check, check_file
from attention.exercises.exercise import Case, Exercise
from attention.exercises.registry import EXERCISES

__all__ = ["EXERCISES", "Case", "Exercise", "check", "check_file"]
