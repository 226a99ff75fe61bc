"""Proving that an expression is a kernel, or refuting it: proof, witness, verdict."""
