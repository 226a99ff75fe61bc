"""Lines of a text: what is mathematics, what is a reason, what is introduced."""

import re

import pytest

from kernellab.grading.language.lexer import ReadError
from kernellab.grading.language.reader import read
from kernellab.grading.language.steps import Step, steps
from kernellab.grading.language.vocabulary import Vocabulary


def step(line: str) -> Step:
    """Return the only step of a line."""
    (found,) = steps(line)
    return found


REASONS = {
    "a = t | use 4": ("a = t", "use 4"),
    "a = t": ("a = t", ""),
    "J = |t|^2": ("J = |t|^2", ""),
    "J = |t|^2 | norm": ("J = |t|^2", "norm"),
    "J = lam |a|^2 + |t|² | both |.| are norms": (
        "J = lam |a|^2 + |t|²", "both |.| are norms",
    ),
    "J = (t - |a|^2) |norm": ("J = (t - |a|^2)", "norm"),
    r"J = \|t\|^2 | norm": (r"J = \|t\|^2", "norm"),
    "J = ||t||^2 | norm": ("J = ||t||^2", "norm"),
    r"J = \langle t | a \rangle | inner product": (
        r"J = \langle t | a \rangle", "inner product",
    ),
    "a = t   # by line 3": ("a = t", "by line 3"),
    "a = t // by line 3": ("a = t", "by line 3"),
    "a = t -- by line 3": ("a = t", "by line 3"),
    "a = t - -b": ("a = t - -b", ""),
    "a = t   (by line 3)": ("a = t", "by line 3"),
    "a = t   (3)": ("a = t", ""),
    r"a = t \qquad (2) \\ | from (1)": ("a = t", "from (1)"),
    r"a &= t && (12)": ("a &= t", ""),
    r"a = t \quad (\ast)": ("a = t", ""),
    "a = t(3)": ("a = t(3)", ""),
    "a = t, since K is invertible": ("a = t", "since K is invertible"),
    "a = t by line 3": ("a = t", "by line 3"),
    "Assume K is invertible. Then a = t": ("a = t", "Assume K is invertible"),
    "a = K@b   (lam + 1)": ("a = K@b   (lam + 1)", ""),
    "so, thus a = t.": ("a = t", ""),
    "1. a = t": ("a = t", ""),
    "(2) a = t": ("a = t", ""),
    "2.5*a = t": ("2.5*a = t", ""),
    r"$$a = t$$": ("a = t", ""),
    r"\Rightarrow a &= t \\": ("a &= t", ""),
    "Since K is invertible: a = t": ("a = t", "Since K is invertible"),
    "At the optimum, K a = t | def K": ("K a = t", "At the optimum; def K"),
    "assume K invertible": ("", "assume K invertible"),
    "K is not invertible.": ("not invertible(K)", ""),
    "the matrix K is non-singular": ("invertible(K)", ""),
    "a is unique": ("unique(a)", ""),
    "alpha is unique": ("unique(alpha)", ""),
    "Thus Phi.T@Phi is invertible": ("invertible(Phi.T@Phi)", ""),
    "dot(alpha + beta, y) = 0": ("dot(alpha + beta, y) = 0", ""),
    "for n in N: a[n] = t[n]": ("a[n] = t[n]", "for n in N"),
    "Claim: a is unique": ("unique(a)", "Claim"),
    "K is not singular": ("invertible(K)", ""),
    "K is singular": ("not invertible(K)", ""),
    "in all cases a = t": ("a = t", "in all cases"),
    "At the minimum K@a = t | def K": ("K@a = t", "At the minimum; def K"),
    "by induction on n, a = t": ("a = t", "by induction on n"),
    "Base case: 0 <= lam": ("0 <= lam", "Base case"),
    "from line 2 and 3 a = t": ("a = t", "from line 2 and 3"),
    "for all n a[n] = t[n]": ("a[n] = t[n]", "for all n"),
    "we then obtain that a = t": ("a = t", ""),
    "first-order condition: a = t": ("a = t", "first-order condition"),
    r"a_n = t_n \quad \forall n": (r"a_n = t_n \quad", r"\forall n"),
    "a_n = t_n for all n | def K": ("a_n = t_n", "for all n; def K"),
    "a = t where K = I": ("a = t", "where K = I"),
    "a = t (by line 3)": ("a = t", "by line 3"),
    "It suffices that K@a = t": ("K@a = t", "It suffices that"),
    "K@a = t is sufficient": ("K@a = t", "is sufficient"),
    "K@a = t suffices": ("K@a = t", "suffices"),
    "K@a = t is not sufficient": ("K@a = t is not sufficient", ""),
    "a = t   (at minimum)": ("a = t", "at minimum"),
    "Step 2: substitute w = K@a": ("w = K@a", "Step 2; substitute"),
    "lam >= 0 as E and F are psd": ("lam >= 0", "as E and F are psd"),
    "Multiply by K⁻¹ (assuming K invertible):": (
        "", "Multiply by K⁻¹ (assuming K invertible):",
    ),
    "at no time is it not true that a = t": (
        "at no time is it not true that a = t", "",
    ),
    "1 = 0 | remark": ("1 = 0", "remark"),
    "set K@a - t = 0": ("K@a - t = 0", "set to zero"),
    "Note that K = K.T": ("K = K.T", ""),
    r"a = t \mid given": ("a = t", "given"),
    r"a = t \;\vert\; \text{given}": ("a = t", "given"),
    r"a = t \qquad \text{given}": ("a = t", "given"),
    r"a = t && \text{given}": ("a = t", "given"),
    r"a = t \quad(\text{given})": ("a = t", "given"),
    r"a = t \quad\text{(given)}.": ("a = t", "given"),
    r"a = t | given \quad\text{(2)}": ("a = t", r"given \quad\text{(2)}"),
    "a = t % given": ("a = t", "given"),
    "a = t // 2": ("a = t // 2", ""),
    "a = t -- 2": ("a = t -- 2", ""),
    "it is not true that: a = t": ("it is not true that: a = t", ""),
    r"\Longrightarrow a = t": ("a = t", ""),
    r"\Longleftrightarrow\quad a = t": ("a = t", ""),
    r"\to a = t": ("a = t", ""),
    r"\leadsto a = t": ("a = t", ""),
    "⟺ a = t": ("a = t", ""),
    r"\boxed{a = t}\,.": ("a = t", ""),
    r"a = c\, t + b, b = 0": (r"a = c  t + b, b = 0", ""),
    r"a = t \quad\text{because } K \text{ is regular}": (
        "a = t", "because  K  is regular",
    ),
    r"a &= t && \text{by the definition of } K": ("a &= t", "by the definition of  K"),
    r"a = t \text{ for all } n": ("a = t", "for all  n"),
    r"a &= t && \text{(put in $w = \Phi^\top a$)}": (
        "a &= t", r"put in $w = \Phi^\top a$",
    ),
    r"a &= t && \text{definición de } v": ("a &= t", "definición de  v"),
    "(iii) a = t": ("a = t", ""),
    "b) a = t": ("a = t", ""),
    "RHS = a = t": ("a = t", ""),
    r"s = \quad \text{tr}(K)": (r"s = \quad  tr(K)", ""),
}  # fmt: skip


