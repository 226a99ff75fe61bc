"""Why a kernel is a kernel: rules, proofs, refutations, verdicts."""
