"""What the judge is known to get wrong, each with the reason; the lists only shrink."""

_NO_GRADIENT = "the gradient is not written down before it is set to zero"

# Right derivations that are refused.
REFUSED = {
    "ridge-dual/direct-zero": _NO_GRADIENT,
    "ridge-dual/outside-14": _NO_GRADIENT,
    "ridge-dual/zero-no-gradient": _NO_GRADIENT,
    "decorrelation/6": "a line about m is not used inside cov(m, m)",
    "ridge-expand/3": "J is never shown with Phi, which the sheet asks for",
}

# Wrong derivations that fail at another step, or are accepted.
MISJUDGED: dict[str, str] = {}

# Cheats that are accepted, or worthless ones that earn more than a tenth.
PAID: dict[str, str] = {}
