"""The reader: Python, Unicode and LaTeX give the same tree; nothing else is read."""

import pytest

from kernellab.grading.language.lexer import ReadError
from kernellab.grading.problems import find

RIDGE = find("ridge-dual")

SAME = [
    ("a = inv(K + lam*I)@t", "a = (K + λI)⁻¹t"),
    ("a = inv(K + lam*I)@t", r"a = (K+\lambda I)^{-1} t"),
    (
        "a = inv(K + lam*I)@t",
        r"\mathbf{a} = \left(\mathbf K + \lambda \mathbf{I}_N\right)^{-1}\mathbf{t}",
    ),
    ("a = inv(K + lam*I)@t", "a = np.linalg.inv(K + lam*np.eye(N)) @ t"),
    ("a = inv(K + lam*I)@t", "a = np.linalg.solve(K + lam*I, t)"),
    ("a = inv(K + lam*I)@t", "a = (K + lam*I)**-1@t"),
    ("grad(J,a) = 2*K@(K@a - t)", r"\nabla_a J = 2K(Ka - t)"),
    (
        "grad(J,a) = 2*K@(K@a - t)",
        r"\nabla_{\mathbf a} J(\mathbf a) = 2 K \left[K a - t\right]",
    ),
    ("grad(J,a) = 2*K@(K@a - t)", r"\frac{\partial J}{\partial a} = 2K(Ka - t)"),
    ("grad(J,a) = 2*K@(K@a - t)", "∇a J = 2K(K a - t)"),
    ("diff(J,a[k]) = t[k]", "∂J/∂a_k = t_k"),
    ("w = sum(a[n]*phi[n] for n in N)", "w = Σₙ aₙ φₙ"),
    ("diff(J,a[k]) = t[k]", r"\frac{\partial J}{\partial a_k} = t_k"),
    ("J = norm2(t - Phi@w) + lam*w.T@w", r"J(w) = \|t-\Phi w\|^2 + \lambda w^\top w"),
    (
        "J = norm2(t - Phi@w) + lam*w.T@w",
        r"J = \left\| t - \Phi w \right\|_2^2 + \lambda w^Tw",
    ),
    ("J = norm2(t - Phi@w) + lam*w.T@w", "J = ||t - Phi w||^2 + lam w.T w"),
    (
        "J = sum((t[n] - w.T@phi[n])**2 for n in N)",
        r"J = \sum_{n=1}^{N} (t_n - w^\top \phi(x_n))^2",
    ),
    ("w = sum(a[n]*phi[n] for n in N)", r"w = \sum_n a_n \phi_n"),
    ("K[n,m] = phi[n].T@phi[m]", r"K_{nm} = \phi(x_n)^\top\phi(x_m)"),
    ("J = 1/2*t.T@t", r"J = \frac12 t^\top t"),
    ("J = 1/2*t.T@t", "J = ½ tᵀt"),
    ("t.T@a = dot(t, a)", r"t^\top a = \langle t, a\rangle"),
]  # fmt: skip


@pytest.mark.parametrize(("plain", "other"), SAME)
def test_spellings_agree(plain, other):
    assert str(RIDGE.parse(plain)) == str(RIDGE.parse(other))


UNREADABLE = {
    "a = __import__('os')": "did not expect",
    "a = t.__class__": "cannot continue",
    "a = (K@t": "expected",
    "a = K@q": "do not know",
    "К@a = t": "cyrillic",
    "Κ@a = t": "greek capital letter kappa",
    r"a = \input{secret}": "LaTeX command",
    "a = 12345678901*t": "digits",
    "a = " + "(" * 60 + "t" + ")" * 60: "inside each other",
    "a = " + "-" * 60 + "t": "inside each other",
    "a = " + "t+" * 3000 + "t": "longer",
    "a = sum(t[n] for n in X)": "runs in",
    "a =": "ends where",
    "Ka = t": "did you mean K@a",
}


@pytest.mark.parametrize(("text", "words"), UNREADABLE.items())
def test_what_cannot_be_read_is_said_in_words(text, words):
    with pytest.raises(ReadError, match=words):
        RIDGE.parse(text)


def test_digits_behind_a_matrix_are_two_indices():
    problem = find("kernel-cauchy-schwarz")
    assert str(problem.parse("K_{01} = 0").sides[0]) == "K[0,1]"
