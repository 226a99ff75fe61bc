"""What the judge is known to get wrong, each with the reason; the lists only shrink."""

TOO_FAST = "an intermediate form is reached by two facts, and the problem allows one"
AT_ONCE = "the milestones are within reach of one line each"

# Right derivations that are refused.
REFUSED = {
    "closure/both": TOO_FAST,
    "closure/only-E": TOO_FAST,
    "closure/sum-short": TOO_FAST,
    "closure/sum-terms": TOO_FAST,
    "closure/unopened": TOO_FAST,
    "decorrelation/6": "a line about m is not used inside cov(m, m)",
    "lml-gradient/alpha": TOO_FAST,
    "one-mistake/no-mistake": TOO_FAST,
    "lml-gradient/outside-3": TOO_FAST,
    "ridge-predictor/claimed": TOO_FAST,
    "ridge-predictor/components": TOO_FAST,
}

# Wrong derivations that fail at another step, or are accepted.
MISJUDGED = {
    "gap-is-residual/short": AT_ONCE,
    "lagrange-sufficient/quadratic": AT_ONCE,
    "one-update/asserted": AT_ONCE,
    "one-update/goal-as-let": AT_ONCE,
    "one-update/two-lines": AT_ONCE,
}

# Cheats that are accepted, or worthless ones that earn more than a tenth.
PAID = {
    "likelihood-gradient/6": "a rule that is asked for is stated, and right",
    "ridge-predictor/1": "its first line is right, and half of the way",
}
