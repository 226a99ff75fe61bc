"""Run the command line: ``python -m kernellab.grading``."""

import sys

from kernellab.grading.classroom.cli import main

if __name__ == "__main__":
    sys.exit(main())
