"""What words say: generous where something must be said, silent elsewhere."""

import pytest

from kernellab.grading.language.said import MAX_CHARACTERS, said

NAMES = frozenset({"K", "Phi", "a", "t", "w", "lam", "J", "Z", "f", "ws", "c", "E"})

FLAGS = {
    "stationary": [
        "set to zero", "at the mode", "first-order condition", "J is minimal", "KKT",
        "the gradient vanishes", "∇J = 0", "necessary condition", "a is a minimiser",
        "put to 0", "saddle point", "set it to 0", "equate it with 0",
        "the derivative must be 0", "differentiate and equate to zero",
    ],
    "sufficient": [
        "sufficient", "it suffices", "this is one solution", "choose a", "J is convex",
        "it is implied by", "which is solved by this",
    ],
    "independent": [
        "independence", "uncorrelated", "jointly Gaussian", "conditioning on y",
    ],
    "cases": ["in both cases", "so in all three cases", "in either case", "either way"],
    "hypothesis": ["induction hypothesis", "by hypothesis", "inductive assumption",
                   "assume it holds for m"],
    "induction": ["by induction", "induction on m"],
    "base": ["base", "base case: m = 0", "induction start"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("flag", "text"), [(flag, text) for flag in FLAGS for text in FLAGS[flag]]
)
def test_what_must_be_said_is_read_generously(flag, text):
    assert getattr(said(text, NAMES), flag)


OTHER_LANGUAGES = {
    "stationary": [
        "on annule le gradient",
        "le gradient est nul",
        "point stationnaire",
        "gradient égal à 0",
        "à l'optimum",
        "igualamos el gradiente a cero",
        "el gradiente se anula",
        "punto estacionario",
        "Gradient null setzen",
        "der Gradient verschwindet",
        "stationärer Punkt",
        "gleich 0 setzen",
    ],
    "sufficient": [
        "il suffit que",
        "basta que",
        "es suficiente",
        "es genügt",
        "hinreichend",
    ],
    "independent": ["indépendance", "non corrélés", "independientes", "unabhängig"],
    "cases": [
        "dans tous les cas",
        "dans les deux cas",
        "en ambos casos",
        "in beiden Fällen",
    ],
    "hypothesis": [
        "hypothèse de récurrence",
        "hipótesis de inducción",
        "Induktionsannahme",
    ],
    "induction": ["par récurrence", "por inducción", "durch Induktion"],
    "base": ["initialisation", "caso base", "Induktionsanfang"],
}


@pytest.mark.parametrize(
    ("flag", "text"),
    [(flag, text) for flag, texts in OTHER_LANGUAGES.items() for text in texts],
)
def test_what_must_be_said_may_be_french_spanish_or_german(flag, text):
    assert getattr(said(text, NAMES), flag)


DENIED = {
    "stationary": [
        "lam is not zero",
        "we do not set it to zero",
        "ce n'est pas nul",
        "lam is different from zero",
        "it is nonzero",
        "not yet at the minimum",
        "lam should not be 0",
        "the middle term disappears",
    ],
    "sufficient": [
        "this is not sufficient",
        "insufficient",
        "not yet enough",
        "implied by line 5",
        "line 5 implies this",
        "as line 5 must be satisfied",
        "we have done enough",
        "one solution, thus the only one",
    ],
    "independent": ["z and y are not independent", "without independence"],
    "induction": ["no induction is needed"],
}


@pytest.mark.parametrize(
    ("flag", "text"), [(flag, text) for flag in DENIED for text in DENIED[flag]]
)
def test_what_is_denied_is_not_said(flag, text):
    assert not getattr(said(text, NAMES), flag)


@pytest.mark.parametrize(
    "text", ["hypothèse de récurrence", "hipótesis de inducción", "Induktionsannahme"]
)
def test_a_hypothesis_is_not_what_an_induction_concludes(text):
    assert not said(text, NAMES).induction


@pytest.mark.parametrize(
    "text",
    [
        "expand",
        "since λ ≠ 0",
        "développer",
        "par définition de K",
        "das Quadrat",
        "la traza",
        "the null space of K",
        "simplifier",
        "regla de la cadena",
        "def K",
        "lam is nonzero",
        "q >= 0",
        "use 10",
        "multiply by K",
    ],
)
def test_other_words_say_nothing(text):
    found = said(text, NAMES)
    assert not any(getattr(found, flag) for flag in FLAGS)
    assert found.assumes == ()


ASSUMED = {
    "assume K invertible": ("invertible(K)",),
    "assuming that K is non-singular": ("invertible(K)",),
    "if K is nonsingular": ("invertible(K)",),
    "suppose the matrix K has full rank": ("invertible(K)",),
    "assuming K^-1 exists": ("invertible(K)",),
    "assuming K^{-1} exists": ("invertible(K)",),
    "provided K⁻¹ exists": ("invertible(K)",),
    "assume inv(K) exists": ("invertible(K)",),
    "K is assumed to be invertible": ("invertible(K)",),
    "assume invertible(K)": ("invertible(K)",),
    "assume K + lam*I is invertible": ("invertible(K + lam*I)",),
    r"assume \Phi^\top\Phi is regular": (r"invertible(\Phi^\top\Phi)",),
    "assume E and K are invertible; expand": ("invertible(E)", "invertible(K)"),
    "assume the inverse exists": ("invertible",),
    "Multiply by K^{-1} (assuming K invertible):": ("invertible(K)",),
    "assume (K + lam*I) is invertible": ("invertible(K + lam*I)",),
    "assume K is not singular": ("invertible(K)",),
    "if K isn't singular": ("invertible(K)",),
    "assume K is singular": ("K is singular",),
    "assume lam = 0": ("lam = 0",),
    "suppose that K is not invertible": ("K is not invertible",),
    "K is invertible": (),
    "on suppose K inversible": ("invertible(K)",),
    "si K est non singulière": ("invertible(K)",),
    "supongamos que K es invertible": ("invertible(K)",),
    "sei K + lam*I invertierbar": ("invertible(K + lam*I)",),
    "on suppose que lam = 0": ("lam = 0",),
    "we do not have to assume K invertible": (),
    "without assuming that K is invertible": (),
    "we needn't assume K invertible": (),
    "even if K is invertible": (),
    "sans supposer K inversible": (),
    "il n'est pas nécessaire de supposer K inversible": (),
    "sin suponer que K es invertible": (),
    "not by line 2, but assume K invertible": ("invertible(K)",),
    "not obvious but we assume K invertible": ("invertible(K)",),
}


@pytest.mark.parametrize(("text", "assumed"), ASSUMED.items())
def test_assumptions(text, assumed):
    assert said(text, NAMES).assumes == assumed


CITED = {
    "use 4": (4,), "(2) and (3)": (2, 3), "lines 2-4": (2, 3, 4), "from line 5": (5,),
    "eq. 3": (3,), "by 3": (3,), "4": (4,), "insert (2) into 7": (2, 7),
    "lines 1, 3 and 4": (1, 3, 4), "divide by 2": (), "multiply with 2": (),
    "use 2*K": (), "set to 0": (), "the factor 2": (), "norm2(x)": (), "x^2": (),
    "by line 3; divide by 2": (3,), "(1/2)": (), "use K_2": (),
    "d'après la ligne 3": (3,), "línea 2": (2,), "Zeilen 2 und 3": (2, 3),
}  # fmt: skip


@pytest.mark.parametrize(("text", "lines"), CITED.items())
def test_cited_lines(text, lines):
    assert said(text, NAMES).lines == lines


NAMED = {
    "def K": ("K",),
    "w = Phi.T@a and K = Phi@Phi.T": ("w", "Phi", "a", "K"),
    r"K = \Phi\Phi^\top": ("K", "Phi"),
    "K = ΦΦᵀ": ("K", "Phi"),
    "with λ": ("lam",),
    "c = Zf": ("c", "Z", "f"),
    "a square": (),
    "a solves it": ("a",),
    "insert w_*": ("ws",),
    "Gram matrix": (),
    "": (),
}


@pytest.mark.parametrize(("text", "names"), NAMED.items())
def test_named_symbols(text, names):
    assert said(text, NAMES).names == names


def test_long_texts_are_cut():
    assert len(said("set " * 30_000, NAMES).text) == MAX_CHARACTERS
