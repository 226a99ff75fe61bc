"""Sheets, notebooks, submissions, and the grading of a class."""
