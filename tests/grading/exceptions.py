"""What the judge is known to get wrong, each with the reason; the lists only shrink."""

# Right derivations that are refused.
REFUSED = {
    "ridge-dual/zero-no-gradient": "its lines are the milestones: the gradient is "
    "factored before it is shown",
}

# Wrong derivations that fail at another step, or are accepted.
MISJUDGED: dict[str, str] = {}

# Cheats that are accepted, or worthless ones that earn more than a tenth.
PAID: dict[str, str] = {}
