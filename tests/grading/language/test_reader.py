"""The reader: Python, Unicode and LaTeX give the same tree; nothing else is read."""

import contextlib
import random

import pytest

from kernellab.grading.language.lexer import ReadError
from kernellab.grading.language.reader import read
from kernellab.grading.language.said import said
from kernellab.grading.language.shapes import ShapeError
from kernellab.grading.language.steps import steps
from kernellab.grading.language.tree import Expr, sym
from kernellab.grading.language.vocabulary import Vocabulary, reserved
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
    ("K@a = t", "Ka = t"),
    ("2*K@a = t", "2Ka = t."),
    ("K@a = t", r"$K a \coloneqq t$,"),
    ("K@a = t", r"K a &\triangleq t \\\\"),
    ("K@a = t", r"K a \overset{!}{=} t"),
    ("K@a = t", "K.dot(a) := t"),
    ("K@a = t", "np.dot(K, a) == t"),
    ("w = sum(a[n]*phi[n] for n in N)", "w = sum(a[n]*phi[n] for n in range(N))"),
    ("Phi[n,m] = 1", "phi[n][m] = 1"),
    ("K[n,m] = 1", "k(x[n], x[m]) = 1"),
    ("J = sum(K)", "J = K.sum()"),
    ("J = sum(K)", "J(w_*) = sum(K)"),
    ("J = sum(K)", "J(w*) = sum(K)"),
    ("K.T@a = t", "K.transpose()@a = t"),
    ("J = a.T@K@a", "J = a@K@a"),
    ("J = t.T@t", "J = t@t"),
    ("J = t.T@ones(N)", "J = t@ones"),
    ("J = ones(N).T@t", "J = np.ones(N)@t"),
    ("J = t.T@t", r"J = t^{\mathsf{T}} t"),
    ("J = t.T@t", r"J = t^\mathrm{T} t"),
    ("J = t.T@t", r"J = {\bf t}^{\intercal}\,{\bf t}"),
    ("J = t.T@t", "J = t't"),
    ("J = norm2(t - K@a)", r"J = \lVert t - Ka \rVert^2"),
    ("J = norm2(t - K@a)", r"J = \Vert t - Ka\Vert_2^2"),
    ("J = norm2(t - K@a)", "J = ‖t − Ka‖₂²"),
    ("J = norm2(t - K@a)", r"J = |t - Ka|^2_2"),
    ("J = norm2(K)", r"J = \|K\|_F^2"),
    ("J = norm2(K)", r"J = \|K\|^2_{\mathrm{F}}"),
    ("J = norm2(t - K@a)", "J = |t - Ka|^2"),
    ("J = lam*norm2(a)", "J = λ|a|²"),
    ("J = norm2(t - lam*norm2(a)*t)", "J = ‖t − λ|a|² t‖²"),
    ("J = log(det(K))", r"J = \log|K|"),
    ("J = sum(had(t - K@a, t - K@a))", "J = np.sum((t - K@a)**2)"),
    ("J = sum(had(t, a))", "J = sum(t*a)"),
    ("J = 1/3*t.T@t + 1/6*lam", "J = ⅓ tᵀt + ⅙λ"),
    ("J = (2+1/2)*lam", "J = 2½λ"),
    ("J = 1/2*lam", r"J = \tfrac12\lambda"),
    ("K = had(K, K)", r"K = K \odot K"),
    ("K = had(K, K)", "K = K ∘ K"),
    ("J = trace(K)", r"J = \operatorname{tr} K"),
    ("J = sum(sum(a[i]*a[j] for j in N) for i in N)", r"J = \sum_{i,j} a_i a_j"),
    (
        "J = sum(sum(a[i]*a[j] for j in N) for i in N)",
        r"J = \sum_{i=1}^{N}\sum_{j=1}^{N} a_i a_j",
    ),
    ("J = sum(t[n]**2 for n in N)", "J = ∑ₙ₌₁ᴺ tₙ²"),
    ("J = sum(t[n]**2 for n in N)", r"J = \sum_{n=0}^{N-1} t_n^2"),
    ("J = sum(t[n]**2 for n in N)", "J = ∑ₙ₌₀ᴺ⁻¹ tₙ²"),
    ("grad(J,a) = 0", "dJ/da = 0"),
    ("grad(J,a) = 0", r"\frac{dJ}{da} = 0"),
    ("grad(J,a) = 0", r"\frac{\mathrm{d}}{\mathrm{d}a} J(a) = 0"),
    ("grad(J,a) = 0", r"\partial_a J = 0"),
    ("grad(J,a) = 0", "∇J = 0"),
    ("grad(J,w) = 0", "grad_w J = 0"),
    ("grad(J,a) = 0", "J'(a) = 0"),
    ("diff(J,a[k]) = 0", "∂J/∂aₖ = 0"),
    ("K**2 = K", "K² = K"),
    ("J = exp(-t.T@t)", r"J = e^{-t^\top t}"),
    ("J = exp(-(t.T@t/2))", r"J = \exp\left(-\frac{t^\top t}{2}\right)"),
    ("y = w.T@phis", "y = wᵀφ(x_*)"),
    ("y = w.T@phis", r"y = w^\top\phi_\star"),
    ("y = k.T@a", "y(x) = k(x)ᵀa"),
    ("a = inv(K + lam*I)@t", "a = np.linalg.inv(K + lam*np.identity(N)) @ t"),
    ("J = ones(N).T@t", "J = 1ᵀt"),
    ("K = ones@ones.T", "K = 11ᵀ"),
    ("J = trace(K)", r"J = \mathrm{tr}[K]"),
    ("J <= 0", r"J \leqslant 0"),
    ("J >= 0", "J ⩾ 0"),
    ("J = K[n,m] = t[n]", "J = K_{nm} = tₙ"),
    (
        "J = sum(a[n]*K[n,m]*a[m]*t[m] for n in N for m in N)",
        r"J = \sum_n\sum_m a_nK_{nm}a_mt_m",
    ),
    ("J = sum(K[n,m]*t[m] for m in N)", r"J = \sum_m K_nmt_m"),
    ("J = J*sum(t[n] for n in N)", r"J = J(\sum_{n=1}^N t_n)"),
    ("J = 0", r"J(\mathbf{\Phi}^{\top}\mathbf{a}) = 0"),
    ("J = 0", "J(Phi.T@a) = 0"),
    ("grad(J,a) = 0", "∇ₐJ(Φᵀa) = 0"),
    ("J = J*(lam + 2)", "J = J(lam + 2)"),
    ("grad(lam*norm2(w),w) = 0", r"\nabla_w \lambda\|w\|^2 = 0"),
    ("grad(1/2*norm2(w),w) = 0", r"\frac{\partial}{\partial w}\frac12\|w\|^2 = 0"),
    ("grad(w.T@w,w) = 0", r"\nabla_w w^\top w = 0"),
    ("grad(1/2*norm2(w),w) = 0", r"\nabla_w (1/2)\|w\|^2 = 0"),
    ("grad(J,w)*lam = 0", r"\nabla_w J \lambda = 0"),
    ("grad((J + lam),w)*lam = 0", r"\nabla_w(J + \lambda)\lambda = 0"),
    ("J = trace(K@K)", r"J = \mathrm{tr}\, K K"),
    ("J = lam**(-1+2)", r"J = \lambda^{-1+2}"),
    ("J = lam**(-2)*lam", r"J = \lambda^{-2}\lambda"),
]  # fmt: skip
OTHERS = {
    "lml-gradient": [
        ("d(L) = 0", r"\mathrm{d}L = 0"),
        ("d(L) = 0", r"\mathrm dL = 0"),
        ("d(L) = 0", "dL = 0"),
        ("d(y.T)@inv(C)@y = 0", r"\mathrm{d} y^\top C^{-1} y = 0"),
        ("d(2*C) = 0", r"\frac{\partial}{\partial\theta} 2 C = 0"),
        ("d(C)@inv(C) = 0", r"\mathrm{d}C\, C^{-1} = 0"),
        ("d(L) = 0", r"\frac{\partial L}{\partial\theta} = 0"),
        ("d(L) = 0", "dL/dθ = 0"),
        ("d(inv(C)) = 0", r"\mathrm{d}(C^{-1}) = 0"),
        ("d(log(det(C))) = 0", r"\mathrm{d}\log\det C = 0"),
        ("d(log(det(C))) = 0", "∂ log|C| = 0"),
        ("trace(inv(C)@dC) = 0", r"\operatorname{tr}(C^{-1} dC) = 0"),
        ("d(L)**2 = 0", "d(L)² = 0"),
        ("L = N/2*log(2*pi)", r"L = \frac N2 \log 2\pi"),
    ],
    "sum-of-kernels": [("S = c*E + b*F", "S = cE + bF")],
    "centred-gram": [
        (
            "H = ones(N)@ones(N).T@ones(N)@ones(N).T/N**2",
            r"H = \mathbf{1}\mathbf{1}^\top\mathbf{1}\mathbf{1}^\top / N^2",
        ),
        ("ones(N).T@ones(N) = N", "𝟏ᵀ𝟏 = N"),
        (
            "C = Phi - ones(N)@(1/N*Phi.T@ones(N)).T",
            r"C = \Phi - \mathbf{1}\left(\frac{1}{N}\Phi^\top\mathbf{1}\right)^\top",
        ),
        ("ones(N).T@ones(N) = N", r"\bm 1^\top \bm 1 = N"),
    ],
    "gp-predictive": [
        ("s2 = kss", "s² = k_{**}"),
        ("cov(f,y) = k.T", r"\mathrm{Cov}[f, y] = k^\top"),
    ],
    "kernel-cauchy-schwarz": [
        ("c = vec(s, -p)", r"c = \begin{pmatrix} s \\ -p \end{pmatrix}"),
        ("c.T = vec(s, -p).T", r"c^\top = \begin{bmatrix} s & -p \end{bmatrix}"),
    ],
    "gaussian-factors": [("k = k", "k(x,z) = k(z, x)")],
    "polynomial-features": [
        ("k = sum(x[i]*z[i] for i in 2)", r"k = \sum_{i=1}^2 x_i z_i"),
    ],
    "process-ridge": [("mu = w.T@phis", "μ = wᵀφs"), ("k = Phi@phis", "k = Φφs")],
    "representer": [("J = loss(K@a)", r"J = \ell(Ka)")],
}


