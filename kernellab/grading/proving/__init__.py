"""Proofs: does a line follow, for all sizes and values, from at most a few facts?"""
