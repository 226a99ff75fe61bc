"""What the judge is known to get wrong, each with the reason; the lists only shrink."""

# Right derivations that are refused.
REFUSED = {
    "decorrelation/6": "a line about m is not used inside cov(m, m)",
}

# Wrong derivations that fail at another step, or are accepted.
MISJUDGED: dict[str, str] = {}

# Cheats that are accepted, or worthless ones that earn more than a tenth.
PAID: dict[str, str] = {}