@pytest.mark.parametrize(("plain", "other"), SAME)
def test_spellings_agree(plain, other):
    assert str(RIDGE.parse(plain)) == str(RIDGE.parse(other))


@pytest.mark.parametrize(
    ("problem", "plain", "other"),
    [(name, *pair) for name, pairs in OTHERS.items() for pair in pairs],
)
def test_spellings_agree_in_other_problems(problem, plain, other):
    assert str(find(problem).parse(plain)) == str(find(problem).parse(other))


UNREADABLE = {
    "a = __import__('os')": "did not expect",
    "a = t.__class__": "cannot continue",
    "w = phi(x'_n)": "needs an index",
    r"a = \sum_{n=2}^N a_n": "starts at 1",
    r"J = \sum_{n=0}^{N} t_n": "from 0 to N there are N",
    r"J = \sum_{n=0}^N-1": "from 0 to N there are N",
    "J = t.T@t + ... + lam": "write out what they stand for",
    r"J = t.T@t + \dots": "write out what they stand for",
    r"a = \sum_{+}^N a_n": "is not an index",
    "a = a_{}": "an index is empty",
    "grad(J, K + a) = 0": "by a symbol",
    "grad(J, a) = ‖a‖_{op}": "the norm with the index op",
    "a = t" + "'" * 50: "marks behind one symbol",
    "a = (K@t": "expected",
    "a = K@q": "do not know",
    "К@a = t": "cyrillic",
    "Κ@a = t": "greek capital letter kappa",
    r"a = \input{secret}": "LaTeX command",
    "a = 12345678901*t": "digits",
    "a = " + "(" * 60 + "t" + ")" * 60: "inside each other",
    "a = " + "-" * 60 + "t": "inside each other",
    "a = " + "t+" * 3000 + "t": "longer",
    "a = " + "t+" * 200 + "t": "too many terms",
    "J = " + "a" * 3900: "I do not know",
    r"K = \begin{pmatrix} a & b \\ c & d \end{pmatrix}": "a matrix is not written out",
    r"J = \begin{cases} 1 \\ 2 \end{cases}": "a matrix is not written out",
    r"J = \sqrt[3]{8}": "only square roots",
    r"J = 1\,000": "two numbers side by side",
    "J(2) = 2*J": "a value or a product",
    "J(w,w) = J": "has no meaning here",
    "J(phis) = J": "has no meaning here",
    "J = J // 2": "did not expect",
    "a = np.(t)": "expected a name",
    "a = I_x@t": "a size is M or N",
    "a = sum(t[n] for n in X)": "runs in",
    "a =": "ends where",
    r"K \succeq 0": "compared",
    r"\hat{t} = t": "give it a meaning with let",
    "J' = 0": "write grad",
    "w_* = w": "give it a meaning with let",
    r"\hat{K a} = t": "above one letter",
    "0_n = 0": "a size is M or N",
    r"I_{N\times M}a = t": "not a size",
    r"\mathbf{1}_{N\times N} = K": "not a size",
    "0_{N = t": "expected",
    r"\norm{t = 0": "braces",
    r"a \over t = 0": "braces",
    r"\nabla J = 0 \iff K a = t": "one relation a line",
    "J = 0 ⟺ K a = t": "one relation a line",
    "J = ‖t − Ka‖₁": "norm with the index 1 has no meaning here",
    r"J = \|t - Ka\|_1^2": "norm with the index 1 has no meaning here",
    "J = |t - Ka|^2_1": "norm with the index 1 has no meaning here",
    r"J = \|t - Ka\|_\infty^2": "norm with the index ∞",
    "J = ‖t − Ka‖_{∞}²": "norm with the index ∞",
    r"J = \|w\|_{\mathcal{H}}^2": "norm with the index H",
    "J = a.T@K@a + ‖w‖_K²": "norm with the index K",
    "∇²J = 2*K": "second derivatives",
    r"\nabla_w^2 J = 2*K": "second derivatives",
    r"\frac{\partial^2 J}{\partial a^2} = 2*K": "second derivatives",
}


