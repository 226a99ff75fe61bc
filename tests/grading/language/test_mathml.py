"""Typeset expressions: the right letters, the brackets that are needed."""

from __future__ import annotations

from functools import reduce
from xml.etree import ElementTree

import pytest

from kernellab.grading.language.letters import Letters
from kernellab.grading.language.mathml import mathml, relation_mathml
from kernellab.grading.language.tree import Expr, Relation, sym
from kernellab.grading.problems import find
from tests.grading import texts

CORE = {
    "math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt", "msub",
    "msup", "msubsup", "munder", "munderover", "mover", "mtable", "mtr", "mtd",
}  # fmt: skip
CHILDREN = {
    "mfrac": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2, "msubsup": 3,
    "munderover": 3,
}  # fmt: skip
COLLECTION = sorted(path.stem[6:] for path in texts.CORPUS.glob("right_*.txt"))
INVISIBLE = str.maketrans("", "", "\u2061\u2062")


def linear(xml: str) -> str:
    """MathML on one line, as one would read it: K_nm, x^⊤, (a)/(b), ∑_n=1^N."""
    return "".join(_linear(math) for math in _parse(xml)).translate(INVISIBLE)


def _parse(xml: str) -> ElementTree.Element:
    return ElementTree.fromstring(f"<x>{xml.replace('<wbr>', '')}</x>")


def _linear(node: ElementTree.Element) -> str:
    parts = [_linear(child) for child in node]
    match node.tag:
        case "mfrac":
            return f"[{parts[0]}]/[{parts[1]}]"
        case "msqrt":
            return f"√[{''.join(parts)}]"
        case "msub" | "munder":
            return "{}_{}".format(*parts)
        case "msup":
            return "{}^{}".format(*parts)
        case "msubsup" | "munderover":
            return "{}_{}^{}".format(*parts)
        case "mtr":
            return f"{''.join(parts)};"
    return (node.text or "") + "".join(parts)


def shown(text: str, problem: str = "ridge-dual") -> str:
    """A relation of a problem, typeset, on one line."""
    declared = find(problem)
    return linear(relation_mathml(declared.parse(text), declared.letters()))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = inv(K + lam*I)@t", "a=(K+λI)^−1t"),
        ("K@((K + lam*I)@a - t) = 0", "K((K+λI)a−t)=0"),
        ("w = Phi.T@a", "w=Φ^⊤a"),
        ("w = (Phi.T)@(a)", "w=Φ^⊤a"),
        ("J = (t - K@a).T@(t - K@a)", "J=(t−Ka)^⊤(t−Ka)"),
        ("J = norm2(t - K@a)", "J=‖t−Ka‖^2"),
        ("y = phi[n].T@phis", "y=φ_n^⊤φ_*"),
        ("Phi[n,m] = 0", "Φ_nm=0"),
        ("J = sum((t[n] - w.T@phi[n])**2 for n in N)", "J=∑_n=1^N(t_n−w^⊤φ_n)^2"),
        ("J = sum(t[n] for n in N)*lam", "J=(∑_n=1^Nt_n)λ"),
        ("J = lam*sum(t[n] for n in N)", "J=λ∑_n=1^Nt_n"),
        ("J = sum(t[n] + 1 for n in N) + lam", "J=∑_n=1^N(t_n+1)+λ"),
        ("J = -sum(t[n] for n in N)", "J=−∑_n=1^Nt_n"),
        ("grad(J,a) = -2*K@(t - K@a)", "∇_aJ=−2K(t−Ka)"),
        ("diff(J, a[n]) = 0", "[∂J]/[∂a_n]=0"),
        ("diff(J, lam) = 0", "[∂J]/[∂λ]=0"),
        ("diff(lam*J, a[n]) = 0", "[∂]/[∂a_n](λJ)=0"),
        ("J = lam*2*3", "J=λ⋅2⋅3"),
        ("J = lam - (lam - 1)", "J=λ−(λ−1)"),
        ("J = lam - (-lam)", "J=λ−(−λ)"),
        ("J = lam*(-lam)", "J=λ(−λ)"),
        ("J = (-lam)**2", "J=(−λ)^2"),
        ("J = -lam/2", "J=−[λ]/[2]"),
        ("J = (lam + 1)/2*lam", "J=[λ+1]/[2]λ"),
        ("J = (lam/2)**2", "J=([λ]/[2])^2"),
        ("J = (lam**2)**2", "J=(λ^2)^2"),
        ("J = 0.5*lam**(1/2)", "J=0.5λ^1/2"),
        ("w = (t.T@t)*w", "w=(t^⊤t)w"),
        ("w = 2*(t.T@t)*lam*w", "w=2(t^⊤t)λw"),
        ("J = lam*(t.T@t)", "J=λt^⊤t"),
        ("(K.T)**2 = inv(K.T)", "(K^⊤)^2=(K^⊤)^−1"),
        ("J = (K@a)[n]", "J=(Ka)_n"),
        ("J = trace(K)*log(det(K))", "J=(tr\u200bK)log\u200bdet\u200bK"),
        ("J = log(lam)*lam", "J=(log\u200bλ)λ"),
        ("J = log(2*pi)*sqrt(2*lam)", "J=log(2π)√[2λ]"),
        ("J = dot(w, phis) >= 0", "J=⟨w,φ_*⟩≥0"),
        ("unique(a)", "a\u00a0is unique"),
        ("not invertible(K)", "K\u00a0is not invertible"),
    ],
)
def test_ridge(text: str, expected: str) -> None:
    assert shown(text) == expected.replace("\u200b", "")


