"""To write definitions in place of their names is one step, however many they are."""

from kernellab.grading import check_derivation

SQUARE = r"""
r = v^T diag(g) \Phi\Phi^T diag(g) v
r = \|\Phi^T diag(g) v\|^2
r \ge 0
"""
FORM = """
q = vᵀXRᵀRXᵀv
q = ‖RXᵀv‖²
q ≥ 0
"""


def test_two_names_may_be_written_out_at_once() -> None:
    assert check_derivation("weighted-kernel", SQUARE).accepted


def test_names_are_written_out_through_a_transpose() -> None:
    report = check_derivation("matrix-between", FORM)
    assert report.missing == ("k in features",)


def test_the_square_itself_is_still_too_large_a_step() -> None:
    text = "\n".join(SQUARE.strip().splitlines()[1:])
    report = check_derivation("weighted-kernel", text)
    assert not report.accepted
    assert report.score == 0


def test_other_terms_are_no_substitution() -> None:
    text = SQUARE.replace("diag(g) v\n", "diag(g) v + 0*r\n", 1)
    assert not check_derivation("weighted-kernel", text).accepted
