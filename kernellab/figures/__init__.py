"""One palette and one style for every figure of the course.

Matplotlib is imported only when a figure is drawn: `kernellab` itself needs
NumPy and SciPy alone.
"""

from kernellab.figures.style import CYCLE, MARKERS, PALETTE, use_style

__all__ = ["CYCLE", "MARKERS", "PALETTE", "use_style"]
