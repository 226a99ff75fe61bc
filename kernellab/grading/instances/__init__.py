"""Instances: random exact values of a problem, in which a line is true or not."""