@pytest.mark.parametrize(
    ("problem", "text", "expected"),
    [
        ("gp-predictive", "s2 = kss - k.T@inv(C)@k", "s^2=k_**−k^⊤C^−1k"),
        ("gp-predictive", "s2**2 = cov(f,f)*kss**2", "(s^2)^2=cov(f,f)k_**^2"),
        ("lml-gradient", "d(inv(C)) = -inv(C)@dC@inv(C)", "d(C^−1)=−C^−1dCC^−1"),
        ("lml-gradient", "d(L) = trace(inv(dC)@d(C))", "dL=tr((dC)^−1dC)"),
        ("product-kernel", "q = v.T@had(E,F)@v", "q=v^⊤(E∘F)v"),
        ("product-kernel", "K = had(A@A.T, had(E,F))", "K=(AA^⊤)∘(E∘F)"),
        ("svm-dual", "w = sum(alpha[i]*y[i]*x[i] for i in N)", "w=∑_i=1^Nα_iy_ix_i"),
        ("svm-dual", "L = sum(alpha)", "L=sum(α)"),
        (
            "polynomial-features",
            "k = vec(c, x[0]).T@vec(c, z[1])",
            "k=[c;x_0;]^⊤[c;z_1;]",
        ),
        ("representer", "J = loss(Phi@w) + lam*norm2(w)", "J=ℓ(Φw)+λ‖w‖^2"),
        ("closure", "G = diag(g)@K@diag(g)", "G=diag(g)Kdiag(g)"),
        (
            "gaussian-factors",
            "k = exp(-norm2(x - z)/(2*s**2))",
            "k=exp(−[‖x−z‖^2]/[2s^2])",
        ),
    ],
)
def test_other_problems(problem: str, text: str, expected: str) -> None:
    assert shown(text, problem) == expected


def test_components_counted_from_one() -> None:
    component = Expr("index", (sym("x"),), (0,))
    assert linear(mathml(component)) == "x_0"
    assert linear(mathml(component, Letters(first=1))) == "x_1"


def test_rows_without_a_name_keep_that_of_the_matrix() -> None:
    row = Expr("index", (sym("Phi"),), ("n",))
    assert linear(mathml(row)) == "Φ_n"
    assert linear(mathml(row, Letters(rows={"Phi": "phi"}))) == "φ_n"


def test_greek_capitals_stand_upright() -> None:
    assert mathml(sym("Phi")).count('<mi mathvariant="normal">Φ</mi>') == 1
    assert "<mi>φ</mi>" in mathml(sym("phi"))


def test_brackets_grow_with_tall_contents_only() -> None:
    problem = find("ridge-dual")
    assert "true" not in _stretched(problem.parse("J = (lam + 1)**2"))
    assert "true" in _stretched(problem.parse("J = (lam/J + 1)**2"))


def _stretched(relation: Relation) -> set[str | None]:
    found = _parse(relation_mathml(relation)).iter("mo")
    return {mo.get("stretchy") for mo in found if mo.get("fence")}


def test_the_end_of_a_chain() -> None:
    assert (
        linear(relation_mathml(Relation((sym("a"), sym("b")), ("=", ">=")))) == "=a≥b"
    )


def test_a_long_relation_can_break_at_its_signs() -> None:
    problem = find("ridge-dual")
    text = "J = t.T@t - 2*t.T@K@a + a.T@K@K@a + lam*a.T@K@a"
    pieces = relation_mathml(problem.parse(text)).split("<wbr>")
    alts = [_parse(piece)[0].get("alttext") for piece in pieces]
    assert alts == ["J = t.T@t", "- 2*t.T@K@a", "+ a.T@K@K@a", "+ lam*a.T@K@a"]
    assert "<wbr>" not in relation_mathml(problem.parse("J = t.T@t"))


def test_everything_is_escaped() -> None:
    evil = '"><script>&'
    nodes = [
        sym(evil),
        Expr("index", (sym("a"),), (evil,)),
        Expr("sum", (sym("a"),), (evil, evil)),
        Expr("call", (sym("a"),), evil),
    ]
    for node in nodes:
        xml = mathml(node)
        assert "<script" not in xml
        assert _parse(xml)[0].tag == "math"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("t_hat", "t^"), ("lam_tilde", "λ~"), ("t_prime", "t^′"), ("C_y", "C_y"),
        ("a1", "a_1"), ("ws", "w_*"),
    ],
)  # fmt: skip
def test_marked_letters(name: str, expected: str) -> None:
    assert linear(mathml(sym(name))) == expected


def test_a_long_product_does_not_exhaust_the_stack() -> None:
    tree = reduce(lambda x, y: Expr("mul", (x, y), "*"), [sym("lam")] * 700)
    assert linear(mathml(tree)) == "λ" * 700


@pytest.mark.parametrize("name", COLLECTION)
def test_the_collection_is_valid_mathml_core(name: str) -> None:
    problem = find(name)
    letters = problem.letters()
    count = 0
    for entry in texts.read("right", problem.id):
        for step in texts.steps(entry.text):
            try:
                relation = problem.parse(step.whole)
            except ValueError:  # uses a name of the student's
                continue
            count += 1
            tree = _parse(relation_mathml(relation, letters))
            assert {node.tag for node in tree.iter()} <= CORE | {"x"}
            assert all(math.get("alttext") for math in tree)
            assert _arities(tree)
    assert count


def _arities(tree: ElementTree.Element) -> bool:
    """Whether scripts and fractions have as many children as they need."""
    return all(len(node) == CHILDREN.get(node.tag, len(node)) for node in tree.iter())
