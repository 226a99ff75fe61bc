"""The language of derivations: from text to trees with shapes, and back to print."""