@pytest.mark.parametrize(("line", "parts"), REASONS.items())
def test_relation_and_reasons(line, parts):
    found = step(line)
    assert (found.relation, found.reasons) == parts
    assert not found.wordy
    assert found.let is None


INTRODUCED = {
    "let C = K + lam*I": "C",
    "Define C := K + lam*I": "C",
    "denote C = K": "C",
    "where C = K": "C",
    "C := K": "C",
    r"C \coloneqq K": "C",
    r"let $\hat t = K a$": "t_hat",
    "let t' = K a": "t_prime",
    "let λ̃ = 2λ": "lam_tilde",
    "let w_* = w": "ws",
    "let a_1 = a": "a1",
    "let C_y = K": "C_y",
    "let r_n = t_n": "r",
    "let r[n] = t[n]": "r",
    "let f(x) = K": "f",
    "z = f - y | let z": "z",
    "z = f - y | define z": "z",
    "z = f - y | def z": None,
    "set grad(J,a) = 0": None,
    "set K@a - t = 0": None,
    "K@a := t": None,
    "a = t": None,
}


@pytest.mark.parametrize(("line", "name"), INTRODUCED.items())
def test_names_that_are_introduced(line, name):
    found = step(line)
    assert found.let == name
    assert "=" in found.relation or "coloneqq" in found.relation


