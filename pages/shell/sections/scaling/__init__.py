"""The sections of the page on scaling; each reads its controls, draws its figures and says what they show."""