@pytest.mark.parametrize(("text", "words"), UNREADABLE.items())
def test_what_cannot_be_read_is_said_in_words(text, words):
    with pytest.raises(ReadError, match=words):
        RIDGE.parse(text)


# What is set in another way is the same; the plain spellings are read above.
LAID_OUT = {
    "K@a = t": [
        r"K a\mathrel{=}t", r"\mathord{K}a=t", r"K\mathbin{\cdot}a=t", r"\boxed{K a=t}",
        r"\boxed{K}a=t", r"\textcolor{red}{K}a=t", r"{\color{red}K}a=t", r"K\ast a=t",
        r"\ensuremath{K a=t}", r"K\bullet a=t", r"K\cdotp a=t", r"\mathscr{K}a=t",
        r"\mathfrak{K}\mathnormal{a}=\mathbfit{t}", r"{\sf K}\textsf{a}=t",
        r"\mathbf{K\left(a\right)={t}}", r"\mleft(K\mright)a=t",
        r"\lparen K\rparen a=t",
        r"\left\lbrace K\right\rbrace a=t", r"\left\lbrack K\right\rbrack a=t",
        r"\lbrack K\rbrack a=t", r"\mathopen{}(K\mathclose{})a=t",
        r"K\placeholder{}a=t",
        r"K\thinspace a\enspace=\medspace t\thickspace", r"K\hspace{1em}a=t",
        r"K\mkern-1.5mu a=t", r"K\mathstrut a\vphantom{A^{2}}=t", r"K a=t \\[2pt]",
        r"{\scriptstyle K}{\scriptscriptstyle a}=t", r"K a=t\,.", r"K a=t\,,",
        r"K a=t\text{.}", r"K a=t.\qquad\blacksquare", r"K a=t\quad\square",
        "K (a) = t",
        r"K a=t\qed", r"K a=t\hfill\Box", r"K a=t\;\checkmark", r"\underset{N}{K}a=t",
        r"K a\overset{\text{def}}{=}t", r"K a\stackrel!=t", r"K a\overset!=t",
        r"K a\mathrel{\overset{!}{=}}t", r"K a\colonequals t", r"K a\vcentcolon=t",
        r"\underbrace{K}_{\Phi\Phi^{\top}}a=t", r"\overbrace{K}^{x}a=t",
    ],
    "(K + lam*I)@a = t": [
        r"(K+\lambda I_{N\times N})a=t", r"(K+\uplambda I)a=t", "(K + lambda*I)@a = t",
        "(K+lambdaI)a=t", r"\boxed{K+\lambda I}a=t", r"\underbrace{K+\lambda I}_{C}a=t",
    ],
    "a = inv(K)@t": [r"a=\inv{K}t", r"a=K\textsuperscript{-1}t", r"a=K^{\mathord-1}t"],
    "J = norm2(t - K@a)": [
        r"J=\norm{t-Ka}^2", r"J=\Norm{t-Ka}^{2}", r"J=\norm*{t-Ka}_2^2",
        r"J=\|t-Ka\|^2_2", r"J=|t-Ka|^2_2", r"J=\parallel t-Ka\parallel^2",
        r"J=\left|\left|t-Ka\right|\right|^2", r"J=\mleft\|t-Ka\mright\|^2",
        r"J\left(a\right)=\|t-Ka\|^2", r"J\bigl(a\bigr)=\|t-Ka\|^2",
        r"J\!\left(a\right)=\|t-Ka\|^2", r"J\,(a)=\|t-Ka\|^2", "J (a) = ‖t-Ka‖²",
    ],
    "J = a.T@K@a": [
        r"J=a{}^\top Ka", r"J=a{}^{\top}Ka", "J=a^{ᵀ}Ka", r"J=a^{\prime}Ka", "J=aᵀKa",
        r"J=a^\prime Ka", r"J=a^{'}Ka", r"J=a^{\mathstrut\top}Ka", "J=a.TKa", "J=a′Ka",
    ],
    "w = Phi.T@a": [r"w=\varPhi^\top a", r"w=\upPhi^\top a", "w=Phi.Ta", "w=Phiᵀa"],
    "w = sum(a[n]*phi[n] for n in N)": [
        r"w=\sum_na_n\phi_n", r"w=\sum_n a_n\phi\left(x_n\right)",
        r"w=\sum_{n=1}^N a_n\phi\!\left(x_n\right)", r"w=\sum_na_n\phi (x_n)",
    ],
    "sum(K[n,m] for n in N for m in N) = 0": [r"\sum_nm K_{nm}=0"],
    "grad(J,a) = t": [
        r"\pdv{J}{a}=t", r"\dv{J}{a}=t", r"\cfrac{\partial J}{\partial a}=t",
        r"{\partial J\over\partial a}=t", r"\frac{\uppartial J}{\uppartial a}=t",
        r"\frac{\differentialD J}{\differentialD a}=t", r"J^{\prime}(a)=t",
        r"J^\prime\left(a\right)=t",
    ],
    "J = 1/2*lam": [
        r"J=\nicefrac{1}{2}\lambda", r"J=\sfrac12\lambda", r"J={1 \over 2}\lambda",
    ],
    "K@a - t = 0": [
        "K a - t = 0_N", "K a - t = 0_{N}", r"K a - t = \mathbf{0}_N",
        r"K a - t = \mathbf 0_{N}", r"K a - t = 0_{N\times 1}",
    ],
    "K - K.T = 0": [r"K - K^\top = 0_{N\times N}", r"K - K^\top = \mathbf{0}_{N,N}"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("plain", "other"),
    [(plain, other) for plain, others in LAID_OUT.items() for other in others],
)
def test_layout_changes_nothing(plain, other):
    (step,) = steps(other)
    assert str(RIDGE.parse(step.relation)) == str(RIDGE.parse(plain))


MISFITS = {
    "t - t = 0_M": "differ in shape", "K a = 0[n]": "where does the index n run",
    "0[n,m] = 0": "where does the index", "(0@t)_n = 0": "where does the index",
    r"J = \|K\|_2^2": "only a column has a length", "J = ‖t‖₂": "the squared norm",
}  # fmt: skip


@pytest.mark.parametrize(("text", "words"), MISFITS.items())
def test_what_has_no_size_is_refused(text, words):
    with pytest.raises(ShapeError, match=words):
        RIDGE.parse(text)


def test_digits_behind_a_matrix_are_two_indices():
    problem = find("kernel-cauchy-schwarz")
    assert str(problem.parse("K_{01} = 0").sides[0]) == "K[0,1]"


ACCENTED = {
    r"\hat{t}": "t_hat", r"\hat t": "t_hat", "t̂": "t_hat", "t_hat": "t_hat",
    r"\widehat{\mathbf{t}}": "t_hat", r"\tilde t": "t_tilde", "t̃": "t_tilde",
    r"\bar{t}": "t_bar", r"\overline t": "t_bar", "t̅": "t_bar", "t'": "t_prime",
    r"t^\prime": "t_prime", "t′": "t_prime", "t_1": "t1", "t_{1}": "t1", "t₁": "t1",
    "t_new": "t_new", r"t_{\mathrm{new}}": "t_new", "t_*": "ts", r"t^{\star}": "ts",
}  # fmt: skip


@pytest.mark.parametrize(("text", "name"), ACCENTED.items())
def test_what_marks_a_letter_makes_another_symbol(text, name):
    words = Vocabulary(frozenset({"t", "K", name}))
    relation = read(rf"K {text} = t", words)
    assert relation.sides == (Expr("mul", (sym("K"), sym(name)), ""), sym("t"))
    with pytest.raises((ReadError, ShapeError)):
        RIDGE.parse(f"{text} = t")


def test_fonts_do_not_distinguish_letters():
    for font in ("mathbf", "boldsymbol", "bm", "mathrm", "vec"):
        assert RIDGE.parse(rf"a = \{font}{{t}}") == RIDGE.parse("a = t")


@pytest.mark.parametrize(
    ("name", "why"),
    [("N", "size"), ("K", "already"), ("phi", "row"), ("I", "fixed"), ("exp", "fixed")],
)
def test_names_with_a_meaning_are_reserved(name, why):
    words = RIDGE.words(frozenset(RIDGE.table))
    assert why in str(reserved(name, words, RIDGE.definable))


@pytest.mark.parametrize("name", ["a", "C", "e", "t_hat", "d", "a1"])
def test_other_names_are_free(name):
    words = RIDGE.words(frozenset(RIDGE.table))
    assert reserved(name, words, RIDGE.definable) is None
    assert reserved(name, words, (), constants=(name,)) is not None


PIECES = [
    *"KatJwNMIde=+-*/@^_(){}[],.|<>'n2λΦᵀ²½∑∇∂‖⟨⟩", "**", "||", ".T", ">=", ":=",
    "phi", "sum", "inv", "grad", "d", "for", "in", "not", "ones", "norm2", "np.",
    *(rf"\{name} " for name in ("frac", "hat", "sum", "mathbf", "partial", "top")),
    *(rf"\{name}" for name in ("left", "boxed{", "norm{", "over ", "text{", "mid ")),
    " ", "|", "₁", "⅓", "0_N", "0[n]", "let ", "assume ", "lines 2-4", ";", "#",
    "is invertible",
]  # fmt: skip


def test_nothing_but_words_for_the_student_comes_out():
    rng = random.Random(7)
    for _ in range(2000):
        text = "".join(rng.choices(PIECES, k=rng.randint(1, 14)))
        with contextlib.suppress(ReadError, ShapeError):
            RIDGE.parse(text)
        for step in steps(text):
            said(step.reasons or text, frozenset(RIDGE.table))
