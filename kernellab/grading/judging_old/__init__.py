"""Judging a derivation: every line, the milestones, explanations, the report."""
