"""Reasons: the words after the bar, and what they allow.

A reason is understood by its words, in the many ways in which people say the same
thing. Each becomes an `Action`; what an action opens is the judge's business.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches

from kernellab.grading.language.lexer import ReadError
from kernellab.grading.language.tree import Expr, Relation


@dataclass(frozen=True)
class Action:
    """What one reason allows.

    Parameters
    ----------
    kind : "free", "define", "substitute", "given", "let", "gradient", "zero",
        "inverse", "cancel", "multiply", "use", "assume", "sufficient", "nonneg",
        "independence", "covariance", "linearity", "claim", "remark" or "unknown".
    names : symbols that it names.
    expression : the matrix or number that it names.
    lines : the numbers of the lines that it cites.
    text : its words.
    """

    kind: str
    names: tuple[str, ...] = ()
    expression: Expr | None = None
    lines: tuple[int, ...] = ()
    text: str = ""


# What to offer in a pick list, with one line on each.
PICK_LIST = {
    "given": "a definition or an assumption of the problem, repeated",
    "let z": "a new symbol of yours",
    "def K": "replace K by what it stands for, or back",
    "substitute w": "use the latest line (or definition) w = …",
    "algebra": "expand, factor, rearrange, transpose, matrix or index form",
    "gradient": "compute grad or diff",
    "set to zero": "the gradient vanishes at the optimum",
    "inverse K + lam*I": "this matrix times its inverse is I",
    "cancel K + lam*I": "both sides have this invertible factor",
    "use 4": "line 4",
    "assume K invertible": "an extra assumption, said openly",
    "sufficient": "the new line implies the old one",
    "nonneg": "a square, a sum of squares, a quadratic form of a psd matrix",
    "independence": "uncorrelated Gaussians are independent",
    "claim": "unique(a), not unique(a), invertible(K)",
    "remark": "words only",
}

_FREE = re.compile(
    r"""expan|factor|rearrang|collect|simplif|transpos|matrix|index|symmetr|trace|cyclic
    |algebra|linear|bilinear|move|distribut|multipl(y|ied)?\s+out|group|combin|scalar
    |divid|scal(e|ing)|subtract|add|commut|associat|regroup|reorder|squar(e|ing)\b
    |binomial|foil|norm|write|rewrit|same|arithmetic|equival|sum(s|mation)?\b|component
    |vector|notation|form\b|inner\s+product|dot\s+product|bring|isolat|solve\s+for|swap
    |exp(onent)?|law|identity|split|separat|gather|quadratic|bracket|parenthes|push
    |sign|common|pull|take\s+out|cancel\s+terms|exchange|tensor|kronecker|feature|log
    |power|orthogonal|pythagoras|cross\s+term|perpendicular|conclusion|hence|therefore
    |result|done|qed|goal|complet|column|row|stack|entr(y|ies)|half|halv|double|both
    |real|cov|hadamard|diag|order|kernel\s+trick|term|constant|minus|plus|double\s+sum
    """,
    re.VERBOSE | re.IGNORECASE,
)

_WORDS = (
    "given", "define", "substitute", "gradient", "derivative", "inverse", "cancel",
    "sufficient", "assume", "independence", "claim", "remark", "expand", "factor",
    "rearrange", "collect", "transpose", "algebra", "simplify", "symmetry", "nonneg",
    "definition", "differentiate", "stationarity", "distribute",
)  # fmt: skip

_GREEK = {"λ": "lam", "Φ": "Phi", "φ": "phi", "α": "alpha", "σ": "sigma"}
_LATEX = {r"\lambda": "lam", r"\Phi": "Phi", r"\alpha": "alpha", r"\phi": "phi"}


_LEADING = re.compile(
    r"^\s*((since|because( of)?|as|using|by|with|from|we have|the|dual|constraints?"
    r"|condition)\b\s*)+", re.IGNORECASE,
)  # fmt: skip
_FORMULAS = ("add", "sub", "mul", "sum", "index", "call")


def _differentiates(node: Expr) -> bool:
    return any(part.op in ("grad", "diff") for part in node.walk())


class ReasonReader:
    """Understands reasons, given the names of a problem.

    Parameters
    ----------
    names : the symbols that a reason can name.
    read : reads an expression or a relation, and gives it its shapes.
    """

    def __init__(self, names: frozenset[str], read: Callable[[str], Relation]) -> None:
        self.names = names
        self.read = read

    def actions(self, text: str) -> list[Action]:
        """All actions of the text after the bar."""
        found: list[Action] = []
        for piece in split_reasons(text):
            found += self.piece(piece, found)
        return found

    def piece(self, text: str, before: list[Action]) -> list[Action]:
        """The actions of one reason."""
        words = text.lower()
        for pattern, method in _RULES:
            match = re.search(pattern, words)
            if match:
                action: list[Action] | None = method(self, text, words, match)
                if action is not None:
                    return action
        return self.bare(text, words, before)

    # One method for each family of words

    def remark(self, text: str, words: str, match: re.Match[str]) -> list[Action]:
        return [Action("claim" if "claim" in words else "remark", text=text)]

    def let(self, text: str, words: str, match: re.Match[str]) -> list[Action]:
        found = re.match(r"\s*([^\W\d]\w*)", text[match.end() :])
        name = self.spelling(found.group(1)) if found else ""
        return [Action("let", (name,) if name else (), text=text)]

    def assume(self, text: str, words: str, match: re.Match[str]) -> list[Action]:
        core = re.sub(
            r"\b(we|assum\w*|suppos\w*|that|is|are|an?|the|case|when|where|if|and|said"
            r"|invertible|nonsingular|non-singular|regular|full|rank|positive|definite"
            r"|pd|has|exists|inverse|of|matrix)\b",
            " ", text, flags=re.IGNORECASE,
        )  # fmt: skip
        return [Action("assume", expression=self.expression(core), text=text)]

    def regular(self, text: str, words: str, match: re.Match[str]) -> list[Action]:
        """“K + lam*I is invertible”, said as the reason for an inverse."""
        return [
            Action(
                "inverse", expression=self.expression(text[: match.start()]), text=text
            )
        ]

    def sufficient(self, text: str, words: str, match: re.Match[str]) -> list[Action]:
        return [Action("sufficient", text=text)]

    def zero(self, text: str, words: str, match: re.Match[str]) -> list[Action]:
        if re.search(r"cross|orthogonal|phi|^\s*\w+\s*@", words):
            return self.equation_or_given(text)
        cited = self.equation(text)
        if cited is not None and cited.expression is not None:
            return [cited]
        after = re.search(
            r"(?:for|in|by|w\.?r\.?t\.?|respect to|of|at|optimal)\s+([^\W\d]\w*)", text
        )
        named = [self.spelling(after.group(1))] if after else []
        names = tuple(name for name in named if name in self.names)
        found = [Action("zero", names, text=text)]
        if re.search(r"differentiat|derivative and|gradient and|gradient,", words):
            found.append(Action("gradient", text=text))
        return found

    def equation_or_given(self, text: str) -> list[Action]:
        """“Phi@u = 0” or “the cross term vanishes”."""
        return [self.equation(text) or Action("given", text=text)]

    def gradient(self, text: str, words: str, match: re.Match[str]) -> list[Action]:
        return [Action("gradient", text=text)]

    def linearity(self, text: str, words: str, match: re.Match[str]) -> list[Action]:
        return [Action("linearity", text=text)]

    def independence(self, text: str, words: str, match: re.Match[str]) -> list[Action]:
        return [Action("independence", text=text)]

    def inverse(self, text: str, words: str, match: re.Match[str]) -> list[Action]:
        rest = re.sub(
            r"^\s*(of|the|both sides|by|matrix|with|on|from|left|right|side)*\b", " ",
            text[match.end() :], flags=re.IGNORECASE,
        )  # fmt: skip
        kind = "cancel" if "cancel" in words and "inverse" not in words else "inverse"
        return [Action(kind, expression=self.expression(rest), text=text)]

    def inverted(self, text: str, words: str, match: re.Match[str]) -> list[Action]:
        """multiply by inv(X), multiply by X^-1"""
        found = self.expression(text[match.end() :])
        if found is not None and found.op == "inv":
            return [Action("inverse", expression=found.args[0], text=text)]
        if found is not None and found.op == "num":
            return [Action("free", text=text)]
        return [Action("multiply", expression=found, text=text)]

    def summed(self, text: str, words: str, match: re.Match[str]) -> list[Action]:
        """“sum over i”: an equation for every i, added up."""
        return [Action("multiply", text=text)]

    def cancel(self, text: str, words: str, match: re.Match[str]) -> list[Action]:
        rest = re.sub(
            r"^\s*(out|the|common|factor|by|both sides|on|from|left|right)*\b", " ",
            text[match.end() :], flags=re.IGNORECASE,
        )  # fmt: skip
        found = self.expression(rest)
        if found is not None and found.op in ("num", "inv"):
            return [Action("free", text=text)]
        return [Action("cancel", expression=found, text=text)]

    def divide(self, text: str, words: str, match: re.Match[str]) -> list[Action]:
        return [Action("cancel", expression=self.expression(text[match.end() :]))]

    def use(self, text: str, words: str, match: re.Match[str]) -> list[Action]:
        rest = words[match.end() :]
        numbers = tuple(int(n) for n in re.findall(r"(?<![\w.])\d{1,4}(?![\w.])", rest))
        names = self.mentioned(text[match.end() :])
        if numbers and not re.search(r"[=@*^]", rest):
            return [Action("use", lines=numbers, text=text)]
        equation = self.equation(text[match.end() :])
        if equation is not None:
            return [equation]
        if names:
            return [Action("substitute", names, text=text)]
        return [Action("free", text=text)]

    def given(self, text: str, words: str, match: re.Match[str]) -> list[Action]:
        return [Action("given", self.mentioned(text[match.end() :]), text=text)]

    def define(self, text: str, words: str, match: re.Match[str]) -> list[Action]:
        rest = text[match.end() :]
        names = self.mentioned(rest)
        if not names and re.search(r"\bcov", rest):
            return [Action("covariance", text=text)]
        return [Action("define", names, text=text)]

    def substitute(self, text: str, words: str, match: re.Match[str]) -> list[Action]:
        rest = text[match.end() :]
        numbers = re.findall(r"(?:lines?|steps?|eq\w*\.?|\()\s*(\d{1,4})", rest.lower())
        if numbers:
            return [Action("use", lines=tuple(map(int, numbers)), text=text)]
        plain = re.match(r"\s*(?:in\w*|back)?\s*(\d{1,4})\s*$", rest.lower())
        if plain:
            return [Action("use", lines=(int(plain.group(1)),), text=text)]
        equation = self.equation(rest)
        if equation is not None:
            return [equation]
        source = re.split(r"\b(?:into|in|to)\b", rest)[0]
        names = self.mentioned(source) or self.mentioned(rest)
        return [Action("substitute", names, text=text)]

    def nonneg(self, text: str, words: str, match: re.Match[str]) -> list[Action]:
        return [Action("nonneg", text=text)]

    def free(self, text: str, words: str, match: re.Match[str]) -> list[Action] | None:
        return [Action("free", text=text)]

    def bare(self, text: str, words: str, before: list[Action]) -> list[Action]:
        """No word was understood: numbers, a name, an equation, or a near miss."""
        if re.fullmatch(r"[\s(]*\d{1,4}[\s).]*((and|&)[\s(]*\d{1,4}[\s).]*)*", words):
            numbers = tuple(map(int, re.findall(r"\d+", words)))
            return [Action("use", lines=numbers, text=text)]
        equation = self.equation(text)
        if equation is not None:
            return [equation]
        names = self.mentioned(text)
        if names and len(text.split()) <= len(names) + 1:
            kind = before[-1].kind if before else "define"
            kind = kind if kind in ("define", "substitute", "given") else "define"
            return [Action(kind, names, text=text)]
        first = re.match(r"\s*([a-z]{4,})", words)
        close = get_close_matches(first.group(1), _WORDS, 1, 0.75) if first else []
        if first and close and close[0] != first.group(1):
            return self.piece(close[0] + text[first.end() :], before)
        return [Action("unknown", text=text)]

    # Names and expressions inside the words

    def spelling(self, name: str) -> str:
        return _GREEK.get(name, name)

    def mentioned(self, text: str) -> tuple[str, ...]:
        """The symbols that a text names, in order."""
        for latex, name in _LATEX.items():
            text = text.replace(latex, f" {name} ")
        text = re.sub(r"\([^()]*\)", " ", text)
        text = re.sub(r"([^\W\d_]+)[_^]\{?(\*|\\star|\\ast)\}?", r"\1s ", text)  # f_*
        words = re.findall(r"[^\W\d_]+\d*", text)
        found = [self.spelling(word) for word in words]
        return tuple(dict.fromkeys(name for name in found if name in self.names))

    def expression(self, text: str) -> Expr | None:
        """The expression that a text is, or None; trailing words are dropped."""
        text = re.split(
            r"\b(?:from|on|which|because|since|is|as|both|exists|invertible|,)\b", text
        )[0].strip(" .:")
        if not text:
            return None
        try:
            relation = self.read(text)
        except ValueError:
            return None
        return relation.sides[0] if not relation.signs else None

    def equation(self, text: str) -> Action | None:
        """“w = Phi.T@a” as a reason cites the definition, or the line, of w."""
        if "=" not in text:
            return None
        try:
            relation = self.read(_LEADING.sub("", text).strip(" .:()"))
        except (ReadError, ValueError):
            return None
        left = relation.sides[0]
        if left.op == "transpose" or any(s.op == "transpose" for s in relation.sides):
            names = {side.args[0] if side.args else side for side in relation.sides}
            if len({str(n) for n in names}) == 1:
                return Action("free", text=text)  # K = K.T
        if left.op == "sym":
            return Action("substitute", (left.data,), text=text)
        mentioned = tuple(sorted(relation.symbols()))
        plain = left.op in _FORMULAS and not _differentiates(left)
        return Action("given", mentioned, left if plain else None, text=text)


_R = ReasonReader
_RULES: tuple[tuple[str, Callable[..., list[Action] | None]], ...] = (
    (r"^\s*(remark|note|comment|claim)", _R.remark),
    (r"^\s*(let|denote|call|introduce|name)\b", _R.let),
    (r"\bassum|\bsuppos|\bif\b.*invertible|^\s*invertib", _R.assume),
    (r"suffic|\benough\b|\bsuffices\b", _R.sufficient),
    (r"\b(is|are) (invertible|nonsingular|regular|positive definite)", _R.regular),
    (
        r"(set|equal|equate|put|make)\w*\b.*(zero|\b0\b)|stationar|first.?order|optimal"
        r"|vanish|(?<![<>])=\s*0\s*$|\bzero gradient|gradient (is )?(zero|0)"
        r"|minimum|maximum|optimum|extrem|minimi[sz]|^\s*foc\b|^\s*kkt\b|critical",
        _R.zero,
    ),
    (
        r"gradient|grad\b|differenti|derivativ|calculus|nabla|∇|chain rule|product rule"
        r"|jacobi|\bpartial|∂|\bdiff\b|leibniz",
        _R.gradient,
    ),
    (r"\blinear", _R.linearity),
    (r"independen|decorrelat|uncorrelat", _R.independence),
    (r"(cancel\s+|multipl\w*\s.*|apply\s.*)?\binvers\w*|\binvert\b", _R.inverse),
    (r"\bsolv(e|ing)\b", _R.inverse),
    (r"multipl(y|ied|ying)\s+(out\b)", _R.free),
    (
        r"(left-?\s*|right-?\s*|pre-?|post-?)?multipl(?!ier)\w*"
        r"(\s+(both sides|(on|from) the (left|right)|left|right|it))*"
        r"(\s+(by|with))?",
        _R.inverted,
    ),
    (r"^\s*(take the )?(sum|summing|summed|add(ing)? up)\b.*\b(over|all)\b", _R.summed),
    (r"\bcancel\s+terms|cancell?(ing)?\s*$|terms cancel", _R.free),
    (r"\bcancel\w*", _R.cancel),
    (r"\bdivid\w*(\s+(both sides|through|out))?(\s+by)?", _R.divide),
    (r"\bsubstitut\w*|\bplug\w*|\binsert\w*|\breplac\w*|\beliminat\w*", _R.substitute),
    (r"\bdef\b\.?|\bdefinitions?( of)?\b|\bdefine\w*|\bdefining|\bdefn\b", _R.define),
    (
        r"\bgiven|\bhypothes\w*|\bby construction|\bdata\b|orthogonal|perpendicular"
        r"|null ?space|kernel of|cross term|pythag|complementar|slackness",
        _R.given,
    ),
    (
        r"non-?\s?neg|cauchy|schwar|\bpsd\b|\bp\.?s\.?d|positive"
        r"|drop (a |the )?squar|sum of squares"
        r"|squares? (is|are|>=|≥)|semi-?definite|(>=|≥|\\geq?\w*)\s*0|\bnorm.*>="
        r"|squared norm"
        r"|lower bound|drop\b|>\s*0\s*$",
        _R.nonneg,
    ),
    (
        r"^\s*(use|using|by|from|apply|with|see|via|because of|thanks to|lines?|steps?"
        r"|eqs?\.?|equations?|insert|recall|combin\w+|put)\b",
        _R.use,
    ),
    (r"\b(lines?|steps?|eqs?\.?|equations?)(?=\s*\(?\d)", _R.use),
)


def split_reasons(text: str) -> list[str]:
    """Split at ; and , and “and”, but not inside brackets."""
    pieces, depth, start = [], 0, 0
    for at, character in enumerate(text):
        depth += character in "([{"
        depth -= character in ")]}"
        if character in ";," and depth <= 0:
            pieces.append(text[start:at])
            start = at + 1
    pieces.append(text[start:])
    return [piece.strip() for piece in pieces if piece.strip()]


def is_free(action: Action) -> bool:
    """Whether the reason opens nothing: algebra under any of its names."""
    return action.kind in ("free", "nonneg", "remark", "linearity") or (
        action.kind == "unknown" and _FREE.search(action.text) is not None
    )
