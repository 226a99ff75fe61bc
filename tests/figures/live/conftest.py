"""What the tests of live figures share."""


def marks(scene, label, panel=0):
    """Return the mark with this label."""
    (found,) = [m for m in scene.panels[panel].marks if m.label == label]
    return found
