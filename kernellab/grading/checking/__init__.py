"""The second checker: multiplies certificates out anew, slowly, without any search."""

from kernellab.grading.checking.verifying import Verification, verify

__all__ = ["Verification", "verify"]
