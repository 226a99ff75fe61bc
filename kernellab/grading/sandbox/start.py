"""The program of the child: gives its own folder a name, and starts to supervise.

The child must not find the rest of this package (it holds what students are asked
for), so that it has no `sys.path` that leads there; and Python runs it with -P and -S.
"""

import importlib
import os
import sys
import types

if __name__ == "__main__":
    package = types.ModuleType("sandbox")
    package.__path__ = [os.path.dirname(os.path.abspath(__file__))]
    sys.modules["sandbox"] = package
    sys.exit(importlib.import_module("sandbox.supervise").main())
