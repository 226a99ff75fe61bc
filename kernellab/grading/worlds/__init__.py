"""Worlds: random instances of a problem in which expressions have exact values."""