@pytest.mark.parametrize(
    "line",
    [
        "We now differentiate.",
        "the matrix may be singular | remark",
        "anything at all, in words | remark",
        "First: expand the square.",
        "Proof.",
        "Step 2:",
        "Part (a)",
        "We want to show that a = t",
        "It remains to prove a = t",
        "QED",
    ],
)
def test_words_alone_are_no_mathematics(line):
    assert step(line).wordy
    assert step(line).relation == ""


def test_frames_of_latex_are_no_steps():
    text = "\\begin{align}\na &= t \\\\\n&= K b\n\\end{align}"
    assert [s.continues for s in steps(text)] == [False, True]


@pytest.mark.parametrize(
    "text",
    [
        "A@t | by hand\n= b\n= c",
        "\\begin{align*}\n A t & \\\\ \n &= b \\\\ \n &= c \\\\ \n\\end{align*}",
        "a = 2\n(1) A t\n= b\n= c",
        "sum(A[n,m]*t[m] for m in N) + sum(t[n] for n in N)\n= b\n= c",
    ],
)
def test_an_expression_begins_the_chain_that_goes_on_below(text):
    *_, first, second, third = steps(text)
    assert first.begins
    assert not first.relation
    assert not second.continues
    assert re.fullmatch(r"(A[@ ]t|sum.*\)) = b", second.relation)
    assert third.continues


@pytest.mark.parametrize(
    "text", ["a = t\nunique(a)\n= b", "a = t\nK is invertible\n= b", "let C = K\n= b"]
)
def test_claims_and_names_begin_no_chain(text):
    assert steps(text)[-1].continues


@pytest.mark.parametrize(
    "piece", ["claim ", "set ", "so ", "a is ", "|", "(", ": ", " "]
)
def test_long_lines_do_not_hang(piece):
    """Patterns that try many ways to match would take hours here."""
    for length in (3900, 100_000):
        line = f"claim{piece * (length // len(piece))}unique"
        assert len(steps(line)) == 1


CASES = {
    "case q >= 0": "q >= 0",
    "Case 1: q >= 0": "q >= 0",
    "case (ii): $q < 0$": "q < 0",
    "Case a: a > 0": "a > 0",
    "case a > 0": "a > 0",
    "the second case: q < 0": "q < 0",
    "suppose q < 0": "q < 0",
    "assume that lam = 0": "lam = 0",
}


@pytest.mark.parametrize(("line", "relation"), CASES.items())
def test_a_case_is_opened(line, relation):
    found = step(line)
    assert found.supposes
    assert found.relation == relation


@pytest.mark.parametrize(
    "line", ["assume K invertible", "suppose K is regular", "q = 0"]
)
def test_other_lines_open_no_case(line):
    assert not step(line).supposes


@pytest.mark.parametrize("dots", ["...", " ...", " . . .", "…", r" \dots", r" \cdots."])
def test_dots_behind_a_formula_stay(dots):
    relation = step(f"J = t.T@t{dots} | and so on ...").relation
    with pytest.raises(ReadError, match="dots leave something out"):
        read(relation, Vocabulary(frozenset({"J", "t"})))
