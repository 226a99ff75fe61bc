"""The kinds of question: derivation, kernel, puzzle, values, code."""
