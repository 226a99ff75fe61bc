"""Say in plain words what is missing, before pip says it in its own."""

import sys

# No f-strings, no annotations: this file must at least parse on an old Python.
if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit(
        "kernellab needs Python 3.11 or newer, and %s is %d.%d.\n"  # noqa: UP031
        "Name another one, for example: make PYTHON=python3.12 setup"
        % (sys.executable, sys.version_info[0], sys.version_info[1])
    )

try:
    import ensurepip  # noqa: F401
    import venv  # noqa: F401
except ImportError:
    sys.exit(
        "This Python cannot make virtual environments.\n"
        "On Debian and Ubuntu, install the package python3-venv and try again."
    )
